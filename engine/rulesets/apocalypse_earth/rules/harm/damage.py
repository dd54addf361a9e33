"""Hits on vehicles: the part that is struck, the damage tables, what becomes of those aboard (AE-VEH-01 to -03)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from engine.core.rules.questions import pick_one
from engine.kit import distributions
from engine.kit.pools import DieTest
from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.apocalypse_earth.rules.harm import casualties, hits
from engine.rulesets.apocalypse_earth.rules.table import ground, hulls, lanes, meetings, stands, traits
from engine.rulesets.apocalypse_earth.state import profiles, vehicle_events as events
from engine.rulesets.apocalypse_earth.state.lasting import FOR_GOOD
from engine.rulesets.apocalypse_earth.state.model import Feature
from engine.rulesets.apocalypse_earth.state.profiles import Quarter, SupportCard, UnitProfile, VehicleProfile, Weapon
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Unit
from engine.rulesets.apocalypse_earth.state.vehicle_events import DamageTaken, UnitLanded, VehicleDestroyed
from engine.space.terrain.contact import Base
from engine.space.terrain.footprints import BoxBase
from engine.space.vectors.arcs import quarters
from engine.space.vectors.paths import path_length, point_at
from engine.space.vectors.points import Point, squared, within
from protocol.ids import NO_FIGURE, FigureId, GroupId
from protocol.scene.fields import Option
from protocol.text import Text, text

DAMAGE: Final = "ae.dice.damage"
ENDS: Final = ("boom", "fire")
"""AE-OPEN-19: the codes that destroy a vehicle; no other comes to them, however often it is rolled."""
PASSENGERS: Final = "ae.dice.passengers"
LOST: Final = "ae.weapon_lost"
HIGHER: Final = 2400
"""AE-VEH-01: greatest distance from which a firer on a hill strikes the top."""
PARTS: Final[dict[str, Quarter]] = {"front": "front", "left": "side", "right": "side", "rear": "rear"}
DICE: Final = {"pas3": 3, "pas6": 6}
"""Faces of the die that says how many passengers are hit."""
ABOARD: Final = "ae.dice.aboard"
RUN: Final = "ae.dice.run"
BURNT, CRUSHED = 2, 1
"""Each man aboard falls on this or less, in a fire and in a crash."""
WRECK: Final = "wreck"
BESIDE: Final = traits.RADIUS + 1
"""Distance of a figure's centre from a hull that it is in contact with."""
ROW: Final = 2 * traits.RADIUS
ROWS: Final = 4
SPACING: Final = 50
CENTIMETRE: Final = 100


@implements("AE-VEH-01", "AE-OPEN-02")
def part_hit(state: Battle, unit: Unit, arms: Weapon | SupportCard, origin: Point) -> Quarter:
    """Return the part of a vehicle that is hit from a place: the top from the air, by indirect fire and from a hill
    near by if it stands on none, as all are of one height; else the quarter that faces it, on a border the weaker
    one."""
    own = state.leader(unit)
    from_above = isinstance(arms, SupportCard) or arms.has(profiles.TOP) or arms.has(profiles.INDIRECT)
    looks_down = ground.is_on_hill(state, origin) and not ground.is_on_hill(state, own.at)
    if from_above or (looks_down and within(origin, own.at, HIGHER)):
        return "top"
    armour = hulls.vehicle(state, unit).armour
    return min((PARTS[side] for side in quarters(own.at, own.facing, origin)), key=armour.of)


@implements("AE-VEH-01")
def chance(state: Battle, unit: Unit, arms: Weapon | SupportCard, origin: Point) -> Fraction:
    """Return the chance that a hit on a vehicle from a place penetrates."""
    return arms.penetration.chance(hulls.vehicle(state, unit).armour.of(part_hit(state, unit, arms, origin)))


@implements("AE-FIRE-07", "AE-VEH-01", "AE-VEH-02")
def kill_chance(state: Battle, unit: Unit, arms: Weapon | SupportCard, origin: Point) -> Fraction:
    """Return the chance that a hit from a place takes out a figure of infantry, or destroys a vehicle at once."""
    match state.profile(unit):
        case UnitProfile(armour=armour):
            return arms.penetration.chance(armour)
        case VehicleProfile():
            part = part_hit(state, unit, arms, origin)
            return chance(state, unit, arms, origin) * end_chance(state, unit, part)


@implements("AE-VEH-01", "AE-VEH-02")
def end_chance(state: Battle, unit: Unit, part: Quarter) -> Fraction:
    """Return the chance that one roll on the damage table of a part destroys a vehicle, whatever it has suffered."""
    table = hulls.class_of(state, unit)
    return distributions.total(2).chance(lambda rolled: table.damage(part, rolled) in ENDS)


@implements("AE-VEH-01", "AE-VEH-02", "AE-VEH-03")
async def strike(
    game: Game[Battle], id: GroupId, arms: Weapon | SupportCard, origin: Point, count: int, by: int
) -> int:
    """Roll the penetration of so many hits on a vehicle from a place, and the damage of each that gets through, until
    it is destroyed. Return how many got through. What explodes is left to `blasts.burst`."""
    unit = game.state.units[id]
    part = part_hit(game.state, unit, arms, origin)
    rating = hulls.vehicle(game.state, unit).armour.of(part)
    through = hits.penetrations(game, Seat(by), arms, count, rating)
    for _ in range(through):
        if game.state.units[id].where == TABLE:
            await roll_damage(game, id, part, by)
    return through


@implements("AE-VEH-02", "AE-OPEN-20", "AE-OPEN-21")
async def roll_damage(game: Game[Battle], id: GroupId, part: Quarter, by: int) -> None:
    """Let the owner roll on the damage table of a part, and apply what it says."""
    unit = game.state.units[id]
    rolled = game.roll(Pool(2), DAMAGE, Seat(unit.owner)).total
    code = hulls.class_of(game.state, unit).damage(part, rolled)
    game.emit(events.VehiclePenetrated(id, part, code, by))
    await suffer(game, id, code, by)


@implements("AE-OPEN-18", "AE-OPEN-19")
async def suffer(game: Game[Battle], id: GroupId, code: str, by: int, before: str = "") -> None:
    """Apply one damage code; `before`: the code that found nothing to harm and led to it. One with a bomb ends by
    it."""
    match code:
        case _ if code in ENDS:
            bombs = code == "boom" and hulls.has(game.state, game.state.units[id], profiles.BOMB)
            destroy(game, id, "bomb" if bombs else code, by)
        case "crash":
            crash(game, id, by)
        case "stun":
            # until the end of its next action, which is not the one that goes on
            game.emit(events.CrewShaken(id, 2 if game.state.acts == id else 1))
        case "drv" | "gun":
            _lose_man(game, id, code)
        case "pas3" | "pas6":
            await _hit_passengers(game, id, code, by)
        case "wpn" | "sec":
            await _lose_weapon(game, id, code, by, before)
        case _:
            await _break(game, id, code, by)


@implements("AE-OPEN-19")
async def _break(game: Game[Battle], id: GroupId, code: str, by: int) -> None:
    """Break a part for good; a second time is worse, and what cannot get worse shakes the crew."""
    taken = game.state.units[id].hull.count(code)
    if not taken or (code == "leg" and taken == 1):
        game.emit(events.DamageTaken(id, code))
    else:
        await suffer(game, id, game.state.resolved.codes[code].again or "stun", by, code)


@implements("AE-OPEN-19")
def _lose_man(game: Game[Battle], id: GroupId, code: str) -> None:
    """Kill the driver or the gunner: a vehicle that moves goes on half its rating and stops; another man takes over
    later, if there is one."""
    state = game.state
    unit = state.units[id]
    crew = hulls.vehicle(state, unit).crew - unit.hull.men - 1
    manned = crew > 0 or any(rider.figures for rider in state.riders(id))
    if code == "drv" and hulls.is_moving(state, unit):
        lanes.run_on(game, id, hulls.vehicle(state, unit).move // 2)
    game.emit(events.CrewmanLost(id, code, state.turn + 1 if manned else FOR_GOOD))


@implements("AE-OPEN-19")
async def replace_men(game: Game[Battle]) -> None:
    """Let another man take the place of each driver and gunner who was hit in the turn before, or earlier, in vehicles
    on the table."""
    for unit in [one for one in game.state.in_order() if one.where == TABLE]:
        for code, until in unit.hull.blocked.items():
            if until <= game.state.turn:
                game.emit(events.CrewmanReplaced(unit.id, code))


@implements("AE-OPEN-19")
async def _hit_passengers(game: Game[Battle], id: GroupId, code: str, by: int) -> None:
    """Hit random passengers; without any the damage is another."""
    owner = Seat(game.state.units[id].owner)
    aboard = [figure for rider in game.state.riders(id) for figure in rider.figures]
    if not aboard:
        await suffer(game, id, "stun" if code == "pas3" else "sec", by)
        return
    count = game.roll(Pool(1, DICE[code]), PASSENGERS, owner).total
    fallen = casualties.pick_random(game, owner, aboard, count)
    for rider in game.state.riders(id):
        casualties.fall(game, rider.id, [figure for figure in fallen if figure in rider.figures], by, "crew")


@implements("AE-OPEN-19")
async def _lose_weapon(game: Game[Battle], id: GroupId, code: str, by: int, before: str) -> None:
    """Destroy the main weapon, or a secondary one of the owner's choice; where there is none, one of the other kind,
    and without any weapon shake the crew."""
    state = game.state
    unit = state.units[id]
    main = hulls.main_weapon(state, unit)
    left = [weapon for weapon in state.weapons_of(state.leader(unit)) if (weapon.id == main) == (code == "wpn")]
    if not left:
        again = state.resolved.codes[code].again
        await suffer(game, id, again if again != before else "stun", by, code)
        return
    lost = left[0].id
    if len(left) > 1:
        dearest = max(left, key=lambda weapon: weapon.price).id
        options = [Option(weapon.id, Text(weapon.name)) for weapon in left]
        ask = pick_one(text("ae.ask.weapon_lost"), options, dearest, "AE-OPEN-19")
        lost = await game.ask(Seat(unit.owner), ask, LOST)
    game.emit(events.DamageTaken(id, code, (lost,)))


@implements("AE-OPEN-19")
def destroy(game: Game[Battle], id: GroupId, how: str, by: int) -> None:
    """Destroy a vehicle: an explosion kills all aboard, out of a fire those get who do not fall; a wreck stays, but of
    a bomb nothing."""
    state = game.state
    unit = state.units[id]
    hull = hulls.base_of(state, unit)
    riders = [rider.id for rider in state.riders(id)]
    for rider in riders:
        _hurt(game, rider, BURNT if how == "fire" else 0, by)
    wreck = Feature(f"{WRECK}.{id}", WRECK, hull.outline()) if how != "bomb" else None
    game.emit(VehicleDestroyed(id, how, by, wreck))
    for rider in riders:
        left = game.state.units[rider]
        places = beside(game.state, left, hull)
        casualties.fall(game, rider, [figure for figure in left.figures if figure not in places], by, "crew")
        if places:
            game.emit(UnitLanded(rider, places))
            meetings.look(game, rider)


@implements("AE-OPEN-19")
def crash(game: Game[Battle], id: GroupId, by: int) -> None:
    """Let a vehicle run out of control, if it moves, and stop for good without weapons."""
    unit = game.state.units[id]
    if hulls.is_moving(game.state, unit):
        lanes.run_on(game, id, CENTIMETRE * game.roll(Pool(2), RUN, Seat(unit.owner)).total)
    for rider in game.state.riders(id):
        _hurt(game, rider.id, CRUSHED, by)
    left = game.state.weapons_of(game.state.leader(game.state.units[id]))
    game.emit(DamageTaken(id, "crash", tuple([weapon.id for weapon in left])))


@implements("AE-OPEN-19")
def _hurt(game: Game[Battle], rider: GroupId, falls: int, by: int) -> None:
    """Roll for each man of a unit aboard, who falls on this or less; 0 kills all without dice."""
    unit = game.state.units[rider]
    fallen = list(unit.figures)
    if falls:
        alive = DieTest(falls + 1).passing(game, Seat(unit.owner), fallen, ABOARD)
        fallen = [figure for figure in fallen if figure not in alive]
    casualties.fall(game, rider, fallen, by, "crew")


@implements("AE-OPEN-16", "AE-OPEN-19")
def beside(state: Battle, unit: Unit, hull: BoxBase, wish: Point | None = None) -> dict[FigureId, Point]:
    """Return places for a unit's figures at a vehicle: in contact with it as long as there is room, then in rows
    behind; those nearest to a wish first. Where there is no room at all, a figure is left out."""
    room, found, spots = stands.StandRoom(state, unit), dict[FigureId, Point](), list[Point]()
    for row in range(ROWS):
        corners = hull.outline(BESIDE + row * ROW)
        ring = (*corners, corners[0])
        around = [point_at(ring, along) for along in range(0, path_length(ring), SPACING)]
        spots += around if wish is None else sorted(around, key=lambda at: squared(at, wish))
    free = [at for at in spots if not room.fault(Base(NO_FIGURE, at, traits.RADIUS))]
    for figure in unit.figures:
        at = next((at for at in free if all(squared(at, other) >= ROW * ROW for other in found.values())), None)
        if at is not None:
            found[figure] = at
    return found
