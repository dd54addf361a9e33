"""Explosives of a bot: grenades and mortar bombs that are lobbed, charges in contact, vehicles that are bombs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist
from typing import Final, NamedTuple

from engine.core.bots.bot import BotView
from engine.kit.bots.chooser import Idea
from engine.kit.bots.look import offers, options_of
from engine.rulesets.apocalypse_earth.bots import odds
from engine.rulesets.apocalypse_earth.bots.look import Arms, Look, Seen
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import Point
from protocol.ids import NodeId
from protocol.scene.fields import Pieces
from protocol.scene.nodes import Choice, Feature, Piece, Reply

TOUCHED: Final = 100
"""A figure so far beyond the rim of a circle is touched by it."""
HULL: Final = 300
"""The same of a vehicle, about."""
BOMB: Final = Arms("bomb", 1, 0, 1, 0, 14, 2, 1000, 2, frozenset())
"""A vehicle that is a bomb."""
MOST_LOBBED: Final = 2
"""Figures of a unit that aim at a point before the others fire."""
HARD: Final = 2
"""Added to a kill number by cover in a building."""
RAZED: Final = 25.0
"""Worth of a charge at a building that pays when it falls, in points."""


class Lob(NamedTuple):
    """A shot of one figure of a unit at a place, with something that is lobbed."""

    worth: float
    arms: Arms
    at: Point


def blast(look: Look, arms: Arms, at: Point) -> float:
    """Return what a template at a place wins: what it does to the enemy, in points, less what it does to friends."""
    harm = sum(_hurt(look, arms, unit, at) for unit in look.friends)
    return sum(_hurt(look, arms, unit, at) for unit in look.enemies) - harm


def _hurt(look: Look, arms: Arms, unit: Seen, at: Point) -> float:
    if unit.card.drives:
        return odds.worth(unit, odds.pierces(arms, unit.card)) if dist(unit.lead, at) <= arms.blast + HULL else 0.0
    near = [place for place in unit.places if dist(place, at) <= arms.blast + TOUCHED]
    return odds.worth(unit, odds.pierces(arms, unit.card) * sum(odds.kills(arms, look.cover(place)) for place in near))


def lobs(look: Look, unit: Seen) -> Iterator[Lob]:
    """Yield what one figure of a unit might lob: grenades at enemies close by, mortar bombs at those whom others see;
    what it sees itself its unit fires at anyway."""
    for arms in unit.card.arms:
        is_thrown = "thrown" in arms.traits
        if not arms.blast or not (is_thrown or "indirect" in arms.traits):
            continue
        for enemy in look.enemies:
            direct = look.sees(unit.lead, enemy.lead)
            seen = direct if is_thrown else not direct and look.spotted(enemy)
            if seen and "engaged" not in enemy.status and unit.distance(enemy) <= arms.range:
                spots = [at for at in enemy.places if dist(at, unit.lead) <= arms.range]
                best = max(spots, key=lambda at: blast(look, arms, at), default=enemy.lead)
                yield Lob(odds.on_target(arms) * blast(look, arms, best), arms, best)


async def lobbed(
    view: BotView, look: Look, choices: dict[str, Choice], unit: Seen, aimed: Sequence[str], fire: float
) -> list[Idea]:
    """Return the grenade or bomb that wins most beside the fire of the others, who win `fire` together with the figure
    that lobs it. `aimed`: the figures that have aimed already."""
    if unit.id not in options_of(choices.get("lob")) or len(aimed) >= MOST_LOBBED:
        return []
    best = max(lobs(look, unit), key=lambda lob: lob.worth, default=None)
    own = fire / max(1, len(unit.places))
    if best is None or best.worth <= own:
        return []
    for figure in reversed(await offers(view, "lob", {"unit": [unit.id]})):
        about: dict[str, object] = {"unit": [unit.id], "figure": [figure.id]}
        if figure.id not in aimed and best.arms.id in [one.id for one in await offers(view, "lob", about)]:
            shot = about | {"weapon": best.arms.id, "at": list(best.at)}
            return [Idea(fire - own + best.worth, Reply("lob", shot))]
    return []


def aiming(reply: Reply) -> str:
    """Return the figure that aims by a reply, at a point or at what it touches; "" of any other reply."""
    match reply.choice, reply.fields:
        case "lob", {"figure": [str(figure)]}:
            return figure
        case "place", {"use": str(use)}:
            return f"piece/{use.partition('/')[0]}"
    return ""


async def placed(view: BotView, look: Look, choices: dict[str, Choice], unit: Seen, aimed: Sequence[str]) -> list[Idea]:
    """Return what a unit does with grenades and charges to what its figures touch, those left out that have `aimed`."""
    if unit.id not in options_of(choices.get("place")) or len(aimed) >= MOST_LOBBED:
        return []
    found: list[Idea] = []
    for option in await offers(view, "place", {"unit": [unit.id]}):
        figure, weapon, target = option.id.split("/", 2)
        piece = look.nodes.get(NodeId(f"piece/{figure}"))
        arms = next((one for one in unit.card.arms if one.id == weapon), None)
        if arms is not None and isinstance(piece, Piece) and f"piece/{figure}" not in aimed:
            won = odds.on_target(arms) * _in_contact(look, arms, piece.at, target) - is_vest(arms) * odds.price(unit)
            found.append(Idea(won, Reply("place", {"unit": [unit.id], "use": option.id})))
    return found


def _in_contact(look: Look, arms: Arms, at: Point, target: str) -> float:
    """Return what a weapon wins that is used in contact, on a vehicle or on a building and all inside."""
    house = look.nodes.get(NodeId(f"feature/{target}"))
    if not isinstance(house, Feature):
        vehicle = look.units.get(f"group/{target}")
        through = odds.worth(vehicle, odds.pierces(arms, vehicle.card)) if vehicle is not None else 0.0
        return max(through, blast(look, arms, at))
    inside = [(unit, sum(contains(place, house.outline) for place in unit.places)) for unit in look.enemies]
    won = sum(odds.worth(unit, count * odds.kills(arms, HARD)) for unit, count in inside)
    if arms.range:
        return won
    return won + min(0.0, blast(look, arms, at)) + RAZED * (NodeId(f"feature/{target}") in look.razed)


def blown(look: Look, field: Pieces) -> list[str]:
    """Return the chargers in contact who use what they carry in place of their duel: all that only cuts, and the one
    charge or vest that wins most, if any wins."""
    chosen: list[str] = []
    charges: dict[str, float] = {}
    for option in field.options:
        piece = look.nodes.get(NodeId(option.id))
        unit = look.units.get(piece.group) if isinstance(piece, Piece) else None
        arms = next((one for one in unit.card.arms if not one.range and one.shots), None) if unit is not None else None
        if arms is None or unit is None or not isinstance(piece, Piece):
            continue
        if not arms.blast:
            chosen.append(option.id)
        else:
            won = odds.on_target(arms) * blast(look, arms, piece.at)
            charges[option.id] = won - is_vest(arms) * odds.price(unit)
    best = max(charges, key=lambda id: charges[id], default="")
    return [*chosen, best] if best and charges[best] > 0 else chosen


def is_vest(arms: Arms) -> bool:
    """Tell if a weapon takes its bearer with it."""
    return bool(arms.blast) and not arms.range and not arms.hit and "once" in arms.traits


def bomb(look: Look, unit: Seen, at: Point) -> float:
    """Return what a vehicle that is a bomb wins by going off at a place, less itself; 0 of all others."""
    if "bomb" not in unit.card.has:
        return 0.0
    return blast(look, BOMB, at) + _hurt(look, BOMB, unit, at) * (dist(unit.lead, at) <= BOMB.blast) - unit.card.points
