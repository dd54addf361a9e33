"""The proof of rules, on a sample whose tests are good and bad on purpose."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.rule_proof import verdict

ROOT = Path(__file__).resolve().parents[2]


def prove(*arguments: str) -> subprocess.CompletedProcess[str]:
    sample = ["--package", "tests.support.sample_rules", "--tests", "tests/support/sample_rules/cases.py"]
    command = [sys.executable, "-m", "tools.rule_proof", *sample, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_each_unproven_rule_has_a_line_and_the_status_is_1() -> None:
    done = prove()
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.splitlines()[-4:] == [
        "SA-BAD-01: 1 of its 1 tests pass without it",
        "SA-BAD-02: no test is marked with it",
        "SA-BAD-03: without it its tests only fail to load content",
        "rule-proof: 5 rules proven, 3 complaints",
    ]


def test_proven_rules_end_with_status_0() -> None:
    done = prove("SA-GOOD-02", "SA-GOOD-04")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "rule-proof: 2 rules proven, 0 complaints")


@pytest.mark.parametrize(
    ("outcomes", "proven"),
    [
        (["failed", "failed"], True),
        (["failed", "loading"], True),
        (["failed", "skipped"], True),
        (["failed", "passed"], False),
        (["failed", "overdue"], False),
        (["loading"], False),
        (["skipped"], False),
        ([], False),
    ],
)
def test_a_rule_is_proven_when_a_test_fails_and_none_passes(outcomes: list[str], proven: bool) -> None:
    assert (verdict(outcomes) == "") is proven
