"""Tasks in several processes: all are done, in any order; a failure or a dead process is reported and stops the
rest."""

from __future__ import annotations

import os
from itertools import islice

import pytest

from server.cli.simulation.worker_pool import run_tasks
from server.runtime.errors import CommandError

pytestmark = pytest.mark.waits

_prepared: list[int] = []


def prepare() -> None:
    _prepared.append(os.getpid())


def double(task: int) -> tuple[int, bool]:
    """Return twice the number, and whether this process has been prepared."""
    return 2 * task, os.getpid() in _prepared


def fail(task: int) -> int:
    raise ValueError(f"task {task}")


def die(task: int) -> int:
    os._exit(task)


def test_with_one_worker_it_is_done_here_task_by_task() -> None:
    begun: list[int] = []

    def noted(task: int) -> int:
        begun.append(task)
        return -task

    doing = run_tasks(noted, [1, 2, 3], 1, "numbers")
    assert list(islice(doing, 2)) == [(1, -1), (2, -2)]
    assert begun == [1, 2]


def test_with_several_workers_all_is_done_in_prepared_processes(capsys: pytest.CaptureFixture[str]) -> None:
    found = dict(run_tasks(double, range(5), 2, "numbers", prepare))
    assert found == {task: (2 * task, True) for task in range(5)}
    assert "numbers: 5/5" in capsys.readouterr().err
    assert not _prepared


def test_what_the_first_failure_raised_is_raised() -> None:
    with pytest.raises(ValueError, match="task 7"):
        list(run_tasks(fail, [7], 2, "numbers"))


def test_a_process_that_died_is_told_in_plain_words() -> None:
    with pytest.raises(CommandError, match="has died"):
        list(run_tasks(die, [1, 2], 2, "numbers"))
