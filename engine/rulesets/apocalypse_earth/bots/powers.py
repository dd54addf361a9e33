"""Psychic powers as a bot weighs them: what each wins once it works, in points, and the attempts that pay."""

from __future__ import annotations

from math import dist
from typing import Final

from engine.core.bots.bot import BotView
from engine.kit.bots.chooser import Idea
from engine.kit.bots.look import offers, options_of
from engine.rulesets.apocalypse_earth.bots import explosives, odds
from engine.rulesets.apocalypse_earth.bots.look import Arms, Look, Seen
from protocol.ids import NodeId
from protocol.scene.fields import Option
from protocol.scene.nodes import Choice, Piece, Reply

BACKLASH: Final = 1 / 18
"""Chance that a power takes the psychic who tries it."""
CHECKS: Final = {"dread": 1 / 3, "word_of_command": 11 / 36}
"""Chance that a unit fails the check that a power calls for."""
STONE: Final = Arms("hurled_stone", 1, 2400, 2, 0, 8, 1, 0, 0, frozenset())
"""Hurled stones, as many as they are on average."""
FLAME: Final = Arms("pyre", 1, 1800, 1, 0, 4, 1, 300, 2, frozenset({"fire"}))
SOFTER: Final = 0.5
"""Share of fire that is lost to one point more on the number to hit."""
TOGETHER: Final = 0.5
"""Share of what could be fired that is, by overwatch."""
STRONGER: Final = 2
"""Added to the close combat rating by Frenzy."""
FARTHEST: Final = 600
"""Distance by which a charge goes farther than a move."""
CALL: Final = 6.0
"""Worth of a call of fire support that somebody may make, or not make, in a turn."""
LASTING: Final = frozenset({"fog_of_mind", "shroud", "frenzy", "far_voice", "foresight"})
"""Powers of which nothing is to be seen at once."""


async def ideas(view: BotView, look: Look, choices: dict[str, Choice], unit: Seen, least: float) -> list[Idea]:
    """Return attempts that win more than `least` beside the fire that may follow: by their chance to work, less the
    psychic whom they may strike."""
    found: list[Idea] = []
    for choice in ("power", "pyre"):
        if unit.id not in options_of(choices.get(choice)):
            continue
        for option in await offers(view, choice, {"unit": [unit.id]}):
            about: dict[str, object] = {"unit": [unit.id], "power": option.id}
            if choice == "pyre":
                found += _flames(look, unit, option, about)
            elif any(worth(look, option.id, other) > least for other in look.units.values()):
                for target in look.among([one.id for one in await offers(view, "power", about)]):
                    won = _tried(option, unit, worth(look, option.id, target))
                    found.append(Idea(won, Reply("power", about | {"target": [target.id]})))
    return [idea for idea in found if idea.worth > least]


def _tried(option: Option, unit: Seen, won: float) -> float:
    """Return what an attempt wins on average."""
    return max(0, 7 - option.numbers.get("need", 7)) / 6 * won - BACKLASH * odds.price(unit)


def _flames(look: Look, unit: Seen, option: Option, about: dict[str, object]) -> list[Idea]:
    """Return a Pyre where it burns most."""
    near = [at for enemy in look.enemies for at in enemy.places if dist(at, unit.lead) <= FLAME.range]
    if not near:
        return []
    best = max(near, key=lambda at: explosives.blast(look, FLAME, at))
    won = _tried(option, unit, explosives.blast(look, FLAME, best))
    return [Idea(won, Reply("pyre", about | {"at": list(best)}))] if look.sees(unit.lead, best) else []


def worth(look: Look, id: str, target: Seen) -> float:
    """Return the points that a power wins on average at a target that suits it."""
    left = len(target.places) * odds.price(target)
    steady = "suppressed" not in target.status and not target.card.drives
    match id:
        case "dread" | "word_of_command":
            return CHECKS[id] * odds.QUIET * left * steady
        case "iron_faith":
            return odds.QUIET * left * ("suppressed" in target.status)
        case "hurled_stone":
            return odds.worth(target, STONE.shots * odds.pierces(STONE, target.card))
        case "break_steel":
            return odds.worth(target, 1.0)
        case "fog_of_mind":
            return SOFTER * max((odds.threat(look, target, friend) for friend in look.friends), default=0.0)
        case "shroud":
            return SOFTER * max((odds.threat(look, enemy, target) for enemy in look.enemies), default=0.0)
        case "frenzy":
            return _frenzy(look, target)
        case "foresight":
            return TOGETHER * odds.best_shot(look, target)
        case "far_voice":
            return CALL * _is_heard(look, target)
        case "puppet":
            return _puppet(look, target)
    return 0.0


def _frenzy(look: Look, target: Seen) -> float:
    """Return what a unit that may still charge wins more by it under Frenzy."""
    if {"done", "fired", "engaged", "suppressed"} & target.status or target.card.drives:
        return 0.0
    wild = target._replace(card=target.card._replace(ccr=target.card.ccr + STRONGER))
    near = [enemy for enemy in look.enemies if target.distance(enemy) < target.card.move + FARTHEST]
    gains = [(odds.charge(one, enemy, look.cover(enemy.lead)) for one in (wild, target)) for enemy in near]
    return max((after - max(0.0, before) for after, before in gains), default=0.0)


def _puppet(look: Look, target: Seen) -> float:
    """Return what one figure of a unit does to the others with its first weapon."""
    guns = [arms for arms in target.card.arms if arms.range and arms.shots][:1]
    armed = target._replace(card=target.card._replace(arms=tuple([gun._replace(number=1) for gun in guns])))
    share = target.card.figures / max(1, len(target.places))
    return odds.worth(target, share * odds.fire(armed, target, 0, look.cover(target.lead)))


def _is_heard(look: Look, target: Seen) -> bool:
    """Tell if Far voice changes what a unit can call: an enemy's set falls silent while its side has cards, or the
    officers of a force that has cards and no set any more call without one."""
    if NodeId(f"pile/support.{target.owner}") not in look.nodes:
        return False
    pieces = [one for one in look.nodes.values() if isinstance(one, Piece) and one.owner == target.owner]
    return any(one.glyph == "radio" for one in pieces) == (target.owner != look.view.seat)
