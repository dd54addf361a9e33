"""Cues that event classes declare, and those that functions tell."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from engine.core.rules.events import DiceRolled, Event
from engine.kit.present.cues import Cues, Tellers, roll, says
from protocol.ids import GroupId, NodeId
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.nodes import Cue, Dice
from protocol.text import Text, text


class Yard(msgspec.Struct, frozen=True):
    """A state: the owner of each group."""

    owners: dict[GroupId, int]
    dusk: bool = False


class Cargo(msgspec.Struct, frozen=True):
    """Goods of an owner, by weight."""

    weight: int
    owner: int


def _light(event: object, before: Yard) -> str:
    return "Y-2" if before.dusk else "Y-1"


class Sailed(Event[Yard], frozen=True, tag="y.sailed"):
    """A group has moved."""

    group: GroupId
    how: str
    came: tuple[int, int]
    to: tuple[int, int]
    cue = says("move", "y.sailed.{it.how}", _light, "group", about="group", seat="group", path="came to")


class Loaded(Event[Yard], frozen=True, tag="y.loaded"):
    """Cargo lies in a shed; what holds it."""

    shed: str
    cargo: Cargo
    full: bool = False
    way: tuple[tuple[int, int], ...] | None = None
    cue = says(
        "note",
        ("full", "y.full", "y.loaded"),
        "Y-3",
        about="shed",
        seat="cargo.owner",
        path="way",
        weight="cargo.weight",
        who="cargo.owner",
        where="y.shed.{it.shed}",
        twice=lambda event: 2 * event.cargo.weight,
    )


class Quiet(Event[Yard], frozen=True, tag="y.quiet"):
    """An event that nobody hears of."""


class Ended(Event[Yard], frozen=True, tag="y.ended"):
    """The end, told by a function."""

    why: str


parts = Tellers[Yard]()


@parts.template
def over(seat: int) -> Iterator[Cue]:
    """Show the end."""
    yield Cue("end", text("y.over"), seat=seat)


@parts.of(Ended)
def _ended(event: Ended, before: Yard, after: Yard) -> Iterator[Cue | TemplatedCues]:
    yield Cue("end", text("y.ended", why=event.why))
    yield over(len(after.owners))


cues = Cues[Yard](
    {"group": lambda state, id: Text("y.group", {"id": id}), "owner": lambda state, seat: Text(f"y.seat.{seat}")},
    lambda state, id: state.owners[id],
    {"shed": lambda id: NodeId(f"feature/{id}")},
    (parts,),
)
YARD = Yard({GroupId("1"): 4})


@pytest.mark.parametrize(("dusk", "rule"), [(False, "Y-1"), (True, "Y-2")])
def test_a_declared_cue_names_the_fields_of_its_event(*, dusk: bool, rule: str) -> None:
    event = Sailed(GroupId("1"), "fast", (0, 0), (3, 4))
    line = text("y.sailed.fast", group=text("y.group", id="1"))
    told = cues.tell(event, Yard(YARD.owners, dusk=dusk), YARD)
    assert told == (Cue("move", line, rule, 4, (NodeId("group/1"),), ((0, 0), (3, 4))),)


def test_arguments_are_fields_within_fields_texts_and_functions() -> None:
    event = Loaded("a", Cargo(3, 2), full=True, way=((1, 1), (2, 2)))
    line = text("y.full", weight=3, who=text("y.seat.2"), where=text("y.shed.a"), twice=6)
    assert cues.tell(event, YARD, YARD) == (Cue("note", line, "Y-3", 2, (NodeId("feature/a"),), ((1, 1), (2, 2))),)


def test_a_key_is_chosen_by_a_field_and_a_way_may_be_missing() -> None:
    [cue] = cues.tell(Loaded("a", Cargo(3, 2)), YARD, YARD)
    assert isinstance(cue, Cue)
    assert (cue.text.k, cue.path) == ("y.loaded", ())


def test_an_event_that_declares_nothing_is_not_told_of() -> None:
    assert cues.tell(Quiet(), YARD, YARD) == ()


def test_functions_tell_of_the_other_events_whole_or_by_template() -> None:
    whole, filled = cues.tell(Ended("late"), YARD, YARD)
    assert whole == Cue("end", text("y.ended", why="late"))
    assert isinstance(filled, TemplatedCues)
    assert (cues.templates, filled.arguments) == ((over,), (1,))


ONE = DiceRolled(1, 7, "zz.dice.hit", 1, 6, (4,))
TWO = DiceRolled(1, 8, "zz.dice.hit", 1, 6, (4, 6), low=5, high=6)


def test_a_die_is_told_by_its_face_and_dice_by_their_number() -> None:
    one = roll(ONE, "zz.", text("army"), "ZZ-01", (text("passed"),))
    assert one.text == text("zz.log.die", what=Text("zz.dice.hit"), army=text("army"), face=4)
    assert (one.kind, one.rule, one.seat) == ("dice", "ZZ-01", 1)
    assert one.dice == Dice.of(ONE.id, Text("zz.dice.hit"), (), (text("passed"),), 4, (0, 0))
    several = roll(TWO, "zz.", text("army"), "", ())
    assert several.text == text("zz.log.dice", what=Text("zz.dice.hit"), army=text("army"), dice=2)
    assert several.dice == Dice.of(TWO.id, Text("zz.dice.hit"), (), (), 0, (5, 6)), "dice that count are not added up"
