"""Leaks planted in the action-card game, which the checks of its secrets must find."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from engine.core.rules.events import CoreEvent, Event
from engine.core.rules.system import Part, PartOrSection
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.rules.cards import cards
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.system import ActionCards
from protocol.ids import NodeId
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.nodes import Counter, Cue
from protocol.text import text
from tests.support.play.secrecy import check_conditions, check_events

pytestmark = pytest.mark.slow

SEEDS = range(12)
FACE_DOWN, OPEN = "low_water", "harrow_cross"


def worth(state: Skirmish) -> int:
    """Return a number that follows from the secrets dealt to the second seat."""
    return sum(map(ord, "".join(state.seats[1].secrets))) % 2


class ScoresSecrets(ActionCards):
    """Leak by a public number that follows from a seat's secrets, in as many bytes."""

    def public(self, state: Skirmish) -> Iterable[PartOrSection]:
        yield from super().public(state)
        yield Part(NodeId("counter/odd"), (object(),), lambda: Counter(text("counter.turn"), 1 + worth(state)))


class OneByteMore(ActionCards):
    """Leak by a public number in one byte more."""

    def public(self, state: Skirmish) -> Iterable[PartOrSection]:
        yield from super().public(state)
        yield Part(NodeId("counter/odd"), (object(),), lambda: Counter(text("counter.turn"), 100 + 100 * worth(state)))


class OneCueMore(ActionCards):
    """Leak by a public cue that comes with some secrets only."""

    def cues(
        self, event: Event[Skirmish] | CoreEvent, before: Skirmish, after: Skirmish
    ) -> Iterable[Cue | TemplatedCues]:
        yield from super().cues(event, before, after)
        if before.figures is not after.figures and worth(after):
            yield Cue("note", text("log.row.reordered"))


LEAKS: dict[str, Callable[[], ActionCards]] = {
    "a number": ScoresSecrets,
    "one byte of size": OneByteMore,
    "a cue": OneCueMore,
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_of_secret_conditions_is_found(leak: str) -> None:
    leaky = LEAKS[leak]()
    with pytest.raises(AssertionError, match="tell"):
        sum(check_conditions(leaky, seed, OPEN, 1 + seed % 5) for seed in SEEDS)


def test_a_face_down_event_that_is_turned_up_too_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "_lies_open", lambda state: bool(state.resolved.scenario.mix))
    with pytest.raises(AssertionError, match="tell"):
        sum(check_events(system, seed, FACE_DOWN, 1 + seed % 9) for seed in SEEDS)


def test_where_nothing_leaks_none_is_found() -> None:
    compared = sum(check_conditions(system, seed, OPEN, 1 + seed % 5) for seed in SEEDS[:4])
    compared += sum(check_events(system, seed, FACE_DOWN, 1 + seed % 9) for seed in SEEDS[:4])
    assert compared >= 20
