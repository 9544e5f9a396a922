"""A PodMonitor as far as the manifests use it. Its schema is the Prometheus operator's, not Kubernetes' own."""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

API_VERSION = "monitoring.coreos.com/v1"

Text = Annotated[str, msgspec.Meta(min_length=1)]
LabelName = Annotated[str, msgspec.Meta(pattern="^[a-zA-Z_][a-zA-Z0-9_]*$")]


class _Part(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A field that is not named in a part is a fault: name it here when a manifest needs it."""


class Relabeling(_Part, frozen=True, kw_only=True):
    """Labels found at a pod that become a label of its metrics."""

    source_labels: Annotated[tuple[LabelName, ...], msgspec.Meta(min_length=1)]
    target_label: LabelName


class Endpoint(_Part, frozen=True, kw_only=True):
    """What is asked of each pod."""

    port: Text
    path: Text
    interval: Annotated[str, msgspec.Meta(pattern="^[0-9]+s$")]
    honor_labels: bool
    relabelings: tuple[Relabeling, ...]


class Selector(_Part, frozen=True, kw_only=True):
    """Which pods."""

    match_labels: dict[Text, Text]


class Monitor(_Part, frozen=True, kw_only=True):
    """A PodMonitor's specification."""

    selector: Selector
    job_label: Text
    pod_metrics_endpoints: Annotated[tuple[Endpoint, ...], msgspec.Meta(min_length=1)]


def faults(document: dict[str, Any]) -> Iterator[str]:
    """What the operator would refuse or ignore."""
    if document["kind"] != "PodMonitor":
        yield f"{document['kind']} of {API_VERSION} is not known to this check"
        return
    try:
        msgspec.convert(document["spec"], Monitor)
    except msgspec.ValidationError as error:
        yield str(error)
