"""The record as a seat knows it."""

from __future__ import annotations

from engine.core.rules.audience import ALL, Seat, only
from engine.core.rules.record import DeckState, PendingAction, Record, RollMade, SeatSettings
from protocol.ids import NodeId
from protocol.scene.nodes import RollId

HIDDEN = {"decks", "settings", "declared", "hidden_acts", "rolled", "hidden_rolls", "luck"}
"""The fields of which a seat does not know all."""
ABOUT = {"by": NodeId("group/1")}


def whole() -> Record:
    return Record(
        seats=2,
        decks={"cards": DeckState(0, 1, (), ("a", "b", "c"), drawn=("b",))},
        settings={0: SeatSettings(("x",)), 1: SeatSettings(("y",))},
        declared=(
            PendingAction("shoot", 0, ABOUT, n=1),
            PendingAction("ambush", 1, ABOUT, numbers={1: 4}, to=only(Seat(1))),
            PendingAction("mine", 0, ABOUT, numbers={0: 2, 1: 3}, to=only(Seat(0), Seat(1))),
        ),
        acts=1,
        hidden_acts={0: 2, 1: 4},
        rolled=((RollMade(RollId(1, 0, True), 1, 6, (6,)),),),
        hidden_rolls=1,
    )


def test_a_seat_knows_its_own_settings_and_actions_and_how_many_cards_are_drawn() -> None:
    known = whole().known(0)
    assert known.settings == {0: SeatSettings(("x",))}
    assert [(action.kind, action.numbers) for action in known.declared] == [("shoot", {}), ("mine", {0: 2})]
    assert known.decks["cards"].left == 2
    assert known.decks["cards"].drawn == ("",)
    assert known.hidden_acts == {0: 2}
    assert (known.rolled, known.hidden_rolls) == ((), 0)


def test_two_records_that_differ_in_what_is_hidden_are_the_same_to_a_seat() -> None:
    one, other = (
        whole(),
        Record(
            seats=2,
            decks={"cards": DeckState(0, 1, (), ("a", "b", "c"), drawn=("c",))},
            settings={0: SeatSettings(("x",))},
            declared=(whole().declared[0], whole().declared[2]),
            acts=1,
            hidden_acts={0: 2},
        ),
    )
    assert one.known(0) == other.known(0)
    assert one.known(1) != other.known(1)


def test_every_other_field_is_known_to_all() -> None:
    marked = {name: object() for name in Record.__struct_fields__ if name not in HIDDEN}
    known = Record(**marked).known(0)  # type: ignore[arg-type]
    assert {name: getattr(known, name) for name in marked} == marked


def test_an_audience_includes_its_seats() -> None:
    assert ALL.includes(3)
    assert only(Seat(1)).includes(1)
    assert not only(Seat(1)).includes(0)
