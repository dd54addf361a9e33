"""Measured figures, each with its must, its goal and the limit that the machine sets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

RESULTS: Final = Path(__file__).with_name("results.jsonl")
COLYSEUS: Final = 70.0
"""Microseconds of CPU an intent of the same shape costs Colyseus 0.18 at 20 tables (in memory, toy rules, no log)."""


class Aim(NamedTuple):
    """Must and goal of a figure; a figure without them helps to read the others."""

    title: str
    unit: str
    better: Literal["lower", "higher"] = "lower"
    must: float = math.nan
    goal: float = math.nan


AIMS: Final[Mapping[str, Aim]] = {
    "cpu_200": Aim("server CPU an intent, 200 tables", "us"),
    "share_200": Aim("raw limit's CPU divided by ours, 200 tables", "", "higher", 0.35, 0.5),
    "rate_200": Aim("throughput, 200 tables", "intents/s", "higher"),
    "cpu_20": Aim("server CPU an intent, 20 tables", "us", "lower", 2.0 * COLYSEUS, 1.4 * COLYSEUS),
    "share_20": Aim("raw limit's CPU divided by ours, 20 tables", "", "higher"),
    "rate_20": Aim("throughput, 20 tables", "intents/s", "higher"),
    "p50_200": Aim("send to all six at half load, 200 tables, p50", "ms", "lower", 3, 2),
    "p99_200": Aim("send to all six at half load, 200 tables, p99", "ms", "lower", 12, 8),
    "p50_20": Aim("send to all six at half load, 20 tables, p50", "ms", "lower", 3, 2),
    "p99_20": Aim("send to all six at half load, 20 tables, p99", "ms", "lower", 12, 8),
    "fdatasync_200": Aim("median fdatasync (twice that is in what p50 and p99 may be)", "ms"),
    "delta_200": Aim("public delta of a shot, median", "bytes", "lower", 160, 120),
    "idle_200": Aim("memory of an idle connection", "KB", "lower", 32, 24),
    "match_200": Aim("memory of a live match of six, its connections apart", "MB", "lower", 1.5, 1),
    "crowd_p99": Aim("5,000 connections, 800 matches, 400 intents/s: p99", "ms", "lower", 40, 25),
    "crowd_lag": Aim("the same: loop lag, p99", "ms", "lower", 40, 10),
    "growth_watchers": Aim("intent with 500 spectators, the sending apart, to one with none", "", "lower", 1.2, 1.05),
    "index_change": Aim("change of one of 20,000 tables, in the lobby's index", "us", "lower", 100, 50),
    "lookers_told": Aim(
        "a new table among 20,000 until 1,000 lookers have it (500 ms are waited)", "ms", "lower", 2000
    ),
    "lookers_turn": Aim("the same: longest turn of the loop, its core's time", "ms", "lower", 5),
    "finding_p50": Aim("2,000 look at 5,000 tables, 20 change a second: until a change is told, p50", "ms"),
    "finding_p99": Aim("the same, p99 (changes are gathered for a second)", "ms", "lower", 1500),
    "finding_cpu": Aim("the same: CPU of the server", "% of a core", "lower", 60),
    "finding_idle": Aim("memory of a connection in the lobby that looks at no page", "KB"),
    "finding_memory": Aim("the same: what one that looks has more", "KB", "lower", 12),
    "guesses_page": Aim("a page of the lobby at 5,000 tables, p99", "ms"),
    "guesses_rise": Aim(
        "the same beside 20,000 guesses at codes a minute: rise (or a tenth of it)", "ms", "lower", 0.5
    ),
    "guesses_rate": Aim("the same: guesses", "a minute", "higher"),
    "ping_idle": Aim("ping of somebody at an idle server, p99", "ms"),
    "ping_bots": Aim(
        "the same beside 600 bots of level 2 at 200 tables, 0.3 s an act (or 4 times idle)", "ms", "lower", 20
    ),
    "steps_bots": Aim("what these bots play meanwhile", "steps/s", "higher"),
    "pace_cards": Aim("people at human pace, action cards, tables of six: acts a minute and table", "", "higher"),
    "share_cards": Aim("the same: thousandths of a core a table", ""),
    "tables_cards": Aim("the same: tables to a core that is half used", "", "higher"),
    "memory_cards": Aim("the same: memory of a table with its six connections", "MB"),
    "pace_battle": Aim(
        "people at human pace, One Page 3,000 points, tables of two: acts a minute and table", "", "higher"
    ),
    "share_battle": Aim("the same: thousandths of a core a table", ""),
    "tables_battle": Aim("the same: tables to a core that is half used", "", "higher"),
    "memory_battle": Aim("the same: memory of a table with its two connections", "MB"),
    "asked_p99": Aim("six people ask the rules as fast as they may: rise of a bystander's p99", "ms", "lower", 15, 8),
    "asked_rate": Aim("the same: answers", "answers/s", "higher"),
    "dearest_cards": Aim("dearest question of six at the card game, in random positions", "ms", "lower", 10),
    "dearest_battle": Aim("dearest question of One Page Apocalypse, in random positions", "ms", "lower", 10),
    **{
        f"{kind}_{place}_{part}": Aim(f"{title} of {where}, CPU: {part}", "ms", "lower", *limits)
        for place, where in (("cards", "six at the card game"), ("battle", "two armies of 6,000 points"))
        for kind, title in (
            ("survey", "slice of a survey"),
            ("proposal", "slice of a proposal"),
            ("seen", "ground seen from one figure"),
            ("forecast", "exact forecast"),
        )
        for part, limits in (("p50", ()), ("p99", (5,)), ("worst", (10,)))
    },
    "frame_p50": Aim("frame of the window while a table of 240 figures is moved, p50", "ms"),
    "frame_p50_share": Aim("the same, divided by that of an empty window", "", "lower", 5),
    "frame_p99": Aim("frame of the window while a table of 240 figures is moved, p99", "ms"),
    "frame_p99_share": Aim("the same, divided by that of an empty window", "", "lower", 9),
    "window_start": Aim("start of the window to the lobby", "s"),
    "window_start_share": Aim("the same, divided by that of an empty window", "", "lower", 2.5),
    "window_memory": Aim("memory of the window at this table beyond that of an empty one", "MB", "lower", 90),
    "window_delta": Aim("a delta with its description, CPU", "% of a frame at 60 Hz", "lower", 15),
    **{
        f"seek_{game}{part}": Aim(f"jump in the replay of {match}, CPU: {title}", "ms", "lower", *limits)
        for game, match in (
            ("cards", "six at the card game"),
            ("battle", "two armies of 6,000 points"),
            ("earth", "six at Apocalypse: Earth"),
        )
        for part, title, limits in (("", "median", ()), ("_worst", "worst", (200,)))
    },
    "step": Aim("shooting step in the engine", "us", "lower", 60, 40),
    "end_told": Aim("SIGTERM at 100 tables of bots until a person is told", "s", "lower", 0.5, 0.2),
    "end_seconds": Aim("the same, until the server has ended", "s", "lower", 3, 2),
    "end_cpu": Aim("the same, CPU of the server", "s", "lower", 1, 0.7),
    "start_listens": Aim("the next start, until it listens", "s", "lower", 3),
    "start_cpu": Aim("the same, CPU of the server", "s", "lower", 2),
    "shown": Aim("frames of a shooting step, not encoded", "us"),
    "growth_figures": Aim("step and frames with 210 figures to those with 30", "", "lower", 1.2, 1.05),
    "rebuild_log": Aim("match of 2,000 events rebuilt from its log", "ms", "lower", 100, 60),
    "rebuild_snapshot": Aim("the same from a snapshot and 100 steps", "ms", "lower", 10, 5),
    "bots": Aim("whole four-seat bot matches, level 1, one core", "matches/s", "higher", 2, 10),
}
"""By name, in the order in which they are read. "Flat" growth has no figure of its own: a fifth is the must."""


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """A measured value. `limit`: the value without any game on the same machine in the same run, where it is known."""

    name: str
    value: float
    unit: str
    better: str
    must: float | None = None
    goal: float | None = None
    limit: float | None = None


class Run(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of results.jsonl."""

    commit: str
    machine: str
    date: str
    figures: tuple[Figure, ...]


def figure(name: str, value: float, limit: float | None = None, extra: float = 0.0) -> Figure:
    """Make a figure of one of AIMS; `extra` is added to its must and goal (the time of the disk)."""
    aim = AIMS[name]
    must, goal = (None if math.isnan(x) else round(x + extra, 3) for x in (aim.must, aim.goal))
    return Figure(name, _rounded(value), aim.unit, aim.better, must, goal, None if limit is None else _rounded(limit))


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


def meets(found: Figure, wanted: float | None) -> bool:
    """Tell if a value reaches its must or goal."""
    if wanted is None:
        return True
    return found.value <= wanted if found.better == "lower" else found.value >= wanted


def table(figures: Iterable[Figure]) -> str:
    """Format the figures for people."""
    lines = [f"{'':74}{'now':>10}{'must':>10}{'goal':>10}{'limit':>10}"]
    for found in figures:
        verdict = "" if found.must is None else "goal" if meets(found, found.goal) else "must"
        verdict = verdict if meets(found, found.must) else "MISSED"
        cells = "".join(f"{_cell(value):>10}" for value in (found.value, found.must, found.goal, found.limit))
        title = AIMS[found.name].title if found.name in AIMS else found.name
        lines.append(f"{f'{title}, {found.unit}' if found.unit else title:74}{cells}  {verdict}".rstrip())
    return "\n".join(lines)


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def keep(run: Run, path: Path = RESULTS) -> None:
    """Append a run to results.jsonl."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(run) + b"\n")


def runs(path: Path = RESULTS) -> list[Run]:
    """Return all runs, oldest first. Raises msgspec.ValidationError for a line that is none."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=Run) for line in lines if line.strip()]
