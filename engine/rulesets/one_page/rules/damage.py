"""Damage to Vehicles and Walkers: the damage table, by the side that is hit (OP-VEH-05 to -07)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.one_page.rules import traits
from engine.rulesets.one_page.state.events import DamageRolled, Shaken, Tracked, Wounded
from engine.rulesets.one_page.state.state import Battle
from engine.space.vectors.arcs import quarters
from engine.space.vectors.points import Point
from protocol.ids import GroupId

DAMAGE: Final = "op.dice.damage"
GLANCED: Final = 2
SHAKEN: Final = 4


@implements("OP-VEH-06")
def side_hit(at: Point, facing: int, attacker: Point) -> str:
    """Return "front", "side" or "rear": the quarter of 90 degrees about its axis from which the attacking leader
    comes."""
    sides = quarters(at, facing, attacker)
    return next((side for side in ("front", "rear") if side in sides), "side")


@implements("OP-VEH-05", "OP-VEH-06")
def roll(game: Game[Battle], unit: GroupId, side: str) -> int:
    """Roll for damage and return the face that counts: the lower of two dice in front, the higher behind, one die at
    the side."""
    seat = Seat(game.state.units[unit].owner)
    roll = game.roll(Pool(1 if side == "side" else 2), DAMAGE, Seat(game.state.foe(seat)))
    face = max(roll.faces) if side == "rear" else min(roll.faces)
    game.emit(DamageRolled(unit, side, roll.id, face))
    return face


@implements("OP-VEH-06")
def chance_above(face: int, side: str) -> Fraction:
    """Return the chance that the face that counts is a higher one."""
    one = Fraction(6 - face, 6)
    if side == "side":
        return one
    return 1 - (1 - one) ** 2 if side == "rear" else one**2


@implements("OP-VEH-05", "OP-VEH-07")
def wound_machine(game: Game[Battle], id: GroupId, wounds: int, side: str) -> int:
    """Apply wounds to a machine one by one, each with a damage roll except the one that destroys it. Return the wounds
    taken, with those of being Tracked again; the caller removes it."""
    figure = game.state.units[id].leader
    taken, waiting = 0, wounds
    while waiting:
        waiting -= 1
        taken += 1
        game.emit(Wounded(id, {figure: 1}))
        if traits.life(game.state, game.state.figures[figure]) <= 0:
            break
        waiting += _damage(game, id, side)
    return taken + waiting


@implements("OP-VEH-05", "OP-VEH-07")
def _damage(game: Game[Battle], id: GroupId, side: str) -> int:
    """Roll once on the damage table and return how many more wounds it brings."""
    face, tracked = roll(game, id, side), game.state.units[id].tracked
    if face <= SHAKEN:
        if face > GLANCED:
            game.emit(Shaken(id, 2 if game.state.acts == id else 1))
        return 0
    if not tracked:
        game.emit(Tracked(id))
    return int(tracked)
