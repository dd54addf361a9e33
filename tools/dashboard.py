"""The Grafana dashboard, made of a table of panels (tools/dashboard_panels.py) and of a server's metrics: `make
dashboard`."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families

from tests.support.servers.numbers import exposition
from tools.dashboard_panels import ROWS, Panel

FILE: Final = Path(__file__).resolve().parent.parent / "deploy" / "grafana" / "dashboard.json"
OURS: Final = "eschaton_"
FURTHER: Final = "Further numbers"
"""The row of metrics that the table of panels does not name."""
ONLY: Final = '{instance=~"$instance"}'
SOURCE: Final = {"type": "prometheus", "uid": "${source}"}
WIDTH, HEIGHT, ACROSS = 8, 8, 24
QUANTILES: Final = {"median": 0.5, "99th percentile": 0.99}
UNITS: Final = {"_bytes": "bytes", "_seconds": "s", "_days_left": "d"}
NO_UNIT: Final = "short"


def families(text: str) -> dict[str, Metric]:
    """Return the metrics of a text in the format of Prometheus, by their names (of counters without `_total`)."""
    return {family.name: family for family in text_string_to_metric_families(text)}


def expressions(panel: Panel, kind: str) -> dict[str, str]:
    """Return the queries of a panel, by their legends."""
    legend = f"{{{{{panel.by}}}}}" if panel.by else "{{instance}}"
    by = f"by ({panel.by or 'instance'})"
    if kind == "histogram":
        rate = f"sum by (le) (rate({panel.metric}_bucket{ONLY}[$__rate_interval]))"
        return {name: f"histogram_quantile({share}, {rate})" for name, share in QUANTILES.items()}
    if kind == "counter":
        grown = "increase" if panel.rare else "rate"
        within = "1h" if panel.rare else "$__rate_interval"
        return {legend: f"sum {by} ({grown}({panel.metric}_total{ONLY}[{within}]))"}
    return {legend: f"{'sum' if panel.by else 'max'} {by} ({panel.metric}{ONLY})"}


def unit(panel: Panel, kind: str) -> str:
    """Return the unit of a panel, as Grafana names it. Seconds of CPU each second are cores."""
    found = next((name for ending, name in UNITS.items() if panel.metric.endswith(ending)), NO_UNIT)
    if kind != "counter":
        return found
    return "Bps" if found == "bytes" else NO_UNIT


def look(panel: Panel, kind: str) -> dict[str, Any]:
    """Return what a panel's lines look like: their unit, and the limit on whose wrong side they are red."""
    usual, beyond = ("red", "green") if panel.limit_is_least else ("green", "red")
    steps: list[dict[str, Any]] = [{"color": "green" if panel.limit is None else usual, "value": None}]
    custom: dict[str, Any] = {"fillOpacity": 10}
    if panel.limit is not None:
        steps.append({"color": beyond, "value": panel.limit})
        custom["thresholdsStyle"] = {"mode": "dashed"}
    defaults = {"unit": unit(panel, kind), "custom": custom, "thresholds": {"mode": "absolute", "steps": steps}}
    return defaults if panel.limit_is_least else {**defaults, "min": 0}


def drawn(panel: Panel, family: Metric, number: int, place: tuple[int, int]) -> dict[str, Any]:
    """Return a panel as Grafana reads it: lines over time."""
    kind = family.type
    return {
        "id": number,
        "type": "timeseries",
        "title": panel.title,
        "description": family.documentation,
        "datasource": SOURCE,
        "gridPos": {"x": place[0], "y": place[1], "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": look(panel, kind), "overrides": []},
        "options": {"tooltip": {"mode": "multi", "sort": "desc"}},
        "targets": [
            {"refId": letter, "datasource": SOURCE, "expr": query, "legendFormat": legend}
            for letter, (legend, query) in zip("AB", expressions(panel, kind).items(), strict=False)
        ],
    }


def rows(metrics: Mapping[str, Metric]) -> dict[str, tuple[Panel, ...]]:
    """Return the rows of the table, and a further one with those of our metrics that are in none. Raises KeyError for a
    panel whose metric the server does not have."""
    shown = {panel.metric for panels in ROWS.values() for panel in panels}
    unknown = sorted(shown - metrics.keys())
    if unknown:
        raise KeyError(f"no such metrics: {', '.join(unknown)}")
    left = [name for name in metrics if name.startswith(OURS) and name not in shown]
    further = tuple(Panel(name.removeprefix(OURS).replace("_", " "), name, _label(metrics[name])) for name in left)
    return {**ROWS, **({FURTHER: further} if further else {})}


def _label(family: Metric) -> str:
    labels = {label for sample in family.samples for label in sample.labels if label != "le"}
    return min(labels, default="")


def placed(metrics: Mapping[str, Metric]) -> Iterator[dict[str, Any]]:
    """Yield the heads of all rows and their panels, from left to right and from the top down."""
    number, top = 0, 0
    for title, panels in rows(metrics).items():
        number += 1
        yield {
            "id": number,
            "type": "row",
            "title": title,
            "collapsed": False,
            "gridPos": {"x": 0, "y": top, "w": ACROSS, "h": 1},
            "panels": [],
        }
        top += 1
        for turn, panel in enumerate(panels):
            number += 1
            down, right = divmod(turn, ACROSS // WIDTH)
            yield drawn(panel, metrics[panel.metric], number, (right * WIDTH, top + down * HEIGHT))
        top += -(-len(panels) // (ACROSS // WIDTH)) * HEIGHT


def dashboard(metrics: Mapping[str, Metric]) -> str:
    """Return the dashboard for these metrics, as JSON."""
    variables = [
        {"name": "source", "label": "Data", "type": "datasource", "query": "prometheus"},
        {
            "name": "instance",
            "label": "Server",
            "type": "query",
            "datasource": SOURCE,
            "query": "label_values(eschaton_sockets, instance)",
            "refresh": 2,
            "includeAll": True,
            "multi": True,
            "current": {"text": ["All"], "value": ["$__all"]},
        },
    ]
    whole = {
        "uid": "eschaton",
        "title": "Eschaton",
        "description": "Made of tools/dashboard_panels.py and the server's metrics by `make dashboard`.",
        "tags": ["eschaton"],
        "schemaVersion": 38,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": variables},
        "annotations": {"list": []},
    }
    # a line a panel, so that a change shows which
    panels = ",\n  ".join(map(json.dumps, placed(metrics)))
    return json.dumps(whole, indent=1).removesuffix("\n}") + f',\n "panels": [\n  {panels}\n ]\n}}\n'


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        text = asyncio.run(exposition(Path(folder)))
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(dashboard(families(text)), "utf-8")
    print(FILE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
