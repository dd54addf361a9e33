"""One pair of a comparison: `side.py` in both checkouts at once, of which one plays at a time.

Each side is a process group of its own, which is ended with all that it started in any case.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import IO, Final

import msgspec

from bench.checkouts import CannotCompare
from bench.pairs import Name, Pair, Turn, total
from bench.server_runs import SECONDS, WARM

SIDE: Final = Path(__file__).with_name("side.py")
ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GONE_SECONDS: Final = 60.0
SAID: Final = 6
"""Lines of what a side said last that are shown where it failed."""


@dataclass(frozen=True)
class Load:
    """The load of a pair: each side plays `seconds` in all, in `spans` parts, with those of the other between them. A
    pair may take `most` seconds."""

    tables: int = 20
    warm: float = WARM
    seconds: float = SECONDS
    spans: int = 12
    most: float = 120.0


def pair(checkouts: Mapping[Name, Path], first: Name, load: Load) -> Pair:
    """Measure both checkouts once. Their output goes beside them. Raises CannotCompare."""
    until = monotonic() + load.most
    order: list[Name] = ["A", "B"] if first == "A" else ["B", "A"]
    turns: dict[Name, list[Turn]] = {"A": [], "B": []}
    with ExitStack() as stack:
        sides = {name: stack.enter_context(begun(name, checkouts[name], load.tables, until)) for name in order}
        for name in order:
            sides[name].play(load.warm)
        for _ in range(load.spans):
            for name in order:
                turns[name].append(sides[name].play(load.seconds / load.spans))
            order.reverse()  # A B, B A, A B ...: a machine that grows slower costs both the same
    return Pair(first, total(turns["A"]), total(turns["B"]))


class Side:
    """A server with its load, which plays on request."""

    def __init__(self, name: Name, process: subprocess.Popen[str], problems: Path, until: float) -> None:
        self._name = name
        self._process = process
        self._problems = problems
        self._until = until

    def play(self, seconds: float) -> Turn:
        """Play at full speed for these seconds. Raises CannotCompare."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):  # it has ended; the missing answer is handled below
            self._process.stdin.write(f"{seconds}\n")
            self._process.stdin.flush()
        if not _readable(self._process.stdout.fileno(), self._until - monotonic()):
            raise self._failed("it took too long and was ended.")
        try:
            turn = msgspec.json.decode(self._process.stdout.readline(), type=Turn)
        except msgspec.DecodeError:
            raise self._failed("its bench ended without a result.") from None
        if turn.intents <= 0 or turn.cpu <= 0:
            raise self._failed(f"its server answered {turn.intents} intents in {turn.cpu} s of CPU.")
        return turn

    def _failed(self, reason: str) -> CannotCompare:
        lines = self._problems.read_text("utf-8", "replace").splitlines()[-SAID:]
        return CannotCompare("\n  ".join([f"{self._name} could not be measured: {reason}", *lines]))


@contextmanager
def begun(name: Name, checkout: Path, tables: int, until: float) -> Iterator[Side]:
    """Run a side in its checkout, with this number of tables, and end it on leaving."""
    problems = checkout.with_suffix(".problems")
    started: list[subprocess.Popen[str]] = []
    try:
        # a signal that came between the start and here would leave the process behind
        with _signals_deferred(), problems.open("wb") as errors:
            started.append(_start(checkout, tables, errors))
        process = started[0]
        assert process.stdin is not None
        assert process.stdout is not None
        yield Side(name, process, problems, until)
        process.stdin.close()
        _readable(process.stdout.fileno(), until - monotonic())  # it ends its server, then itself
    finally:
        for process in started:
            _end(process)


def _start(checkout: Path, tables: int, errors: IO[bytes]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        # -P: not the folder of side.py, whose modules are those of another commit
        [sys.executable, "-P", str(SIDE), str(tables)],
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(checkout), "TMPDIR": str(checkout.parent)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        start_new_session=True,
    )


def _end(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    # it has not been waited for yet, so its id cannot name another process
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _wait_until_gone(process.pid)
    process.stdout.close()
    with suppress(BrokenPipeError):
        process.stdin.close()


@contextmanager
def _signals_deferred() -> Iterator[None]:
    """Defer signals that end the program until leaving."""
    heard: list[int] = []
    before = {number: handler for number in ENDING if callable(handler := signal.getsignal(number))}
    for known in before:
        signal.signal(known, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for came in heard[:1]:
            signal.raise_signal(came)


def _readable(handle: int, seconds: float) -> bool:
    """Wait for a line, or for the end of the output; return False after `seconds`."""
    waiting = select.poll()
    waiting.register(handle, select.POLLIN)
    return bool(waiting.poll(max(0.0, seconds) * 1000))


def _wait_until_gone(group: int) -> None:
    """Wait until no process of an ended group runs any more, so that none writes where files are then removed: seconds
    on a busy machine, GONE_SECONDS at most."""
    until = monotonic() + GONE_SECONDS
    while _runs(group) and monotonic() < until:
        time.sleep(0.02)


def _runs(group: int) -> bool:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
            # an ended process stays listed until its parent waits for it
            if int(its_group) == group and state not in "ZX":
                return True
    return False
