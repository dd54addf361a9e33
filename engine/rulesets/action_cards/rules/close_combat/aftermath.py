"""Aftermath of a close combat: survivors regroup, the winner may take the position, remaining factions part."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.core.rules.questions import pick_some
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.action_cards.rules.board import combats, table
from engine.rulesets.action_cards.rules.close_combat.group_places import (
    Places,
    clear_place,
    ground_place,
    legal_place,
    site_of,
)
from engine.rulesets.action_cards.rules.close_combat.regrouping import regroup
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.combat_events import (
    CombatEnded,
    GroundTaken,
    GroupCornered,
    GroupRetreated,
    combat_by_id,
)
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Combat, Skirmish
from engine.space.terrain.contact import Base, gap
from engine.space.vectors.headings import ANGLES, ahead
from engine.space.vectors.points import squared, towards
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Option
from protocol.text import Text

FAR: Final = 1_000
"""Factor that makes a direction longer than any move along it."""


class Retreat(NamedTuple):
    """Planned retreat, as if nothing stood in its way: "path" or "away", the figure that is measured, its place."""

    how: str
    lead: FigureId
    to: Point


@implements("AC-HTH-05")
async def aftermath(game: Game[Skirmish], combat_id: str) -> None:
    """End a combat: whoever is left regroups; then one faction may take the position, or several move apart."""
    combat = combat_by_id(game.state, combat_id)
    left = by_card_order(game.state, combats.factions_in(game.state, combat))
    for seat in left:
        await regroup(game, combat_id, Seat(seat))
    is_over = combats.is_over(game.state, combat_by_id(game.state, combat_id))
    if len(left) == 1:
        await take_ground(game, combat_id, Seat(left[0]))
    elif not is_over:
        await part(game, combat_id)
    game.emit(CombatEnded(combat_id, "apart" if not is_over else "won" if left else "nobody"))


def by_card_order(state: Skirmish, seats: tuple[int, ...]) -> tuple[int, ...]:
    """Rotate seats into seat order from the player whose card is being played."""
    card = state.row[min(state.current, len(state.row) - 1)] if state.row else None
    return combats.seats_after(seats, card.seat - 1) if card else seats


@implements("AC-HTH-05")
async def take_ground(game: Game[Skirmish], combat_id: str, seat: Seat) -> None:
    """Let the only faction left move to the position that its opponent held: its player chooses which groups do."""
    state = game.state
    combat = combat_by_id(state, combat_id)
    if not is_defended(state, combat) or not state.hostile(combat.defender, seat):
        return
    able = [group for group in combats.on_foot(state, combat, seat) if _places_on_ground(state, combat, group.id)]
    if not able:
        return
    options = [Option(names.group_node(group.id), names.group(state, group.id)) for group in able]
    title = Text("ask.occupy", {"feature": names.feature(state, combat.defended), "combat": combat.id})
    ask = pick_some(title, options, 0, len(options), [options[0].id], "AC-HTH-05")
    chosen = await game.ask(seat, ask, "occupy")
    for group in able:
        places = _places_on_ground(game.state, combat, group.id) if names.group_node(group.id) in chosen else None
        if places:
            game.emit(GroundTaken(group.id, combat.defended, places))


@implements("AC-HTH-05")
async def part(game: Game[Skirmish], combat_id: str) -> None:
    """Part the factions left: attackers move back from a defended position; in the open all do. Attackers go first,
    then the others, each in seat order from the player whose card it is. Vehicles stay where they are."""
    state = game.state
    combat = combat_by_id(state, combat_id)
    defended = is_defended(state, combat)
    seats = [
        seat
        for seat in by_card_order(state, combats.factions_in(state, combat))
        if not defended or state.hostile(seat, combat.defender)
    ]
    leaving = [group for seat in seats for group in combats.on_foot(state, combat, seat)]
    charged = [group for group in leaving if group.id in combat.charged]
    in_order = (*charged, *[group for group in leaving if group not in charged])
    retreats = [(group.id, planned_retreat(state, combat, group.id)) for group in in_order]
    for group_id, plan in retreats:
        await retreat(game, combat_id, group_id, plan)


def is_defended(state: Skirmish, combat: Combat) -> bool:
    """Tell whether the combat is about a position that is still there."""
    return bool(combat.defended) and combat.defended not in state.gone


@implements("AC-HTH-05")
async def retreat(game: Game[Skirmish], combat_id: str, group_id: GroupId, plan: Retreat) -> None:
    """Move a group back, as near to plan as it can; without any place it is removed, to nobody's credit."""
    if combats.is_over(game.state, combat_by_id(game.state, combat_id)):
        return  # the groups that moved before were lost, and only one faction is left
    site, how = site_of(game.state, group_id), plan.how
    places = legal_place(site, plan.lead, plan.to)
    if places is None:
        how, places = "clear", clear_place(site, plan.lead)
    game.emit(GroupCornered(group_id) if places is None else GroupRetreated(group_id, how, places))


@implements("AC-HTH-05")
def planned_retreat(state: Skirmish, combat: Combat, group_id: GroupId) -> Retreat:
    """Return a group's retreat if nothing stood in its way: the way it came if it charged, else away from the other
    factions of the combat, all of them still standing as they fought."""
    group, move = state.groups[group_id], table.move_of(state, state.groups[group_id])
    start, end = combat.paths.get(group.id, ((0, 0), (0, 0)))
    if start != end:
        lead = min(group.figures, key=lambda figure: squared(state.figures[figure].at, end))
        return Retreat("path", lead, _along(state.figures[lead].at, end, start, move))
    enemies = [id for id in combat.groups if state.hostile(state.groups[id].owner, group.owner)]
    members = table.board(state).bases(group.id)
    pairs = [(foe, own) for own in members for id in enemies for foe in _met_as(state, id, own.at)]
    foe, own = min(pairs, key=lambda pair: gap(*pair))
    foes = [foe for id in enemies for foe in _met_as(state, id, own.at)]
    return Retreat("away", own.id, _away(own.at, foe, foes, move))


def _met_as(state: Skirmish, group_id: GroupId, at: Point) -> tuple[Base, ...]:
    """Return the bases of a group, or the point of a vehicle that is nearest to a place."""
    if table.board(state).vehicle(group_id) is None:
        return table.board(state).bases(group_id)
    return (table.nearest_of_hull(state, state.groups[group_id].figures[0], at),)


def _away(at: Point, nearest: Base, foes: list[Base], move: int) -> Point:
    """Return the place directly away from the nearest enemy, or, if that leads to others, farthest from all."""
    direct = _along(at, nearest.at, at, move)

    def room(place: Point) -> int:
        return min(squared(place, foe.at) for foe in foes)

    if room(direct) == squared(direct, nearest.at):
        return direct
    return max((direct, *[ahead(at, angle, move) for angle in ANGLES]), key=room)


def _along(at: Point, start: Point, end: Point, distance: int) -> Point:
    return towards(at, (at[0] + (end[0] - start[0]) * FAR, at[1] + (end[1] - start[1]) * FAR), distance)


def _places_on_ground(state: Skirmish, combat: Combat, group_id: GroupId) -> Places | None:
    """Return the group's places on the position; None where it stands there already, or finds no room."""
    site, feature = site_of(state, group_id), combat.defended
    scenery = table.board(state).scenery
    lead = combats.lead_of(site.group)
    radius = table.radius(state, lead)
    if not table.kind(state, feature).line:
        area = scenery.area(feature)
        if all(area.holds(state.figures[figure].at) for figure in site.group.figures):
            return None
        return ground_place(site, lead, feature, area.holds)
    barrier = scenery.barrier(feature)
    outside = combat.paths[combat.charged[0]][0]
    if barrier.crossed_by(outside, state.figures[lead].at):
        return None

    def is_behind(p: Point) -> bool:
        return (
            combats.is_at(barrier, Base(lead, p, radius)) and barrier.crossed_by(outside, p) and not barrier.near(p, 1)
        )

    return ground_place(site, lead, feature, is_behind)
