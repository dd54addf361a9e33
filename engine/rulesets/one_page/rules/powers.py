"""Psychic powers in use: the attempt, and what each power does (OP-SR-14, OP-OPEN-14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from engine.kit import distributions, units
from engine.kit.blanks import hint, number, option, point
from engine.kit.board.place_fields import reached
from engine.kit.forecasts import Forecast, forecast
from engine.kit.pools import DieTest
from engine.kit.rules import Game, Gesture, IllegalIntent, Label, Pool, Seat, UnitIntent, Verb, forbid, implements
from engine.kit.units import losses
from engine.rulesets.one_page.rules import (
    activations,
    attacks,
    casualties,
    formations,
    morale,
    prognosis,
    psychic,
    traits,
)
from engine.rulesets.one_page.rules.picking import Choosing, pick, unit_of
from engine.rulesets.one_page.state.events import Activated, Affected, PowerTried, Rallied, UnitMoved
from engine.rulesets.one_page.state.model import Point, Power
from engine.rulesets.one_page.state.state import Battle, Unit
from engine.space.vectors.points import within
from protocol.ids import NO_GROUP, FigureId, GroupId, NodeId
from protocol.scene.advice import ForecastPool
from protocol.scene.fields import Number, Option, PickOption, PickPoint
from protocol.text import Text

POWER: Final = "op.dice.power"
POWER_HITS: Final = "op.dice.power_hits"
BACKLASH: Final = "op.dice.backlash"
TEST: Final = DieTest(4)
D3: Final = 3
PASSAGE: Final = 1800
FROM_ENEMIES: Final = 300


class UsePower(UnitIntent, frozen=True, tag="op.use_power"):
    """Attempt of a unit's Psyker at a power with a number of dice."""

    power: str
    dice: int
    target: GroupId
    to: Point | None = None


def check_use(state: Battle, seat: int, use: UsePower) -> tuple[Power, Unit, dict[FigureId, Point]]:
    """Return the power, its target, and for Passage the places there. Raises IllegalIntent."""
    unit = psychic.check_psyker(state, seat, use.unit)
    power = next((power for power in psychic.known(state, unit) if power.id == use.power), None)
    if power is None:
        raise IllegalIntent("power/unknown")
    if not 1 <= use.dice <= state.seats[seat].dice:
        raise IllegalIntent("power/dice", dice=state.seats[seat].dice)
    target = psychic.check_target(state, unit, power, use.target)
    places: dict[FigureId, Point] = {}
    if power.effect == "passage":
        if use.to is None:
            raise IllegalIntent("power/place")
        places = _check_passage(state, target, use.to)
    return power, target, places


def _check_passage(state: Battle, unit: Unit, to: Point) -> dict[FigureId, Point]:
    """Return the places of a unit put down within 18 inches, at least 3 inches from enemies. Raises IllegalIntent."""
    forbid(not within(state.leader(unit).at, to, PASSAGE), "power/passage-far")
    room = formations.FormationRoom(state, unit, to)
    room.keep_off(state, unit.owner, FROM_ENEMIES)
    forbid(room.fault(to, traits.radius(state, state.leader(unit))), "power/passage-place")
    return formations.settled(state, unit, to, {}, room)


@implements("OP-SR-14")
async def use_power(game: Game[Battle], seat: Seat, use: UsePower) -> None:
    """Try a power with a number of dice; each 4+ is a success, and two or more sixes hurt the Psyker."""
    power, target, places = check_use(game.state, seat, use)
    trying = units.declare(game, "power", use.unit, target.id, power=NodeId(f"power/{power.id}"))
    if game.state.active is None:
        game.emit(Activated(use.unit))
    caster = psychic.caster_of(game.state, game.state.units[use.unit], power).id
    roll = game.roll(TEST.pool(use.dice), POWER, seat)
    works = TEST.successes(roll.faces) >= power.successes
    game.emit(PowerTried(seat, use.unit, power.id, target.id, roll.id, use.dice, works))
    if works:
        at = game.state.figures[caster].at
        await _take_effect(game, power, target.id, at, places)
    if roll.faces.count(6) > 1 and caster in game.state.figures:
        await _backlash(game, seat, use.unit, caster)
    trying.resolve("done" if works else "failed")


@implements("OP-SR-14")
async def _backlash(game: Game[Battle], seat: Seat, id: GroupId, caster: FigureId) -> None:
    """Deal D3 wounds to the Psyker that nothing blocks or ignores."""
    before = morale.strength(game.state, id)
    wounds = game.roll(Pool(1, D3), BACKLASH, seat).total
    await casualties.suffer_model(game, id, caster, wounds)
    morale.after_losses(game, id, before)


def _attack(power: Power, target: GroupId) -> attacks.Attack:
    """Return a hit of a power."""
    return attacks.Attack(NO_GROUP, target, "power", 1, 0, label=power.id, traits=power.rules)


@implements("OP-OPEN-14")
async def _take_effect(
    game: Game[Battle], power: Power, target: GroupId, at: Point, places: dict[FigureId, Point]
) -> None:
    """Do what a power does; `at`: the place of its Psyker, `places`: where Passage puts the unit down."""
    unit = game.state.units[target]
    if power.effect == "hits":  # without a roll to hit; Armored counts, cover does not
        seat = Seat(game.state.foe(unit.owner))
        hits = power.hits + (game.roll(Pool(power.dice), POWER_HITS, seat).total if power.dice else 0)
        attack = _attack(power, target)._replace(attacks=hits)
        await casualties.suffer_hits(game, attack, casualties.WoundSource(at, "side" if power.side else ""))
    elif power.effect == "whispers":  # as after losing models
        morale.test(game, target, "power")
    elif power.effect == "passage":
        before = game.state
        way = (before.leader(unit).at, places[unit.leader])
        game.emit(UnitMoved(target, "passage", way, places))
        await casualties.cross_mines(game, before, target)
    else:  # what lasts for the round
        if power.effect == "clear_mind" and unit.pinned:
            game.emit(Rallied(target))
        game.emit(Affected(target, power.rules))


def _casters(draft: Choosing) -> list[Unit]:
    units = activations.acting(draft) if draft.state.seats[draft.seat].dice else []
    return [unit for unit in units if psychic.can_try(draft.state, draft.seat, unit)]


def _usual(draft: Choosing, unit: Unit) -> list[Power]:
    """Return the powers that a unit could try, but Passage."""
    return [power for power in psychic.usable(draft.state, unit) if power.effect != "passage"]


def _power(draft: Choosing, field: PickOption) -> PickOption:
    able = _usual(draft, unit_of(draft))
    options = tuple([Option(p.id, Text(p.name), *hint("op.hint.power", {"successes": p.successes})) for p in able])
    return replace(field, options=options, default=options[0].id if options else "")


def _picked(draft: Choosing, powers: Iterable[Power]) -> Power | None:
    """Return the power of the choice, if it is one of these."""
    if draft.choice == "passage":
        return next((power for power in powers if power.effect == "passage"), None)
    id = draft.word("power", "")
    return next((power for power in powers if power.id == id), None)


def _targets(draft: Choosing) -> list[Unit]:
    unit = unit_of(draft)
    power = _picked(draft, psychic.known(draft.state, unit))
    if power is None:
        raise IllegalIntent("power/unknown")
    return psychic.targets(draft.state, unit, power)


def _dice(draft: Choosing, field: Number) -> Number:
    """Return a field of power dice, by default as many as make success likely: two for each success that is needed."""
    return replace(field, most=draft.state.seats[draft.seat].dice, default=_usual_dice(draft))


def _usual_dice(draft: Choosing) -> int:
    power = _picked(draft, draft.state.resolved.powers)
    return max(1, min(draft.state.seats[draft.seat].dice, 2 * power.successes)) if power is not None else 1


def _forecast(draft: Choosing) -> Forecast | None:
    """Return the models that a power of hits would fell; of others nothing is foretold."""
    state, power = draft.state, _harmful(draft)
    if power is None:
        return None
    dice = draft.number("dice", _usual_dice(draft))
    unit, target = unit_of(draft), draft.group("target")
    source = casualties.WoundSource(psychic.caster_of(state, unit, power).at, "side" if power.side else "")
    hits = distributions.total(power.dice).mapped(lambda more: power.hits + more)
    works = distributions.successes(dice, TEST.chance).mapped(lambda count: count >= power.successes)
    wounds = works.then(
        lambda done: prognosis.of_hits(state, hits, _attack(power, target)) if done else distributions.certain(0)
    )
    lost = prognosis.losses_of(state, target, [(wounds, False)], source)
    pool = ForecastPool(Text(POWER), dice, needs=TEST.need)
    return None if lost is None else forecast(lost, [pool])


def _harmful(draft: Choosing) -> Power | None:
    """Return the power of the choice, if it is one of hits."""
    return _picked(draft, [power for power in draft.state.resolved.powers if power.effect == "hits"])


def _passage_of(draft: Choosing) -> UsePower:
    power = _picked(draft, draft.state.resolved.powers)
    id = power.id if power is not None else ""
    return UsePower(draft.group("unit"), id, draft.number("dice"), draft.group("target"), draft.point("to"))


def _lifted(draft: Choosing, field: PickPoint) -> PickPoint:
    """Return a field of the places to which Passage may lift its target."""
    return reached(field, draft.state.leader(unit_of(draft, "target")).at, PASSAGE)


USE_POWER: Final = Verb(
    Label("power", "p", "Use a power", "Each power die of 4+ is a success. Two 6s hurt the Psyker."),
    use_power,
    pick("unit", _casters, only=_usual),
    option("power", _power),
    pick("target", _targets),
    number("dice", psychic.MOST_DICE, _dice),
    forecast=_forecast,
    counted=lambda draft: losses(draft) if _harmful(draft) is not None else None,
    gesture=Gesture("unit", "target", "group", 2, "power", ends=True),
)
USE_PASSAGE: Final = Verb(
    Label("passage", "q", "Use Passage", "Lift a friendly Infantry unit and set it down within 18 inches."),
    use_power,
    pick("unit", _casters, only=lambda draft, u: any(p.effect == "passage" for p in psychic.usable(draft.state, u))),
    pick("target", _targets),
    point("to", _lifted),
    number("dice", psychic.MOST_DICE, _dice),
    make=_passage_of,
    gesture=Gesture("unit", "target", "group", 3, "power", ends=True),
)
