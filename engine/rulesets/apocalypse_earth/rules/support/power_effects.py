"""Effects of psychic powers, each as it is used (AE-OPEN-25)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from engine.kit import distributions
from engine.kit.distributions import Distribution
from engine.kit.rules import Game, Pool, Seat, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.harm import blasts, casualties, damage, hits
from engine.rulesets.apocalypse_earth.rules.support import psychic
from engine.rulesets.apocalypse_earth.rules.table import aims, meetings, sighting, stands, traits, ways
from engine.rulesets.apocalypse_earth.rules.turns import morale, officers
from engine.rulesets.apocalypse_earth.state.fire_events import RallyTried
from engine.rulesets.apocalypse_earth.state.lasting import Effect
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.profiles import Power, Weapon
from engine.rulesets.apocalypse_earth.state.state import Battle, Figure, Unit
from engine.rulesets.apocalypse_earth.state.support_events import Affected, WatchChanged
from engine.space.terrain.contact import Base
from engine.space.terrain.gaps import shape_gap
from engine.space.vectors.bisection import first_met
from engine.space.vectors.points import floor_sqrt, squared, towards
from protocol.ids import NO_FIGURE, NO_GROUP, FigureId, GroupId

STONES: Final = "ae.dice.stones"
THREE: Final = 3
NOTCH: Final = 10
CHECKED: Final = ("dread", "puppet", "pyre", "word_of_command")
"""Powers after which somebody checks, or others are hit."""


class UsePower(UnitIntent, frozen=True, tag="ae.use_power"):
    """Attempt of a unit's psychic at a power: on a unit or a point; `victim`: at whom a puppet fires."""

    power: str
    target: GroupId = NO_GROUP
    at: Point | None = None
    victim: GroupId = NO_GROUP


@implements("AE-OPEN-25")
async def take_effect(game: Game[Battle], seat: Seat, power: Power, caster: Figure, use: UsePower) -> None:
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
        case "far_voice" if unit is not None:
            cut = officers.radios(game.state, unit)[:1] if game.state.hostile(unit.owner, seat) else []
            game.emit(Affected(id, Effect(power.id, use.unit, bool(cut), *cut)))
        case "foresight":
            game.emit(WatchChanged(id, overwatch=True))
        case "pyre":
            assert use.at is not None
            await blasts.land(game, blasts.circle(arms_of(power), use.at, seat))
        case "hurled_stone":
            count = game.roll(Pool(1, THREE), STONES, seat).total
            await blasts.hit(game, seat, id, arms_of(power), caster.at, count, _seen(game.state, caster, power, id))
        case "puppet":
            victim = use.victim or next(psychic.victims(game.state, id)).id
            await _pull_strings(game, seat, id, victim)
        case "break_steel":
            part = damage.part_hit(game.state, game.state.units[id], arms_of(power), caster.at)
            await damage.roll_damage(game, id, part, seat)
            await blasts.burst(game)
        case "word_of_command":
            if not morale.check(game, id, "power", dice=2):
                _call_over(game, id, caster.at)


@implements("AE-OPEN-25")
def losses(state: Battle, power: Power, caster: Figure, target: Unit) -> Distribution:
    """Return the distribution of the figures that fall by a power that works, a vehicle as one: of one that is not
    `CHECKED`."""
    arms = arms_of(power)
    if power.id == "break_steel":
        part = damage.part_hit(state, target, arms, caster.at)
        return distributions.successes(1, damage.end_chance(state, target, part))
    if power.id == "hurled_stone":
        thrown, most = distributions.total(1, THREE), len(_seen(state, caster, power, target.id))
        chance = damage.kill_chance(state, target, arms, caster.at)
        return thrown.then(lambda count: distributions.successes(count, chance)).mapped(partial(min, most))
    return distributions.certain(0)


def arms_of(power: Power) -> Weapon:
    """Return a power as a weapon."""
    return Weapon(power.id, power.name, 0, 1, power.penetration, template=power.template, traits=power.traits)


def _seen(state: Battle, caster: Figure, power: Power, id: GroupId) -> list[FigureId]:
    """Return the figures of a unit that a psychic sees in range."""
    unit = state.unit_of(caster.id)
    return [
        figure.id
        for one, other, _ in sighting.view(state, unit, state.units[id])
        if caster in one.figures and shape_gap(one.seat, other.seat) <= power.range
        for figure in other.figures
    ]


@implements("AE-OPEN-25")
async def _pull_strings(game: Game[Battle], seat: Seat, id: GroupId, victim: GroupId) -> None:
    """Let a random figure of a unit fire its first weapon at another unit, or at its own."""
    state = game.state
    [puppet] = casualties.pick_random(game, seat, state.units[id].figures, 1)
    own = state.figures[puppet]
    guns = [weapon for weapon in state.weapons_of(own) if weapon.shots and not weapon.contact]
    among = [figure for figure in state.units[victim].figures if figure != puppet]
    if not guns:
        return
    gun, eye = guns[0], Base(NO_FIGURE, own.at, 1)
    nearest = min((state.figures[one] for one in among), key=lambda one: squared(one.at, own.at))
    number = hits.need(state, state.units[id], gun, aims.cover_of(state, eye, nearest))
    struck = hits.roll(game, seat, gun.shots, number)
    if struck and gun.template is not None:
        await blasts.land(game, blasts.circle(gun, nearest.at, seat, puppet))
    elif struck:
        await blasts.hit(game, seat, victim, gun, own.at, struck, among)


@implements("AE-OPEN-25", "AE-MOR-04")
def _call_over(game: Game[Battle], id: GroupId, at: Point) -> None:
    """Move the figures of a unit straight towards the psychic, those nearest to him first, 1 cm short of others."""
    places: dict[FigureId, Point] = {}
    unit = game.state.units[id]
    for figure in sorted(game.state.members(unit), key=lambda one: squared(one.at, at)):
        end = _as_far(game.state, unit, figure, at, [*places.values()])
        places[figure.id] = end
    meetings.move(game, id, {figure: (game.state.figures[figure].at, end) for figure, end in places.items()}, "called")


def _as_far(state: Battle, unit: Unit, figure: Figure, goal: Point, taken: Sequence[Point]) -> Point:
    room, most = stands.StandRoom(state, unit), traits.allowance(state, unit)
    others = [one.at for one in state.members(unit) if one.id != figure.id] + [*taken]
    apart = 2 * traits.RADIUS + stands.KEEP

    def is_barred(notches: int) -> bool:
        end = towards(figure.at, goal, notches * NOTCH)
        near = any(squared(end, at) < min(apart**2, squared(figure.at, at)) for at in others)
        far = ways.cost(state, unit, (figure.at, end)) > most
        return near or far or bool(room.barred(figure.at, end, figure.at))

    last = min(most, floor_sqrt(squared(figure.at, goal))) // NOTCH + 1
    return towards(figure.at, goal, (first_met(lambda n: n >= last or is_barred(n), last) - 1) * NOTCH)
