"""An act carried out many times from one state, with dice of a seed each, and how well a forecast agrees."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypeVar

from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice, Pool
from engine.core.rules.game import Game, Probe
from engine.core.rules.questions import Question
from engine.core.rules.record import Record
from engine.core.rules.system import Intent, Procedure, System
from protocol.ids import MatchId
from protocol.proof.dice import RoundEntropy
from protocol.scene.advice import Forecast
from protocol.scene.nodes import Reply

S = TypeVar("S")

LEAST: Final = 50
"""Plays that are expected of an outcome that is compared by itself; rarer ones are put together."""
MANY: Final = 5_000
FAR: Final = 3.09
"""Standard deviations that chance exceeds once in a thousand."""


class SeededDice(MatchDice):
    """Dice of a seed."""

    def __init__(self, seed: int) -> None:
        super().__init__(bytes(32), MatchId("plays"))
        self._random = random.Random(seed)

    def faces(self, round: int, entropy: RoundEntropy, n: int, pool: Pool, *, hidden: bool) -> tuple[int, ...]:
        return tuple(self._random.randint(1, pool.sides) for _ in range(pool.count))


def forecast_of(system: Any, state: object, seat: Seat, reply: Reply) -> Forecast | None:
    """Return what a seat is told before an act that its prompt offers. Raises IllegalIntent."""
    probe = Probe(state, Record(seats=2, round=1), SeededDice(0))
    prompt = system.prompt(probe, seat)
    assert prompt is not None
    choice = next(choice for choice in prompt.choices if choice.id == reply.choice)
    found: Forecast | None = system.forecast(probe, seat, choice, reply.fields)
    return found


def carried_out(system: System[S], state: S, seat: Seat, intent: Intent, seed: int, *, on: bool = False) -> Game[S]:
    """Return the game after an act; all that it asks is answered by default. `on`: with what follows of itself."""
    game = Game(state, Record(seats=2, round=1), SeededDice(seed))
    _run(system.rules.procedure(game, seat, intent))
    following = system.rules.flow(game) if on else None
    if following is not None:
        _run(following)
    return game


def _run(procedure: Procedure) -> None:
    answers = None
    while True:
        try:
            asked = procedure.send(answers)
        except StopIteration:
            return
        assert isinstance(asked, Question)
        answers = {seat: ask.read(ask.default) for seat, ask in asked.asks.items()}


def outcomes(
    system: System[S], state: S, seat: Seat, intent: Intent, losses: Callable[[S], int], count: int
) -> Counter[int]:
    """Return how often each number of losses came of so many plays."""
    return Counter(losses(carried_out(system, state, seat, intent, seed).state) for seed in range(count))


def check_agrees(forecast: Forecast | None, played: Counter[int]) -> None:
    """Check that plays are as a forecast says, by chi-square at one in a thousand. Raises AssertionError."""
    assert forecast is not None
    count = sum(played.values())
    assert sum(share for _, share in forecast.outcomes) == 1000
    expected = {losses: share * count / 1000 for losses, share in forecast.outcomes}
    rare = {losses for losses, wanted in expected.items() if wanted < LEAST}
    pairs = [(played[losses], wanted) for losses, wanted in expected.items() if losses not in rare]
    others = sum(seen for losses, seen in played.items() if losses in rare or losses not in expected)
    pairs.append((others, sum(expected[losses] for losses in rare)))
    assert pairs[-1][0] <= pairs[-1][1] + 4 * max(pairs[-1][1], count / 1000) ** 0.5 + 3, "outcomes that cannot be"
    square = sum((seen - wanted) ** 2 / wanted for seen, wanted in pairs if wanted >= 1)
    freedom = max(sum(wanted >= 1 for _, wanted in pairs) - 1, 1)
    # Wilson and Hilferty's approximation of the distribution of chi-square
    share: Any = (square / freedom) ** (1 / 3)
    assert (share - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5 < FAR, (forecast.outcomes, played)
    mean = sum(losses * times for losses, times in played.items()) / count
    assert abs(mean - forecast.mean / 100) < (0.05 if count > MANY else 0.3)
