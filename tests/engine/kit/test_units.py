"""Units of seats on a table, their names, and what they declare."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.memo import MatchContent
from engine.core.rules.record import Record
from engine.kit import units
from engine.kit.blanks import Draft
from engine.kit.changes import item_changed
from engine.kit.present.unit_names import UnitNames
from engine.kit.unit_fields import UnitFields
from engine.kit.units import ABOARD, GONE, TABLE, UnitIntent, UnitTable
from protocol.ids import NO_GROUP, FigureId, GroupId, MatchId, NodeId
from protocol.scene.fields import Pieces
from protocol.text import Text, text


class Force(msgspec.Struct, frozen=True):
    name: str
    page: str


class Kind(msgspec.Struct, frozen=True):
    name: str


class Piece(msgspec.Struct, frozen=True):
    id: str
    kind: str


class Plan(msgspec.Struct, frozen=True):
    sides: tuple[int, ...] = ()


class Content(MatchContent, frozen=True):
    forces: tuple[Force, ...]
    scenario: Plan
    terrain: dict[str, Kind]


class Squad(msgspec.Struct, frozen=True):
    id: GroupId
    owner: int
    figures: tuple[FigureId, ...]
    where: str = TABLE
    vessel: GroupId = NO_GROUP


class Acts(msgspec.Struct, frozen=True):
    unit: GroupId


class World(msgspec.Struct, UnitTable[Squad, str], frozen=True):
    resolved: Content
    seats: tuple[str, ...]
    units: dict[GroupId, Squad]
    figures: dict[FigureId, str] = {}
    features: tuple[Piece, ...] = ()
    active: Acts | None = None
    acting: int = 0
    placing: tuple[GroupId, ...] = ()


def squad(id: str, owner: int, where: str = TABLE, vessel: str = "") -> Squad:
    return Squad(GroupId(id), owner, (FigureId(f"{id}.1"), FigureId(f"{id}.2")), where, GroupId(vessel))


def world(*squads: Squad, pages: str = "ab", sides: tuple[int, ...] = (), acts: str = "") -> World:
    forces = tuple([Force(f"army {page}", page) for page in pages])
    content = Content(forces, Plan(sides), {"wood": Kind("Wood")})
    figures = {id: f"model {id}" for squad in squads for id in squad.figures}
    active = Acts(GroupId(acts)) if acts else None
    return World(content, ("",) * len(pages), {one.id: one for one in squads}, figures, (Piece("1", "wood"),), active)


NAMES = UnitNames[World](
    "zz.",
    lambda force: force.page,
    lambda state, unit: ("Squad", unit.id),
    {"flag": lambda state, id: Text(f"flag {id}")},
)
FIELDS = UnitFields[World, Squad](NAMES.unit)
ONE, TWO, RIDER = squad("0.1", 0), squad("1.1", 1), squad("1.2", 1, ABOARD, "1.1")


def test_units_are_found_by_where_they_are_and_whose() -> None:
    state = world(ONE, TWO, RIDER, squad("0.2", 0, GONE))
    assert list(state.standing()) == [ONE, TWO]
    assert (state.enemies(0), state.enemies(1)) == ([TWO], [ONE])
    assert world(ONE, TWO, sides=(0, 0)).enemies(0) == []
    assert (state.units_of(1, TABLE, ABOARD), state.units_of(1, GONE)) == ([TWO, RIDER], [])
    assert (state.riders(TWO.id), state.riders(ONE.id)) == ([RIDER], [])
    assert (state.members(ONE), state.leader(ONE)) == (["model 0.1.1", "model 0.1.2"], "model 0.1.1")


def test_all_but_the_content_changes() -> None:
    state = world(ONE)
    assert state.parts == (state.seats, state.units, state.figures, state.features, None, 0, ())
    moved = item_changed(state, "units", ONE.id, where=GONE)
    assert (moved.units[ONE.id].where, state.units[ONE.id].where) == (GONE, TABLE)


def test_forces_are_raised_seat_by_seat() -> None:
    assert list(units.raised([[2], [], [1, 1]])) == [
        ("0.1", 0, 0, ("0.1.1", "0.1.2")),
        ("2.1", 2, 0, ("2.1.1",)),
        ("2.2", 2, 1, ("2.2.1",)),
    ]


def test_who_acts_is_pointed_at() -> None:
    assert (world(ONE).acts, units.about(world(ONE), Seat(0))) == ("", ())
    assert units.about(world(ONE, acts="0.1"), Seat(0)) == (NodeId("group/0.1"),)


def test_an_act_is_declared_about_the_unit_and_its_target() -> None:
    match = MatchId("m1")
    for target, about in (
        ("", {"group": "group/0.1"}),
        ("1.1", {"group": "group/0.1", "target": "group/1.1"}),
    ):
        game: Game[World] = Game(world(ONE, TWO), Record(), MatchDice(bytes(32), match))
        units.declare(game, "shoot", ONE.id, GroupId(target))
        (action,) = game.record.declared
        assert (action.kind, action.seat, dict(action.about)) == ("shoot", 0, about)


def test_armies_and_units_are_told_apart_where_they_are_alike() -> None:
    state, alike = world(ONE, TWO), world(ONE, TWO, pages="aa")
    assert (NAMES.army(state, 1), NAMES.unit(state, TWO.id)) == (
        Text("army b"),
        text("zz.name.unit", unit=Text("Squad"), number="1.1"),
    )
    assert NAMES.army(alike, 1) == text("zz.name.army", army=Text("army a"), number=2)
    assert NAMES.unit(alike, TWO.id) == text("zz.name.unit_of", unit=Text("Squad"), number="1.1", seat=2)


def test_terrain_is_named_by_its_kind_and_a_group_has_a_strength() -> None:
    state = world(ONE)
    assert (NAMES.feature(state, "1"), NAMES.feature(state, "9")) == (Text("Wood"), Text("zz.name.ground"))
    assert [NAMES.strength(state, NodeId(node)) for node in ("group/0.1", "group/9")] == [2, 0]


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(IllegalIntent) as refused:
        act()
    return refused.value.refusal.code


def test_a_seat_acts_in_its_turn_with_a_unit_of_its_own_and_no_other_at_once() -> None:
    state = world(ONE, TWO, RIDER, acts="0.1")
    assert state.check_acting(0, ONE.id, fights=True) == ONE
    assert refusal(lambda: state.check_acting(0, ONE.id, fights=False)) == "act/not-now"
    assert refusal(lambda: state.check_acting(1, TWO.id, fights=True)) == "act/not-now"
    assert refusal(lambda: state.check_acting(0, TWO.id, fights=True)) == "act/not-yours"
    assert refusal(lambda: state.check_acting(0, GroupId("9"), fights=True)) == "act/not-yours"
    assert refusal(lambda: state.check_acting(0, ONE.id, ABOARD, fights=True)) == "act/not-yours"
    other = world(ONE, squad("0.2", 0), acts="0.2")
    assert refusal(lambda: other.check_acting(0, ONE.id, fights=True)) == "act/another-acts"


def test_units_are_placed_by_the_seat_whose_turn_it_is() -> None:
    state = msgspec.structs.replace(world(ONE, TWO), placing=(TWO.id,), acting=1)
    assert (state.to_place(), state.check_placing(1, TWO.id)) == ([TWO], TWO)
    assert refusal(lambda: state.check_placing(0, TWO.id)) == "deploy/not-now"
    assert refusal(lambda: state.check_placing(1, ONE.id)) == "deploy/not-now"


@pytest.mark.parametrize("id", ["0.1", "1.2", "9"])
def test_only_an_enemy_on_the_table_is_a_foe(id: str) -> None:
    state = world(ONE, TWO, RIDER)
    assert state.check_foe(0, TWO.id, "shoot/no") == TWO
    assert refusal(lambda: state.check_foe(0, GroupId(id), "shoot/no")) == "shoot/no"


class Aim(UnitIntent, frozen=True, tag="aim"):
    target: GroupId


def test_what_was_picked_is_a_unit_of_the_state() -> None:
    state = world(ONE, TWO)
    draft = Draft(state, Seat(0), "aim", {"unit": ["group/0.1"], "target": ["group/9"]})
    assert (FIELDS.unit_of(draft), FIELDS.enemies(draft)) == (ONE, [TWO])
    assert refusal(lambda: FIELDS.unit_of(draft, "target")) == "act/not-yours"
    seen: list[Aim] = []
    FIELDS.whole(lambda state, seat, intent: seen.append(intent), Aim)(draft, TWO)
    assert seen == [Aim(ONE.id, TWO.id)]


def test_the_first_unit_is_picked_by_default() -> None:
    draft = Draft(world(ONE, TWO), Seat(0))
    field = FIELDS.pick("unit", lambda draft: [*draft.state.units.values()]).fill(draft, Pieces("unit", text("unit")))
    assert isinstance(field, Pieces)
    assert [(one.id, one.name) for one in field.options] == [
        (NodeId(f"group/{unit.id}"), NAMES.unit(draft.state, unit.id)) for unit in (ONE, TWO)
    ]
    assert field.default == ("group/0.1",)


def test_nodes_are_named_by_their_kind() -> None:
    state = world(ONE, TWO)
    named = [NAMES.node(state, NodeId(node)) for node in ("seat/1", "group/1.1", "flag/7", "feature/1")]
    assert named == [NAMES.army(state, 1), NAMES.unit(state, TWO.id), Text("flag 7"), NAMES.feature(state, "1")]
