"""Metrics, dashboard, alerts and runbooks agree with one another and with docs/operations.md."""

import importlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import prometheus_client
import promql_parser
import pytest
import yaml

from libs.kernel.messages import tag_of
from libs.ledger.roles import ROLES
from services.gateway.bodies import WALLET_COMMANDS

ROOT = Path(__file__).parents[2]
OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
PROMETHEUS = ROOT / "deploy" / "prometheus"
DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "tapis.json").read_text(encoding="utf-8"))
RULES = [rule for group in yaml.safe_load((PROMETHEUS / "alerts.yml").read_text())["groups"] for rule in group["rules"]]

METRIC_ROW = re.compile(r"^\| `(tapis_[a-z_]+)` \| (\w+) \| ([a-z_, ]*) ?\|", re.MULTILINE)
ALERT_ROW = re.compile(r"^\| \[(\w+)\]\(runbooks/(\w+)\.md\) \| (\w+) \|", re.MULTILINE)
LISTED = {
    name: (kind, tuple(filter(None, labels.strip().split(", "))))
    for name, kind, labels in METRIC_ROW.findall(OPERATIONS)
}
ADDED_BY_THE_SCRAPER = {"site", "component", "instance", "job", "le"}


def _defined() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the metrics that the runtime defines: name as scraped, type, labels."""
    module = importlib.import_module("libs.runtime.metrics")
    kinds: dict[type, str] = {
        prometheus_client.Counter: "counter",
        prometheus_client.Gauge: "gauge",
        prometheus_client.Histogram: "histogram",
    }
    found = {}
    for value in vars(module).values():
        if type(value) in kinds:
            family = next(iter(value.describe()))
            kind = kinds[type(value)]
            found[family.name + ("_total" if kind == "counter" else "")] = (kind, tuple(value._labelnames))
    return found


def test_the_list_of_metrics_is_the_code() -> None:
    """docs/operations.md lists every metric that the runtime defines, with its type and labels, and no other."""
    assert _defined() == LISTED


def test_everything_registered_is_defined_by_name() -> None:
    """No metric hides in the registry without a name in the module, where the list would not see it."""
    registry = importlib.import_module("libs.runtime.metrics").REGISTRY
    families = {family.name for family in registry.collect() if family.name.startswith("tapis_")}
    assert {name.removesuffix("_total") for name in _defined()} == families


def _expressions() -> Iterator[tuple[str, str]]:
    """Every PromQL expression, with where it stands; Grafana's variables are replaced by what they stand for."""
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", []):
            yield f"panel {panel['title']}", target["expr"]
    for annotation in DASHBOARD["annotations"]["list"]:
        yield f"annotation {annotation['name']}", annotation["expr"]
    for rule in RULES:
        yield f"alert {rule['alert']}", rule["expr"]


def _selectors(expr: str) -> Iterator[tuple[str, set[str]]]:
    """Every metric that an expression reads, with the labels it selects by."""
    text = expr.replace("$__rate_interval", "1m").replace("$site", "rivage")
    found: list[promql_parser.VectorSelector] = []
    promql_parser.walk(promql_parser.parse(text), lambda node: _keep(node, found))
    for selector in found:
        yield str(selector.name), {matcher.name for matcher in selector.matchers.matchers}


def _keep(node: object, found: list[Any]) -> bool:
    if isinstance(node, promql_parser.MatrixSelector):
        found.append(node.vector_selector)
    elif isinstance(node, promql_parser.VectorSelector):
        found.append(node)
    return True


def _listed_as(name: str) -> str | None:
    """Return the listed metric that a series belongs to, None when there is none."""
    candidates = (name, *(name.removesuffix(suffix) for suffix in ("_bucket", "_sum", "_count")))
    return next((candidate for candidate in candidates if candidate in LISTED), None)


@pytest.mark.parametrize(("place", "expr"), list(_expressions()))
def test_expressions_use_listed_metrics_and_their_labels(place: str, expr: str) -> None:
    """Every expression of dashboard and alerts parses and reads only metrics and labels that exist."""
    selectors = list(_selectors(expr))
    assert selectors, place
    for name, labels in selectors:
        if name != "up":
            listed = _listed_as(name)
            assert listed is not None, f"{place}: there is no metric {name}"
            assert set() == labels - set(LISTED[listed][1]) - ADDED_BY_THE_SCRAPER, place
    grouped = {word for group in re.findall(r"\b(?:by|on) \(([^)]*)\)", expr) for word in group.split(", ")}
    known = ADDED_BY_THE_SCRAPER.union(*(LISTED[_listed_as(name) or ""][1] for name, _ in selectors if name != "up"))
    assert set() == grouped - known, place


def test_every_listed_metric_is_looked_at() -> None:
    """A metric that no panel and no alert reads is either missing there or not needed."""
    unread = set(LISTED) - {_listed_as(name) for _, expr in _expressions() for name, _ in _selectors(expr)}
    detail = {"tapis_events_appended_total", "tapis_outgoing_sent_total", "tapis_build_info"}
    assert detail == unread, "these are for questions that come up, by hand"


def test_the_dashboard_can_be_provisioned() -> None:
    """The dashboard has a fixed uid, no id of some server, and takes its data source from a variable."""
    assert "tapis-site" == DASHBOARD["uid"]
    assert "id" not in DASHBOARD
    assert ["datasource", "site"] == [variable["name"] for variable in DASHBOARD["templating"]["list"]]
    used = {panel["datasource"]["uid"] for panel in DASHBOARD["panels"] if panel["type"] != "row"}
    assert {"${datasource}"} == used


def test_panels_do_not_overlap() -> None:
    """Each place of the dashboard's grid is taken by one panel, within its 24 columns."""
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert set() == taken & cells, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells


def test_the_list_of_alerts_is_the_rules() -> None:
    """docs/operations.md lists every alert with its severity, and each links to its own runbook."""
    listed = {name: severity for name, runbook, severity in ALERT_ROW.findall(OPERATIONS) if name == runbook}
    assert {rule["alert"]: rule["labels"]["severity"] for rule in RULES} == listed


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule["alert"]))
def test_every_alert_says_what_to_do(rule: dict[str, Any]) -> None:
    """An alert pages or files a ticket, says what is the matter, and names a runbook that exists."""
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert {"summary", "description", "runbook_url"} == set(rule["annotations"])
    runbook = ROOT / rule["annotations"]["runbook_url"]
    assert f"{rule['alert']}.md" == runbook.name
    text = runbook.read_text(encoding="utf-8")
    assert all(part in text for part in (f"# {rule['alert']}", "**Effect.**", "**Look**", "**Do**"))


def test_no_runbook_is_left_over() -> None:
    """Every runbook belongs to an alert."""
    books = {path.stem for path in (ROOT / "docs" / "runbooks").glob("*.md")}
    assert {rule["alert"] for rule in RULES} == books


def test_every_alert_is_tested_both_ways() -> None:
    """The unit tests show every alert firing and every alert silent."""
    tests = yaml.safe_load((PROMETHEUS / "alerts_test.yml").read_text())["tests"]
    checks = [check for test in tests for check in test["alert_rule_test"]]
    names = {rule["alert"] for rule in RULES}
    assert names == {check["alertname"] for check in checks if check["exp_alerts"]}
    assert names == {check["alertname"] for check in checks if not check["exp_alerts"]}


def _promtool(*arguments: str) -> None:
    """Run promtool, which CI must have; it fails the test with its own words."""
    program = shutil.which("promtool")
    if program is None:
        if os.environ.get("TAPIS_REQUIRE_DOCKER"):
            pytest.fail("promtool is missing (Debian: prometheus)")
        pytest.skip("promtool is not installed (Debian: prometheus)")
    done = subprocess.run([program, *arguments], check=False, capture_output=True, text=True, timeout=60)
    assert 0 == done.returncode, done.stdout + done.stderr


def test_the_alerts_fire_when_they_should() -> None:
    """Promtool runs the alerts' unit tests."""
    _promtool("test", "rules", str(PROMETHEUS / "alerts_test.yml"))


def test_the_scrape_configuration_is_valid(tmp_path: Path) -> None:
    """Promtool accepts the configuration. Debian's build knows no Kubernetes: a fixed target stands in for it."""
    config = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text())
    assert ["pod"] == [way["role"] for way in config["scrape_configs"][0].pop("kubernetes_sd_configs")]
    config["scrape_configs"][0]["static_configs"] = [{"targets": ["wallet:8080"]}]
    config["rule_files"] = [str(PROMETHEUS / name) for name in config["rule_files"]]
    path = tmp_path / "prometheus.yml"
    path.write_text(yaml.safe_dump(config))
    _promtool("check", "config", str(path))


def test_the_pod_monitor_gives_the_labels_of_the_scrape_configuration() -> None:
    """Where the Prometheus operator scrapes, metrics have the job and the labels that alerts and dashboard ask for."""
    spec = yaml.safe_load((ROOT / "deploy" / "k8s" / "pod-monitor" / "pod-monitor.yaml").read_text())["spec"]
    pod = yaml.safe_load((ROOT / "deploy" / "k8s" / "base" / "service-pod.yaml").read_text())["spec"]["template"]
    config = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text())
    (job,), (endpoint,) = config["scrape_configs"], spec["podMetricsEndpoints"]
    ((name, value),) = spec["selector"]["matchLabels"].items()
    assert [f"{name}={value}"] == [one["label"] for one in job["kubernetes_sd_configs"][0]["selectors"]]
    assert (name, value) == (spec["jobLabel"], job["job_name"])
    (port,) = pod["spec"]["containers"][0]["ports"]
    annotations = pod["metadata"]["annotations"]
    assert (port["name"], annotations["prometheus.io/path"]) == (endpoint["port"], endpoint["path"])
    assert str(port["containerPort"]) == annotations["prometheus.io/port"]
    assert (job["honor_labels"], config["global"]["scrape_interval"]) == (
        endpoint["honorLabels"],
        endpoint["interval"],
    )
    wanted = {
        rule["target_label"]: rule["source_labels"]
        for rule in job["relabel_configs"]
        if rule.get("target_label", "__").strip("_") in ADDED_BY_THE_SCRAPER
    }
    assert {"site", "component", "instance"} == set(wanted)
    assert wanted == {rule["targetLabel"]: rule["sourceLabels"] for rule in endpoint["relabelings"]}


def test_who_says_what_is_what_the_ledger_lets_them_say() -> None:
    """docs/operations.md lists every command that people send to the wallet, and the roles that may."""
    section = OPERATIONS.partition("who says what\n")[2].partition("\n### ")[0]
    rows = re.findall(r"^\| (`wallet\..+?`) \| ([a-z_, ]+) \|$", section, flags=re.MULTILINE)
    listed = {tag: set(roles.split(", ")) for tags, roles in rows for tag in re.findall(r"`([\w.]+)`", tags)}
    assert {tag_of(kind): set(ROLES[kind]) - {"service"} for kind in WALLET_COMMANDS} == listed


def test_the_settings_listed_are_those_read() -> None:
    """docs/operations.md lists every variable that the runtime reads, and no other."""
    section = OPERATIONS.partition("## Settings\n")[2].partition("\n## ")[0]
    listed = set(re.findall(r"^\| `([A-Z_]+)`", section, flags=re.MULTILINE))
    source = (ROOT / "libs" / "runtime" / "settings.py").read_text(encoding="utf-8")
    assert set(re.findall(r'"((?:TAPIS|REDIS)_[A-Z_]+)"', source)) == listed
