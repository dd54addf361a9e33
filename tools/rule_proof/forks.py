"""Work in forked processes: one piece's effects on the program's memory are hidden from all others."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, TypeVar

W = TypeVar("W")
T = TypeVar("T")

MEMORY_BYTES: Final = 4 << 30
LAST_SECONDS: Final = 20.0


def each(
    pieces: Iterator[W], work: Callable[[W], T], processes: int, piece_seconds: float, deadline: float
) -> Iterator[tuple[W, T | None]]:
    """Do all pieces, in up to `processes` at a time, and yield the result of each as it ends: None of one that died or
    took more than `piece_seconds`.

    After the deadline (monotonic) none is begun, and those that have begun have 20 s to end.
    """
    context = multiprocessing.get_context("fork")
    running: dict[Connection, tuple[W, BaseProcess, float]] = {}
    is_over = False
    while running or not is_over:
        while len(running) < processes and not is_over:
            is_over = time.monotonic() >= deadline
            piece = None if is_over else next(pieces, None)
            if piece is None:
                is_over = True
                break
            mine, theirs = context.Pipe(duplex=False)
            process: BaseProcess = context.Process(target=_answer, args=(work, piece, theirs))
            process.start()
            theirs.close()
            running[mine] = piece, process, min(time.monotonic() + piece_seconds, deadline + LAST_SECONDS)
        wait(list(running), timeout=1)
        for mine, (piece, process, end) in list(running.items()):
            if mine.poll():
                yield piece, _heard(mine)
            elif time.monotonic() < end:
                continue
            else:
                process.kill()
                yield piece, None
            process.join()
            mine.close()
            del running[mine]


def _answer(work: Callable[[W], T], piece: W, answer: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    answer.send(work(piece))
    answer.close()


def _heard(connection: Connection) -> Any:
    try:
        return connection.recv()
    except EOFError:
        return None
