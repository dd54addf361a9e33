"""Repairs of vehicles by mechanics, in the administration phase (AE-VEH-05)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.rules.questions import pick_one
from engine.kit.pools import DieTest
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules.table import hulls, sighting, traits
from engine.rulesets.apocalypse_earth.rules.turns import officers
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.state import ABOARD, TABLE, Battle, Figure, Unit
from engine.rulesets.apocalypse_earth.state.vehicle_events import RepairTried
from engine.space.terrain.contact import TOUCH
from engine.space.terrain.gaps import shape_gap
from protocol.ids import GroupId
from protocol.scene.fields import Option
from protocol.text import Text, text

REPAIR: Final = "ae.repair"
DICE: Final = "ae.dice.repair"
NONE: Final = "none"
WORKS: Final = DieTest(6)
Piece = tuple[GroupId, str]
"""A vehicle, and one piece of its damage."""


@implements("AE-VEH-05")
def in_reach(state: Battle, unit: Unit, mechanic: Figure) -> Iterator[Piece]:
    """Yield the damage that a mechanic may try to repair: of vehicles of its own seat, in contact or around it; none
    where its unit has moved or fired in this turn, or has gone on overwatch."""
    busy = unit.fired or unit.overwatch or (unit.acted and unit.moved) or not officers.is_free(state, unit)
    for other in state.own(unit.owner) if not busy else ():
        if other.where != TABLE or not traits.drives(state, other):
            continue
        hull, own = hulls.base_of(state, other).outline(), sighting.shape(state, mechanic)
        is_there = other.id == unit.vessel if unit.where == ABOARD else shape_gap(own, hull) < TOUCH
        for code in other.hull.codes if is_there else ():
            damage = state.resolved.codes.get(_kind(code))
            if damage is not None and damage.repairable:  # a psychic who has fallen is no part of the vehicle
                yield other.id, code


@implements("AE-VEH-05")
async def repair_all(game: Game[Battle]) -> None:
    """Let each mechanic try one piece of damage, each piece once in a turn, where the table plays with repairs."""
    tried: set[Piece] = set()
    if not game.state.resolved.options.repairs:
        return
    for unit in game.state.in_order():
        for id in traits.bearers(game.state, unit, profiles.MECHANIC) if unit.where in (TABLE, ABOARD) else ():
            found = in_reach(game.state, game.state.units[unit.id], game.state.figures[id])
            pieces = {f"{vehicle}:{code}": (vehicle, code) for vehicle, code in found if (vehicle, code) not in tried}
            if pieces:
                piece = pieces.get(await _chosen(game, Seat(unit.owner), pieces))
                if piece is not None:
                    tried.add(piece)
                    repaired = WORKS.succeeds(game, Seat(unit.owner), DICE)
                    game.emit(RepairTried(*piece, repaired))


async def _chosen(game: Game[Battle], seat: Seat, pieces: dict[str, Piece]) -> str:
    """Ask which piece a mechanic tries: by default what stops the vehicle, then its main weapon."""
    options = [
        Option(
            key, text("ae.repair.piece", unit=names.unit(game.state, vehicle), damage=Text(f"ae.damage.{_kind(code)}"))
        )
        for key, (vehicle, code) in pieces.items()
    ]
    kinds = {key: _kind(code) for key, (_, code) in pieces.items()}
    usual = min(kinds, key=lambda key: (kinds[key] not in hulls.STOPS, kinds[key] != "wpn"))
    ask = pick_one(text("ae.ask.repair"), [*options, Option(NONE, text("ae.repair.none"))], usual, "AE-VEH-05")
    return await game.ask(seat, ask, REPAIR)


def _kind(code: str) -> str:
    """Return a damage code without the weapon."""
    return code.partition("/")[0]
