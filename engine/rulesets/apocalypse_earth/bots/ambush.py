"""Ambushes of a bot: units of a side that holds what the enemy has to take start hidden in cover."""

from __future__ import annotations

from math import dist
from typing import Final

from engine.kit.bots.chooser import Idea
from engine.kit.bots.look import options_of
from engine.rulesets.apocalypse_earth.bots.look import Look
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import Point, box_of, middle_of
from protocol.scene.nodes import Choice, Reply, Zone

MOST: Final = 5
"""Places that are thought of for a unit: when as many are refused, the rest is set up in the open."""


def hides(look: Look, choices: dict[str, Choice]) -> list[Idea]:
    """Return places at which the next unit may start hidden, the best first: none for a side that has to take something
    outside its zone, or where no free cover is in it."""
    units = options_of(choices.get("hide"))
    zones = [node for node in look.nodes.values() if isinstance(node, Zone) and node.style == "deployment"]
    own = [zone.points for zone in zones if zone.owner == look.view.seat]
    if not units or not own or not all(contains(goal, own[0]) for goal in look.goals):
        return []
    spots = [spot for spot in covers(look) if contains(spot, own[0])][:MOST]
    return [Idea(-n, Reply("hide", {"unit": units[:1], "to": list(spot)})) for n, spot in enumerate(spots)]


def covers(look: Look) -> list[Point]:
    """Return the middles of pieces of cover in which nobody stands, buildings first, then those nearest to a goal."""
    taken = [place for unit in look.units.values() for place in unit.places]
    found: list[tuple[bool, float, Point]] = []
    for piece in look.features:
        house = look.is_house(piece)
        if not piece.line and (house or piece.cover) and not any(contains(place, piece.outline) for place in taken):
            middle = middle_of(box_of(piece.outline))
            found.append((not house, min((dist(middle, goal) for goal in look.goals), default=0.0), middle))
    return [middle for _, _, middle in sorted(found)]
