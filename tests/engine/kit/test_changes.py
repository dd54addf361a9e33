"""Copies with one part changed."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, strategies as st

from engine.core.rules.events import Event
from engine.kit.changes import (
    also,
    at_least,
    changed_at,
    drop,
    drop_first,
    drop_key,
    each,
    ids,
    in_turn,
    inside,
    its,
    made,
    minus,
    moved,
    moves,
    now,
    of,
    plus,
    put,
    sets,
    size,
    when,
    with_new,
    without,
)
from protocol.scene.nodes import SeatNode
from protocol.text import Text


class Pawn(msgspec.Struct, frozen=True):
    """A figure."""

    id: str
    at: tuple[int, int] = (0, 0)
    hurt: int = 0


class Yard(msgspec.Struct, frozen=True):
    """A state with one table of each sort."""

    figures: dict[str, Pawn]
    heaps: tuple[Pawn, ...] = ()
    seats: tuple[Pawn, ...] = ()
    turn: int = 1
    notes: tuple[str, ...] = ()
    used: dict[str, int] = {}


class Struck(Event[Yard], frozen=True, tag="struck"):
    """An event of one pawn, heap and seat."""

    pawn: str
    heap: str = ""
    seat: int = 0
    harm: int = 1
    places: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)
    more: tuple[Pawn, ...] = ()
    apply = of("figures", "pawn")(hurt=plus(its.harm))


YARD = Yard({"a": Pawn("a"), "b": Pawn("b", hurt=2)}, (Pawn("x"), Pawn("y")), (Pawn("0"), Pawn("1")), 3, ("n", "m"))
SEATS = tuple(SeatNode(Text(name), colour) for colour, name in enumerate("abcd"))


@given(st.integers(0, 3), st.integers(1, 9))
def test_one_of_several_is_changed(place: int, score: int) -> None:
    changed = changed_at(SEATS, place, score=score)
    assert changed[place] == SeatNode(Text("abcd"[place]), place, score)
    assert [one is other for one, other in zip(changed, SEATS, strict=True)] == [n != place for n in range(4)]
    assert SEATS[place].score == 0


def test_a_place_or_a_field_that_is_not_there_is_an_error() -> None:
    with pytest.raises(IndexError):
        changed_at(SEATS, 4, score=1)
    with pytest.raises(TypeError):
        changed_at(SEATS, 0, height=1)


def test_an_event_changes_the_item_that_it_names() -> None:
    assert Struck("b", harm=3).apply(YARD) == msgspec.structs.replace(
        YARD, figures={**YARD.figures, "b": Pawn("b", hurt=5)}
    )
    with pytest.raises(KeyError):
        Struck("c").apply(YARD)


def test_items_of_a_tuple_are_named_by_place_or_by_id() -> None:
    event = Struck("a", "y", 1)
    seats = of("seats", "seat")(at=(4, 4))(event, YARD).seats
    assert seats == (Pawn("0"), Pawn("1", (4, 4)))
    heaps = of("heaps", "heap")(hurt=its.harm)(event, YARD).heaps
    assert heaps == (Pawn("x"), Pawn("y", hurt=1))


def test_fields_of_the_state_are_set_counted_and_kept() -> None:
    event = Struck("a", "x", harm=2)
    assert sets()(event, YARD) == YARD
    after = sets(turn=minus(its.harm), notes=also(its.pawn), used=put(its.pawn, plus(its.harm)))(event, YARD)
    assert (after.turn, after.notes, after.used) == (1, ("n", "m", "a"), {"a": 2})
    assert sets(used=put(its.pawn, plus(1)))(event, after).used == {"a": 3}
    assert sets(used=put("z", its.heap))(event, after).used == {"a": 2, "z": "x"}
    assert sets(heaps=drop(its.heap), notes=drop("m", ""))(event, YARD).heaps == (Pawn("y"),)
    assert sets(notes=drop("m", ""))(event, YARD).notes == ("n",)


def test_figures_are_moved_and_removed() -> None:
    assert moved(YARD.figures, {"a": (5, 6)}, hurt=1) == {"a": Pawn("a", (5, 6), 1), "b": YARD.figures["b"]}
    assert without(YARD.figures, ("a", "c")) == {"b": YARD.figures["b"]}


def test_changes_follow_each_other_and_may_depend_on_the_event() -> None:
    event = Struck("a", harm=2, places={"b": (7, 7)})
    twice = in_turn(sets(turn=plus(1)), sets(turn=plus(now.turn)), moves(hurt=its.harm))
    assert twice(event, YARD) == msgspec.structs.replace(
        YARD, turn=8, figures={"a": Pawn("a"), "b": Pawn("b", (7, 7), 2)}
    )
    either = when("heap", sets(turn=0), sets(turn=at_least(5)))
    assert (either(event, YARD).turn, either(Struck("a", "x"), YARD).turn) == (5, 0)
    assert when("heap", sets(turn=0))(event, YARD) == YARD


def test_new_items_are_entered_and_counted() -> None:
    event = Struck("a", more=(Pawn("c"), Pawn("d")))
    entered = sets(figures=with_new(its.more), turn=plus(size(its.more)), notes=plus(ids(its.more)))(event, YARD)
    assert list(entered.figures) == ["a", "b", "c", "d"]
    assert (entered.turn, entered.notes) == (5, ("n", "m", "c", "d"))
    assert sets(figures=with_new(Pawn("e")))(event, YARD).figures["e"] == Pawn("e")


def test_a_value_is_made_of_several() -> None:
    pawn = sets(notes=made(lambda *parts: parts, its.pawn, now.turn, "x"))(Struck("a"), YARD)
    assert pawn.notes == ("a", YARD.turn, "x")


def test_the_item_may_be_named_by_the_state() -> None:
    state = msgspec.structs.replace(YARD, turn=1)
    assert of("seats", now.turn)(hurt=9)(Struck("a"), state).seats == (Pawn("0"), Pawn("1", hurt=9))


class Camp(msgspec.Struct, frozen=True):
    """A state within which another may stand."""

    yard: Yard | None = None


def test_fields_of_what_a_field_holds_are_changed() -> None:
    event = Struck("a", harm=2)
    grown = sets(yard=inside(turn=plus(its.harm), notes=drop("m", "")))
    assert grown(event, Camp(YARD)) == Camp(msgspec.structs.replace(YARD, turn=5, notes=("n",)))
    assert grown(event, Camp()) == Camp()


def test_every_item_of_a_table_is_changed() -> None:
    hurt = sets(figures=each(hurt=plus(its.harm)), heaps=each(at=(1, 1)))(Struck("a", harm=2), YARD)
    assert hurt.figures == {"a": Pawn("a", hurt=2), "b": Pawn("b", hurt=4)}
    assert hurt.heaps == (Pawn("x", (1, 1)), Pawn("y", (1, 1)))


def test_items_of_a_tuple_are_named_by_another_attribute() -> None:
    yard = msgspec.structs.replace(YARD, heaps=(Pawn("x", hurt=1), Pawn("y", hurt=2)))
    changed = of("heaps", "harm", by="hurt")(at=(3, 3))(Struck("a", harm=2), yard)
    assert changed.heaps == (Pawn("x", hurt=1), Pawn("y", (3, 3), 2))


def test_the_first_alike_or_one_entry_is_left_out() -> None:
    yard = msgspec.structs.replace(YARD, notes=("n", "a", "a"), used={"a": 1, "b": 2})
    assert sets(notes=drop_first(its.pawn))(Struck("a"), yard).notes == ("n", "a")
    heaps = sets(heaps=drop_first(its.heap, "id"))(Struck("a", "x"), yard).heaps
    assert heaps == (Pawn("y"),)
    assert sets(used=drop_key(its.pawn))(Struck("a"), yard).used == {"b": 2}
