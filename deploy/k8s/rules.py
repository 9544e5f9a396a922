"""The house's rules for manifests: each looks at one site's documents and yields a sentence for every fault."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Document = dict[str, Any]
Rule = Callable[[list[Document]], Iterator[str]]

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"
WORKLOADS = ("Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob")
SECRETIVE = re.compile(r"PASSWORD|PASSWD|SECRET|TOKEN|KEY|CREDENTIAL|REDIS_URL")
CREDENTIALS = re.compile(r"://[^/\s:]*:[^/\s@]+@|-----BEGIN [A-Z ]*PRIVATE KEY")


def named(document: Document) -> str:
    """Return kind and name, as one says them: `Deployment/wallet`."""
    return f"{document['kind']}/{document['metadata']['name']}"


def documented(section: str) -> frozenset[str]:
    """Return the names of settings or secrets in docs/operations.md: the first cell of the section's table rows."""
    text = OPERATIONS.read_text(encoding="utf-8")
    part = re.split(r"^#+ ", text.partition(f"# {section}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    images = re.findall(r"`(TAPIS_SERVICE)`", part)
    return frozenset(re.findall(r"^\| `([A-Za-z_-]+)`", part, flags=re.MULTILINE)) | frozenset(images)


def containers_are_bounded(documents: list[Document]) -> Iterator[str]:
    """Requests for the scheduler, a memory limit for the neighbours. No CPU limit: it would only add latency."""
    for owner, container in _containers(documents):
        resources = container.get("resources", {})
        for kind, what in (("requests", "cpu"), ("requests", "memory"), ("limits", "memory")):
            if what not in resources.get(kind, {}):
                yield f"{owner}: no {what} in resources.{kind}"


def containers_are_probed(documents: list[Document]) -> Iterator[str]:
    """A starting, a hanging and an unready container are three different things."""
    for owner, container in _containers(documents):
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            if probe not in container:
                yield f"{owner}: no {probe}"
        alive, ready = (
            container.get(f"{kind}Probe", {}).get("httpGet", {}).get("path") for kind in ("liveness", "readiness")
        )
        if alive is not None and (alive, ready) != ("/livez", "/readyz"):
            yield f"{owner}: probes ask {alive} and {ready} instead of /livez and /readyz"


def containers_are_confined(documents: list[Document]) -> Iterator[str]:
    """The restricted pod security standard, a root that cannot be written, and no key to the cluster's interface."""
    for owner, spec in _pods(documents):
        context = spec.get("securityContext", {})
        if context.get("runAsNonRoot") is not True or not context.get("runAsUser"):
            yield f"{owner}: may run as root"
        if context.get("seccompProfile", {}).get("type") != "RuntimeDefault":
            yield f"{owner}: no seccomp profile"
        if spec.get("automountServiceAccountToken") is not False:
            yield f"{owner}: is given a token for the cluster"
    for owner, container in _containers(documents):
        context = container.get("securityContext", {})
        if context.get("allowPrivilegeEscalation") is not False or context.get("privileged"):
            yield f"{owner}: may gain privileges"
        if context.get("capabilities", {}).get("drop") != ["ALL"]:
            yield f"{owner}: keeps capabilities"
        if context.get("readOnlyRootFilesystem") is not True:
            yield f"{owner}: can write its root"


def images_are_tagged(documents: list[Document]) -> Iterator[str]:
    """What runs is named by its version, never by `latest`."""
    for owner, container in _containers(documents):
        image = container.get("image", "")
        tag = image.rpartition("/")[2].partition(":")[2]
        if "@sha256:" not in image and tag in ("", "latest"):
            yield f"{owner}: image {image!r} has no version"


def secrets_are_only_referred_to(documents: list[Document]) -> Iterator[str]:
    """No secret is in a manifest."""
    for document in documents:
        if document["kind"] == "Secret":
            yield f"{named(document)}: a secret must not be in the repository"
        if CREDENTIALS.search(str(document.get("data", ""))) or CREDENTIALS.search(str(document.get("spec", ""))):
            yield f"{named(document)}: holds a password or a private key"
        if document["kind"] == "ConfigMap":
            yield from (
                f"{named(document)}: {key} looks like a secret" for key in document["data"] if _is_secretive(key)
            )
    for owner, container in _containers(documents):
        for variable in container.get("env", []):
            if "value" in variable and _is_secretive(variable["name"]):
                yield f"{owner}: {variable['name']} is given as a value"


def secrets_are_explained(documents: list[Document]) -> Iterator[str]:
    """Whoever sets up a site finds every secret that the manifests refer to in docs/operations.md."""
    known = documented("Secrets")
    for owner, spec in _pods(documents):
        for secret in _references(spec, "secret"):
            if secret not in known:
                yield f"{owner}: the secret {secret} is not explained in docs/operations.md"


def config_maps_exist(documents: list[Document]) -> Iterator[str]:
    """A pod that waits for a config map nobody makes would never start."""
    made = {document["metadata"]["name"] for document in documents if document["kind"] == "ConfigMap"}
    for owner, spec in _pods(documents):
        yield from (
            f"{owner}: there is no config map {name}" for name in _references(spec, "configMap") if name not in made
        )


def settings_are_documented(documents: list[Document]) -> Iterator[str]:
    """Every variable given to a container is in the table of settings."""
    known = documented("Settings")
    maps = {document["metadata"]["name"]: document["data"] for document in documents if document["kind"] == "ConfigMap"}
    for owner, container in _containers(documents):
        names = [variable["name"] for variable in container.get("env", [])]
        for source in container.get("envFrom", []):
            names += maps.get(source.get("configMapRef", {}).get("name"), {})
        yield from (f"{owner}: {name} is not in docs/operations.md" for name in names if name not in known)


def replicas_survive_maintenance(documents: list[Document]) -> Iterator[str]:
    """Deployments have two replicas or more, on different nodes, and are drained one at a time."""
    budgets = [d["spec"] for d in documents if d["kind"] == "PodDisruptionBudget"]
    for document in documents:
        if document["kind"] != "Deployment":
            continue
        pod = document["spec"]["template"]
        if document["spec"].get("replicas", 1) < 2:
            yield f"{named(document)}: a single replica has nobody to take over"
        if not any(_selects(budget["selector"], pod) and "maxUnavailable" in budget for budget in budgets):
            yield f"{named(document)}: no disruption budget"
        spread = pod["spec"].get("topologySpreadConstraints", [])
        if not any(_selects(c["labelSelector"], pod) and c["topologyKey"] == "kubernetes.io/hostname" for c in spread):
            yield f"{named(document)}: replicas are not spread over nodes"


def nobody_speaks_unless_allowed(documents: list[Document]) -> Iterator[str]:
    """Everything is denied first; only the scraper reaches the workers, and the RNG above all."""
    policies = [document for document in documents if document["kind"] == "NetworkPolicy"]
    if not any(
        p["spec"]["podSelector"] == {} and set(p["spec"]["policyTypes"]) == {"Ingress", "Egress"} for p in policies
    ):
        yield "no network policy denies everything"
    for document in documents:
        if document["kind"] != "Deployment" or document["metadata"]["name"] in ("gateway", "display"):
            continue
        for policy in policies:
            peers = [peer for way in policy["spec"].get("ingress", []) for peer in way.get("from", [{}])]
            allowed = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}
            if _selects(policy["spec"]["podSelector"], document["spec"]["template"]) and any(
                p != allowed for p in peers
            ):
                yield f"{named(policy)}: lets others than the scraper speak to {document['metadata']['name']}"


def secrets_reach_one_service(documents: list[Document]) -> Iterator[str]:
    """A service gets its own address of Redis and no other; only the RNG gets the keys that open its seeds."""
    for document in documents:
        if document["kind"] != "Deployment":
            continue
        name = document["metadata"]["name"]
        for volume in document["spec"]["template"]["spec"].get("volumes", []):
            secret = volume.get("secret", {})
            items = [item["key"] for item in secret.get("items", [])]
            if secret.get("secretName") == "tapis-redis" and items != [f"{name.replace('-', '_')}.url"]:
                yield f"{named(document)}: gets {items or 'all'} of tapis-redis, not its own address alone"
            if secret.get("secretName") == "tapis-rng" and name != "rng":
                yield f"{named(document)}: gets the keys of the RNG's seeds"


RULES: tuple[Rule, ...] = (
    containers_are_bounded,
    containers_are_probed,
    containers_are_confined,
    images_are_tagged,
    secrets_are_only_referred_to,
    secrets_are_explained,
    config_maps_exist,
    settings_are_documented,
    replicas_survive_maintenance,
    nobody_speaks_unless_allowed,
    secrets_reach_one_service,
)


def _pods(documents: list[Document]) -> Iterator[tuple[str, Document]]:
    """Every pod's specification, with the name of what makes the pod."""
    for document in documents:
        if document["kind"] in WORKLOADS:
            spec = document["spec"]
            spec = spec.get("jobTemplate", {}).get("spec", spec)
            yield named(document), spec["template"]["spec"]


def _containers(documents: list[Document]) -> Iterator[tuple[str, Document]]:
    """Every container, with the name of what makes its pod."""
    for owner, spec in _pods(documents):
        for container in (*spec.get("initContainers", []), *spec["containers"]):
            yield f"{owner} container {container['name']}", container


def _references(spec: Document, kind: str) -> Iterator[str]:
    """Names of the secrets or config maps that a pod mounts or takes variables from."""
    for volume in spec.get("volumes", []):
        if kind in volume:
            yield volume[kind]["secretName" if kind == "secret" else "name"]
    for container in (*spec.get("initContainers", []), *spec["containers"]):
        for source in container.get("envFrom", []):
            if f"{kind}Ref" in source:
                yield source[f"{kind}Ref"]["name"]
        for variable in container.get("env", []):
            if f"{kind}KeyRef" in variable.get("valueFrom", {}):
                yield variable["valueFrom"][f"{kind}KeyRef"]["name"]


def _is_secretive(name: str) -> bool:
    """Whether a variable of this name would hold a secret; a path to one is none."""
    return bool(SECRETIVE.search(name.upper())) and not name.upper().endswith("_FILE")


def _selects(selector: Document, pod: Document) -> bool:
    """Whether a label selector matches a pod template; an empty selector matches every pod."""
    labels = pod["metadata"].get("labels", {})
    wanted = selector.get("matchLabels", {}).items()
    among = selector.get("matchExpressions", [])
    return all(labels.get(key) == value for key, value in wanted) and all(
        labels.get(one["key"]) in one["values"] for one in among
    )
