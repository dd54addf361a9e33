"""`eschaton-server simulate --pairs`: how much stronger one kind of bot is than another, in seat-swapped pairs.

A pair is the same match twice: the same scenario, factions, dice and decks; the two kinds take every other side (where
each seat stands alone, every other seat), and change sides for the second. The kind whose sides have more points in
both matches together has won the pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import cycle
from pathlib import Path
from typing import Final, NamedTuple

from engine.core.rules.system import ScenarioInfo
from server.cli.simulation import simulate
from server.cli.simulation.balance_figures import Share
from server.cli.simulation.worker_pool import run_tasks
from server.content.systems import Installed
from server.match.replays import save
from server.runtime.errors import CommandError
from server.runtime.version import made_by

FEWEST: Final = 2
"""Players of the smaller form in which every scenario is played, too."""


class Bout(NamedTuple):
    """Two kinds of bots against each other."""

    stronger: str
    weaker: str


class StrengthTask(NamedTuple):
    """A pair: match `number` of a scenario's form, twice. `content`: the folder of the user's own."""

    system: str
    bout: Bout
    scenario: str
    number: int
    seed: int
    content: Path | None


class Pair(NamedTuple):
    """Result of a pair: the points of each kind in both matches; `finished`: both ended by the rules."""

    bout: Bout
    scenario: str
    points: tuple[int, int]
    finished: bool

    @property
    def outcome(self) -> str:
        """ "more", "fewer" or "even": the points of the kind that is named first."""
        first, second = self.points
        return "more" if first > second else "fewer" if first < second else "even"


def run(system: str, bouts: str, pairs: int, seed: int, target: Path | None, content: Path | None, workers: int) -> int:
    """Play so many pairs of each bout and print the result; write the page where a `target` is named.

    Returns 1 where a match did not end by the rules. Raises CommandError.
    """
    installed = simulate.installed(system, content)
    wanted = bouts_of(installed, bouts)
    if pairs < 1:
        raise CommandError("Say how many pairs to play: --matches 1 or more.")
    tasks = [
        StrengthTask(system, bout, form.id, number, seed, content)
        for bout in wanted
        for number, form in zip(range(pairs), cycle(forms(installed)), strict=False)
    ]
    pairs_of = dict(run_tasks(play, tasks, workers, "pairs"))
    played = [pairs_of[task] for task in tasks]
    page = report(installed, wanted, seed, played)
    print(page)
    if target is not None:
        save(target, page.encode())
    return 0 if all(pair.finished for pair in played) else 1


def bouts_of(installed: Installed, words: str) -> tuple[Bout, ...]:
    """Parse bouts: "level2:level1,level1:random". Raises CommandError."""
    kinds = installed.bot_kinds()
    found: list[Bout] = []
    for word in filter(None, words.replace(" ", "").split(",")):
        first, _, second = word.partition(":")
        for kind in (first, second):
            if kind not in kinds:
                raise CommandError(f"{word!r}: there is no bot {kind!r}. There are: {', '.join(kinds)}.")
        if first == second:
            raise CommandError(f"{word!r}: name two different kinds of bot, as in level2:level1.")
        found.append(Bout(first, second))
    return tuple(found)


def forms(installed: Installed) -> list[ScenarioInfo]:
    """Return every scenario for its own number of players, each followed by its form for two, the shortest one."""
    infos = sorted(installed.scenarios.values(), key=lambda info: -info.minutes)
    own = [info for info in installed.scenarios.values() if not info.form_of]
    small = {info.form_of: info for info in infos if info.form_of and info.seats == FEWEST}
    return [form for info in own for form in (info, small.get(info.id)) if form is not None]


def play(task: StrengthTask) -> Pair:
    """Play both matches of a pair."""
    installed = simulate.installed(task.system, task.content)
    info = installed.scenarios[task.scenario]
    sides = info.sides or range(info.seats)
    firsts = [seat for seat, side in enumerate(sides) if side not in sides[:seat]]  # points are a side's
    points: Counter[str] = Counter()
    finished = True
    for turn in range(2):
        kinds = tuple(task.bout[(side + turn) % 2] for side in sides)
        outcome = simulate.play(installed, info, kinds, task.seed, task.number)
        finished = finished and outcome.finished
        for seat in firsts if outcome.finished else ():
            points[kinds[seat]] += outcome.scores[seat]
    return Pair(task.bout, task.scenario, (points[task.bout.stronger], points[task.bout.weaker]), finished)


def report(installed: Installed, bouts: Sequence[Bout], seed: int, played: Sequence[Pair]) -> str:
    """Return the page in Markdown."""
    lines = [
        "# How strong the bots are",
        "",
        f"Made by `eschaton-server simulate --pairs` of {made_by()}; seed {seed}.",
        "A pair is one match played twice with the same factions, dice and decks: the two kinds of bot sit in every",
        "other seat, or on every other side, and change for the second. Counted are the pairs in which those of the",
        "first kind made more victory points in both matches together than those of the second; shares have their 95 %",
        "intervals.",
        "",
        "| bots | players | pairs | more points | even | fewer | share with more |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for bout in bouts:
        mine = [pair for pair in played if pair.bout == bout]
        small = [pair for pair in mine if installed.scenarios[pair.scenario].form_of]
        full = [pair for pair in mine if not installed.scenarios[pair.scenario].form_of]
        for words, group in (("all", mine), ("two", small), ("the scenario's own", full)):
            if group:
                lines.append(f"| {bout.stronger} against {bout.weaker} | {words} | {_row(group)} |")
    return "\n".join([*lines, ""])


def _row(group: Iterable[Pair]) -> str:
    count = Counter(pair.outcome for pair in group)
    pairs = count.total()
    return f"{pairs} | {count['more']} | {count['even']} | {count['fewer']} | {Share(count['more'], pairs)}"
