"""The rules for Prometheus and the dashboard for Grafana: made of metrics that a running server has."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from prometheus_client.core import Metric

from tests.support.clients.programs import DEPLOY, ROOT
from tests.support.servers.numbers import exposition
from tools import dashboard
from tools.dashboard_panels import Panel

pytestmark = pytest.mark.waits

NAMED = re.compile(r"\b(?:eschaton|process|python)_\w+")
RECORDED = re.compile(r"\beschaton(?::\w+)+")
ENDINGS = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}
RULES = DEPLOY / "prometheus" / "rules.yml"
TRIED = ROOT / "tests" / "deploy" / "rules.test.yml"


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Metric]:
    return dashboard.families(asyncio.run(exposition(tmp_path_factory.mktemp("server"))))


@pytest.fixture(scope="module")
def series(metrics: Mapping[str, Metric]) -> set[str]:
    return {name + ending for name, family in metrics.items() for ending in ENDINGS[family.type]}


def queries() -> Iterator[str]:
    for panel in json.loads(dashboard.FILE.read_text("utf-8"))["panels"]:
        yield from (target["expr"] for target in panel.get("targets", ()))


def test_the_dashboard_is_the_one_that_the_tool_makes(metrics: Mapping[str, Metric]) -> None:
    assert dashboard.FILE.read_text("utf-8") == dashboard.dashboard(metrics), "run `make dashboard`"


def test_every_metric_of_the_dashboard_is_a_running_servers(series: set[str]) -> None:
    named = {name for query in queries() for name in NAMED.findall(query)}
    assert len(named) > 40
    assert named - series == set()


def test_every_metric_of_the_server_is_on_the_dashboard(metrics: Mapping[str, Metric]) -> None:
    shown = " ".join(queries())
    assert [name for name in metrics if name.startswith("eschaton_") and name not in shown] == []


def test_every_panel_goes_by_a_label_that_its_metric_has(metrics: Mapping[str, Metric]) -> None:
    for panels in dashboard.rows(metrics).values():
        for panel in panels:
            labels = {label for sample in metrics[panel.metric].samples for label in sample.labels} - {"le"}
            assert panel.by in (labels or {panel.by, ""}), panel


@pytest.mark.parametrize("path", [RULES, TRIED], ids=["rules", "their tests"])
def test_every_metric_of_the_rules_is_a_running_servers(series: set[str], path: Path) -> None:
    text = path.read_text("utf-8")
    assert set(NAMED.findall(text)) - series == set()
    recorded = set(re.findall(r"- record: (\S+)", RULES.read_text("utf-8")))
    assert len(recorded) > 4
    assert set(RECORDED.findall(text)) <= recorded


def test_a_metric_that_no_panel_names_gets_one_of_its_own(metrics: Mapping[str, Metric]) -> None:
    new = Metric("eschaton_new_thing", "Something new.", "gauge")
    new.add_sample("eschaton_new_thing", {"kind": "odd"}, 1)
    made = json.loads(dashboard.dashboard({**metrics, new.name: new}))
    assert made["panels"][-1]["title"] == "new thing"
    assert made["panels"][-1]["targets"][0]["expr"] == 'sum by (kind) (eschaton_new_thing{instance=~"$instance"})'


def test_a_panel_of_a_metric_that_is_gone_is_refused(metrics: Mapping[str, Metric]) -> None:
    with pytest.raises(KeyError, match="no such metrics: eschaton_tables"):
        dashboard.dashboard({name: family for name, family in metrics.items() if name != "eschaton_tables"})


def test_lines_are_made_of_what_a_metric_is() -> None:
    panel = Panel("CPU", "eschaton_cpu_seconds", by="cause")
    only = '{instance=~"$instance"}'
    assert dashboard.expressions(panel, "counter") == {
        "{{cause}}": f"sum by (cause) (rate(eschaton_cpu_seconds_total{only}[$__rate_interval]))"
    }
    assert dashboard.expressions(panel._replace(rare=True), "counter") == {
        "{{cause}}": f"sum by (cause) (increase(eschaton_cpu_seconds_total{only}[1h]))"
    }
    assert list(dashboard.expressions(panel, "histogram")) == ["median", "99th percentile"]
    assert dashboard.unit(panel, "counter") == "short"
    assert dashboard.unit(panel, "histogram") == "s"
