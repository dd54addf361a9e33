"""Processes on a core of their own, the CPU and memory that they have used, and the machine that they run on."""

from __future__ import annotations

import json
import os
import platform
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

PATIENCE: Final = 60.0


@cache
def cores() -> tuple[int, int]:
    """Return the core of servers and that of the load, found once, as this process is pinned later. Raises SystemExit
    where there is only one."""
    free = sorted(os.sched_getaffinity(0))
    if len(free) < 2:
        raise SystemExit("The bench needs two cores: one for the server, one for its load.")
    return free[0], free[1]


def machine() -> str:
    """Describe the machine for the measurements made on it."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{model or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


class Process:
    """A program of this folder that listens: its first line says {"port": P}."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.port = int(self.line()["port"])

    @property
    def cpu(self) -> float:
        """Seconds of CPU that it has used so far, all its threads together."""
        # the clock of another process, to the nanosecond: see clock_getcpuclockid(3)
        return time.clock_gettime((~self._process.pid << 3) | 2)

    @property
    def memory(self) -> int:
        """Bytes of its resident memory."""
        status = Path(f"/proc/{self._process.pid}/status").read_text("ascii")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) * 1024

    def line(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """Read the next line that it prints, as JSON. Raises SystemExit where none comes."""
        pipe = self._process.stdout
        if pipe is not None:
            waiting = select.poll()
            waiting.register(pipe, select.POLLIN)
            text = pipe.readline() if waiting.poll(seconds * 1000) else ""
            if text:
                return cast("dict[str, Any]", json.loads(text))
        raise SystemExit(f"{self._process.args!r} says nothing (status {self._process.poll()})")

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def ended(self) -> float:
        """Wait until it has ended, and return the seconds of CPU that it has used in all, without its children. Raises
        SystemExit where it failed."""
        # a dead process keeps its clock until somebody asks how it ended
        os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        used = self.cpu
        if self._process.wait():
            raise SystemExit(f"{self._process.args!r} ended with status {self._process.returncode}")
        return used

    def ask(self, command: str) -> dict[str, Any]:
        """Send it a line and return its answer."""
        if self._process.stdin is not None:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        return self.line()


@contextmanager
def started(module: str, core: int | str, *arguments: str, log: Path) -> Iterator[Process]:
    """Run `python -m MODULE ARGUMENTS` on this core, or these ("0,1"), and end it on leaving. Its log goes into a
    file."""
    with log.open("ab") as errors:
        process = subprocess.Popen(
            ["taskset", "-c", str(core), sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    try:
        yield Process(process)
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def fdatasync(folder: Path, times: int = 200) -> float:
    """Return the median of the seconds that a small write takes to reach the disk."""
    path = folder / "sync"
    found: list[float] = []
    with path.open("wb", buffering=0) as file:
        for _ in range(times):
            file.write(bytes(4096))
            before = time.perf_counter()
            os.fdatasync(file.fileno())
            found.append(time.perf_counter() - before)
    path.unlink()
    return statistics.median(found)
