"""Units of seats on a table, their names, and what they declare."""

from __future__ import annotations

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.game import Game
from engine.core.rules.memo import MatchContent
from engine.core.rules.record import Record
from engine.kit import units
from engine.kit.changes import item_changed
from engine.kit.present.unit_names import UnitNames
from engine.kit.units import ABOARD, GONE, TABLE, UnitTable
from protocol.ids import NO_GROUP, FigureId, GroupId, MatchId, NodeId
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


def squad(id: str, owner: int, where: str = TABLE, vessel: str = "") -> Squad:
    return Squad(GroupId(id), owner, (FigureId(f"{id}.1"), FigureId(f"{id}.2")), where, GroupId(vessel))


def world(*squads: Squad, pages: str = "ab", sides: tuple[int, ...] = (), acts: str = "") -> World:
    forces = tuple([Force(f"army {page}", page) for page in pages])
    content = Content(forces, Plan(sides), {"wood": Kind("Wood")})
    figures = {id: f"model {id}" for squad in squads for id in squad.figures}
    active = Acts(GroupId(acts)) if acts else None
    return World(content, ("",) * len(pages), {one.id: one for one in squads}, figures, (Piece("1", "wood"),), active)


NAMES = UnitNames[World]("zz.", lambda force: force.page, lambda state, unit: ("Squad", unit.id))
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
    assert state.parts == (state.seats, state.units, state.figures, state.features, None)
    moved = item_changed(state, "units", ONE.id, where=GONE)
    assert (moved.units[ONE.id].where, state.units[ONE.id].where) == (GONE, TABLE)


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
