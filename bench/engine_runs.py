"""Benchmarks in this process, without a server: steps, rebuilding, bots, growth. CPU time of this thread."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Iterator
from time import thread_time
from typing import Any, Final

from bench import scenes
from bench.figures import Figure, figure
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from engine.core.view.prompts import cause_of
from protocol.ids import MatchId
from server.cli.simulation.simulate import factions_for, play
from server.content.systems import Installed, find_systems, install, texts_of
from server.match.bots.bot_factory import make_bot

WARM: Final = 100
STEPS: Final = 900
ROUNDS: Final = 3
EVENTS: Final = 2_000
TAIL: Final = 100
FEW, MANY = 1, 7
"""Squads of five figures a faction for 30 and 210 figures."""
SECONDS: Final = 12.0
FOUR: Final = "harrow_cross"
"""The scenario of the bots' matches; their factions are all in turn."""


def shooting(squads: int = scenes.SQUADS) -> tuple[float, float]:
    """Return two medians in microseconds: of a step (checks, dice, events, hash chain), and of making its frames."""
    game = scenes.match(squads)
    match, projector = game.match, game.projector
    seat = match.may_act()[0]
    shot = scenes.shots(match.state)[seat]
    steps: list[float] = []
    frames: list[float] = []
    gc.disable()
    for number in range(WARM + STEPS):
        before = thread_time()
        step = match.propose(cause_of(match, seat, number.to_bytes(16, "big"), shot))
        match.settle(step)
        settled = thread_time()
        projector.advance(step)
        shown = thread_time()
        if number >= WARM:
            steps.append(settled - before)
            frames.append(shown - settled)
    gc.enable()
    return statistics.median(steps) * 1e6, statistics.median(frames) * 1e6


def rebuilding() -> Iterator[Figure]:
    """Measure the rebuilding of a long match of six from its log and from a snapshot.

    The deck is gone through ten times, played at random; the match is cut at a quiescent step behind its 2,000th event.
    """
    content = _shipped(reshuffles=10)
    name, secret = MatchId("bench-rebuild"), bytes(32)
    data: list[bytes] = []
    events = 0

    def told(step: Any, frames: Any) -> None:
        nonlocal events
        data.append(step.data)
        events += len(step.trail)

    six = next(info for info in content.scenarios.values() if info.seats == scenes.SEATS)
    game: SelfPlay[Any] = SelfPlay(Match(content.system, name, MatchDice(secret, name)), told, watched=False)
    resolved = content.system.setup(content.content, Setup(six.id, factions_for(six, 0)))
    game.begin(Start(name, scenes.SEATS, resolved))
    players = {Seat(n): make_bot(content.system, "random", n) for n in range(scenes.SEATS)}
    snapshot: tuple[int, bytes] | None = None
    while events < EVENTS or snapshot is None or len(data) < snapshot[0] + TAIL or not game.match.quiescent:
        if events >= EVENTS - 4 * TAIL and snapshot is None and game.match.snapshot_point:
            snapshot = len(data), game.match.snapshot()
        if not game.decide(players):
            raise SystemExit(f"a whole match of bots has but {events} events")
    whole = _median(lambda: _rebuilt(content, name, secret, None, data, game.match))
    quick = _median(lambda: _rebuilt(content, name, secret, snapshot[1], data[snapshot[0] :][:TAIL], None))
    yield figure("rebuild_log", whole * 1e3)
    yield figure("rebuild_snapshot", quick * 1e3)


def _rebuilt(
    content: Installed,
    name: MatchId,
    secret: bytes,
    snapshot: bytes | None,
    steps: list[bytes],
    same: Match[Any] | None,
) -> None:
    match: Match[Any] = Match(content.system, name, MatchDice(secret, name))
    if snapshot is not None:
        match.restore(snapshot)
    for step in steps:
        match.replay(step)
    match.resume()
    if same is not None and match.head != same.head:
        raise SystemExit("the rebuilt match has another head")


def _median(work: Any, times: int = 9) -> float:
    found: list[float] = []
    for _ in range(times):
        before = thread_time()
        work()
        found.append(thread_time() - before)
    return statistics.median(found)


def engine_figures() -> Iterator[Figure]:
    """Measure steps, frames, growth and rebuilding."""
    # other work of the machine only adds to a time, for seconds on end: so measure in turn, and take each minimum
    usual, few, many = zip(
        *[[shooting(squads) for squads in (scenes.SQUADS, FEW, MANY)] for _ in range(ROUNDS)], strict=True
    )
    yield figure("step", min(step for step, _ in usual))
    yield figure("shown", min(shown for _, shown in usual))
    yield figure("growth_figures", min(map(sum, many)) / min(map(sum, few)))
    yield from rebuilding()


def bot_figures() -> Iterator[Figure]:
    """Measure whole matches of four level-1 bots, one after another."""
    content = _shipped()
    four = content.scenarios[FOUR]
    before, number = thread_time(), 0
    while thread_time() - before < SECONDS:
        if not play(content, four, ("level1",) * 4, seed=0, number=number).finished:
            raise SystemExit(f"match {number} of the bots has not ended")
        number += 1
    yield figure("bots", number / (thread_time() - before))


def _shipped(reshuffles: int = 2) -> Installed:
    system = find_systems([scenes.SYSTEM])[scenes.SYSTEM]
    texts = {
        name: toml.replace("reshuffles = 2", f"reshuffles = {reshuffles}") for name, toml in texts_of(system).items()
    }
    return install(system, texts)
