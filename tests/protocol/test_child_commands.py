"""Children that run modules of this program, from an interpreter and from a frozen program."""

from __future__ import annotations

import subprocess
import sys

import pytest

from protocol.child_commands import RUN_MODULE, child_command, confined_command
from tests.support.runs.patience import PATIENCE

ARGUMENT = "with a space, 'quotes' and \"more\""
MODULE = "tests.support.runs.told_arguments"
FROZEN = "import sys; sys.frozen = True; from protocol.child_commands import run_as_child; run_as_child(); print('no')"
"""The beginning of a frozen program, which does not come to its end where it was started as a child."""


def told(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 7, done.stderr
    return done.stdout.strip()


@pytest.mark.waits
def test_a_child_of_an_interpreter_runs_the_module_with_its_arguments() -> None:
    assert told(child_command(MODULE, ARGUMENT)) == str([ARGUMENT])


@pytest.mark.waits
def test_a_frozen_program_that_is_started_as_a_child_runs_the_module_only() -> None:
    start = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {FROZEN}"]
    assert told([*start, RUN_MODULE, MODULE, ARGUMENT]) == str([ARGUMENT])
    done = subprocess.run([*start, "play"], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "no\n"


@pytest.mark.parametrize("command", [child_command, confined_command])
def test_a_frozen_program_starts_itself(command: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(command)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert command(MODULE, ARGUMENT) == [sys.executable, RUN_MODULE, MODULE, ARGUMENT]


def test_a_confined_child_has_no_current_folder_and_no_site_of_the_user_on_its_path() -> None:
    assert confined_command(MODULE)[1:3] == ["-P", "-s"]
