"""Moves that are carried out: by shares of the lead's way, under the eyes of the enemy (AE-MOVE-01, AE-OVER-02)."""

from __future__ import annotations

from typing import Final

from engine.kit.interrupted_moves import walk
from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules import alarm, hiding, planning, reactions, stands, surrender, traits, ways
from engine.rulesets.apocalypse_earth.state.lasting import March
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.state.turn_events import MarchBegun, MarchEnded, MarchGone
from engine.space.terrain.contact import Base
from engine.space.vectors.paths import all_at_share, path_length, path_until
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId

SCAN: Final = 25
"""Hundredths of the lead's way between the places at which hidden enemies are looked for."""


@implements("AE-MOVE-01", "AE-OVER-02")
async def carry_out(game: Game[Battle], march: March, *, quiet: bool = False) -> bool:
    """Move a unit along its declared ways: all enemies concerned are asked, hidden ones are met on the way, and those
    fire who said so. Return True where the unit came to its end and is not suppressed. `quiet`: nobody reacts."""
    game.emit(MarchBegun(march))
    answers = reactions.NONE if quiet else await reactions.ask(game)
    length = max(1, path_length(march.way))
    met = _meetings(game.state, march, length)
    reached, shown, fired = 0, False, set[GroupId]()

    def go(halt: int) -> bool:
        nonlocal reached
        unit = game.state.units[march.unit]
        if not unit.figures or unit.suppressed:
            return False
        places = _places(game.state, march, halt, length)
        if shown and not _is_legal(game.state, march, places):
            return False
        game.emit(MarchGone(march.unit, places))
        reached = halt
        return True

    async def meet(halt: int) -> None:
        nonlocal shown
        for id in met.get(halt, ()):
            hiding.reveal(game, id, "met")
            shown = True
        await reactions.meet(game, answers, halt, fired)

    arrived = await walk({length, *met, *answers.halts}, go, meet)
    spent = _spent(game.state, march, reached, length)
    game.emit(MarchEnded(march.unit, spent))
    unit = game.state.units[march.unit]
    if unit.suppressed and unit.figures:
        planning.into_cover(game, march, spent)
    surrender.look(game)
    alarm.look(game)
    reactions.remember(game, answers)
    unit = game.state.units[march.unit]
    return arrived and bool(unit.figures) and not unit.suppressed


def _places(state: Battle, march: March, part: int, whole: int) -> dict[FigureId, Point]:
    """Return where the living figures of a march stand when all have covered that share of their ways."""
    ways_left = {id: march.ways[id] for id in state.units[march.unit].figures}
    return all_at_share(ways_left, part, whole)


@implements("AE-SETUP-04")
def _meetings(state: Battle, march: March, length: int) -> dict[int, list[GroupId]]:
    """Return the hidden enemies that come to light on a march, by the distance along the lead's way at which they
    do."""
    unit = state.units[march.unit]
    hidden = {one.id for one in state.standing() if one.hidden and state.hostile(one.owner, unit.owner)}
    found: dict[int, list[GroupId]] = {}
    for part in (*range(SCAN, length, SCAN), length) if hidden else ():
        bases = [Base(id, at, traits.RADIUS) for id, at in _places(state, march, part, length).items()]
        for id in hiding.met_by(state, unit.owner, bases):
            if id in hidden:
                hidden.remove(id)
                found.setdefault(part, []).append(id)
    return found


@implements("AE-SETUP-04", "AE-MOVE-01")
def _is_legal(state: Battle, march: March, places: dict[FigureId, Point]) -> bool:
    """Tell if a move may go on to these places, now that a hidden enemy has come to light."""
    unit = state.units[march.unit]
    room = stands.StandRoom(state, unit, (march.target,))
    return not any(room.barred(state.figures[id].at, at, march.ways[id][0]) for id, at in places.items())


def _spent(state: Battle, march: March, part: int, whole: int) -> dict[FigureId, int]:
    """Return what the ways of the living figures have cost so far."""
    unit = state.units[march.unit]
    return {
        id: ways.cost(state, unit, path_until(march.ways[id], path_length(march.ways[id]) * part // whole))
        for id in unit.figures
    }
