"""Rides of a bot's units: who starts aboard, who boards, and who gets out where."""

from __future__ import annotations

from math import dist
from typing import Final

from engine.core.bots.bot import BotView
from engine.kit.bots.chooser import Idea
from engine.kit.bots.look import offers, options_of, usual_place
from engine.rulesets.apocalypse_earth.bots import odds
from engine.rulesets.apocalypse_earth.bots.look import Look, Seen
from protocol.scene.fields import Facing
from protocol.scene.nodes import Choice, Reply

LONG: Final = 3600
"""A unit rides where the way to its goal is longer than this: three moves on foot."""
LANDING: Final = 300
"""Movement that getting out costs."""
STUCK: Final = frozenset({"whl", "trk", "lift", "leg", "eng", "drv"})
"""Damage after which a vehicle does not go on."""


async def aboard(view: BotView, look: Look, choices: dict[str, Choice]) -> list[Idea]:
    """Return the next thing to do so that units start aboard where their way is long: to put one into a vehicle, or to
    set up a vehicle that carries."""
    riders = options_of(choices.get("load"))
    for id in sorted(riders, key=lambda id: -look.card(id).points):
        for vessel in look.among([one.id for one in await offers(view, "load", {"unit": [id]})]):
            if is_long(look, look.waiting(id, 1).at(vessel.lead)):
                return [Idea(0.0, Reply("load", {"unit": [id], "vessel": [vessel.id]}))]
    on_foot = [look.card(id).figures for id in options_of(choices.get("deploy"))]
    for id in options_of(choices.get("deploy_vehicle")):
        about: dict[str, object] = {"unit": [id]}
        if min(on_foot, default=look.card(id).room + 1) <= look.card(id).room:
            about["to"] = to = await usual_place(view, "deploy_vehicle", about)
            facing = await view.detail("deploy_vehicle", about) if to is not None else None
            if to is not None and isinstance(facing, Facing) and is_long(look, look.waiting(id, 1).at((to[0], to[1]))):
                return [Idea(0.0, Reply("deploy_vehicle", about | {"facing": facing.default}))]
    return []


def is_long(look: Look, unit: Seen) -> bool:
    """Tell if the way to a unit's goal is so long that it should ride."""
    goal = look.goal(unit)
    return goal is not None and dist(goal, unit.lead) > LONG


async def boards(view: BotView, look: Look, choices: dict[str, Choice], unit: Seen, pull: float) -> list[Idea]:
    """Return ways aboard a vehicle in reach, by what it brings a unit nearer to its goal in two turns. `pull`: the
    worth of each hundredth."""
    goal = look.goal(unit)
    if unit.id not in options_of(choices.get("board")) or goal is None or not is_long(look, unit):
        return []
    found: list[Idea] = []
    for vessel in look.among([one.id for one in await offers(view, "board", {"unit": [unit.id]})]):
        rides = vessel.card.move * (1 if "done" in vessel.status else 2)
        way = min(dist(goal, unit.lead), rides + unit.card.move - LANDING)
        if way > 2 * unit.card.move and not STUCK & vessel.status:
            found.append(Idea(pull * way / 2, Reply("board", {"unit": [unit.id], "vessel": [vessel.id]})))
    return found


async def riders(view: BotView, look: Look, choices: dict[str, Choice]) -> list[Seen]:
    """Return the units aboard that may get out now, each as if it stood where it would."""
    found: list[Seen] = []
    for id in options_of(choices.get("get_out")):
        to = await usual_place(view, "get_out", {"unit": [id]})
        if to is not None:
            found.append(look.waiting(id, look.card(id).figures).at((to[0], to[1])))
    return found


def lands(look: Look, rider: Seen) -> bool:
    """Tell if a unit should get out where its vehicle stands: the vehicle is stuck, there is somebody to fire at, or
    the rest of the way is a move; not where it is to leave the table."""
    own = [unit for unit in look.units.values() if unit.owner == rider.owner and unit.card.room]
    vessel = min(own, key=lambda one: dist(one.lead, rider.lead), default=None)
    if vessel is None or STUCK & vessel.status:
        return True
    goal = look.goal(rider)
    if goal is None or goal in look.exits:
        return False
    return dist(goal, rider.lead) <= rider.card.move or odds.best_shot(look, rider, rider.lead) > 0
