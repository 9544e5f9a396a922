"""The manifests of every site, and the rules they are held to: each rule is shown to bite."""

import copy
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.k8s import check, rules

Document = dict[str, Any]

SOUND = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: wallet, namespace: tapis-x}
spec:
  replicas: 2
  selector: {matchLabels: {app: wallet}}
  template:
    metadata: {labels: {app: wallet}}
    spec:
      automountServiceAccountToken: false
      securityContext: {runAsNonRoot: true, runAsUser: 10001, seccompProfile: {type: RuntimeDefault}}
      topologySpreadConstraints:
        - topologyKey: kubernetes.io/hostname
          maxSkew: 1
          whenUnsatisfiable: ScheduleAnyway
          labelSelector: {matchLabels: {app: wallet}}
      containers:
        - name: service
          image: tapis-wallet:1.2.3
          resources: {requests: {cpu: 1m, memory: 1Mi}, limits: {memory: 1Mi}}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
          env: [{name: REDIS_URL_FILE, value: /x/url}]
          envFrom: [{configMapRef: {name: settings}}]
          startupProbe: {httpGet: {path: /livez, port: 1}}
          livenessProbe: {httpGet: {path: /livez, port: 1}}
          readinessProbe: {httpGet: {path: /readyz, port: 1}}
      volumes: [{name: redis, secret: {secretName: tapis-redis, items: [{key: wallet.url, path: url}]}}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: wallet, namespace: tapis-x}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: wallet}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: tapis-x}
data: {TAPIS_SITE: x, floor.toml: "[site]\\nname = 'x'"}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny-all, namespace: tapis-x}
spec: {podSelector: {}, policyTypes: [Ingress, Egress]}
---
apiVersion: v1
kind: Namespace
metadata: {name: tapis-x}
"""


def _spec(documents: list[Document]) -> Document:
    spec: Document = documents[0]["spec"]["template"]["spec"]
    return spec


def _container(documents: list[Document]) -> Document:
    container: Document = _spec(documents)["containers"][0]
    return container


Break = Callable[[list[Document]], object]

FAULTS: dict[str, Break] = {
    "no memory in resources.limits": lambda d: _container(d)["resources"].pop("limits"),
    "no cpu in resources.requests": lambda d: _container(d)["resources"]["requests"].pop("cpu"),
    "no startupProbe": lambda d: _container(d).pop("startupProbe"),
    "probes ask /readyz and /readyz": lambda d: _container(d)["livenessProbe"]["httpGet"].update(path="/readyz"),
    "may run as root": lambda d: _spec(d)["securityContext"].pop("runAsNonRoot"),
    "no seccomp profile": lambda d: _spec(d)["securityContext"].pop("seccompProfile"),
    "is given a token for the cluster": lambda d: _spec(d).pop("automountServiceAccountToken"),
    "may gain privileges": lambda d: _container(d)["securityContext"].pop("allowPrivilegeEscalation"),
    "keeps capabilities": lambda d: _container(d)["securityContext"].pop("capabilities"),
    "can write its root": lambda d: _container(d)["securityContext"].pop("readOnlyRootFilesystem"),
    "image 'tapis-wallet' has no version": lambda d: _container(d).update(image="tapis-wallet"),
    "image 'host:5000/wallet:latest' has no version": lambda d: _container(d).update(image="host:5000/wallet:latest"),
    "a secret must not be in the repository": lambda d: d.append({"kind": "Secret", "metadata": {"name": "s"}}),
    "holds a password or a private key": lambda d: d[2]["data"].update(url="redis://tapis:hunter2@redis/0"),
    "TOKEN_KEY looks like a secret": lambda d: d[2]["data"].update(TOKEN_KEY="x"),
    "REDIS_URL is given as a value": lambda d: _container(d)["env"].append({"name": "REDIS_URL", "value": "redis://r"}),
    "the secret other is not explained": lambda d: _spec(d)["volumes"][0]["secret"].update(secretName="other"),
    "there is no config map settings": lambda d: d.pop(2),
    "TAPIS_NEW is not in docs/operations.md": lambda d: d[2]["data"].update(TAPIS_NEW="1"),
    "a single replica has nobody to take over": lambda d: d[0]["spec"].update(replicas=1),
    "no disruption budget": lambda d: d.pop(1),
    "replicas are not spread over nodes": lambda d: _spec(d).pop("topologySpreadConstraints"),
    "no network policy denies everything": lambda d: d[3]["spec"].update(policyTypes=["Ingress"]),
    "gets ['rng.url'] of tapis-redis": lambda d: _spec(d)["volumes"][0]["secret"]["items"][0].update(key="rng.url"),
    "gets all of tapis-redis": lambda d: _spec(d)["volumes"][0]["secret"].pop("items"),
    "gets the keys of the RNG's seeds": lambda d: _spec(d)["volumes"][0]["secret"].update(secretName="tapis-rng"),
    "lets others than the scraper speak to wallet": lambda d: d[3]["spec"].update(ingress=[{}]),
}


def _sound() -> list[Document]:
    """Return documents without fault; what the floor file holds is not a setting, as in the sites."""
    documents = [copy.deepcopy(document) for document in yaml.safe_load_all(SOUND)]
    floor = {"kind": "ConfigMap", "metadata": {"name": "floor", "namespace": "tapis-x"}, "data": {}}
    floor["data"] = {"floor.toml": documents[2]["data"].pop("floor.toml")}
    return [*documents, floor]


def test_sound_manifests_have_no_fault() -> None:
    """Manifests that keep the rules are passed."""
    assert [] == [*check.house_faults(_sound()), *check.site_faults("x", _sound())]


@pytest.mark.parametrize("sentence", FAULTS)
def test_each_rule_bites(sentence: str) -> None:
    """A manifest that breaks one rule is reported with a sentence that says what is wrong."""
    documents = _sound()
    FAULTS[sentence](documents)
    assert any(sentence in fault for fault in check.house_faults(documents)), list(check.house_faults(documents))


def test_a_misspelt_field_is_a_fault() -> None:
    """Validation is strict: a field that Kubernetes does not know is reported, not ignored."""
    documents = _sound()[:1]
    assert [] == [*check.schema_faults(documents)]
    _container(documents)["livenesProbe"] = {}
    assert any("livenesProbe" in fault for fault in check.schema_faults(documents))


def test_a_misspelt_field_of_a_pod_monitor_is_a_fault() -> None:
    """The operator's kind is checked as strictly, and no other kind of it is let through unseen."""
    monitor = yaml.safe_load((check.SITES.parent / "pod-monitor" / "pod-monitor.yaml").read_text(encoding="utf-8"))
    assert [] == [*check.schema_faults([monitor])]
    endpoint = monitor["spec"]["podMetricsEndpoints"][0]
    endpoint["honourLabels"] = endpoint.pop("honorLabels")
    assert any("honourLabels" in fault for fault in check.schema_faults([monitor]))
    assert ["ServiceMonitor/tapis: ServiceMonitor of monitoring.coreos.com/v1 is not known to this check"] == [
        *check.schema_faults([{**monitor, "kind": "ServiceMonitor"}])
    ]


def test_a_site_has_one_name() -> None:
    """Folder, namespace, setting and floor that name different sites are reported."""
    assert {"TAPIS_SITE", "floor.toml", "namespace"} <= {fault.split()[0] for fault in check.site_faults("y", _sound())}


def _kubectl() -> Path:
    """Return kubectl, which CI must have; elsewhere a test that renders is skipped without it."""
    try:
        return check.find_kubectl()
    except check.KubectlMissingError as error:
        if os.environ.get("TAPIS_REQUIRE_DOCKER"):
            raise
        pytest.skip(str(error))


def test_every_site_renders_and_keeps_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    """What `make k8s-check` says of the two sites of this repository: no fault."""
    _kubectl()
    assert 0 == check.main(), capsys.readouterr().out


def test_the_five_services_and_redis_are_deployed_at_every_site() -> None:
    """A site runs every service, and a Redis with its log on a volume unless it brings a replicated one."""
    modes = set()
    for site in check.SITES.iterdir():
        documents = check.render(_kubectl(), site)
        deployed = {d["metadata"]["name"] for d in documents if d["kind"] == "Deployment"}
        assert {"rng", "table-orchestrator", "wallet", "display", "gateway"} == deployed
        settings = next(d["data"] for d in documents if d["metadata"]["name"].startswith("tapis-settings"))
        redis = [d for d in documents if d["kind"] == "StatefulSet"]
        claims = [claim["metadata"]["name"] for one in redis for claim in one["spec"]["volumeClaimTemplates"]]
        assert claims == ([] if settings["TAPIS_DURABILITY"] == "replicated" else ["data"])
        modes.add(settings["TAPIS_DURABILITY"])
    assert {"durable", "replicated"} == modes


@pytest.mark.parametrize("site", sorted(path.name for path in check.SITES.iterdir()))
def test_every_site_has_a_floor_that_loads(site: str) -> None:
    """The floor of each site is accepted by the loader that the services use."""
    from libs.runtime.floor import load_floor

    assert site == load_floor(check.SITES / site / "floor.toml").site.name


def test_names_in_tables_of_the_operations_page_are_found() -> None:
    """The checks read settings and secrets from the page that operators read."""
    assert {"REDIS_URL_FILE", "TAPIS_SERVICE", "TAPIS_SITE"} <= rules.documented("Settings")
    assert {"tapis-redis", "tapis-rng", "tapis-token", "tapis-persons"} == rules.documented("Secrets")
