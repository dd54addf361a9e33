"""`eschaton-server simulate --report`: every scenario at its own number of players and at others, every match verified.

Played matches are kept line by line, so that a run that was stopped goes on where it was; lines of other content, rules
or bots are passed over.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import msgspec

import engine
import protocol
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import ScenarioInfo
from server.cli.simulation import sides_report, simulate
from server.cli.simulation.balance_figures import PlayedMatch
from server.cli.simulation.balance_report import PageSource, report
from server.cli.simulation.worker_pool import run_tasks
from server.content.systems import Installed
from server.match.checking import repeat
from server.match.replays import save
from server.runtime.errors import CommandError
from server.runtime.version import made_by

BOTS: Final = ("level2", "level1")
"""Bots that play where none are named: the first of these that the system has."""
BEST: Final = ("level3", *BOTS)
"""Bots that count as the best: the first of these that the system has."""


class BalancePlan(NamedTuple):
    """The matches to play: so many of each scenario for its own number of players, of each form for others, and of each
    scenario between the best bots.

    `bots`: empty for the usual ones; `content`: the folder of the user's own; `scenario`: the only one, empty for all;
    `sides`: the page judges which side wins, not who fulfils a condition of its own; tables of lessons, where learners
    are to win, are left out, of the forms of a scenario that differ in size alone the first is played, and those in
    which each is for themselves `alone` times, if it is given.
    """

    system: str
    own: int
    others: int
    best: int
    seed: int
    bots: str
    content: Path | None = None
    scenario: str = ""
    sides: bool = False
    alone: int | None = None


class BalanceTask(NamedTuple):
    """A match of a plan, with its bots, its seed, and a digest (`mark`) of its content, rules and bots."""

    plan: BalancePlan
    scenario: str
    number: int
    bots: str
    seed: int
    mark: str
    best: bool = False

    @property
    def key(self) -> str:
        """Key under which the match is kept."""
        return f"{self.scenario}/{self.number}/{self.mark}"


def run(plan: BalancePlan, target: Path, kept: Path, workers: int, by: Callable[[], str] | None = None) -> int:
    """Play the matches that are left and write the report; return 1 where a match did not end by the rules or did not
    verify.

    `by`: the origin that the page names. Raises CommandError.
    """
    installed = simulate.installed(plan.system, plan.content)
    made = PageSource(
        (by or made_by)(),
        plan.bots or _first(installed, BOTS),
        _first(installed, BEST),
        plan.seed,
        command(plan, target),
    )
    tasks = list(tasks_of(installed, plan, made))
    known = _play_missing(tasks, kept, workers)
    outcomes = [_outcome(installed, task, known[task.key]) for task in tasks]
    before = target.read_text(encoding="utf-8") if target.exists() else ""
    write = sides_report.report if plan.sides else report
    save(target, write(installed, made, outcomes, before).encode())
    bad = [(task, one) for task, one in zip(tasks, outcomes, strict=True) if not (one.finished and one.verified)]
    for task, one in bad:
        what = known[task.key]["fault"] or ("does not verify" if one.finished else "does not end")
        print(f"{task.scenario}, match {task.number} of seed {task.seed}: {what}", file=sys.stderr)
    return 1 if bad else 0


def command(plan: BalancePlan, target: Path) -> str:
    """Return the command that makes the page once more."""
    page = target.name if target.is_absolute() else target.as_posix()
    counts = f"--matches {plan.own} --others {plan.others} --best {plan.best} --seed {plan.seed}"
    chosen = "".join(
        f" --{option} {value}" for option, value in (("scenario", plan.scenario), ("bots", plan.bots)) if value
    )
    judged = (" --sides" if plan.sides else "") + (f" --alone {plan.alone}" if plan.alone is not None else "")
    return f"eschaton-server simulate --system {plan.system} --report {page} {counts}{chosen}{judged}"


def check_counts(own: int, others: int, best: int, alone: int | None = None) -> None:
    """Raise CommandError for numbers of matches that make no report."""
    if own < 1 or others < 0 or best < 0 or (alone is not None and alone < 0):
        raise CommandError("Say how many matches to play: --matches 1 or more; --others, --best and --alone 0 or more.")


def _first(installed: Installed, wanted: tuple[str, ...]) -> str:
    kinds = installed.bot_kinds()
    return next(kind for kind in (*wanted, *kinds) if kind in kinds)


def tasks_of(installed: Installed, plan: BalancePlan, made: PageSource) -> Iterator[BalanceTask]:
    """Yield all matches, mixed, so that a part of them is a fair sample and the time left can be estimated."""
    code = _code(installed)
    drawn: list[tuple[float, BalanceTask]] = []
    for info in _scenarios(installed, plan):
        for count, bots, best in _counts(info, plan, made):
            seed = plan.seed + crc32(info.id.encode())  # no two scenarios play to the same dice
            simulate.kinds_of(installed, bots, info.seats)
            for number in range(count):
                setup = simulate.setup_of(installed, info, seed, number)  # with lists as they are drawn today
                content = installed.system.setup(installed.content, setup)
                words = f"{installed.system.RULES}/{bots}/{seed}".encode()
                mark = blake2b(content + words + code, digest_size=8).hexdigest()
                drawn.append((number / count, BalanceTask(plan, info.id, number, bots, seed, mark, best)))
    yield from (task for _, task in sorted(drawn, key=lambda pair: pair[0]))


def _scenarios(installed: Installed, plan: BalancePlan) -> list[ScenarioInfo]:
    """Return the scenarios and forms that are played, in the order in which they are installed."""
    if plan.scenario:
        return [simulate.scenario_of(installed, plan.scenario)]
    if not plan.sides:
        return list(installed.scenarios.values())
    taught = {one.lesson.scenario for one in installed.lessons.values()}
    found: dict[tuple[str, int, tuple[int, ...]], ScenarioInfo] = {}
    for info in installed.scenarios.values():
        if info.id not in taught:
            found.setdefault((info.form_of or info.id, info.seats, info.sides), info)
    return list(found.values())


def _counts(info: ScenarioInfo, plan: BalancePlan, made: PageSource) -> Iterator[tuple[int, str, bool]]:
    """Yield numbers of matches of a scenario with the bots that play them, and True where these are the best."""
    if plan.alone is not None and sides_report.is_alone(info):
        yield plan.alone, made.bots, False
    elif info.form_of:
        yield plan.others, made.bots, False
    else:
        yield plan.own, made.bots, False
        yield plan.best, made.best, True


def _code(installed: Installed) -> bytes:
    """Return a digest of the code of rules and bots."""
    digest = blake2b(digest_size=16)
    own = sys.modules[type(installed.system).__module__]
    for folder in sorted({Path(str(module.__file__)).parent for module in (engine, protocol, own)}):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.digest()


def _play_missing(tasks: list[BalanceTask], kept: Path, workers: int) -> dict[str, dict[str, Any]]:
    """Return all matches by key: those that are kept, and the others, played and kept now."""
    before = kept.read_text(encoding="utf-8") if kept.exists() else ""
    known = _known(before)
    left = list({task.key: task for task in tasks if task.key not in known}.values())
    kept.parent.mkdir(parents=True, exist_ok=True)
    print(
        f"{len(tasks)} matches, {len(left)} of them not played yet; what is played is kept in {kept}",
        file=sys.stderr,
        flush=True,
    )
    with kept.open("a", encoding="utf-8") as lines:
        if before and not before.endswith("\n"):
            # a crash has cut the last line short: the next one would be lost with it
            lines.write("\n")
        for task, line in run_tasks(play, left, workers, "matches"):
            known[task.key] = line
            if not line["fault"]:
                lines.write(json.dumps({"key": task.key, "match": line}) + "\n")
                lines.flush()
    return known


def _known(kept: str) -> dict[str, dict[str, Any]]:
    """Return the kept matches by key; a line that was cut short by a crash is passed over."""
    found: dict[str, dict[str, Any]] = {}
    for line in kept.splitlines():
        try:
            entry = json.loads(line)
            found[entry["key"]] = entry["match"]
        except (ValueError, KeyError, TypeError):
            continue
    return found


def play(task: BalanceTask) -> dict[str, Any]:
    """Play a match, then carry out every step of its log again: `verified` where all come out the same.

    An exception of either is the match's `fault`; the other matches are played all the same.
    """
    installed = simulate.installed(task.plan.system, task.plan.content)
    info = installed.scenarios[task.scenario]
    began = time.process_time()
    outcome = simulate.Outcome(task.number, factions=simulate.factions_for(info, task.number))
    verified, fault = False, ""
    try:
        log: list[bytes] = []
        kinds = simulate.kinds_of(installed, task.bots, info.seats)
        outcome = simulate.play(installed, info, kinds, task.seed, task.number, log)
        name, secret = simulate.identity(task.seed, task.number)
        again: Match[Any] = Match(installed.system, name, MatchDice(secret, name))
        for data in log:
            repeat(again, data)
        verified = again.result is not None
    except Exception as problem:  # noqa: BLE001 - a match may raise anything; the others are played all the same
        fault = f"{type(problem).__name__}: {problem}"
    cpu = round(time.process_time() - began, 2)
    return {**asdict(outcome), "verified": verified, "fault": fault, "cpu": cpu}


def _outcome(installed: Installed, task: BalanceTask, line: Mapping[str, Any]) -> PlayedMatch:
    info = installed.scenarios[task.scenario]
    about = {"scenario": info.form_of or info.id, "own": not info.form_of, "best": task.best, "form": info.id}
    return msgspec.convert({**line, **about}, PlayedMatch)
