"""Non-interference of the action-card game, as checks that a test also runs on copies of it that leak: a viewer's
frames are the same, in number, order, size and bytes, whatever is hidden from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from engine.core.bots.random_bot import RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import System
from engine.rulesets.action_cards.rules.cards import cards
from engine.rulesets.action_cards.rules.flow import SECRETS
from engine.rulesets.action_cards.state.event_facts import EventShown
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import MatchId
from protocol.wire.codec import encode
from server.match.frames import PRIVATE, PUBLIC, delta
from tests.support.faults.interference import OtherOrder, Recorded
from tests.support.play.observed import Observed
from tests.support.systems.shipped import resolved_scenario

S = TypeVar("S")
DECISIONS = 40
DRAWN_AT_LEAST = 4


class Pair:
    """A match by random play, and others by the same replies with different hidden data."""

    def __init__(self, system: System[Skirmish], seed: int, scenario: str, decisions: int = DECISIONS) -> None:
        resolved, self.seats = resolved_scenario(scenario, seed % 64)
        self.dice = MatchDice(seed.to_bytes(32, "big"), MatchId("m1"))
        self._recorded: Recorded[Skirmish] = Recorded(system, resolved, self.seats)
        bots = {Seat(s): RandomBot(seed + s) for s in range(self.seats)}
        self.one = self._recorded.play(self.dice, bots, decisions)

    @property
    def is_over(self) -> bool:
        """True at the end, when all secrets are opened."""
        return self.one.match.state.ending is not None

    def with_other(self, deck: str, first: int, turn: int) -> Observed[Skirmish]:
        """Return the same replies, with the cards of a deck in another order from place `first` on."""
        return self._recorded.again(OtherOrder(self.dice, deck, 0, first, turn))


def check_deck(system: System[Skirmish], seed: int, scenario: str, turn: int) -> int:
    """Check that the order below the first row shows nowhere until it is drawn. Return how many viewers were compared;
    raises AssertionError."""
    pair = Pair(system, seed, scenario, 12)
    if pair.one.match.state.turn > 1 or pair.is_over:
        return 0
    other = pair.with_other(cards.DECK, max(pair.seats, DRAWN_AT_LEAST), turn)
    return same(pair.one, other, pair.one.frames)


def check_conditions(system: System[Skirmish], seed: int, scenario: str, turn: int) -> int:
    """Check that another deal of secrets shows neither to the public nor to seats whose own secrets stayed the same."""
    pair = Pair(system, seed, scenario)
    other = pair.with_other(SECRETS, 1, turn)
    if pair.is_over:
        return 0
    before, after = pair.one.match.state.seats, other.match.state.seats
    blind = [Seat(s) for s in range(pair.seats) if before[s].secrets == after[s].secrets]
    return same(pair.one, other, (None, *blind))


def check_events(system: System[Skirmish], seed: int, scenario: str, turn: int, decisions: int = DECISIONS) -> int:
    """Check that events face down in the row or in the deck show nowhere."""
    pair = Pair(system, seed, scenario, decisions)
    match = pair.one.match
    deck = match.record.decks.get(cards.EVENTS)
    if deck is None or deck.epoch or pair.is_over:
        return 0
    entries = (entry for data in pair.one.log for entry in match.codec.decode(data).entries)
    shown = sum(isinstance(entry, EventShown) for entry in entries)
    is_face_down = match.state.resolved.scenario.face_down
    other = pair.with_other(cards.EVENTS, shown if is_face_down else len(deck.drawn), turn)
    return same(pair.one, other, pair.one.frames)


def same(one: Observed[S], other: Observed[S], viewers: Iterable[Seat | None]) -> int:
    """Return how many viewers were sent the same, in number, order, size and bytes, and waited for the same. Raises
    AssertionError where one of them was not."""
    compared = 0
    for viewer in viewers:
        first, second = _bytes(one, viewer), _bytes(other, viewer)
        assert list(map(len, first)) == list(map(len, second)), f"numbers or sizes tell {viewer} something"
        assert first == second, f"bytes tell {viewer} something"
        compared += 1
    assert one.waits == other.waits, "how long the table waits tells something"
    return compared


def _bytes(table: Observed[S], viewer: Seat | None) -> list[bytes]:
    """Return the frames of a viewer as they go over the wire, and last the content of a present snapshot."""
    projector = table.play.projector
    view = projector.public if viewer is None else projector.private[viewer]
    frames = [encode(delta(PUBLIC if viewer is None else PRIVATE, change)) for change in table.frames[viewer]]
    return [*frames, msgspec.msgpack.encode(sorted(view.hashed.nodes.items()))]
