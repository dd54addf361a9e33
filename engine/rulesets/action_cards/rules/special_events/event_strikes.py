"""Special Events that hurt: strikes, collapsing buildings, wandering dangers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.kit.pools import multiples
from engine.kit.rules import Game, Pending, Pool, Seat, implements
from engine.rulesets.action_cards.rules.board import casualties, combats, cover, table
from engine.rulesets.action_cards.rules.close_combat import resolution
from engine.rulesets.action_cards.rules.special_events import event_choices, monsters
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.event_facts import (
    DangerCame,
    DangerGone,
    DangerMoved,
    EventStruck,
    FeatureRuined,
)
from engine.rulesets.action_cards.state.events import FeatureCleared, GroupStunned, VolleyEnded
from engine.rulesets.action_cards.state.model import Effect, Point
from engine.rulesets.action_cards.state.state import Danger, Skirmish, Volley
from engine.space.vectors.points import box_of, middle_of, squared, towards, within
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Option

PURPOSE: Final = "dice.event"


@implements("AC-OPEN-01")
async def strike(game: Game[Skirmish], effect: Effect) -> None:
    """Roll dice against one group or each of several, in its present cover; the seat that chose it has the credit."""
    chosen, by = await event_choices.fallen_on(game, effect)
    for id in chosen:
        if id in game.state.groups:
            await hit(game, id, game.state.groups[id].figures, effect.dice, effect.most, by)
    if effect.stuns:
        game.emit(*(GroupStunned(id) for id in chosen if id in game.state.groups))


@implements("AC-OPEN-01")
async def collapse(game: Game[Skirmish], effect: Effect) -> None:
    """Bring a building down, but none that a special action needs: dice, as in the open, against all groups in it."""
    state = game.state
    kinds = effect.terrain or ("building",)
    houses = [feature.id for feature in table.free_features(state) if table.kind(state, feature.id).id in kinds]
    if not houses:
        return
    fallen = await event_choices.one_feature(game, effect, houses)
    area = table.board(game.state).scenery.area(fallen)
    on_ground = [(id, figures) for id, figures in _groups(game) if not table.board(game.state).is_airborne(id)]
    inside = [(id, [f for f in figures if area.holds(game.state.figures[f].at)]) for id, figures in on_ground]
    await hit_all(game, inside, effect.dice, effect.most, "open")
    game.emit(FeatureRuined(fallen) if table.RUBBLE in game.state.resolved.terrain else FeatureCleared(fallen))


@implements("AC-OPEN-01")
async def clear(game: Game[Skirmish], effect: Effect) -> None:
    """Remove a piece of terrain of some kind, but none that a special action needs."""
    found = [feature.id for feature in table.free_features(game.state) if feature.kind in effect.terrain]
    if found:
        game.emit(FeatureCleared(await event_choices.one_feature(game, effect, found)))


@implements("AC-OPEN-01")
async def danger(game: Game[Skirmish], effect: Effect) -> None:
    """Bring a danger, perhaps a monster, to the middle of a zone: the one named, or a marked one by lot."""
    state = game.state
    zones = [zone for zone in state.resolved.scenario.zones if effect.zone in ("", zone.id)]
    outlines = [zone.outline for zone in zones] or [((0, 0), state.resolved.scenario.size)]
    options = [Option(names.zone_node(zone.id), names.zone(state, zone.id)) for zone in zones]
    at = middle_of(box_of(outlines[await event_choices.by_chance(game, options) if options else 0]))
    number = state.danger_count + 1
    until = state.turn + effect.rows
    wounds = effect.wounds if effect.kill else 0
    circle = (effect.radius, effect.dice, until, effect.speed)
    come = Danger(f"danger.{number}", state.happening, at, *circle, effect.kill, wounds, effect.base)
    game.emit(DangerCame(come))
    await bite(game, come.id)


@implements("AC-OPEN-01")
async def row_ends(game: Game[Skirmish]) -> None:
    """Move every danger towards the nearest group after a row and hurt figures in it, or end it."""
    for before in game.state.dangers:
        if before.until <= game.state.turn:
            game.emit(DangerGone(before.id))
            continue
        to = monsters.next_place(game.state, before) if before.kill else _drifts_to(game.state, before)
        if to != before.at:
            game.emit(DangerMoved(before.id, to))
        await bite(game, before.id)


async def arrive(game: Game[Skirmish], group: GroupId, moving: Pending[Skirmish]) -> None:
    """End a declared move on foot: contact locks the group, and what it has walked into strikes it."""
    await combats.contact(game, group)
    has_charged = combats.combat_of(game.state, group) is not None
    await walked_into(game, group)
    moving.resolve("charged" if has_charged else "done")


@implements("AC-OPEN-01")
async def walked_into(game: Game[Skirmish], group: GroupId) -> None:
    """Hurt a group that has moved by every danger that any of its figures stand in."""
    for danger in game.state.dangers:
        caught = caught_in(game.state, danger, group) if group in game.state.groups else ()
        await hit_all(game, [(group, caught)], danger.dice, event=danger.event)


async def bite(game: Game[Skirmish], danger_id: str) -> None:
    """Hurt every group that has figures in a danger."""
    found = next(danger for danger in game.state.dangers if danger.id == danger_id)
    caught = [(id, caught_in(game.state, found, id)) for id, _ in _groups(game)]
    await hit_all(game, caught, found.dice, event=found.event)


def caught_in(state: Skirmish, danger: Danger, group: GroupId) -> tuple[FigureId, ...]:
    """Return the figures of a group whose centres are in a danger, a vehicle where the circle touches its outline; none
    of a group in the air."""
    if table.board(state).is_airborne(group):
        return ()
    figures = state.groups[group].figures
    if table.board(state).vehicle(group) is not None:
        return figures if table.is_hull_touched(state, figures[0], danger.at, danger.radius) else ()
    return tuple(id for id in figures if within(state.figures[id].at, danger.at, danger.radius))


async def hit_all(
    game: Game[Skirmish],
    targets: Sequence[tuple[GroupId, Sequence[FigureId]]],
    dice: int,
    most: int = 0,
    protection: str = "",
    event: str = "",
) -> None:
    """Roll dice against such figures of several groups, one after another, to nobody's credit."""
    for _, figures in targets:
        still = [figure for figure in figures if figure in game.state.figures]
        formed = game.state.group_of(still[0]) if still else None  # survivors of a combat may have regrouped
        if formed is not None:
            await hit(game, formed.id, still, dice, most, -1, protection, event)


@implements("AC-OPEN-01")
async def hit(
    game: Game[Skirmish],
    group: GroupId,
    figures: Sequence[FigureId],
    dice: int,
    most: int = 0,
    by: int = -1,
    protection: str = "",
    event: str = "",
) -> None:
    """Roll dice against these figures of a group, as if shot at; their owner chooses the casualties."""
    state = game.state
    owner = Seat(state.groups[group].owner)
    number = table.kill_of(state, group).number(protection or cover.group_cover(state, group))
    strike = game.declare("strike", Seat(by), target=names.group_node(group))
    standing = len(game.state.figures)
    roll = game.roll(Pool(dice), PURPOSE, Seat(by) if by >= 0 else owner)
    kills = multiples(roll.total, number, min(len(figures), most or len(figures)))
    volley = Volley("event", by, group, (), roll.id, dice, roll.total, number, kills)
    game.emit(EventStruck(event or state.happening, volley))
    if kills:
        await casualties.remove(game, by, owner, tuple(figures), kills)
    game.emit(VolleyEnded())
    await resolution.after_losses(game)
    strike.resolve("done", damage=roll.total, killed=standing - len(game.state.figures))


def _groups(game: Game[Skirmish]) -> list[tuple[GroupId, tuple[FigureId, ...]]]:
    return [(id, group.figures) for id, group in game.state.groups.items()]


def _drifts_to(state: Skirmish, danger: Danger) -> Point:
    centres = [(squared(table.board(state).standing[id].centre, danger.at), id) for id in state.groups]
    if not danger.speed or not centres:
        return danger.at
    return towards(danger.at, table.board(state).standing[min(centres)[1]].centre, danger.speed)
