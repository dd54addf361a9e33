"""Psychic powers in use: the attempt, and what each of them does (AE-PSY-01, AE-OPEN-25)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from engine.core.rules.errors import is_legal
from engine.kit.blanks import hint, option, template
from engine.kit.pools import DieTest
from engine.kit.rules import (
    Counted,
    Game,
    Gesture,
    IllegalIntent,
    Intent,
    Label,
    Pool,
    Seat,
    Verb,
    forbid,
    implements,
)
from engine.rulesets.apocalypse_earth.rules import (
    activations,
    blasts,
    casualties,
    cover,
    damage,
    hits,
    morale,
    psychic,
    sighting,
    surrender,
    traits,
    ways,
)
from engine.rulesets.apocalypse_earth.rules.picking import Choosing, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.lasting import Effect
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.morale_events import RallyTried
from engine.rulesets.apocalypse_earth.state.move_events import FiguresMoved
from engine.rulesets.apocalypse_earth.state.power_events import Affected, PowerTried, WatchChanged
from engine.rulesets.apocalypse_earth.state.profiles import Power, Weapon
from engine.rulesets.apocalypse_earth.state.state import POWERS as STEP, TABLE, Battle, Figure, Unit
from engine.rulesets.apocalypse_earth.state.vehicle_events import DamageTaken
from engine.space.terrain.contact import Base
from engine.space.terrain.gaps import shape_gap
from engine.space.vectors.bisection import first_met
from engine.space.vectors.points import floor_sqrt, squared, towards
from protocol.ids import NO_FIGURE, NO_GROUP, FigureId, GroupId
from protocol.scene.fields import Option, PickOption, Pieces, Template
from protocol.text import Text

POWER: Final = "ae.dice.power"
BACKLASH: Final = "ae.dice.backlash"
STONES: Final = "ae.dice.stones"
HURT: Final = DieTest(3)
"""The backlash takes the psychic on 1 or 2."""
THREE: Final = 3
PUPPET: Final = "puppet"
STRINGS: Final = 1200
"""Greatest distance at which a puppet fires."""
NOTCH: Final = 10


class UsePower(Intent, frozen=True, tag="ae.use_power"):
    """Attempt of a unit's psychic at a power: on a unit or a point; `victim`: at whom a puppet fires."""

    unit: GroupId
    power: str
    target: GroupId = NO_GROUP
    at: Point | None = None
    victim: GroupId = NO_GROUP


@implements("AE-PSY-01", "AE-OPEN-25")
def check_use(state: Battle, seat: int, use: UsePower) -> tuple[Power, Figure]:
    """Return the power and the psychic who tries it. Raises IllegalIntent."""
    unit = psychic.check_unit(state, seat, use.unit)
    power = state.resolved.powers.get(use.power)
    if power is None:
        raise IllegalIntent("power/unknown")
    if power.at == "point":
        if use.at is None:
            raise IllegalIntent("power/no-target")
        return power, psychic.check_point(state, unit, power, use.at)
    caster = psychic.check_target(state, unit, power, use.target)
    if power.id == PUPPET:
        victims = [one.id for one in _victims(state, use.target)]
        forbid(not victims or (use.victim or victims[0]) not in victims, "power/victim")
    return power, caster


def _victims(state: Battle, target: GroupId) -> Iterator[Unit]:
    """Yield the units at which a puppet may be made to fire: its own, and others near it that are not hidden."""
    own = state.units[target]
    if len(own.figures) > 1:
        yield own
    for other in state.standing():
        is_near = other.id != target and not other.hidden and sighting.distance(state, own, other) <= STRINGS
        if is_near and sighting.sees(state, own, other):
            yield other


@implements("AE-OPEN-25", "AE-PSY-01", "AE-TURN-02")
async def use_power(game: Game[Battle], seat: Seat, use: UsePower) -> None:
    """Try a power: a die and the rating must reach its difficulty; a natural 1 fails, and may strike the psychic."""
    power, caster = check_use(game.state, seat, use)
    trying = activations.declare(game, "power", use.unit, use.target)
    activations.begin(game, use.unit)
    activations.take(game, STEP)
    state = game.state
    need = psychic.difficulty(state, state.units[use.unit], power, state.units.get(use.target), use.at)
    roll = game.roll(Pool(1), POWER, seat)
    works = roll.total > 1 and roll.total + psychic.rating(state, caster) >= need
    game.emit(PowerTried(use.unit, caster.id, seat, power.id, roll.id, works))
    if works:
        before = dict(game.state.units)
        await _take_effect(game, seat, power, caster, use)
        casualties.settle(game, before)
    elif roll.total == 1:
        _strike_back(game, seat, use.unit, caster)
    surrender.look(game)
    trying.resolve("done" if works else "failed")


@implements("AE-OPEN-25")
def _strike_back(game: Game[Battle], seat: Seat, id: GroupId, caster: Figure) -> None:
    """Roll for the backlash: a psychic who falls makes his unit check."""
    if HURT.successes(game.roll(HURT.pool(1), BACKLASH, seat).faces):
        return
    if traits.drives(game.state, game.state.units[id]):
        game.emit(DamageTaken(id, psychic.LOST))
    else:
        casualties.fall(game, id, [caster.id], how="backlash")
    if game.state.units[id].figures:
        morale.check(game, id, "power")


@implements("AE-OPEN-25")
async def _take_effect(game: Game[Battle], seat: Seat, power: Power, caster: Figure, use: UsePower) -> None:
    """Do what a power does."""
    id, unit = use.target, game.state.units.get(use.target)
    match power.id:
        case "dread":
            morale.check(game, id, "power", -1)
        case "iron_faith" if unit is not None and unit.suppressed:
            game.emit(RallyTried(id, passed=True))
        case "iron_faith" | "shroud" | "frenzy":
            game.emit(Affected(id, Effect(power.id, use.unit, power.id == "iron_faith")))
        case "fog_of_mind":
            game.emit(WatchChanged(id, overwatch=False), Affected(id, Effect(power.id, use.unit)))
        case "far_voice":
            cut = unit is not None and game.state.hostile(unit.owner, seat)
            game.emit(Affected(id, Effect(power.id, use.unit, cut)))
        case "foresight":
            game.emit(WatchChanged(id, overwatch=True))
        case "pyre":
            assert use.at is not None
            await blasts.land(game, blasts.circle(arms_of(power), use.at, seat))
        case "hurled_stone":
            count = game.roll(Pool(1, THREE), STONES, seat).total
            await hit(game, seat, id, arms_of(power), caster.at, count, _seen(game.state, caster, power, id))
        case "puppet":
            victims = [one.id for one in _victims(game.state, id)]
            await _pull_strings(game, seat, id, use.victim or victims[0])
        case "break_steel":
            part = damage.part_hit(game.state, game.state.units[id], arms_of(power), caster.at)
            await damage.roll_damage(game, id, part, seat)
            await blasts.burst(game)
        case "word_of_command":
            if not morale.check(game, id, "power", dice=2):
                _call_over(game, id, caster.at)


def arms_of(power: Power) -> Weapon:
    """Return a power as a weapon."""
    return Weapon(power.id, power.name, 0, 1, power.penetration, template=power.template, traits=power.traits)


def _seen(state: Battle, caster: Figure, power: Power, id: GroupId) -> list[FigureId]:
    """Return the figures of a unit that a psychic sees in range."""
    unit = state.unit_of(caster.id)
    return [
        figure.id
        for one, other, _ in sighting.view(state, unit, state.units[id]).pairs
        if caster in one.figures and shape_gap(one.seat, other.seat) <= power.range
        for figure in other.figures
    ]


@implements("AE-OPEN-25", "AE-FIRE-07")
async def hit(
    game: Game[Battle], seat: Seat, id: GroupId, arms: Weapon, origin: Point, count: int, among: Sequence[FigureId]
) -> None:
    """Deal so many hits on a unit: on a vehicle, or on random figures of infantry that do not withstand them."""
    unit = game.state.units[id]
    if traits.drives(game.state, unit):
        await damage.strike(game, id, arms, origin, count, seat)
        await blasts.burst(game)
        return
    armour = traits.infantry(game.state, unit).armour
    through = hits.penetrations(game, seat, arms, count, armour) if armour else count
    casualties.fall(game, id, casualties.pick_random(game, seat, among, through), seat)


@implements("AE-OPEN-25")
async def _pull_strings(game: Game[Battle], seat: Seat, id: GroupId, victim: GroupId) -> None:
    """Let a random figure of a unit fire its first weapon at another unit, or at its own."""
    state = game.state
    [puppet] = casualties.pick_random(game, seat, state.units[id].figures, 1)
    own = state.figures[puppet]
    guns = [weapon for weapon in state.weapons_of(own) if weapon.shots and not weapon.contact]
    among = [figure for figure in state.units[victim].figures if figure != puppet]
    if not guns or not among:
        return
    gun, eye = guns[0], Base(NO_FIGURE, own.at, 1)
    nearest = min((state.figures[one] for one in among), key=lambda one: squared(one.at, own.at))
    number = hits.need(state, state.units[id], gun, cover.cover_of(state, eye, nearest))
    struck = hits.roll(game, seat, gun.shots, number)
    if struck and gun.template is not None:
        await blasts.land(game, blasts.circle(gun, nearest.at, seat, puppet))
    elif struck:
        await hit(game, seat, victim, gun, own.at, struck, among)


@implements("AE-OPEN-25", "AE-MOR-04")
def _call_over(game: Game[Battle], id: GroupId, at: Point) -> None:
    """Move the figures of a unit straight towards the psychic, those nearest to him first, 1 cm short of others."""
    places: dict[FigureId, Point] = {}
    unit = game.state.units[id]
    for figure in sorted(game.state.members(unit), key=lambda one: squared(one.at, at)):
        end = _as_far(game.state, unit, figure, at, [*places.values()])
        places[figure.id] = end
    game.emit(FiguresMoved(id, places, "called"))


def _as_far(state: Battle, unit: Unit, figure: Figure, goal: Point, taken: Sequence[Point]) -> Point:
    obstacles, most = ways.Obstacles(state, unit), traits.allowance(state, unit)
    others = [one.at for one in state.members(unit) if one.id != figure.id] + [*taken]
    apart = 2 * traits.RADIUS + ways.KEEP

    def is_barred(notches: int) -> bool:
        end = towards(figure.at, goal, notches * NOTCH)
        near = any(squared(end, at) < min(apart**2, squared(figure.at, at)) for at in others)
        return near or bool(obstacles.fault(figure.at, end, figure.at)) or _costs(end) > most

    def _costs(end: Point) -> int:
        return ways.cost(state, unit, (figure.at, end))

    last = min(most, floor_sqrt(squared(figure.at, goal))) // NOTCH + 1
    return towards(figure.at, goal, (first_met(lambda n: n >= last or is_barred(n), last) - 1) * NOTCH)


def _units(draft: Choosing, *, points: bool) -> list[Unit]:
    state = draft.state
    able = [u for u in activations.acting(state, draft.seat, STEP) if u.where == TABLE and not u.suppressed]
    return [
        unit
        for unit in able
        if state.combat_of(unit.id) is None and any(_usable(state, draft.seat, unit, points=points))
    ]


def _usable(state: Battle, seat: Seat, unit: Unit, *, points: bool) -> Iterator[Power]:
    """Yield the powers that a unit's psychics may try at something, those at a point or all others."""
    found = {power.id: power for one in psychic.psychics(state, unit) for power in psychic.known(state, unit, one)}
    for power in found.values():
        if (power.at == "point") == points and (points or any(_targets(state, unit, power))):
            yield power


def _targets(state: Battle, unit: Unit, power: Power) -> Iterator[Unit]:
    """Yield the units at which a power may be tried."""
    for other in state.seen(unit.owner):
        if is_legal(lambda: psychic.check_target(state, unit, power, other.id)) and (  # noqa: B023
            power.id != PUPPET or any(_victims(state, other.id))
        ):
            yield other


def _powers(draft: Choosing, field: PickOption) -> PickOption:
    """Return a field of the powers, each with what its die must show."""
    state, unit = draft.state, unit_of(draft)
    best = max([psychic.rating(state, one) for one in psychic.psychics(state, unit)], default=0)
    options = tuple(
        [
            Option(
                one.id,
                Text(one.name),
                *hint("ae.hint.power", {"need": max(2, one.difficulty - best)}, text=Text(one.text)),
            )
            for one in _usable(state, draft.seat, unit, points=draft.choice == "pyre")
        ]
    )
    return replace(field, options=options, default=options[0].id if options else "")


def _power(draft: Choosing) -> Power:
    power = draft.state.resolved.powers.get(draft.word("power"))
    if power is None:
        raise IllegalIntent("power/unknown")
    return power


def _spot(draft: Choosing, field: Template) -> Template:
    """Return a field of the place of a power's circle, by default at the nearest enemy."""
    state, unit, power = draft.state, unit_of(draft), _power(draft)
    own = state.leader(unit).at
    nearest = min(
        (enemy for enemy in state.enemies(draft.seat)), key=lambda e: squared(state.leader(e).at, own), default=unit
    )
    size = power.template.circle if power.template is not None else 0
    return replace(field, size=size, start=own, reach=power.range + traits.RADIUS, default=state.leader(nearest).at)


def _use(draft: Choosing) -> UsePower:
    victim = next(iter(draft.groups("victim")), NO_GROUP)
    return UsePower(draft.group("unit"), draft.word("power"), draft.group("target"), None, victim)


def _losses(draft: Choosing) -> Counted:
    aimed = next(iter(draft.groups("victim")), draft.group("target"))
    return Counted((names.group_node(aimed),), names.group_node(draft.group("unit")))


USE_POWER: Final = Verb(
    Label("power", "p", "Use a power", "A die and the rating reach its difficulty. A 1 fails and may strike back."),
    use_power,
    pick("unit", lambda draft: _units(draft, points=False)),
    option("power", _powers),
    pick("target", lambda draft: [*_targets(draft.state, unit_of(draft), _power(draft))]),
    pick(
        "victim",
        lambda draft: [*_victims(draft.state, draft.group("target"))] if _power(draft).id == PUPPET else [],
        shape=Pieces("victim", Text(""), lazy=True, auto=True),
    ),
    make=_use,
    counted=_losses,
    gesture=Gesture("unit", "target", "group", 2, "power", ends=True),
)
PYRE: Final = Verb(
    Label("pyre", "j", "Use a power on a place", "Fire out of nothing."),
    use_power,
    pick("unit", lambda draft: _units(draft, points=True)),
    option("power", _powers),
    template("at", _spot),
    make=lambda draft: UsePower(draft.group("unit"), draft.word("power"), at=draft.point("at")),
    gesture=Gesture("unit", "at", "point", 4, "power", ends=True),
)
