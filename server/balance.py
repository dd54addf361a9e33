"""`eschaton-server simulate --report`: every scenario at its own number of players and at others, every match verified.

What has been played is kept line by line, so that a run that was stopped goes on where it was; lines of other content,
rules or bots are passed over.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.core.dice import MatchDice
from engine.core.match import Match
from engine.core.system import Setup
from server import simulate
from server.balance_report import Played, report
from server.checking import repeat
from server.content import Installed
from server.plain_errors import PlainError
from server.replays import save

BEST: Final = ("level2", "level1")
"""The bots that play where none are named: the first of these that there are."""


class Plan(NamedTuple):
    """What to play: so many matches of each scenario for its own number of players, and of each form for others.
    `content`: the folder of the user's own."""

    system: str
    own: int
    others: int
    seed: int
    bots: str
    content: Path | None = None


class Task(NamedTuple):
    """One match of a plan, and what its content, rules and bots come to."""

    plan: Plan
    scenario: str
    number: int
    mark: str


def run(plan: Plan, target: Path, kept: Path, workers: int) -> int:
    """Play what is left, write the report. 1 where a match did not end by the rules or did not verify. Raises
    PlainError."""
    installed = simulate.installed(plan.system, plan.content)
    plan = plan._replace(
        bots=plan.bots or next(kind for kind in (*BEST, *installed.bot_kinds()) if _has(installed, kind))
    )
    tasks = list(_tasks(installed, plan))
    before = kept.read_text(encoding="utf-8") if kept.exists() else ""
    known = _known(before)
    left = [task for task in tasks if _key(task) not in known]
    kept.parent.mkdir(parents=True, exist_ok=True)
    print(f"{len(tasks)} matches, {len(tasks) - len(left)} of them played already", file=sys.stderr, flush=True)
    with kept.open("a", encoding="utf-8") as lines:
        if before and not before.endswith("\n"):
            # a crash has cut the last line short: the next one would be lost with it
            lines.write("\n")
        for task, line in _played(left, workers):
            known[_key(task)] = line
            lines.write(json.dumps({"key": _key(task), "match": line}) + "\n")
            lines.flush()
    outcomes = [_outcome(installed, task, known[_key(task)]) for task in tasks]
    save(target, report(installed, plan.bots, plan.seed, outcomes).encode())
    bad = [one for one in outcomes if not one.finished or not one.verified]
    for one in bad:
        print(f"{one.scenario} {one.number}: {'does not verify' if one.finished else 'does not end'}", file=sys.stderr)
    return 1 if bad else 0


def _has(installed: Installed, kind: str) -> bool:
    return kind in installed.bot_kinds()


def _tasks(installed: Installed, plan: Plan) -> Iterator[Task]:
    for info in installed.scenarios.values():
        for number in range(plan.others if info.form_of else plan.own):
            setup = Setup(info.id, simulate.factions_for(info, number))
            content = installed.system.setup(installed.content, setup)
            words = f"{installed.system.RULES}/{plan.bots}/{plan.seed}".encode()
            yield Task(plan, info.id, number, blake2b(content + words, digest_size=8).hexdigest())


def _key(task: Task) -> str:
    return f"{task.scenario}/{task.number}/{task.mark}"


def _known(kept: str) -> dict[str, dict[str, Any]]:
    """What is kept, by key; a line that was cut short by a crash is passed over."""
    found: dict[str, dict[str, Any]] = {}
    for line in kept.splitlines():
        try:
            entry = json.loads(line)
            found[entry["key"]] = entry["match"]
        except (ValueError, KeyError, TypeError):
            continue
    return found


def _played(left: list[Task], workers: int) -> Iterator[tuple[Task, dict[str, Any]]]:
    """Matches as they end. Raises what the first that failed raised."""
    if workers < 2:
        for task in left:
            yield task, play(task)
        return
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))
    doing = {pool.submit(play, task): task for task in left}
    try:
        for number, done in enumerate(as_completed(doing), 1):
            print(f"{number}/{len(left)} {doing[done].scenario}", file=sys.stderr, flush=True)
            yield doing[done], done.result()
    except BaseException:
        # whoever stops the run stops its processes too
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def play(task: Task) -> dict[str, Any]:
    """Play a match, then carry out every step of its log again: `verified` where all come out the same."""
    installed = _installed(task.plan.system, task.plan.content)
    info = installed.scenarios[task.scenario]
    kinds = simulate.kinds_of(installed, task.plan.bots, info.seats)
    log: list[bytes] = []
    outcome = simulate.play(installed, info, kinds, task.plan.seed, task.number, log)
    name, secret = simulate.identity(task.plan.seed, task.number)
    again: Match[Any] = Match(installed.system, name, MatchDice(secret, name))
    for data in log:
        repeat(again, data)
    return {**asdict(outcome), "verified": again.result is not None}


@cache
def _installed(system: str, content: Path | None) -> Installed:
    return simulate.installed(system, content)


def _outcome(installed: Installed, task: Task, line: Mapping[str, Any]) -> Played:
    info = installed.scenarios[task.scenario]
    return Played(
        scenario=info.form_of or info.id,
        own=not info.form_of,
        number=task.number,
        factions=tuple(line["factions"]),
        winners=tuple(line["winners"]),
        order=tuple(line["order"]),
        why=line["why"],
        rows=line["rounds"],
        decisions=line["intents"],
        finished=line["finished"],
        verified=line["verified"],
    )


def check_counts(own: int, others: int) -> None:
    """Raises PlainError for numbers of matches that make no report."""
    if own < 1 or others < 0:
        raise PlainError("Say how many matches to play: --matches 1 or more, --others 0 or more.")
