"""Events of the set-up: terrain, order of play, zones, units split, placed and hidden."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import in_turn, its, moved, moves, placing_begun, sets
from engine.kit.present.cues import happens, says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, SideEvent, UnitEvent, of_seat, of_unit
from engine.rulesets.apocalypse_earth.state.model import Feature, Point
from engine.rulesets.apocalypse_earth.state.profiles import UnitProfile
from engine.rulesets.apocalypse_earth.state.state import COMING, INFILTRATE, NOWHERE, TABLE, Battle, Unit
from protocol.ids import FigureId, GroupId


def _placed(event: UnitEvent, state: Battle) -> Battle:
    """Take a unit off those to place; infiltrators are placed one in turn."""
    left = () if state.phase == INFILTRATE else tuple([id for id in state.placing if id != event.unit])
    return replace(state, placing=left)


def _vanished(event: UnitEvent, state: Battle) -> Battle:
    nowhere = dict.fromkeys(state.units[event.unit].figures, NOWHERE)
    return replace(state, figures=moved(state.figures, nowhere))


class TerrainLaid(BattleEvent, frozen=True, tag="ae.terrain_laid"):
    """Terrain laid on the table."""

    features: tuple[Feature, ...]
    cue = says("note", "ae.log.laid", "AE-OPEN-30", count=lambda event: len(event.features))
    apply = sets(features=its.features)


class OrderSettled(BattleEvent, frozen=True, tag="ae.order_settled"):
    """Order of play of the sides."""

    order: tuple[int, ...]
    barrier = "revealed"
    apply = sets(order=its.order)


class ZoneTaken(BattleEvent, frozen=True, tag="ae.zone_taken"):
    """Choice of a deployment zone for a seat."""

    seat: int
    zone: int
    edge: str
    cue = says("note", "ae.log.zone", "AE-SETUP-01", seat="seat", army="seat", edge="ae.edge.{it.edge}")
    apply = of_seat(zone=its.zone)


class PlacingBegun(BattleEvent, frozen=True, tag="ae.placing_begun"):
    """Start of a seat's placing of these units: `phase` is deploy or infiltrate."""

    seat: int
    phase: str
    units: tuple[GroupId, ...]
    barrier = "revealed"
    apply = placing_begun


class UnitSplit(UnitEvent, frozen=True, tag="ae.unit_split"):
    """Split of a squad into fireteams, which are units of their own from now on."""

    cue = happens("ae.log.split", "AE-OPEN-09")

    def apply(self, state: Battle) -> Battle:
        teams = {team.id: team for team in teams_of(state, state.units[self.unit])}
        units: dict[GroupId, Unit] = {}
        for id, unit in state.units.items():
            units |= teams if id == self.unit else {id: unit}
        placing = tuple([part for id in state.placing for part in (teams if id == self.unit else (id,))])
        return replace(state, units=units, placing=placing)


def teams_of(state: Battle, whole: Unit) -> list[Unit]:
    """Return the fireteams that a squad may be split into; none where it may not."""
    profile = state.profile(whole)
    teams = profile.teams if isinstance(profile, UnitProfile) and whole.team < 0 else ()
    return [
        replace(
            whole,
            id=whole.id if number == 0 else GroupId(f"{whole.id}{'abcdef'[number]}"),
            team=number,
            figures=tuple([whole.figures[place] for place in places]),
            size=len(places),
        )
        for number, places in enumerate(teams)
    ]


class UnitPlaced(UnitEvent, frozen=True, tag="ae.unit_placed"):
    """Arrival of a unit on the table; `facing` of a vehicle in degrees."""

    places: dict[FigureId, Point]
    facing: int = 0
    cue = happens("ae.log.placed", "AE-SETUP-03")
    apply = in_turn(moves(facing=its.facing), of_unit(where=TABLE, hidden=False), _placed)


class UnitHid(UnitEvent, frozen=True, tag="ae.unit_hid"):
    """Deployment of a unit at a place that its side alone knows."""

    cue = happens("ae.log.hid", "AE-SETUP-04")
    apply = in_turn(_vanished, of_unit(where=TABLE, hidden=True), _placed)


class HidingPlace(SideEvent, frozen=True, tag="ae.hiding_place"):
    """Places of a hidden unit."""

    places: dict[FigureId, Point]
    apply = moves()


class UnitRevealed(UnitEvent, frozen=True, tag="ae.unit_revealed"):
    """Appearance of a hidden unit at its places. `why`: acts, reacts, met, hurt, open (its seat has conceded, or the
    battle is over)."""

    places: dict[FigureId, Point]
    why: str
    overwatch: bool = False
    barrier = "revealed"
    cue = happens("ae.log.revealed.{it.why}", "AE-SETUP-04")
    apply = in_turn(moves(), of_unit(hidden=False, overwatch=its.overwatch))


class UnitKept(UnitEvent, frozen=True, tag="ae.unit_kept"):
    """Wait of a unit that finds no room: it comes in through its own edge from turn 2 on."""

    cue = happens("ae.log.kept", "AE-SETUP-03")
    apply = in_turn(of_unit(where=COMING), _placed)


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
