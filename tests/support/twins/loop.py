"""An event loop that reports when no callback is ready, so that a test knows that all effects have followed."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    """Selector in whose `select` the loop waits only where no callback is ready."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[asyncio.Future[None]] = []

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self.waiting and timeout != 0:
            waiting, self.waiting = self.waiting, []
            for future in waiting:
                future.set_result(None)
            timeout = 0
        return super().select(timeout)


class _AtOnce(ThreadPoolExecutor):
    """Executor that runs work in the caller: threads would take a time that no injected clock knows."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except BaseException as problem:  # noqa: BLE001 - it is told to whoever asks for the result
            done.set_exception(problem)
        return done


class QuietLoop(asyncio.SelectorEventLoop):
    """Event loop without threads, for programs without sockets and with a clock of their own."""

    def __init__(self) -> None:
        self._watched = _Selector()
        super().__init__(self._watched)
        self.set_default_executor(_AtOnce())

    async def quiet(self) -> None:
        """Wait until no callback is ready: any further event needs input from outside, or time."""
        future: asyncio.Future[None] = self.create_future()
        self._watched.waiting.append(future)
        await future


async def quiet() -> None:
    """Do the same for the running loop, which must be a QuietLoop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, QuietLoop)
    await loop.quiet()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a loop of its own."""
    with asyncio.Runner(loop_factory=QuietLoop) as runner:
        return runner.run(work)
