"""Benchmark of the window: a table of 240 figures and 40 features while it is moved, the start to the lobby, memory,
and a delta with its description, beside an empty window of the toolkit in the same run. Software rendering, without a
screen (Xvfb)."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

from bench.figures import Figure, figure
from bench.processes import Process, cores, started
from bench.window_frames import write_frames

FRAMES: Final = 400
STARTS: Final = 3
FRAME_MS: Final = 1000 / 60
MODULE: Final = "bench.window_process"


@contextmanager
def display() -> Iterator[None]:
    """Give windows a display without a screen, drawn by software, until the end. Raises SystemExit without Xvfb."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset"]
    try:
        quiet = subprocess.DEVNULL
        server = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, pass_fds=(writing,))
    except OSError as problem:
        raise SystemExit(f"The bench of the window needs Xvfb: {problem}") from problem
    finally:
        os.close(writing)
    before = dict(os.environ)
    try:
        with os.fdopen(reading, "rb") as told:
            number = told.readline().decode().strip()
        if not number:
            raise SystemExit("Xvfb does not start")
        os.environ.pop("ARCADE_HEADLESS", None)
        os.environ |= {"DISPLAY": f":{number}", "LIBGL_ALWAYS_SOFTWARE": "1"}
        yield
    finally:
        os.environ.clear()
        os.environ |= before
        server.terminate()
        server.wait()


@contextmanager
def opened(log: Path, *arguments: str) -> Iterator[tuple[Process, float]]:
    """Open a window, and give it with the seconds until its first frame was there."""
    began = monotonic()
    with started(MODULE, cores()[0], *arguments, log=log) as process:
        yield process, monotonic() - began


def window_figures(frames: int = FRAMES, starts: int = STARTS) -> Iterator[Figure]:
    """Measure the window, and the empty one as its limit."""
    with tempfile.TemporaryDirectory() as name, display():
        folder = Path(name)
        path, log = folder / "frames", folder / "log"
        write_frames(path)
        yield from _start(log, path, starts)
        with opened(log, "empty") as (empty, _):
            limit = sorted(empty.ask(f"frames {frames}")["seconds"])
            least = empty.memory
        with opened(log, "client", str(path)) as (client, _):
            client.ask("table")
            moved = sorted(client.ask(f"frames {frames}")["seconds"])
            most = client.memory
            deltas = client.ask("deltas")["seconds"]
    for part, share in (("p50", 0.5), ("p99", 0.99)):
        mine, its = (found[int(len(found) * share)] for found in (moved, limit))
        yield figure(f"frame_{part}", mine * 1e3, its * 1e3)
        yield figure(f"frame_{part}_share", mine / its)
    yield figure("window_memory", (most - least) / 1e6)
    yield figure("window_delta", statistics.median(deltas) * 1e3 / FRAME_MS * 100)


def _start(log: Path, path: Path, starts: int) -> Iterator[Figure]:
    """Measure the start of both windows in turn."""
    took: dict[str, list[float]] = {"empty": [], "client": []}
    for _ in range(starts):
        for kind, arguments in (("empty", ()), ("client", (str(path),))):
            with opened(log, kind, *arguments) as (_window, seconds):
                took[kind].append(seconds)
    mine, its = (statistics.median(took[kind]) for kind in ("client", "empty"))
    yield figure("window_start", mine, its)
    yield figure("window_start_share", mine / its)
