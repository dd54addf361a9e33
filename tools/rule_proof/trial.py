"""One test run under the rules as they now stand, and its outcome."""

from __future__ import annotations

import functools
import gc
import signal
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol

ROOT: Final = Path(__file__).resolve().parents[2]
TESTS: Final = ROOT / "tests"
ROOMS: Final = frozenset({"engine", "server", "client", "protocol", "tests"})
CACHE: Final = type(functools.cache(len))
TIMERS: Final = {signal.ITIMER_PROF: signal.SIGPROF, signal.ITIMER_REAL: signal.SIGALRM}
WAITED: Final = 5  # factor of the time by the clock, for a busy machine
LOADS_CONTENT: Final = "content"  # the method of a System that reads and checks its TOML


class OverTime(BaseException):
    """End of a test over its time. No Exception: rule code with an error must not catch it."""


class Trial:
    """Pytest plugin that runs tests and classifies their failures."""

    def __init__(self) -> None:
        self.failure: pytest.ExceptionInfo[BaseException] | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        if call.excinfo is not None and self.failure is None:
            self.failure = call.excinfo
        return (yield)

    def run(self, item: pytest.Item, seconds: float) -> str:
        """Run one test: passed, skipped, looked (it failed by its own assertion), loading, overdue or broke."""
        self.failure = None
        try:
            with limit(seconds):
                reports = runtestprotocol(item, log=False, nextitem=None)
        except OverTime:
            return "overdue"
        if not any(report.failed for report in reports):
            return "passed" if all(report.passed for report in reports) else "skipped"
        assert self.failure is not None
        if isinstance(self.failure.value, OverTime):
            return "overdue"
        if has_looked(self.failure.value):
            return "looked"
        return "loading" if is_loading(self.failure) else "broke"


def has_looked(error: BaseException | None) -> bool:
    """Return True where a test failed by an assertion or pytest.fail, or an expected refusal did not come."""
    while error is not None:
        if isinstance(error, BaseExceptionGroup):
            return any(map(has_looked, error.exceptions))
        if isinstance(error, AssertionError) and _paths(error)[-1:] and _paths(error)[-1].is_relative_to(TESTS):
            return True
        if isinstance(error, pytest.fail.Exception) and any(path.is_relative_to(TESTS) for path in _paths(error)):
            return True
        error = error.__cause__
    return False


def is_loading(failure: pytest.ExceptionInfo[BaseException]) -> bool:
    """Tell if this failure arose while a module was imported or content was read."""
    if failure.errisinstance((ImportError, SyntaxError)):
        return True
    codes = (entry.frame.code for entry in failure.traceback)
    return any(code.name == LOADS_CONTENT and Path(str(code.path)).is_relative_to(ROOT) for code in codes)


def forget_caches() -> None:
    """Empty the functools caches of the project: their values were made under other rules."""
    for cache in _caches(len(sys.modules)):
        cache.cache_clear()


@functools.lru_cache(maxsize=1)
def _caches(_modules: int) -> list[Any]:
    """Return the caches of the project, searched again once more modules have been imported."""
    found = [thing for thing in gc.get_objects() if isinstance(thing, CACHE)]
    return [cache for cache in found if (cache.__module__ or "").partition(".")[0] in ROOMS]


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raise OverTime in the code within once it has used these seconds of CPU, or waited for long, and again each
    second after that."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise OverTime(f"ran for more than {seconds:.0f} s")

    before = {number: signal.signal(number, stop) for number in TIMERS.values()}
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.01), 1)
    signal.setitimer(signal.ITIMER_REAL, WAITED * max(seconds, 1), 1)
    try:
        yield
    finally:
        for timer, number in TIMERS.items():
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])


def _paths(error: BaseException) -> list[Path]:
    """Return the files of the exception's frames, the raising one last."""
    paths, entry = [], error.__traceback__
    while entry is not None:
        paths.append(Path(entry.tb_frame.f_code.co_filename))
        entry = entry.tb_next
    return paths
