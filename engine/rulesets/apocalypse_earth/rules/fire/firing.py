"""Fire of a unit in its action: at one target, split among several, or with shots that were aimed before
(AE-FIRE-01)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.core.rules.errors import Refusal
from engine.kit import distributions, forecasts
from engine.kit.blanks import Hint, assign, hint
from engine.kit.board.board import BOARD, kept
from engine.kit.distributions import Distribution
from engine.kit.rules import Counted, Forecast, Game, Gesture, IllegalIntent, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent, losses
from engine.rulesets.apocalypse_earth.rules.fire import arming, contact, shots
from engine.rulesets.apocalypse_earth.rules.harm import casualties, damage, hits
from engine.rulesets.apocalypse_earth.rules.table import aims, hulls, sighting, traits
from engine.rulesets.apocalypse_earth.rules.turns import activations, coherency
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.state import CLOSE, FIRE as STEP, TABLE, Battle, Unit
from engine.space.vectors.headings import ANGLES, ahead
from engine.space.vectors.points import within
from protocol.ids import NO_GROUP, FigureId, GroupId
from protocol.scene.advice import ForecastPool
from protocol.scene.fields import Assign, Barred, Option
from protocol.text import Text, text

NONE: Final = "none"
NOBODY: Final = distributions.certain(0)
MOST_THROWN: Final = 2
"""AE-OPEN-05: the figures of a unit that throw a grenade in one action."""


class Fire(UnitIntent, frozen=True, tag="ae.fire"):
    """Fire of a unit: what each of its figures does best at `target`, or these shots; those aimed before go with
    them."""

    target: GroupId = NO_GROUP
    shots: tuple[Shot, ...] = ()


@implements("AE-FIRE-01", "AE-TURN-02")
def check_firer(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a unit that may fire now: not engaged, suppressed, aboard, or having fired. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, STEP)
    forbid(not arming.is_in_place(state, unit), "act/not-yours")
    forbid(unit.fired, "fire/fired")
    return unit


@implements("AE-FIRE-01")
def check_target(state: Battle, unit: Unit, target: GroupId) -> Unit:
    """Return a target that a unit may fire at: a visible enemy that is not engaged. Raises IllegalIntent."""
    found = state.check_foe(unit.owner, target, "fire/no-target")
    node = names.group_node(target)
    forbid(state.combat_of(target) is not None, "fire/engaged", node)
    forbid(is_in_dust(state, found), "fire/dust", node)
    forbid(not sighting.sees(state, unit, found), "fire/no-sight", node)
    return found


@implements("AE-SCEN-08")
def is_in_dust(state: Battle, unit: Unit) -> bool:
    """Tell if a unit may not be fired at or charged yet, as it has not acted in the first turn of a dusty landing."""
    return state.resolved.scenario.dust and state.turn == 1 and not unit.acted


@implements("AE-FIRE-01", "AE-OPEN-05")
def check_shot(state: Battle, unit: Unit, shot: Shot) -> None:
    """Check one shot of a unit: the figure's own weapon, ready, at someone whom it sees in range. Raises
    IllegalIntent."""
    figure = state.figures.get(shot.figure)
    if figure is None or shot.figure not in unit.figures:
        raise IllegalIntent("fire/no-weapon")
    if contact.is_close(state, shot):
        contact.check_close(state, figure, shot)
        return
    weapon = next((one for one in arming.weapons_of(state, unit, figure) if one.id == shot.weapon), None)
    if weapon is None:
        raise IllegalIntent("fire/no-weapon").showing(at=names.piece_node(figure.id))
    if shot.house:
        contact.check_house(state, figure, weapon, shot.house)
        return
    if shot.at is not None or shot.facing >= 0:
        _check_point(state, unit, shot)
        return
    forbid(weapon.spreads, "fire/no-place")
    target = check_target(state, unit, shot.target)
    found = [aim for aim in aims.aims(state, unit, target) if aim.figure == shot.figure]
    node = names.group_node(target.id)
    forbid(not aims.within(found, weapon), "fire/too-far", node)
    near = arming.in_reach(state, unit, weapon, found)
    forbid(not near, "fire/bears", node)
    forbid(shot.cover not in aims.classes(near), "fire/no-such-cover", node)
    forbid(shot.victim and shot.victim not in {aim.target for aim in near if aim.cover == shot.cover}, "fire/no-sight")
    forbid(shot.victim and not arming.picks(state, figure, weapon), "fire/no-pick")


@implements("AE-OPEN-02")
def _check_point(state: Battle, unit: Unit, shot: Shot) -> None:
    """Check a shot at a point or along a strip. Raises IllegalIntent."""
    weapon, figure = state.resolved.weapons[shot.weapon], state.figures[shot.figure]
    forbid(shot.at is None and shot.facing not in ANGLES, "fire/bears")
    goal = ahead(figure.at, shot.facing, weapon.range) if shot.at is None else shot.at
    forbid(not arming.bears(state, unit, weapon, goal), "fire/bears", names.piece_node(figure.id))
    if weapon.burns:
        return
    if shot.at is None or weapon.template is None or not weapon.lobbed:
        raise IllegalIntent("fire/no-template")
    gap = sighting.gap_to_point(state, figure, shot.at)
    forbid(not weapon.least <= gap <= weapon.range, "fire/too-far", shot.at)
    spotted = weapon.has("indirect") and arming.is_spotted(state, unit, shot.at)
    forbid(not spotted and not sighting.sees_point(state, figure, shot.at), "fire/no-sight", shot.at)


def declared(state: Battle, unit: Unit, fire: Fire) -> tuple[Shot, ...]:
    """Return the shots of an intent, those aimed before among them. Raises IllegalIntent."""
    aimed = state.active.aimed if state.active is not None and state.active.unit == unit.id else ()
    own = fire.shots
    if fire.target:
        check_target(state, unit, fire.target)
        own = arming.best(state, unit, state.units[fire.target])
    taken = {_hand(state, unit, shot) for shot in aimed}
    return (*aimed, *[shot for shot in own if _hand(state, unit, shot) not in taken])


@implements("AE-FIRE-01", "AE-OPEN-16")
def _hand(state: Battle, unit: Unit, shot: Shot) -> tuple[FigureId, str]:
    """Return what fires once in an action: a figure with one of its weapons, of a vehicle each weapon."""
    return shot.figure, shot.weapon if traits.drives(state, unit) else ""


@implements("AE-OPEN-05")
def check_thrown(state: Battle, shots: Sequence[Shot]) -> None:
    """Check that no more figures throw a grenade among some shots than may. Raises IllegalIntent."""
    thrown = [shot for shot in shots if state.resolved.weapons[shot.weapon].has(profiles.THROWN)]
    forbid(len(thrown) > MOST_THROWN, "fire/thrown")


@implements("AE-FIRE-01", "AE-OPEN-05")
def check_fire(state: Battle, seat: int, fire: Fire) -> tuple[Shot, ...]:
    """Return all shots that a unit fires. Raises IllegalIntent."""
    unit = check_firer(state, seat, fire.unit)
    found = declared(state, unit, fire)
    forbid(not found, "fire/no-shot")
    for shot in found:
        check_shot(state, unit, shot)
    firing = {_hand(state, unit, shot) for shot in found}
    forbid(len(firing) < len(found), "fire/one-weapon")
    check_thrown(state, found)
    serving = {id for crew in arming.crews(state, unit, found).values() for id in crew}
    return tuple([shot for shot in found if shot.figure not in serving])


@implements("AE-FIRE-01", "AE-FIRE-09", "AE-TURN-02")
async def fire(game: Game[Battle], seat: Seat, fire: Fire) -> None:
    """Fire with a unit: all that is declared, then casualties' checks."""
    found = check_fire(game.state, seat, fire)
    target = fire.target or next((shot.target for shot in found if shot.target), NO_GROUP)
    given = game.state, game.state.units[fire.unit], target, found
    expect = partial(forecasts.mean_of, foretold, *given) if fire.target else None
    firing = activations.declare(game, "fire" if target else "lob", fire.unit, target, expect)
    activations.begin(game, fire.unit)
    before = dict(game.state.units)
    await shots.resolve(game, fire.unit, found)
    fell = len(before[target].figures) - len(game.state.units[target].figures) if target else 0
    casualties.settle(game, before)
    activations.take(game, CLOSE)
    lost = [len(old.figures) - len(game.state.units[id].figures) for id, old in before.items() if id != fire.unit]
    firing.resolve("done", fell, killed=sum(lost))


@kept(BOARD, "active")
def targets(state: Battle, id: GroupId) -> tuple[dict[GroupId, tuple[Shot, ...]], dict[GroupId, Refusal]]:
    """Return the enemies that a unit may fire at, with what it fires best, and the reasons against the others."""
    unit = state.units[id]
    found: dict[GroupId, tuple[Shot, ...]] = {}
    refused: dict[GroupId, Refusal] = {}
    longest = max([weapon.range for figure in state.members(unit) for weapon in state.weapons_of(figure)], default=0)
    for enemy in state.enemies(unit.owner):
        try:
            forbid(sighting.distance(state, unit, enemy) > longest, "fire/too-far", names.group_node(enemy.id))
            check_target(state, unit, enemy.id)
            own = arming.best(state, unit, enemy)
            forbid(not own, "fire/too-far", names.group_node(enemy.id))
            found[enemy.id] = own
        except IllegalIntent as illegal:
            refused[enemy.id] = illegal.refusal
    return found, refused


def _is_ready(state: Battle, unit: Unit) -> bool:
    """Tell if a unit may still fire in this turn, as far as its own state says."""
    return not unit.fired and arming.is_in_place(state, unit) and coherency.is_free(state, unit)


def may_still_fire(state: Battle, unit: Unit) -> bool:
    """Tell if the acting unit has anything to fire at."""
    is_aimed = state.active is not None and bool(state.active.aimed)
    return _is_ready(state, unit) and (is_aimed or bool(targets(state, unit.id)[0]))


def unfired(draft: Choosing) -> list[Unit]:
    """Return the units on the table that may still fire in this turn, as far as their own state says."""
    able = activations.acting(draft.state, draft.seat, STEP)
    return [unit for unit in able if unit.where == TABLE and _is_ready(draft.state, unit)]


def _firers(draft: Choosing) -> list[Unit]:
    """Return the units that might fire: whether those that do not act yet have anything to fire at is not looked
    into."""
    state = draft.state
    able = may_still_fire if state.active is not None else _is_ready
    return [unit for unit in activations.acting(state, draft.seat, STEP) if able(state, unit)]


def _check(draft: Choosing, target: Unit) -> None:
    refusal = targets(draft.state, unit_of(draft).id)[1].get(target.id)
    if refusal is not None:
        raise IllegalIntent.repeated(refusal)


def _odds(draft: Choosing, target: Unit) -> Hint:
    """Describe fire at a target: shots, distance, the mean of the figures that it costs in hundredths."""
    state, unit = draft.state, unit_of(draft)
    own = targets(state, unit.id)[0][target.id]
    count = sum(volley.shots for volley in shots.volleys(state, unit, own))
    gap = sighting.distance(state, unit, target)
    numbers = {"shots": count, "cm": -(-gap // 100), "mean": expected(state, unit, own)}
    return hint("ae.hint.fire", numbers)


def expected(state: Battle, unit: Unit, own: Sequence[Shot]) -> int:
    """Return about how many figures some shots cost, in hundredths."""
    mean = Fraction(0)
    for volley in shots.volleys(state, unit, own):
        mean += volley.shots * _kills(state, unit, volley) * (arming.BLAST_WORTH if volley.weapon.template else 1)
    mean += sum([arming.BLAST_WORTH for shot in own if shot.at is not None])
    return int(mean * 100)


def _kills(state: Battle, unit: Unit, volley: shots.Volley) -> Fraction:
    """Return the chance that one shot of a volley kills: it hits, and gets through."""
    chance = hits.chance(hits.need(state, unit, volley.weapon, volley.cover))
    target = state.units[volley.target]
    if traits.drives(state, target):
        return chance * damage.chance(state, target, volley.weapon, state.figures[volley.figures[0]].at)
    return chance * volley.weapon.penetration.chance(traits.infantry(state, target).armour)


def _forecast(draft: Choosing) -> Forecast | None:
    """Return the forecast of fire at a target, None where there is none. Raises IllegalIntent."""
    state, unit, target = draft.state, unit_of(draft), draft.group("target")
    return forecast_of(state, unit, target, check_fire(state, draft.seat, Fire(unit.id, target)))


def foretold(state: Battle, unit: Unit, target: GroupId, own: Sequence[Shot]) -> Forecast | None:
    """Return what is told of fire before it falls: the figures that a unit on foot loses, if all shots are at it."""
    if traits.drives(state, state.units[target]):
        return None
    return forecast_of(state, unit, target, own)


@implements("AE-FIRE-05", "AE-FIRE-07")
def forecast_of(state: Battle, unit: Unit, target_id: GroupId, own: Sequence[Shot]) -> Forecast | None:
    """Return the figures that a target loses to direct fire, or if it loses a vehicle. None where anything else is
    fired, figures may fall whom nobody aims at, firers of a later volley among them, some figures stand before more of
    the volleys than others, or the target may run on between two volleys."""
    target = state.units[target_id]
    volleys, drives = shots.volleys(state, unit, own), traits.drives(state, target)
    others = len(own) - sum(len(volley.figures) for volley in volleys if volley.target == target_id)
    strays = max([shots.strays_to(volley.weapon) for volley in volleys], default=0)
    runs_on = drives and len(volleys) > 1 and hulls.is_moving(state, target)
    if others or (strays and (not drives or _endangers(state, target, volleys, strays))) or runs_on:
        return None
    struck: dict[frozenset[FigureId], Distribution] = {}
    pools: list[ForecastPool] = []
    for volley in volleys:
        number, there = hits.need(state, unit, volley.weapon, volley.cover), frozenset(shots.exposed(state, volley))
        origin = state.figures[volley.figures[0]].at
        chance = hits.chance(number) * damage.kill_chance(state, target, volley.weapon, origin)
        struck[there] = struck.get(there, NOBODY).plus(distributions.successes(volley.shots, chance))
        pools.append(ForecastPool(Text(volley.weapon.name), volley.shots, 6, min(number, hits.SIX)))
    if sum(map(len, struck)) > len(frozenset[FigureId]().union(*struck)):
        return None
    lost = [found.mapped(partial(min, len(there))) for there, found in struck.items()]
    return forecasts.forecast(distributions.summed(lost), pools)


def _endangers(state: Battle, target: Unit, volleys: Sequence[shots.Volley], reach: int) -> bool:
    """Tell if of several volleys at a vehicle one may cost another its firer, who stands within reach of it."""
    firers = [state.figures[id].at for volley in volleys for id in volley.figures]
    return len(volleys) > 1 and any(within(at, state.leader(target).at, reach) for at in firers)


@kept(BOARD, "active")
def options(state: Battle, id: GroupId) -> dict[str, dict[str, Shot]]:
    """Return, for each figure of a unit, of a vehicle for each weapon, its shots by slot: a target, a weapon and a
    cover."""
    unit = state.units[id]
    found: dict[str, dict[str, Shot]] = {}
    for figure in state.members(unit):
        for weapon in arming.weapons_of(state, unit, figure):
            item = names.piece_node(figure.id) + (f":{weapon.id}" if traits.drives(state, unit) else "")
            for target in targets(state, id)[0] if not weapon.has("thrown") else ():
                own = arming.shots_at(state, unit, state.units[target], figure, weapon)
                found.setdefault(item, {}).update(own)
    return {item: own for item, own in found.items() if own}


def _split(draft: Choosing, field: Assign) -> Assign | None:
    """Return a field that gives each figure a weapon and a target, by default the best at one unit."""
    state, unit = draft.state, unit_of(draft)
    found = options(state, unit.id)
    if not found:
        return None
    every = {slot: shot for own in found.values() for slot, shot in own.items()}
    why = text("refuse.fire/no-weapon")
    usual = max(targets(state, unit.id)[0].values(), key=lambda own: expected(state, unit, own), default=())
    return replace(
        field,
        items=tuple([Option(id, names.figure(state, names.figure_of(id.partition(":")[0]))) for id in found]),
        slots=(Option(NONE, text("ae.fire.none")), *[Option(id, _slot(state, shot)) for id, shot in every.items()]),
        default={id: next((slot for slot, shot in own.items() if shot in usual), NONE) for id, own in found.items()},
        bars={
            id: tuple([Barred(slot, "fire/no-weapon", why) for slot in every if slot not in own])
            for id, own in found.items()
        },
    )


def _slot(state: Battle, shot: Shot) -> Text:
    weapon = Text(state.resolved.weapons[shot.weapon].name)
    return text(f"ae.fire.slot.{shot.cover}", unit=names.unit(state, shot.target), weapon=weapon)


def _volley(draft: Choosing) -> Fire:
    """Return the fire that is assigned, figure by figure."""
    unit = unit_of(draft)
    found = options(draft.state, unit.id)
    chosen = [found[item].get(slot) for item, slot in draft.assigned("split").items() if item in found]
    return Fire(unit.id, shots=tuple([shot for shot in chosen if shot is not None]))


def _all_targets(draft: Choosing) -> Counted:
    aimed = dict.fromkeys(shot.target for shot in _volley(draft).shots if shot.target)
    return Counted(tuple(map(names.group_node, aimed)), names.group_node(draft.group("unit")))


FIRE: Final = Verb(
    Label("fire", "f", "Fire", "Every figure fires its best weapon at one enemy unit."),
    fire,
    pick("unit", _firers),
    pick("target", lambda draft: draft.state.enemies(draft.seat), _check, _odds),
    make=lambda draft: Fire(draft.group("unit"), draft.group("target")),
    forecast=_forecast,
    counted=losses,
    gesture=Gesture("unit", "target", "group", mark="shot"),
)
VOLLEY: Final = Verb(
    Label("volley", "v", "Split fire", "Give each figure a weapon and a target of its own."),
    fire,
    pick("unit", _firers),
    assign("split", _split),
    make=_volley,
    counted=_all_targets,
    gesture=Gesture("unit", rank=5, mark="shot"),
)
