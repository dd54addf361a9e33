"""Benchmark of advice: surveys, proposals, the ground that would be seen, and exact forecasts, slice by slice, at
prompts of matches that bots play."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic, thread_time
from typing import Any, Final, ParamSpec, TypeVar

from bench.figures import Figure, figure
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.advice import ChoiceSurvey, Forecasts
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.steps import Steps
from protocol.ids import NodeId
from protocol.scene.nodes import Choice
from server.cli.simulation import simulate
from server.match.advice import sliced
from server.match.bots.bot_factory import make_bot
from server.match.details import Details

P = ParamSpec("P")
T = TypeVar("T")

PLACES: Final = {"cards": ("action_cards", "lantern_fair"), "battle": ("one_page", "open_field_6000")}
"""Six seats of the card game, and two armies of 6,000 points, by the name of their figures."""
KINDS: Final = ("survey", "proposal", "seen", "forecast")
SECONDS: Final = 60.0
LOOKED_AT: Final = 0.1
"""Of all decisions, those at which advice is asked."""
SUBJECTS: Final = 3
"""Things and targets of each choice that are asked about."""


class Advice:
    """Questions about a match as it stands, as a server answers them, and the CPU seconds that each kind took."""

    def __init__(self, took: dict[str, list[float]]) -> None:
        self._took = took

    def ask(self, match: Match[Any], seat: Seat, choices: tuple[Choice, ...], chance: random.Random) -> None:
        """Ask about each choice with a gesture, with a few things."""
        details = Details(match)
        for choice in choices:
            if choice.gesture is not None:
                subjects = _subjects(choice)
                for subject in chance.sample(subjects, min(SUBJECTS, len(subjects))):
                    self._about(match, seat, choice, subject, details, chance)

    def _about(
        self, match: Match[Any], seat: Seat, choice: Choice, subject: NodeId, details: Details, chance: random.Random
    ) -> None:
        """Ask as a person clicks: on a thing, then on what it could be done to."""
        assert choice.gesture is not None
        first, second = choice.gesture.subject, choice.gesture.object
        given: dict[str, object] = {first: [subject]} if first else {}
        seen: ChoiceSurvey | None = None
        with suppress(IllegalIntent):
            self._timed("survey", details.surveyed, seat, subject)
            seen = self._sliced("survey", details.survey(seat, choice, subject))
        objects = [one.id for one in seen.targets if one.why is None] if seen is not None and second else []
        chosen = chance.sample(objects, min(SUBJECTS, len(objects)))
        for fields in [given, *({**given, second: [target]} for target in chosen)]:
            with suppress(IllegalIntent):
                filled = dict(self._sliced("proposal", details.proposal(seat, choice.id, fields)).fields)
                self._sliced("proposal", details.targets(seat, choice.id, fields, subject))
                for at in self._timed("seen", details.lookouts, seat, choice.id, fields, subject):
                    self._timed("seen", details.seen_from, seat, choice.id, fields, subject, at)
                if isinstance(match.system, Forecasts):
                    self._timed("forecast", match.system.forecast, match.probe(seat), seat, choice, filled)

    def _sliced(self, kind: str, steps: Steps[T]) -> T:
        """Take steps in the slices of a server, and return the answer."""
        slices = sliced(steps)
        while True:
            try:
                self._timed(kind, next, slices)
            except StopIteration as end:
                answer: T = end.value
                return answer

    def _timed(self, kind: str, ask: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        began, found = thread_time(), None
        try:
            found = ask(*args, **named)
            return found
        finally:
            if kind != "forecast" or found is not None:
                self._took[kind].append(thread_time() - began)


def _subjects(choice: Choice) -> list[NodeId]:
    assert choice.gesture is not None
    field = next((field for field in choice.fields if field.key == choice.gesture.subject), None)
    return [*choice.about] if field is None else [NodeId(option.id) for option in getattr(field, "options", ())]


def asked(system: str, scenario: str, seconds: float) -> dict[str, list[float]]:
    """Return the CPU seconds of each answer by kind, sorted, at random moments of matches of a scenario."""
    found = simulate.installed(system)
    info, chance, end = found.scenarios[scenario], random.Random(1), monotonic() + seconds
    took: dict[str, list[float]] = {kind: [] for kind in KINDS}
    advice, number = Advice(took), 0
    while monotonic() < end:
        name, secret = simulate.identity(1, number)
        play: SelfPlay[Any] = SelfPlay(Match(found.system, name, MatchDice(secret, name)), watched=False)
        play.begin(
            Start(name, info.seats, found.system.setup(found.content, simulate.setup_of(found, info, 1, number)))
        )
        bots = {
            Seat(seat): make_bot(found.system, chance.choice(("level1", "random")), number + seat)
            for seat in range(info.seats)
        }
        while monotonic() < end and (seat := play.next_seat()) is not None:
            prompt = play.projector.prompt(seat) if chance.random() < LOOKED_AT else None
            if prompt is not None:
                advice.ask(play.match, seat, prompt.choices, chance)
            if not play.decide(bots):
                break
        number += 1
        gc.collect()
    return {kind: sorted(seconds) for kind, seconds in took.items()}


def advice_figures(seconds: float = SECONDS) -> Iterator[Figure]:
    """Measure all kinds of advice of both systems, without pauses of the garbage collector."""
    gc.disable()
    try:
        for name, (system, scenario) in PLACES.items():
            for kind, took in asked(system, scenario, seconds).items():
                if not took:
                    continue
                for share, place in ((0.5, "p50"), (0.99, "p99"), (1.0, "worst")):
                    value = took[min(len(took) - 1, int(len(took) * share))]
                    yield figure(f"{kind}_{name}_{place}", value * 1e3)
    finally:
        gc.enable()
