"""docs/capacity.md: the numbers that it looks at are those that a server has, and those of the alarms."""

from __future__ import annotations

import re
from typing import Final

import yaml

from server.runtime.metrics import Metrics
from tests.support.clients.programs import DEPLOY
from tests.support.runs.pages import page

ADVICE: Final = page("capacity.md").partition("\n## When it is too little\n")[2]
SECONDS: Final = re.compile(r"more than ([\d.]+) of a core in `(process_\w+)`")


def expression(alert: str) -> str:
    """Return the expression of an alarm."""
    groups = yaml.safe_load((DEPLOY / "prometheus" / "rules.yml").read_text("utf-8"))["groups"]
    (found,) = [rule["expr"] for group in groups for rule in group["rules"] if rule.get("alert") == alert]
    return str(found)


def test_a_full_core_is_that_of_its_alarm() -> None:
    ((most, metric),) = SECONDS.findall(ADVICE)
    assert expression("EschatonCoreFull") == f'rate({metric}{{job="eschaton"}}[5m]) > {most}'


def test_numbers_of_the_process_are_exported() -> None:
    named = set(re.findall(r"`(process_\w+)`", ADVICE))
    exported = set(re.findall(r"^(process_\w+) ", Metrics().exposition().decode(), re.MULTILINE))
    assert named
    assert named <= exported
