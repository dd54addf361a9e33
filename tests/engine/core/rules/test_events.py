"""The core's events: their effect on the record, their audience, and the undo that they bar."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.rules.audience import ALL, Seat, only
from engine.core.rules.events import (
    CORE_EVENTS,
    CardDrawn,
    CoreEvent,
    DeckShuffled,
    DeferralOpened,
    DiceRolled,
    Event,
    MatchStarted,
    OrderMade,
    RoundBegun,
    RoundCalled,
    SeatHeld,
    SettingsChanged,
    StepDeferred,
    TipKnown,
    Undone,
    Voided,
    tagged,
)
from engine.core.rules.record import DeckState, Record, SeatSettings
from protocol.fairness.entropy_chain import NO_MIX, mixed
from protocol.ids import MatchId
from protocol.scene.nodes import RollId
from tests.support.systems.haggle import Passed

MATCH = MatchId("m1")

TIP, KEY, LINK = b"t" * 32, b"k" * 32, b"l" * 32


def started(dice: int = 2) -> Record:
    """Make the record of a match of three seats that has begun."""
    return MatchStarted(
        MATCH, "haggle", 1, 3, b"content", bytes(32), 2, dice, parts=True, version="1.0", code=b"code"
    ).apply(Record())


def after(record: Record, *events: CoreEvent) -> Record:
    for event in events:
        record = event.apply(record)
    return record


def test_every_event_of_the_core_has_a_tag_of_its_own() -> None:
    tags = {str(event.__struct_config__.tag) for event in CORE_EVENTS}
    assert len(tags) == len(CORE_EVENTS)
    assert all(tag.startswith("core.") for tag in tags)
    known = CoreEvent.__subclasses__()
    assert set(CORE_EVENTS) == {kind for kind in known if kind.__module__ == MatchStarted.__module__}


class Moved(Event[int], frozen=True):
    """The base of two events."""


class Walked(Moved, frozen=True, tag="test.walked"):
    """An event with a tag of its own."""


class Driven(Moved, frozen=True, tag="test.driven"):
    """Another one."""


def test_the_events_of_a_module_are_those_below_a_base_that_name_a_tag() -> None:
    assert tagged(globals(), Moved) == (Walked, Driven)
    assert tagged(globals(), CoreEvent) == ()  # they are another module's


@pytest.mark.parametrize(
    ("barrier", "kinds"),
    [
        ("started", {MatchStarted}),
        ("dice", {RoundBegun, StepDeferred, DeferralOpened, DiceRolled, OrderMade}),
        ("cards", {DeckShuffled, CardDrawn}),
        ("voided", {Voided}),
    ],
)
def test_what_chance_or_the_host_has_done_is_not_taken_back(barrier: str, kinds: set[type[CoreEvent]]) -> None:
    assert {event for event in CORE_EVENTS if event.barrier == barrier} == kinds


def test_a_match_starts_with_what_event_0_names() -> None:
    record = started()
    assert (record.match, record.system, record.rules, record.seats) == ("m1", "haggle", 1, 3)
    assert (record.log, record.dice, record.parts, record.code) == (2, 2, True, b"code")
    assert (record.mix, record.participation.holders) == (NO_MIX, ("empty",) * 3)
    older = started(dice=1)
    assert (older.mix, older.participation.holders) == (b"", ())


def test_a_round_counts_its_rolls_anew_and_mixes_the_links_into_the_last_mix() -> None:
    holders = [SeatHeld(seat, "person") for seat in range(3)]
    record = after(started(), *holders, TipKnown(0, TIP, KEY), OrderMade(0, 0, "order", (0,)), RoundCalled(1, (0,)))
    assert (record.call, record.rolls, record.participation.holders) == ((0,), 1, ("person",) * 3)
    begun = after(record, RoundBegun(1, (LINK, b"", b"")))
    assert (begun.round, begun.rolls, begun.call) == (1, 0, None)
    assert begun.mix == mixed(NO_MIX, MATCH, 1, (LINK, b"", b""))
    assert begun.participation.chains[0].link == LINK
    without = after(record, RoundBegun(1))
    assert without.mix == mixed(NO_MIX, MATCH, 1, (b"",) * 3)


def test_a_round_of_the_first_scheme_keeps_each_seats_last_link() -> None:
    record = after(started(dice=1), TipKnown(0, TIP), TipKnown(2, KEY), RoundBegun(1, (LINK, b"", b"")))
    assert record.tips == {0: (TIP, LINK), 2: (KEY, KEY)}
    assert (record.links, record.mix, record.entropy) == ((LINK, b"", b""), b"", (LINK, b"", b""))


def test_open_and_hidden_rolls_are_counted_apart_and_remembered() -> None:
    open_one = DiceRolled(1, 0, "dice", 2, 6, (3, 4))
    hidden = DiceRolled(1, 0, "dice", 1, 6, (5,), only(Seat(1)))
    record = after(started(), RoundBegun(1), open_one, hidden, OrderMade(1, 1, "order", (1, 0)))
    assert (record.rolls, record.hidden_rolls) == (2, 1)
    assert (open_one.id, hidden.id) == (RollId(1, 0), RollId(1, 0, hidden=True))
    assert [record.roll(id).faces for id in (open_one.id, hidden.id)] == [(3, 4), (5,)]
    assert (open_one.audience(), hidden.audience()) == (ALL, only(Seat(1)))


def test_cards_are_drawn_from_the_epoch_that_was_shuffled() -> None:
    shuffled = DeckShuffled("fruit", 0, 1, ("fig", "plum"), bytes(32))
    card = CardDrawn("fruit", 0, 0, "plum", b"salt", (), only(Seat(0)))
    record = after(started(), RoundBegun(1), shuffled, card)
    assert record.decks == {"fruit": DeckState(0, 1, (), ("fig", "plum"), ("plum",), record.mix)}
    assert CardDrawn("fruit", 0, 1, "fig", b"salt", ()).apply(record).decks["fruit"].drawn == ("plum", "fig")
    assert card.audience() == only(Seat(0))
    again = DeckShuffled("fruit", 1, 1, ("fig",), bytes(32)).apply(record)
    assert again.decks["fruit"].drawn == ()


def test_settings_are_the_seats_own() -> None:
    settings = SeatSettings(("before-sale",))
    changed = SettingsChanged(1, settings)
    record = after(started(), SettingsChanged(0, SeatSettings()), changed)
    assert record.settings == {0: SeatSettings(), 1: settings}
    assert changed.audience() == only(Seat(1))


@pytest.mark.parametrize("event", [Undone(0, 3), Voided("e-1")])
def test_what_the_fold_puts_back_changes_no_record_by_itself(event: CoreEvent) -> None:
    record = started()
    assert event.apply(record) is record
    assert event.audience() == ALL


def test_a_systems_event_is_public_and_can_be_taken_back_unless_it_says_otherwise() -> None:
    event: Any = Passed()
    assert (event.audience(), event.barrier, dict(event.formerly)) == (ALL, "", {})
