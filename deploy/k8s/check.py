"""Renders every site's manifests and checks them: against Kubernetes' own schemas, strictly, and the house's rules.

Usage: `python deploy/k8s/check.py`; exit 1 with one line per fault. Nothing is asked of any network or cluster.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import yaml

sys.path.insert(0, str(Path(__file__).parents[2]))  # the rules are beside this file, wherever it is started from

from deploy.k8s import pod_monitor
from deploy.k8s.rules import RULES, named

ROOT = Path(__file__).parents[2]
SITES = ROOT / "deploy" / "k8s" / "sites"
VERSIONS = ("1.30", "1.37")
"""Oldest and newest Kubernetes that the manifests must suit; those between follow."""

Document = dict[str, Any]


class KubectlMissingError(Exception):
    """No kubectl that can render; the message says how to get one."""


def main() -> int:
    """Check every site; return the exit code."""
    try:
        kubectl = find_kubectl()
    except KubectlMissingError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    bad = 0
    for site in sorted(path for path in SITES.iterdir() if path.is_dir()):
        documents = render(kubectl, site)
        faults = [*schema_faults(documents), *house_faults(documents), *site_faults(site.name, documents)]
        bad += len(faults)
        sys.stdout.write("".join(f"{site.name}: {fault}\n" for fault in faults))
        sys.stdout.write(f"{site.name}: {len(documents)} documents, {len(faults)} faults\n")
    return 1 if bad else 0


def find_kubectl() -> Path:
    """Return the kubectl to render with: $KUBECTL, else the one on PATH, else the one of `get_kubectl.py`."""
    candidates = (os.environ.get("KUBECTL"), shutil.which("kubectl"), ROOT / ".tapis" / "tools" / "kubectl")
    found = [Path(candidate) for candidate in candidates if candidate and Path(candidate).is_file()]
    if not found:
        raise KubectlMissingError(
            "kubectl is needed to render the manifests; `python deploy/k8s/get_kubectl.py` fetches one"
        )
    return found[0]


def render(kubectl: Path, folder: Path) -> list[Document]:
    """Return the documents of a kustomization; raises CalledProcessError when it does not render."""
    out = subprocess.run([str(kubectl), "kustomize", str(folder)], check=True, stdout=subprocess.PIPE).stdout
    return [document for document in yaml.safe_load_all(out) if document]


def schema_faults(documents: list[Document]) -> Iterator[str]:
    """What Kubernetes would refuse: wrong types, missing fields, and fields that do not exist."""
    for document in documents:
        if document["apiVersion"] == pod_monitor.API_VERSION:
            yield from (f"{named(document)}: {fault}" for fault in pod_monitor.faults(document))
            continue
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(document, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                place = ".".join(str(step) for step in error.path)
                yield f"{named(document)}: Kubernetes {version} at {place}: {error.message}"
            except kubernetes_validate.SchemaNotFoundError:
                yield f"{named(document)}: Kubernetes {version} has no {document['apiVersion']}"


def house_faults(documents: list[Document]) -> Iterator[str]:
    """What the house's rules forbid (`rules.py`)."""
    for rule in RULES:
        yield from rule(documents)


def site_faults(site: str, documents: list[Document]) -> Iterator[str]:
    """The folder, the namespace, the setting and the floor must name the same site."""
    maps = [document["data"] for document in documents if document["kind"] == "ConfigMap"]
    settings: dict[str, str] = next((data for data in maps if "TAPIS_SITE" in data), {})
    floor = tomllib.loads(next((data["floor.toml"] for data in maps if "floor.toml" in data), ""))
    names = {
        "TAPIS_SITE": settings.get("TAPIS_SITE"),
        "floor.toml": floor.get("site", {}).get("name"),
        "namespace": next((d["metadata"]["name"] for d in documents if d["kind"] == "Namespace"), "").removeprefix(
            "tapis-"
        ),
    }
    for where, name in names.items():
        if name != site:
            yield f"{where} names the site {name!r}, the folder names it {site!r}"
    for document in documents:
        if document["kind"] != "Namespace" and document["metadata"].get("namespace") != f"tapis-{site}":
            yield f"{named(document)}: is not in the site's namespace"


if __name__ == "__main__":
    sys.exit(main())
