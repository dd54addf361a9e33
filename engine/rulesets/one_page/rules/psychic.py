"""Psychic powers: power dice, attempts and effects (OP-SR-14, OP-OPEN-14)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.errors import IllegalIntent, is_legal
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.core.rules.wounds import Harm
from engine.rulesets.one_page.rules import activations, attacks, casualties, formations, morale, sighting, traits
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.events import Activated, Affected, PowerTried, Rallied, UnitMoved
from engine.rulesets.one_page.state.intents import UsePower
from engine.rulesets.one_page.state.model import Point, Power
from engine.rulesets.one_page.state.state import ABOARD, TABLE, Battle, Figure, Unit
from engine.space.vectors.points import within
from protocol.ids import NO_GROUP, FigureId, GroupId
from protocol.text import Text

POWER: Final = "op.dice.power"
POWER_HITS: Final = "op.dice.power_hits"
BACKLASH: Final = "op.dice.backlash"
SUCCESS: Final = 4
MOST_DICE: Final = 12
D3: Final = 3
PASSAGE: Final = 1800
FROM_ENEMIES: Final = 300


@implements("OP-SR-14")
def levels(state: Battle, seat: int) -> int:
    """Return the sum of Psyker levels of an army's models in play."""
    found = 0
    for unit in state.units.values():
        if unit.owner == seat and unit.where in (TABLE, ABOARD):
            found += sum(state.entry_of(figure).profile.number(rules.PSYKER) for figure in state.models(unit))
    return found


@implements("OP-SR-14")
def pool_size(die: int, levels: int) -> int:
    """Return the number of power dice of a round: D6 and the levels, at most 12; none without a Psyker."""
    return min(MOST_DICE, die + levels) if levels else 0


@implements("OP-OPEN-14")
def psykers(state: Battle, unit: Unit) -> list[Figure]:
    """Return the Psykers of a unit."""
    return [f for f in state.models(unit) if state.entry_of(f).profile.number(rules.PSYKER)]


@implements("OP-OPEN-14", "OP-SR-14")
def known(state: Battle, unit: Unit) -> list[Power]:
    """Return the powers that a unit's Psykers may still try in this round, of all their disciplines."""
    learnt = {state.entry_of(figure).discipline for figure in psykers(state, unit)}
    tried = state.seats[unit.owner].tried
    return [power for power in state.resolved.powers if power.discipline in learnt and power.id not in tried]


@implements("OP-SR-14")
def check_psyker(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return the unit if its Psykers may use powers now: in their own activation, before it shoots or fights, on the
    table. Raises IllegalIntent."""
    unit = activations.check_turn(state, seat, id)
    if unit.where != TABLE:
        raise IllegalIntent("power/aboard")
    if unit.pinned:
        raise IllegalIntent("act/pinned")
    if not psykers(state, unit):
        raise IllegalIntent("power/no-psyker")
    if not state.seats[seat].dice:
        raise IllegalIntent("power/no-dice")
    return unit


def can_try(state: Battle, seat: int, unit: Unit) -> bool:
    """Tell if a unit could try any power now."""
    return is_legal(lambda: check_psyker(state, seat, unit.id)) and bool(usable(state, unit))


def usable(state: Battle, unit: Unit) -> list[Power]:
    """Return the known powers that have a legal target."""
    return [power for power in known(state, unit) if has_target(state, unit, power)]


@implements("OP-OPEN-14")
def check_target(state: Battle, unit: Unit, power: Power, target: GroupId) -> Unit:
    """Return the target if a power may be aimed at it: on the table, in range of its Psyker; no line of sight is
    needed. Raises IllegalIntent."""
    found = state.units.get(target)
    if found is None or found.where != TABLE or (found.owner == unit.owner) != power.friend:
        raise IllegalIntent("power/no-target")
    caster = caster_of(state, unit, power)
    if not sighting.is_within(state, unit, caster, found, power.range):
        raise IllegalIntent("power/too-far")
    refusal = _BARRED.get(power.effect)
    if refusal is not None and refusal(state, found):
        raise IllegalIntent(f"power/{power.effect}")
    return found


def caster_of(state: Battle, unit: Unit, power: Power) -> Figure:
    """Return the Psyker of a unit that knows a power."""
    return next(f for f in psykers(state, unit) if state.entry_of(f).discipline == power.discipline)


def targets(state: Battle, unit: Unit, power: Power) -> list[Unit]:
    """Return the units that a power may be aimed at."""
    return state.board.get(("powers", state.round), (unit, power), lambda: _targets(state, unit, power))


def _targets(state: Battle, unit: Unit, power: Power) -> list[Unit]:
    return [other for other in state.standing() if is_legal(partial(check_target, state, unit, power, other.id))]


def has_target(state: Battle, unit: Unit, power: Power) -> bool:
    """Tell if a power may be aimed at any unit."""

    def found() -> bool:
        return any(is_legal(partial(check_target, state, unit, power, other.id)) for other in state.standing())

    return state.board.get(("any power", state.round), (unit, power), found)


def check_use(state: Battle, seat: int, use: UsePower) -> tuple[Power, Unit, dict[FigureId, Point]]:
    """Return the power, its target, and for Passage the places there. Raises IllegalIntent."""
    unit = check_psyker(state, seat, use.unit)
    power = next((power for power in known(state, unit) if power.id == use.power), None)
    if power is None:
        raise IllegalIntent("power/unknown")
    if not 1 <= use.dice <= state.seats[seat].dice:
        raise IllegalIntent("power/dice", Text("refuse.power/dice", {"dice": state.seats[seat].dice}))
    target = check_target(state, unit, power, use.target)
    places: dict[FigureId, Point] = {}
    if power.effect == "passage":
        if use.to is None:
            raise IllegalIntent("power/place")
        places = _check_passage(state, target, use.to)
    return power, target, places


@implements("OP-SR-14")
async def use_power(game: Game[Battle], seat: Seat, use: UsePower) -> None:
    """Try a power with a number of dice; each 4+ is a success, and two or more sixes hurt the Psyker."""
    power, target, places = check_use(game.state, seat, use)
    if game.state.active is None:
        game.emit(Activated(use.unit))
    caster = caster_of(game.state, game.state.units[use.unit], power).id
    roll = game.roll(Pool(use.dice), POWER, seat)
    works = sum(face >= SUCCESS for face in roll.faces) >= power.successes
    game.emit(PowerTried(seat, use.unit, power.id, target.id, roll.id, use.dice, works))
    if works:
        at = game.state.figures[caster].at
        await _EFFECTS[power.effect](game, power, target.id, at, places)
    if roll.faces.count(6) > 1:
        await _backlash(game, seat, use.unit, caster)


@implements("OP-SR-14")
async def _backlash(game: Game[Battle], seat: Seat, id: GroupId, caster: FigureId) -> None:
    """Deal D3 wounds to the Psyker that nothing blocks or ignores."""
    before = morale.strength(game.state, id)
    wounds = game.roll(Pool(1, D3), BACKLASH, seat).total
    await casualties.suffer_model(game, id, caster, wounds)
    morale.after_losses(game, id, before)


@implements("OP-OPEN-14")
async def _hits(game: Game[Battle], power: Power, target: GroupId, at: Point, _: dict[FigureId, Point]) -> None:
    """Deal hits without a roll to hit; Armored counts, cover does not."""
    seat = Seat(1 - game.state.units[target].owner)
    hits = power.hits + (game.roll(Pool(power.dice), POWER_HITS, seat).total if power.dice else 0)
    before = morale.strength(game.state, target)
    attack = attacks.Attack(NO_GROUP, target, "power", hits, 0, label=power.id, traits=power.rules)
    harm: Harm = attacks.resolve(game, seat, attack)
    await casualties.suffer(game, target, (harm,), casualties.WoundSource(at, "side" if power.side else ""))
    morale.after_losses(game, target, before)


@implements("OP-OPEN-14")
async def _lasting(game: Game[Battle], power: Power, target: GroupId, at: Point, _: dict[FigureId, Point]) -> None:
    """Give the unit the power's rules or effects for the round."""
    game.emit(Affected(target, power.rules))


@implements("OP-OPEN-14")
async def _whispers(game: Game[Battle], power: Power, target: GroupId, at: Point, _: dict[FigureId, Point]) -> None:
    """Test the target's morale as after losing models."""
    morale.test(game, target, "power")


@implements("OP-OPEN-14")
async def _clear_mind(game: Game[Battle], power: Power, target: GroupId, at: Point, _: dict[FigureId, Point]) -> None:
    """Rally the unit from being Pinned and make it Fearless for the round."""
    if game.state.units[target].pinned:
        game.emit(Rallied(target))
    game.emit(Affected(target, power.rules))


@implements("OP-OPEN-14")
async def _passage(game: Game[Battle], power: Power, target: GroupId, at: Point, places: dict[FigureId, Point]) -> None:
    """Lift the unit and put it down elsewhere."""
    leader = game.state.units[target].leader
    start = game.state.figures[leader].at
    game.emit(UnitMoved(target, "passage", (start, places[leader]), places))


def _check_passage(state: Battle, unit: Unit, to: Point) -> dict[FigureId, Point]:
    """Return the places of a unit put down within 18 inches, at least 3 inches from enemies. Raises IllegalIntent."""
    if not within(state.leader(unit).at, to, PASSAGE):
        raise IllegalIntent("power/passage-far")
    room = formations.FormationRoom(state, unit, to)
    room.keep_off(state, unit.owner, FROM_ENEMIES)
    if room.fault(to, traits.radius(state, state.leader(unit))):
        raise IllegalIntent("power/passage-place")
    return formations.settled(state, unit, to, room, {})


@implements("OP-OPEN-14")
def _whispered(state: Battle, unit: Unit) -> bool:
    """Tell if a unit was Pinned in this round or the one before, or is Pinned now."""
    return unit.pinned or (unit.whispered > 0 and unit.whispered >= state.round - 1)


_BARRED: Final[Mapping[str, Callable[[Battle, Unit], bool]]] = {
    "whispers": _whispered,
    "haste": lambda state, unit: unit.done,
    "passage": lambda state, unit: not traits.is_infantry(state, unit),
}
_EFFECTS: Final = {
    "hits": _hits,
    "lasting": _lasting,
    "haste": _lasting,
    "whispers": _whispers,
    "clear_mind": _clear_mind,
    "passage": _passage,
}
