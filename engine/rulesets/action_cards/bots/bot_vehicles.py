"""Acts of vehicles and blast weapons as a bot values them: blasts at crowds, drives to goals, transport of groups."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from engine.rulesets.action_cards.bots.bot_ground import distance
from engine.rulesets.action_cards.bots.bot_look import Look
from engine.rulesets.action_cards.bots.bot_odds import expected_kills
from engine.rulesets.action_cards.bots.bot_table import Act, SeenGroup
from engine.space.vectors.points import Point, in_box, widened
from protocol.scene import fields as scene
from protocol.scene.nodes import Reply

REACH: Final = 300
"""The circle of a blast, with the bases that it touches."""
OWN: Final = 2.0
"""A figure of one's own that falls counts so much more than another."""
ROAD: Final = 4.0
"""Worth of one Move nearer to a vehicle with passengers; a hunting one counts a part of it."""
HUNT: Final = 0.35
TURN: Final = 1.5
RIDE: Final = 6.0
"""Worth of getting into a vehicle where the way is long."""
FAR: Final = 1800
NEAR: Final = 800
LANDINGS: Final = 12
STAND_OFF: Final = 1400
"""An armed vehicle comes no nearer to its prey."""


async def vehicle_acts(look: Look) -> list[Act]:
    """Return every act worth considering with blast weapons, vehicles and passengers."""
    found = [*await _drives(look), *await _flights(look), *await _rides(look), *await _exits(look)]
    return await _blasts(look) + [replace(act, worth=look.way * act.worth) for act in found]


async def _blasts(look: Look) -> list[Act]:
    """Return blasts at the place that the field offers first: over most enemies and fewest friends."""
    found: list[Act] = []
    for group in look.groups("blast")[:2]:
        field = await look.detail("blast", {"group": [group.id]})
        if isinstance(field, scene.Template) and field.default is not None:
            at = field.default
            worth = sum(_under(look, group, other, at) for other in look.table.groups.values())
            found.append(Act(worth, Reply("blast", {"group": [group.id], "at": list(at)})))
    return found


def _under(look: Look, gun: SeenGroup, other: SeenGroup, at: Point) -> float:
    under = sum(distance(figure.at, at) <= REACH + figure.radius for figure in other.figures)
    if not under or "airborne" in other.status:
        return 0.0
    killed = expected_kills(gun.blast, look.table.kill_of(other)[other.cover], under)
    if other.owner == look.table.seat:
        return -OWN * killed * look.table.own.worth
    return killed * look.prize(other)


def _goal(look: Look, group: SeenGroup) -> Point:
    """Return the goal of a vehicle: with passengers the ground that a condition asks for, else its prey."""
    assert group.hull is not None
    wanted = [
        condition
        for condition in look.table.conditions
        if condition.ground is not None and condition.kind in ("reach", "hold", "done")
    ]
    if group.hull.seats and wanted:
        best = max(wanted, key=lambda condition: (condition.kind == "reach", condition.points))
        assert best.ground is not None
        return best.ground.middle
    return look.plans[group.id].to


def _rate(group: SeenGroup) -> float:
    """Return the worth of one Move nearer to the goal; 0 for an empty transport, which stays for passengers."""
    assert group.hull is not None
    if group.hull.aboard:
        return ROAD
    return ROAD * HUNT if group.dice else 0.0


async def _drives(look: Look) -> list[Act]:
    found: list[Act] = []
    for group in sorted(look.groups("drive"), key=lambda group: (-_rate(group), group.id))[:2]:
        hull, goal, rate = group.hull, _goal(look, group), _rate(group)
        if hull is None or not rate or (not hull.aboard and distance(group.at, goal) < STAND_OFF):
            continue
        way = await look.detail("drive", {"group": [group.id]})
        if not isinstance(way, scene.PathPoint) or not way.path:
            continue
        step = min(range(len(way.path)), key=lambda n: (distance(way.path[n], goal), n))
        fields: dict[str, object] = {"group": [group.id], "way": step}
        turn = await look.detail("drive", fields)
        if not isinstance(turn, scene.Facing) or not turn.angles:
            continue
        facing = min(turn.angles, key=lambda angle: (_off(way.path[step], goal, angle), angle))
        gained = distance(group.at, goal) - distance(way.path[step], goal)
        turned = _off(group.at, goal, hull.facing) - _off(way.path[step], goal, facing)
        worth = rate * gained / max(1, hull.move) + TURN * rate / ROAD * turned / 90
        found.append(Act(worth, Reply("drive", {**fields, "facing": facing})))
    return found


def _off(at: Point, goal: Point, facing: int) -> int:
    """Return the degrees between a facing and the direction of a goal."""
    if at == goal:
        return 0
    wanted = math.degrees(math.atan2(goal[1] - at[1], goal[0] - at[0]))
    return round(abs((facing - wanted + 180) % 360 - 180))


async def _flights(look: Look) -> list[Act]:
    """Return flights: up with passengers who are far from their goal, to it, and down."""
    found: list[Act] = []
    for group in look.groups("take_off"):
        if group.hull is not None and group.hull.aboard and distance(group.at, _goal(look, group)) > FAR:
            found.append(Act(RIDE, Reply("take_off", {"group": [group.id]})))
    for group in look.groups("fly"):
        place = _landing(look, group, _goal(look, group)) if group.hull is not None else None
        if place is None or distance(group.at, place) < NEAR:
            continue
        fields: dict[str, object] = {"group": [group.id], "to": list(place)}
        turn = await look.detail("fly", fields)
        if isinstance(turn, scene.Facing):
            found.append(Act(RIDE, Reply("fly", {**fields, "facing": turn.default})))
    for group in look.groups("land"):
        far = distance(group.at, _goal(look, group)) > FAR and group.hull is not None and group.hull.aboard
        if not far:
            found.append(Act(RIDE, Reply("land", {"group": [group.id]})))
    return found


def _landing(look: Look, group: SeenGroup, goal: Point) -> Point | None:
    """Return free open ground near a goal, as far as the table shows it."""
    assert group.hull is not None
    clear = group.hull.length // 2 + 150
    width, height = look.table.size
    blocked = [widened(ground.box, clear) for ground in look.table.grounds.values() if ground.id.startswith("feature/")]
    blocked += [widened(other.near, clear - 200) for other in look.table.groups.values() if other is not group]
    found: list[tuple[int, Point]] = []
    for ring in (0, 500, 900, 1300):
        for turn in range(LANDINGS if ring else 1):
            angle = 2 * math.pi * turn / LANDINGS
            place = (goal[0] + round(ring * math.cos(angle)), goal[1] + round(ring * math.sin(angle)))
            on_table = clear < place[0] < width - clear and clear < place[1] < height - clear
            if on_table and not any(in_box(place, box) for box in blocked):
                found.append((distance(place, goal), place))
        if found:
            return min(found)[1]
    return None


async def _rides(look: Look) -> list[Act]:
    """Return embarkation for a group that has far to go."""
    transports = [group for group in look.table.mine if group.hull is not None and group.hull.seats]
    free = max((group.hull.seats - group.hull.aboard for group in transports if group.hull is not None), default=0)
    able = [group for group in look.groups("embark") if group.count <= free and look.plans[group.id].weight]
    distant = [group for group in able if distance(group.at, look.plans[group.id].to) > FAR]
    for group in sorted(distant, key=lambda group: (-distance(group.at, look.plans[group.id].to), group.id))[:1]:
        field = await look.detail("embark", {"group": [group.id]})
        if isinstance(field, scene.Pieces) and field.options:
            chosen = field.options[0].id
            return [Act(RIDE, Reply("embark", {"group": [group.id], "vehicle": [chosen]}))]
    return []


async def _exits(look: Look) -> list[Act]:
    """Return disembarkation where the goal is near."""
    offered = look.choices.get("disembark")
    first = offered.fields[0] if offered is not None else None
    if not isinstance(first, scene.Pieces):
        return []
    for option in first.options[:2]:
        carriers = [group for group in look.table.mine if group.hull is not None and option.id in group.hull.riders]
        near = [group for group in carriers if distance(group.at, _goal(look, group)) < FAR]
        if not near or ("disembark", option.id) in look.refused:
            continue
        field = await look.detail("disembark", {"group": [option.id]})
        if isinstance(field, scene.PickPoint) and field.default is not None:
            fields: dict[str, object] = {"group": [option.id], "to": list(field.default)}
            return [Act(RIDE - distance(near[0].at, _goal(look, near[0])) / FAR, Reply("disembark", fields))]
    return []
