"""Shooting: shooters, weapons and targets (OP-SHOOT)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec

from engine.core.rules.node_ids import feature_node
from engine.kit import units
from engine.kit.board.board import BOARD, kept
from engine.kit.forecasts import mean_of
from engine.kit.rules import Game, IllegalIntent, Seat, UnitIntent, forbid, implements
from engine.rulesets.one_page.rules import (
    activations,
    attacks,
    casualties,
    facings,
    ground,
    morale,
    prognosis,
    sighting,
    traits,
)
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.events import WeaponSpent
from engine.rulesets.one_page.state.profiles import WeaponProfile
from engine.rulesets.one_page.state.state import Battle, Figure, Unit
from protocol.ids import FigureId, GroupId, NodeId
from protocol.scene.advice import Forecast
from protocol.scene.nodes import NO_NODE
from protocol.text import Text

SHOOTS_AFTER: Final = frozenset({"hold", "walk"})


class Shoot(UnitIntent, frozen=True, tag="op.shoot"):
    """Fire of the acting unit. `split`: targets by kind of weapon, for a unit that may fire all; `weapon`: the one that
    a model with several fires."""

    target: GroupId
    weapon: str = ""
    split: dict[str, GroupId] = msgspec.field(default_factory=dict)


class Shot(NamedTuple):
    """One weapon of one model, fired."""

    figure: FigureId
    weapon: WeaponProfile


class Aim(NamedTuple):
    """Line of fire to a target: its distance in hundredths, and if it is seen and has cover."""

    distance: int
    seen: bool
    covered: bool


@implements("OP-SR-10")
def arms(state: Battle, figure: Figure) -> list[WeaponProfile]:
    """Return the weapons that a model could fire: a Limited weapon once in the game."""
    return [weapon for weapon in state.weapons_of(figure) if weapon.range and weapon.id not in figure.spent]


@implements("OP-SHOOT-01")
def check_shooter(state: Battle, seat: int, unit: Unit) -> None:
    """Check that the acting unit may shoot now. Raises IllegalIntent."""
    active = state.active
    if active is None or active.unit != unit.id or unit.owner != seat:
        raise IllegalIntent("shoot/not-active")
    forbid(active.action not in SHOOTS_AFTER, "shoot/action")
    forbid(not any(arms(state, figure) for figure in state.members(unit)), "shoot/unarmed")


@implements("OP-SHOOT-01", "OP-SR-09")
def reaches(weapon: WeaponProfile, aim: Aim) -> bool:
    """Tell if a weapon may be fired along this line: in range, and in sight unless it is Indirect."""
    return aim.distance <= weapon.range and (aim.seen or weapon.has(rules.INDIRECT))


@kept(BOARD)
@implements("OP-SHOOT-01", "OP-TERR-02")
def check_target(state: Battle, seat: int, unit: Unit, target: GroupId) -> Aim:
    """Return the line of fire if a unit may shoot at a target. Raises IllegalIntent."""
    found = state.check_foe(seat, target, "shoot/no-target")
    weapons = split_weapons(state, unit)
    distance = sighting.distance(state, unit, found)
    if distance > max(weapon.range for weapon in weapons):
        raise IllegalIntent("shoot/too-far", inches=-(-distance // 100)).showing(at=names.group_node(target))
    covered = ground.is_covered(state, found, state.leader(unit).at)
    aimed = Aim(distance, sighting.sees(state, unit, found), covered)
    if not any(reaches(weapon, aimed) for weapon in weapons):
        what, by = _obstacle(state, unit, found)
        raise IllegalIntent("shoot/no-sight", blocker=what).showing(by, names.group_node(target))
    return aimed


def _obstacle(state: Battle, unit: Unit, target: Unit) -> tuple[Text, NodeId]:
    """Return the name and node of what hides a target: a unit, a piece of terrain, or the ground itself."""
    seen = sighting.blocker(state, unit, target)
    id = str(seen.id) if seen is not None else ""
    if id in state.units:
        return names.unit(state, GroupId(id)), names.group_node(GroupId(id))
    return names.feature(state, id), feature_node(id) if id else NO_NODE


@implements("OP-SR-15")
def fires_all(state: Battle, unit: Unit) -> bool:
    """Tell if a unit may fire all its weapons, each kind at a target of its own: a Relentless unit that holds."""
    return state.active is not None and state.active.action == "hold" and traits.has(state, unit, rules.RELENTLESS)


@kept(BOARD)
def split_weapons(state: Battle, unit: Unit) -> list[WeaponProfile]:
    """Return the kinds of weapons of a unit, each of which a Relentless unit may aim at its own target."""
    return list({w.id: w for figure in state.members(unit) for w in arms(state, figure)}.values())


@implements("OP-SHOOT-01", "OP-SR-15")
def shots(state: Battle, unit: Unit, aims: Mapping[GroupId, Aim], shot: Shoot) -> list[tuple[GroupId, list[Shot]]]:
    """Return every weapon that is fired, by target: one a model at the one target, or all that a Relentless unit
    has."""
    every = fires_all(state, unit)
    found: dict[GroupId, list[Shot]] = {}
    for figure in state.members(unit):
        able = [(w, shot.split.get(w.id, shot.target)) for w in arms(state, figure)]
        able = [(w, at) for w, at in able if reaches(w, aims[at])]
        if not every and able:
            able = [max(able, key=lambda one: (one[0].id == shot.weapon, one[0].weight))]
        for weapon, at in able:
            found.setdefault(at, []).append(Shot(figure.id, weapon))
    return list(found.items())


def check_shot(state: Battle, seat: int, shot: Shoot) -> tuple[dict[GroupId, Aim], list[tuple[GroupId, list[Shot]]]]:
    """Return the lines of fire and all shots of an intent, by target. Raises IllegalIntent."""
    unit = state.units.get(shot.unit)
    if unit is None:
        raise IllegalIntent("shoot/not-active")
    check_shooter(state, seat, unit)
    forbid(shot.split and not fires_all(state, unit), "shoot/one-target")
    known = {weapon.id for weapon in split_weapons(state, unit)}
    forbid(not set(shot.split) <= known or (shot.weapon and shot.weapon not in known), "shoot/no-weapon")
    aims = {id: check_target(state, seat, unit, id) for id in dict.fromkeys((shot.target, *shot.split.values()))}
    fired = shots(state, unit, aims, shot)
    forbid(not fired, "shoot/no-target")
    return aims, fired


@implements("OP-SHOOT-01", "OP-SHOOT-02")
async def shoot(game: Game[Battle], seat: Seat, shot: Shoot) -> None:
    """Fire with a unit: resolve all attacks on every target, then casualties, then morale."""
    aims, fired = check_shot(game.state, seat, shot)
    expect = partial(mean_of, forecast_of, game.state, shot, aims, fired)
    shooting = units.declare(game, "shoot", shot.unit, shot.target, expect)
    facings.turn_to(game, shot.unit, shot.target)
    standing, fell = len(game.state.figures), 0
    for _, volley in fired:
        _spend(game, volley)
    before = {target: morale.strength(game.state, target) for target, _ in fired}
    was_pinned = game.state.units[shot.target].pinned
    at = game.state.leader(game.state.units[shot.unit]).at
    struck = {target: volleys(game.state, shot.unit, target, volley, aims) for target, volley in fired}
    harms = {target: [attacks.resolve(game, seat, one) for one in volley] for target, volley in struck.items()}
    for target, suffered in harms.items():
        await casualties.suffer(game, target, suffered, casualties.WoundSource(at))
        fell += before[target].models - morale.strength(game.state, target).models
        morale.after_losses(game, target, before[target])
    activations.close(game, shot.unit)
    wounds = sum(harm.wounds for suffered in harms.values() for harm in suffered)
    how = "pinned" if game.state.units[shot.target].pinned and not was_pinned else "done"
    shooting.resolve(how, fell, wounds=wounds, killed=standing - len(game.state.figures))


def forecast_of(
    state: Battle, shot: Shoot, aims: Mapping[GroupId, Aim], fired: Sequence[tuple[GroupId, list[Shot]]]
) -> Forecast | None:
    """Return the models that the one target of these shots loses, up to its owner's next answer; None where they have
    several."""
    if len(aims) > 1:
        return None
    struck = [one for target, volley in fired for one in volleys(state, shot.unit, target, volley, aims)]
    source = casualties.WoundSource(state.leader(state.units[shot.unit]).at)
    return prognosis.of_attacks(state, shot.target, struck, source)


@implements("OP-SR-10")
def _spend(game: Game[Battle], shots: Iterable[Shot]) -> None:
    """Mark Limited weapons as used."""
    for shot in shots:
        if shot.weapon.has(rules.LIMITED):
            game.emit(WeaponSpent(shot.figure, shot.weapon.id))


@implements("OP-SHOOT-02", "OP-WPN-02", "OP-SR-09")
def volleys(
    state: Battle, id: GroupId, target: GroupId, shots: list[Shot], aims: Mapping[GroupId, Aim]
) -> list[attacks.Attack]:
    """Return the attacks of these weapons: of one kind together, but "x" weapons each alone. Weapons fired out of sight
    meet a target in cover."""
    unit = state.units[id]
    weapons = {shot.weapon.id: shot.weapon for shot in shots}
    counts = Counter([shot.weapon.id for shot in shots])
    quality = traits.quality(state, unit)
    unsure = bool(unit.shaken) or traits.SMOKED in unit.effects
    covered = aims[target].covered or not aims[target].seen
    return [
        attacks.Attack(id, target, "shooting", weapon.attacks * size, quality, weapon, unsure=unsure, covered=covered)
        for weapon in weapons.values()
        for size in ([1] * counts[weapon.id] if weapon.single else [counts[weapon.id]])
    ]
