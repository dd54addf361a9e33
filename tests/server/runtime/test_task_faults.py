"""Faults of background tasks are logged and counted, and endless work goes on."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path

from server.runtime import tasks
from server.runtime.logs import make_log
from server.runtime.metrics import Metrics
from server.runtime.tasks import AGAIN_SECONDS, TaskSupervisor, stop
from tests.support.clients.programs import until
from tests.support.doubles.clock import JumpingClock


class Run:
    """A supervisor with its clock, its numbers and its log."""

    def __init__(self) -> None:
        self.clock, self.metrics, self._stream = JumpingClock(), Metrics(), io.StringIO()
        self.tasks = TaskSupervisor(make_log(self._stream), self.metrics, self.clock)

    @property
    def lines(self) -> list[dict[str, str]]:
        """Return the log so far."""
        return [json.loads(line) for line in self._stream.getvalue().splitlines()]


async def fail() -> None:
    raise ValueError("a bug")


async def test_a_bug_is_logged_and_counted_as_its_task_ends() -> None:
    run = Run()
    task = run.tasks.begin(fail(), "chore")
    await asyncio.wait([task])
    await until(lambda: bool(run.lines))
    [line] = run.lines
    assert (line["event"], line["level"], line["task"]) == ("task", "error", "chore")
    assert "ValueError: a bug" in line["exception"]
    assert run.metrics.task_faults.get("chore") == 1


async def test_what_ends_in_order_or_is_cancelled_is_not_worth_a_word() -> None:
    run = Run()
    tasks = [run.tasks.begin(asyncio.sleep(0), "short"), run.tasks.begin(asyncio.sleep(3600), "long")]
    await tasks[0]
    await stop(tasks)
    await asyncio.sleep(0)
    assert not run.lines


async def test_what_goes_on_for_ever_begins_anew_after_a_bug_until_it_returns() -> None:
    run = Run()
    begun: list[int] = []

    async def work() -> None:
        begun.append(len(begun))
        if len(begun) < 3:
            await fail()

    task = run.tasks.keep(work, "chore")
    for times in (1, 2):
        await run.clock.until_sleeping()
        assert len(begun) == times
        run.clock.advance(AGAIN_SECONDS)
        await until(lambda times=times: len(begun) > times)  # type: ignore[misc]  # a default has no type
    await task
    assert run.metrics.task_faults.get("chore") == 2
    assert [line["task"] for line in run.lines] == ["chore", "chore"]


def test_no_loop_is_asked_for_a_task_but_by_the_supervisor() -> None:
    """The style check sees asyncio's own functions; a loop's method it cannot tell from others."""
    folder = Path(tasks.__file__).parents[1]
    doors = {str(file.relative_to(folder)) for file in folder.rglob("*.py") if ".create_task(" in file.read_text()}
    assert doors == {"runtime/tasks.py"}
