"""Events of the deployment: terrain, sides, units placed, kept in reserve, aboard or joined to others."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import changed_at, drop, in_turn, item_changed, its, moves, placing_begun, sets
from engine.kit.present.cues import says
from engine.rulesets.one_page.state.event_base import BattleEvent, UnitEvent, of_unit
from engine.rulesets.one_page.state.model import Feature, Point
from engine.rulesets.one_page.state.state import ABOARD, JOINED, RESERVE, TABLE, Battle
from protocol.ids import FigureId, GroupId

_placed: Callable[[BattleEvent, Battle], Battle] = sets(placing=drop(its.unit, ""))


class TerrainLaid(BattleEvent, frozen=True, tag="op.terrain_laid"):
    """Terrain laid on the table."""

    features: tuple[Feature, ...]
    cue = says("note", "op.log.laid", "OP-SETUP-02", count=lambda event: len(event.features))
    apply = sets(features=its.features, phase="sides")


class SidesTaken(BattleEvent, frozen=True, tag="op.sides_taken"):
    """Choice of a side by the winner of the roll-off, who deploys first; the other player gets the side opposite."""

    seat: int
    side: str
    barrier = "revealed"
    cue = says("note", "op.log.side", "OP-SETUP-03", seat="seat", army="seat", side="op.side.{it.side}")

    def apply(self, state: Battle) -> Battle:
        other = "north" if self.side == "south" else "south"
        seats = state.seats
        for seat in state.players:
            seats = changed_at(seats, seat, side=other if state.hostile(self.seat, seat) else self.side)
        return replace(state, seats=seats, first=self.seat)


class PlacingBegun(BattleEvent, frozen=True, tag="op.placing_begun"):
    """Start of a player's placing of these units: `phase` is deploy, scouts or reserves."""

    seat: int
    phase: str
    units: tuple[GroupId, ...]
    barrier = "revealed"
    apply = placing_begun


class UnitPlaced(UnitEvent, frozen=True, tag="op.unit_placed"):
    """Arrival of a unit on the table; `facing` of machines in degrees."""

    places: dict[FigureId, Point]
    facing: int = 0
    cue = says("move", "op.log.placed", "OP-SETUP-03", "unit", seat="unit", about="unit")
    apply = in_turn(moves(facing=its.facing), of_unit(where=TABLE), _placed)


class UnitKept(UnitEvent, frozen=True, tag="op.unit_kept"):
    """Stay of a unit in reserve."""

    cue = says("note", "op.log.kept", "OP-SR-02", "unit", seat="unit")
    apply = in_turn(of_unit(where=RESERVE), _placed)


class UnitJoined(UnitEvent, frozen=True, tag="op.unit_joined"):
    """Joining of a character, or of a second copy of the same unit, to a unit for the whole game."""

    host: GroupId
    cue = says("note", "op.log.joined", "OP-UNIT-03", "unit", "host", seat="host", about="host")

    def apply(self, state: Battle) -> Battle:
        part, host = state.units[self.unit], state.units[self.host]
        figures = (*host.figures, *part.figures)
        joined = item_changed(state, "units", self.unit, where=JOINED, figures=())
        parts = (*host.joined, part.entry)
        grown = item_changed(joined, "units", self.host, figures=figures, size=len(figures), joined=parts)
        return _placed(self, grown)


class UnitBoarded(UnitEvent, frozen=True, tag="op.unit_boarded"):
    """Boarding of a transport by a unit."""

    vessel: GroupId
    cue = says("move", "op.log.boarded", "OP-SR-22", "unit", "vessel", seat="unit", about="vessel")
    apply = in_turn(of_unit(where=ABOARD, vessel=its.vessel), _placed)


class UnitLanded(UnitEvent, frozen=True, tag="op.unit_landed"):
    """Landing of a unit from its transport."""

    places: dict[FigureId, Point]
    cue = says("move", "op.log.landed", "OP-SR-22", "unit", seat="unit", about="unit")
    apply = in_turn(moves(), of_unit(where=TABLE, vessel=""))


PLACING_EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
