"""Close combats on the board: contact, locked groups, defended positions, and when a combat is resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.board.cover import CLASSES
from engine.rulesets.action_cards.state.combat_events import CombatBegun, CombatJoined, CombatsMerged
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Combat, Group, Skirmish
from engine.space.terrain.contact import TOUCH, Base, at_most_apart, gap_at_most, touches
from engine.space.terrain.features import PreparedArea, PreparedBarrier
from engine.space.vectors.outlines import place_near_outline, point_near_outline
from engine.space.vectors.points import box_around
from protocol.ids import FigureId, GroupId

ACROSS: Final = 100
"""AC-HTH-01: bases an inch apart touch across a barrier, and who stands an inch behind a barrier holds it."""


def combat_of(state: Skirmish, group: GroupId) -> Combat | None:
    """Return the combat that locks this group; None if it is free."""
    for combat in state.combats:
        if group in combat.groups:
            return combat
    return None


def factions_in(state: Skirmish, combat: Combat) -> tuple[int, ...]:
    """Return the seats that have figures in the combat, in seat order."""
    return tuple(sorted({state.groups[id].owner for id in combat.groups}))


def is_over(state: Skirmish, combat: Combat) -> bool:
    """Tell whether no two enemies are left in the combat."""
    seats = factions_in(state, combat)
    return not any(state.hostile(seats[0], other) for other in seats[1:])


def groups_in(state: Skirmish, combat: Combat, seat: int) -> tuple[Group, ...]:
    """Return the groups of a faction in the combat, in the order they came in."""
    return tuple(state.groups[id] for id in combat.groups if state.groups[id].owner == seat)


def on_foot(state: Skirmish, combat: Combat, seat: int) -> tuple[Group, ...]:
    """Return the groups of a faction in the combat that are no vehicles, in the order they came in."""
    return tuple([group for group in groups_in(state, combat, seat) if table.board(state).vehicle(group.id) is None])


def vehicles_in(state: Skirmish, combat: Combat, seat: int) -> tuple[GroupId, ...]:
    """Return the vehicles of a faction in the combat, by group, in the order they came in."""
    return tuple([g.id for g in groups_in(state, combat, seat) if table.board(state).vehicle(g.id) is not None])


@implements("AC-HTH-03")
def figures_in(state: Skirmish, combat: Combat, seat: int) -> tuple[FigureId, ...]:
    """Return all figures of a faction in the combat, which fight as one larger group."""
    return tuple(figure for group in groups_in(state, combat, seat) for figure in group.figures)


def seats_after(seats: tuple[int, ...], first: int) -> tuple[int, ...]:
    """Rotate seats into seat order from the one after `first` round to `first` itself, if it is among them."""
    return (*[seat for seat in seats if seat > first], *[seat for seat in seats if seat <= first])


@implements("AC-HTH-02")
def due(state: Skirmish) -> tuple[Combat, ...]:
    """Return the combats to resolve now that the actions of the current card are done, in the order they began.

    A Double or Triple card resolves all of them, whether it was played or passed; so does the last card of a row for
    which the deck was reshuffled, and that of the last row. Once the row is played out its last card is the current.
    """
    if not state.row:
        return state.combats if state.last_row else ()
    card = state.row[min(state.current, len(state.row) - 1)]
    played_out = state.current >= len(state.row) - 1
    if card.kind in ("double", "triple") or (played_out and (state.reshuffled or state.last_row)):
        return state.combats
    return ()


@implements("AC-HTH-01")
def touching_enemies(state: Skirmish, group_id: GroupId) -> tuple[GroupId, ...]:
    """Return the enemy groups that this group's lead touches where it stands."""
    group = state.groups[group_id]
    return touched_at(state, group.owner, table.base(state, lead_of(group)), group.came)


@implements("AC-HTH-01")
def touched_at(state: Skirmish, owner: int, lead: Base, came: Point | None) -> tuple[GroupId, ...]:
    """Return the enemies touched at a place by a lead from `came`: bases, across a barrier, a held area, a hull."""
    held = [area for area in _areas_touched(state, lead) if came is None or not area.holds(came)]
    board = table.board(state)
    return tuple(
        [
            enemy.id
            for enemy in state.groups.values()
            if state.hostile(enemy.owner, owner)
            and (
                any(in_contact(state, lead, base) for base in at_most_apart(lead, board.bases(enemy.id), ACROSS))
                or any(area.holds(state.figures[figure].at) for area in held for figure in enemy.figures)
                if board.vehicle(enemy.id) is None
                else not board.is_airborne(enemy.id) and touches_hull(state, lead, enemy.figures[0])
            )
        ]
    )


def touches_hull(state: Skirmish, base: Base, vehicle: FigureId) -> bool:
    """Tell whether a base touches a vehicle on the ground, given by its figure."""
    outline = table.board(state).scenery.area(vehicle).outline
    return place_near_outline(base.at, outline, base.radius + TOUCH)


def in_contact(state: Skirmish, one: Base, other: Base) -> bool:
    """Tell whether two bases touch, or are within an inch on two sides of a barrier."""
    if touches(one, other):
        return True
    if not gap_at_most(one, other, ACROSS):
        return False
    return bool(table.board(state).scenery.barriers_on(one.at, other.at))


@implements("AC-HTH-01")
async def contact(game: Game[Skirmish], group_id: GroupId) -> None:
    """Lock a group that has moved with the enemies its lead touches, in a new combat or in theirs."""
    state = game.state
    touched = touching_enemies(state, group_id)
    if not touched:
        return
    open_combats = [combat for combat in state.combats if any(id in combat.groups for id in touched)]
    if open_combats:
        join(game, open_combats, touched, group_id)
        return
    defended, defender = position_between(state, group_id, touched)
    order = state.combat_count
    combat = Combat(
        id=f"combat.{order}",
        groups=(*touched, group_id),
        order=order,
        begun_turn=state.turn,
        begun_on=state.current,
        defended=defended,
        defender=defender,
        charged=(group_id,),
        paths={group_id: _path(state, state.groups[group_id])},
    )
    game.emit(CombatBegun(combat))


@implements("AC-HTH-03")
def join(game: Game[Skirmish], combats: list[Combat], touched: tuple[GroupId, ...], group_id: GroupId) -> None:
    """Add a group and all that it touches to the open combats it reached, which become one: the earliest."""
    first, *later = combats
    for combat in later:
        game.emit(CombatsMerged(first.id, combat.id))
    for id in touched:
        if combat_of(game.state, id) is None:
            game.emit(CombatJoined(first.id, id))
    game.emit(CombatJoined(first.id, group_id, _path(game.state, game.state.groups[group_id])))


@implements("AC-HTH-01")
def position_between(state: Skirmish, charging: GroupId, touched: tuple[GroupId, ...]) -> tuple[str, int]:
    """Return the feature or barrier that one side held before this charge, and that side's seat; ("", -1) without one.

    Of several the one with the best cover counts, then the one that comes first on the table.
    """
    held = list(_positions(state, state.groups[charging], touched))
    return max(held, key=lambda position: CLASSES.index(table.kind(state, position[0]).cover), default=("", -1))


def holders(state: Skirmish, feature: str, figures: Iterable[FigureId]) -> tuple[FigureId, ...]:
    """Return the figures in a position: with their centre in the area, or their base within an inch of the barrier."""
    scenery = table.board(state).scenery
    if table.kind(state, feature).line:
        barrier = scenery.barrier(feature)
        return tuple([figure for figure in figures if is_at(barrier, table.base(state, figure))])
    area = scenery.area(feature)
    return tuple([figure for figure in figures if area.holds(state.figures[figure].at)])


def is_at(barrier: PreparedBarrier, base: Base) -> bool:
    """Tell whether a base is within an inch of a barrier."""
    return barrier.near(base.at, base.radius + ACROSS + 1)


def is_at_edge(area: PreparedArea, base: Base) -> bool:
    """Tell whether a base is in an area or within an inch of it."""
    return area.holds(base.at) or point_near_outline(base.at, area.outline, base.radius + ACROSS + 1)


def _positions(state: Skirmish, group: Group, touched: tuple[GroupId, ...]) -> Iterator[tuple[str, int]]:
    scenery = table.board(state).scenery
    start, end = _path(state, group)
    enemies = [(state.groups[id].owner, base) for id in touched for base in table.board(state).bases(id)]
    for area in scenery.areas:
        if table.kind(state, str(area.id)).position:
            holder = _holder(area, start, end, group.owner, enemies)
            if holder >= 0:
                yield str(area.id), holder
    for barrier in scenery.barriers:
        if table.kind(state, str(barrier.id)).position:
            behind = [owner for owner, base in enemies if is_at(barrier, base) and barrier.crossed_by(start, base.at)]
            if behind:
                yield str(barrier.id), behind[0]


def _holder(area: PreparedArea, start: Point, end: Point, owner: int, enemies: list[tuple[int, Base]]) -> int:
    """Return the side that alone had figures in the area before the charge; -1 where none or both had."""
    inside = [enemy for enemy, base in enemies if area.holds(base.at)]
    if area.holds(start):
        return owner if area.holds(end) and not inside else -1
    return inside[0] if inside else -1


def _areas_touched(state: Skirmish, base: Base) -> list[PreparedArea]:
    reach = base.radius + TOUCH
    near = table.board(state).scenery.areas_near(box_around(base.at, reach))
    met = [area for area in near if area.holds(base.at) or point_near_outline(base.at, area.outline, reach)]
    return [area for area in met if table.kind(state, str(area.id)).position]


def lead_of(group: Group) -> FigureId:
    """Return the figure that led the group's last move; the first of the group once that has fallen."""
    return group.lead if group.lead in group.figures else group.figures[0]


def _path(state: Skirmish, group: Group) -> tuple[Point, Point]:
    end = state.figures[lead_of(group)].at
    return group.came or end, end
