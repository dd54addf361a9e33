"""Long runs of many tasks, in processes of their own where several may run at once, with a progress display."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from server.cli.progress import progress
from server.runtime.errors import CommandError

Task = TypeVar("Task", bound=Hashable)
Result = TypeVar("Result")


def run_tasks(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    workers: int,
    words: str,
    prepare: Callable[[], None] | None = None,
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with its result, in the order in which they end.

    `words` name the tasks in the progress display, where one counts once the caller comes for the next. With two
    `workers` or more, a function of a module (or a partial of one) works in so many processes, each of which calls
    `prepare` first; with fewer, here, task by task. Raises the exception of the first task that fails, and CommandError
    where a process is gone; then, and when the caller stops, tasks that have not begun never do.
    """
    with progress(len(tasks), words) as step:
        for pair in _apart(work, tasks, workers, prepare) if workers > 1 else ((task, work(task)) for task in tasks):
            yield pair
            step()


def _apart(
    work: Callable[[Task], Result], tasks: Sequence[Task], workers: int, prepare: Callable[[], None] | None
) -> Iterator[tuple[Task, Result]]:
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), prepare)
    doing = {pool.submit(work, task): task for task in tasks}
    try:
        for done in as_completed(doing):
            yield doing[done], done.result()
    except BrokenProcessPool as problem:
        raise CommandError("A process that worked has died: start again.", 1) from problem
    except BaseException:
        # a caller that stops the run stops its processes, too, and a pool without processes must not be waited for
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
