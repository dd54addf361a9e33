"""Figures of the running program: its version, its rules, and where its CPU time goes."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final

from prometheus_client.core import GaugeMetricFamily, Metric

from server.content.systems import Installed
from server.match.bots.workers.pool import BotWorkers
from server.runtime.cpu_time import CpuTimes
from server.runtime.instruments import counters
from server.runtime.metrics import gauge, gauges
from server.runtime.version import program_version

DIGITS: Final = 12
"""Hexadecimal digits of the digest of a system's rules that are shown."""


class ProgramFigures:
    """Version, rules, CPU by cause and the bots' queue of this process and its bots' workers."""

    def __init__(self, systems: Mapping[str, Installed], cpu: CpuTimes, workers: BotWorkers) -> None:
        self._version = program_version()
        self._rules = {name: found.code.digest.hex()[:DIGITS] for name, found in systems.items()}
        self._cpu = cpu
        self._other = 0.0
        self._workers = workers
        self._thought = ChildrenCpu()

    def gauges(self) -> Iterator[Metric]:
        """Yield all of them, as they are now."""
        yield gauges("eschaton_build_info", "The program that runs.", "version", {self._version: 1})
        rules = GaugeMetricFamily("eschaton_rules_info", "The code of each system's rules.", labels=["system", "code"])
        for system, code in self._rules.items():
            rules.add_metric([system, code], 1)
        yield rules
        waiting = self._workers.waiting
        yield gauge("eschaton_bot_orders_waiting", "Decisions of bots that their workers have not made yet.", waiting)
        yield counters("eschaton_cpu_seconds", "CPU time of server and bots' workers.", "cause", self._by_cause())

    def _by_cause(self) -> dict[str, float]:
        found: dict[str, float] = dict(self._cpu.seconds.items())
        # acts are sampled, and may pass for more than they were: a counter never goes back
        self._other = max(time.process_time() - sum(found.values()), self._other)
        found["other"] = self._other
        found["bots"] += self._thought.seconds(self._workers.pids)
        return found


class ChildrenCpu:
    """CPU time of child processes over their lives, as far as the system tells of others than the caller's own."""

    def __init__(self) -> None:
        self._living: dict[int, float] = {}
        self._ended = 0.0

    def seconds(self, pids: Collection[int]) -> float:
        """Return the time of all processes that were ever named, these being alive. What one has used after it was
        last asked for is lost with it."""
        for pid in [pid for pid in self._living if pid not in pids]:
            self._ended += self._living.pop(pid)
        for pid in pids:
            self._living[pid] = max(self._living.get(pid, 0.0), cpu_of(pid))
        return self._ended + sum(self._living.values())


def cpu_of(pid: int) -> float:
    """Return the CPU seconds of a process so far; 0 where the system does not tell."""
    try:
        # the second field is a name in brackets, which may hold blanks
        fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0
