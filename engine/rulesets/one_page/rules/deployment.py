"""Deployment: sides, zones, who may stand where, characters, transports, reserves and scouts (OP-SETUP-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.implements import implements
from engine.rulesets.one_page.content.lists import may_double
from engine.rulesets.one_page.rules import standing, traits, transports
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.placing_events import PlacingBegun, UnitBoarded, UnitJoined, UnitKept, UnitPlaced
from engine.rulesets.one_page.state.state import AWAY, RESERVE, TABLE
from engine.space.vectors.headings import STEP
from engine.space.vectors.points import in_box, widened

if TYPE_CHECKING:
    from engine.core.rules.game import Game
    from engine.rulesets.one_page.state.intents import Deploy, Join, Keep, Load
    from engine.rulesets.one_page.state.profiles import Mustered
    from engine.rulesets.one_page.state.state import Battle, Unit
    from engine.space.vectors.points import Box, Point

DEEP: Final = 1200
"""OP-SETUP-03: the depth of a deployment zone."""
FROM_ENEMIES: Final = 1200
"""OP-SR-02, OP-SR-17: how far from enemies who comes in anywhere stays."""
EDGE: Final = 600
"""OP-SR-02: how far from the own edge who finds no other place comes in."""
DEPTHS: Final = (950, 450, 300)
"""How far from the own edge a leader is tried whom nobody has placed."""
FILES: Final = 600
"""How far apart such places are along the edge."""
LOOKS: Final = {"south": 90, "north": 270}
FREE: Final = "free"
ZONE: Final = "zone"
STRIP: Final = "edge"


@implements("OP-SETUP-03")
def zone(state: Battle, seat: int, depth: int = DEEP) -> Box:
    """The strip along a player's own long edge."""
    width, height = state.resolved.scenario.size
    return (0, 0, width, depth) if state.seats[seat].side == "south" else (0, height - depth, width, height)


@implements("OP-SR-17", "OP-SETUP-03")
def to_place(state: Battle, seat: int, phase: str) -> tuple[str, ...]:
    """The units that a player deploys in a phase: first all but Scouts, then those."""
    return tuple(
        [
            unit.id
            for unit in state.units.values()
            if unit.owner == seat and unit.where == AWAY and traits.has(state, unit, rules.SCOUT) == (phase == "scouts")
        ]
    )


def check_placing(state: Battle, seat: int, id: str) -> Unit:
    """Whether a unit may be placed now. Raises IllegalIntent."""
    if state.acting != seat or id not in state.placing:
        raise IllegalIntent("deploy/not-now")
    return state.units[id]


@implements("OP-SETUP-03", "OP-SR-02", "OP-SR-17")
def area(state: Battle, unit: Unit) -> str:
    """Where a unit may come on to the table: its zone, anywhere far from enemies, or, without Deep Strike, its edge."""
    if state.phase == "scouts":
        return FREE
    if state.phase == "deploy":
        return ZONE
    return FREE if traits.has(state, unit, rules.DEEP_STRIKE) else STRIP


def strip(state: Battle, seat: int, where: str) -> Box | None:
    """What the bases of a unit that comes on to the table there may not stick out of; None where that is anywhere."""
    return None if where == FREE else zone(state, seat, DEEP if where == ZONE else EDGE)


class Site:
    """Where the models of one unit may be placed: by the table's rules, and inside its area."""

    def __init__(self, state: Battle, unit: Unit, lead: Point, where: str, reach: int = standing.REACH) -> None:
        self.room = standing.Room(state, unit, lead, reach=reach)
        self.box = strip(state, unit.owner, where)
        if self.box is None:
            self.room.keep_off(state, unit.owner, FROM_ENEMIES)

    def fault(self, p: Point, radius: int) -> str:
        """Why no base may be placed there."""
        if self.box is not None and not in_box(p, widened(self.box, -radius)):
            return "zone"
        return self.room.fault(p, radius)

    def fits(self, p: Point, radius: int) -> bool:
        """Whether a base may be placed there."""
        return not self.fault(p, radius)


def check_deploy(state: Battle, seat: int, deploy: Deploy) -> tuple[Unit, dict[str, Point]]:
    """The unit as it comes to the table (with its twin) and its places. Raises IllegalIntent."""
    unit = check_placing(state, seat, deploy.unit)
    if deploy.twin:
        unit = merged(state, unit, check_twin(state, seat, unit, deploy.twin))
    if deploy.facing % STEP or not 0 <= deploy.facing < 360:
        raise IllegalIntent("move/turn")
    return unit, places_at(state, unit, deploy.to, deploy.places, area(state, unit))


def places_at(state: Battle, unit: Unit, to: Point, places: dict[str, Point], where: str) -> dict[str, Point]:
    """Where the models stand with their leader there. Raises IllegalIntent."""
    site = Site(state, unit, to, where)
    fault = site.fault(to, traits.radius(state, state.leader(unit)))
    if fault:
        raise IllegalIntent(f"deploy/{fault}")
    if places:
        chosen = {**places, unit.leader: to}
        standing.check_places(state, unit, chosen, site.room)
        if any(site.fault(chosen[f.id], traits.radius(state, f)) for f in state.models(unit)):
            raise IllegalIntent("deploy/zone")
        return chosen
    found = standing.formed(state, unit, to, site.fits)
    if found is None:
        raise IllegalIntent("place/no-room")
    return found


@implements("OP-UNIT-02")
def check_twin(state: Battle, seat: int, unit: Unit, twin: str) -> Unit:
    """Whether another unit is the same Infantry unit with the same upgrades, so that both can be one. Raises
    IllegalIntent."""
    other = check_placing(state, seat, twin)
    one, two = state.unit_entry(unit), state.unit_entry(other)
    same = one.profile == two.profile and unit.id != twin
    if not same or one.doubled or two.doubled or not may_double(one.profile):
        raise IllegalIntent("deploy/twin")
    if _for_all(state, one) != _for_all(state, two):
        raise IllegalIntent("deploy/twin-upgrades")
    return other


def _for_all(state: Battle, entry: Mustered) -> list[str]:
    """What was bought for all models of a unit."""
    return sorted(set(entry.upgrades).intersection(state.resolved.whole))


def merged(state: Battle, unit: Unit, twin: Unit) -> Unit:
    """The big unit that two copies make."""
    return UnitJoined(twin.id, unit.id).apply(state).units[unit.id]


@implements("OP-SETUP-03", "OP-UNIT-02")
async def deploy(game: Game[Battle], seat: Seat, deploy: Deploy) -> None:
    """A unit is put on the table."""
    unit, places = check_deploy(game.state, seat, deploy)
    if deploy.twin:
        game.emit(UnitJoined(deploy.twin, unit.id))
    facing = deploy.facing if traits.is_machine(game.state, unit) else 0
    game.emit(UnitPlaced(unit.id, places, facing))


@implements("OP-UNIT-03")
def check_join(state: Battle, seat: int, id: str, host: str) -> tuple[Unit, Unit]:
    """Whether a character may join a unit: friendly Infantry of the same Quality that is no character itself, with no
    other of its kind. Raises IllegalIntent."""
    unit = check_placing(state, seat, id)
    found = state.units.get(host)
    own = state.unit_entry(unit).profile
    if state.phase != "deploy" and state.phase != "scouts":
        raise IllegalIntent("join/deployed")
    if not own.character:
        raise IllegalIntent("join/no-character")
    if found is None or found.owner != seat or found.where != TABLE or not traits.is_infantry(state, found):
        raise IllegalIntent("join/no-host")
    theirs = state.unit_entry(found).profile
    if theirs.character or theirs.quality != own.quality:
        raise IllegalIntent("join/quality")
    force = state.resolved.forces[seat]
    if any(force.units[entry].profile.kind == own.kind for entry in found.joined):
        raise IllegalIntent("join/another")
    return unit, found


@implements("OP-UNIT-03")
async def join(game: Game[Battle], seat: Seat, join: Join) -> None:
    """A character is deployed as part of a unit, and stands with it."""
    state = game.state
    unit, host = check_join(state, seat, join.unit, join.host)
    grown = merged(state, host, unit)
    lead = state.leader(host).at
    room = standing.Room(state, host, lead)
    places = standing.formed(state, grown, lead, room.fits)
    if places is None:
        raise IllegalIntent("place/no-room")
    game.emit(UnitJoined(unit.id, host.id), UnitPlaced(host.id, places))


@implements("OP-SR-22")
async def load(game: Game[Battle], seat: Seat, load: Load) -> None:
    """A unit starts the game aboard a transport."""
    unit = check_placing(game.state, seat, load.unit)
    if game.state.phase == "reserves":
        raise IllegalIntent("deploy/not-now")
    transports.check_room(game.state, unit, load.vessel)
    game.emit(UnitBoarded(unit.id, load.vessel))


@implements("OP-SR-02")
async def keep(game: Game[Battle], seat: Seat, keep: Keep) -> None:
    """A unit with Deep Strike is kept in reserve; one that could arrive waits for another round."""
    unit = check_placing(game.state, seat, keep.unit)
    if game.state.phase != "reserves" and not traits.has(game.state, unit, rules.DEEP_STRIKE):
        raise IllegalIntent("deploy/no-reserve")
    game.emit(UnitKept(unit.id))


@implements("OP-SETUP-03")
def facing_of(state: Battle, seat: int) -> int:
    """Towards the enemy's side."""
    return LOOKS[state.seats[seat].side]


def wishes(state: Battle, unit: Unit) -> list[Point]:
    """Places to try for a unit whose owner has named none: spread along its area."""
    width, height = state.resolved.scenario.size
    rows = DEPTHS if state.seats[unit.owner].side == "south" else tuple([height - y for y in DEPTHS])
    own = [other.id for other in state.units.values() if other.owner == unit.owner]
    share = (own.index(unit.id) * 2 + 1) * width // (2 * len(own))
    columns = sorted(range(FILES // 2, width, FILES), key=lambda x: abs(x - share))
    return [(x, y) for y in rows for x in columns]


@implements("OP-SETUP-03", "OP-SR-02")
def first_place(state: Battle, unit: Unit) -> dict[str, Point] | None:
    """The first places that are free for a unit, in its area or, without any there, where the rules let it come in
    then; None without any at all."""
    areas = {ZONE: (ZONE,), FREE: (FREE, ZONE if state.phase == "scouts" else STRIP), STRIP: (STRIP,)}
    tried = wishes(state, unit)
    radius = traits.radius(state, state.leader(unit))
    for where in areas[area(state, unit)]:
        # most places are refused for the leader alone, who needs no room of their own
        wide = Site(state, unit, tried[0], where, max(state.resolved.scenario.size))
        for wish in tried:
            wide.room.lead = wish
            if not wide.fits(wish, radius):
                continue
            try:
                return places_at(state, unit, wish, {}, where)
            except IllegalIntent:
                continue
    return None


@implements("OP-SETUP-03", "OP-SR-02")
async def place_rest(game: Game[Battle], seat: Seat) -> None:
    """All that is left comes on to the table where there is room; who finds none is kept in reserve."""
    if not game.state.placing:
        raise IllegalIntent("deploy/not-now")
    for id in game.state.placing:
        unit = game.state.units[id]
        places = first_place(game.state, unit)
        if places is None:
            game.emit(UnitKept(id))
        else:
            facing = facing_of(game.state, seat) if traits.is_machine(game.state, unit) else 0
            game.emit(UnitPlaced(id, places, facing))


def begin(game: Game[Battle], seat: int, phase: str) -> None:
    """A player deploys what he has for this phase; reserves that cannot arrive are not asked for."""
    game.emit(PlacingBegun(seat, phase, to_place(game.state, seat, phase)))


def in_reserve(state: Battle, seat: int) -> list[Unit]:
    """The units of a player that wait in reserve."""
    return [unit for unit in state.units.values() if unit.owner == seat and unit.where == RESERVE]
