"""Moves that are carried out under the eyes of the enemy: by shares of the ways of all figures (AE-MOVE-01,
AE-OVER-02)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.kit.interrupted_moves import walk
from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules.moves import planning, reactions
from engine.rulesets.apocalypse_earth.rules.table import hiding, meetings, stands, traits, ways
from engine.rulesets.apocalypse_earth.rules.turns import surrender, turns
from engine.rulesets.apocalypse_earth.state.lasting import LEAVES, March
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.rulesets.apocalypse_earth.state.turn_events import MarchBegun, MarchEnded, MarchGone
from engine.space.vectors.paths import all_at_share, path_length, path_until
from engine.space.vectors.points import Point
from protocol.ids import NO_GROUP, FigureId, GroupId

Cost = Callable[[Battle, Unit, Sequence[Point]], int]
"""A function that returns what a way costs a figure of a unit."""


@implements("AE-MOVE-01")
async def carry_out(game: Game[Battle], march: March, *, quiet: bool = False, cost: Cost = ways.cost) -> bool:
    """Move a unit along its declared ways. Return True where it came to its end and is not suppressed. `quiet`: nobody
    reacts; `cost`: of the part of a way that a figure has gone."""
    length, reached = max(1, path_length(march.way)), 0

    def living() -> dict[FigureId, tuple[Point, ...]]:
        return {id: march.ways[id] for id in game.state.units[march.unit].figures}

    def places(part: int) -> dict[FigureId, Point]:
        return all_at_share(living(), part, length)

    owner = game.state.units[march.unit].owner
    met = meetings.along(game.state, owner, length, lambda part: meetings.discs(places(part)))

    def go(halt: int) -> bool:
        nonlocal reached
        unit, ends = game.state.units[march.unit], places(halt)
        if not unit.figures or unit.suppressed:
            return False
        if reached >= min(met, default=length):
            room = stands.StandRoom(game.state, unit, (march.target,), leaves=march.how == LEAVES)
            if not meetings.goes_on(room, living(), (reached, halt), length):
                return False
        game.emit(MarchGone(march.unit, ends))
        reached = halt
        return True

    def spent() -> dict[FigureId, int]:
        unit, parts = game.state.units[march.unit], {id: path_length(way) for id, way in march.ways.items()}
        done = {id: path_until(march.ways[id], parts[id] * reached // length) for id in unit.figures}
        return {id: cost(game.state, unit, way) for id, way in done.items()}

    arrived = await watched(game, march, met, go, spent, quiet=quiet)
    unit = game.state.units[march.unit]
    return arrived and bool(unit.figures) and not unit.suppressed


@implements("AE-MOVE-01", "AE-OVER-02")
async def watched(
    game: Game[Battle],
    march: March,
    met: meetings.Meetings,
    go: Callable[[int], bool],
    spent: Callable[[], dict[FigureId, int]],
    *,
    quiet: bool = False,
) -> bool:
    """Carry out a declared move from halt to halt: all enemies concerned are asked, `go` moves on, hidden ones are met
    on the way, and those fire who said so. Return True where it came to its end. `spent`: what it has cost so far."""
    game.emit(MarchBegun(march))
    answers = reactions.NONE if quiet else await reactions.ask(game)
    fired, by = set[GroupId](), NO_GROUP

    async def meet(halt: int) -> None:
        nonlocal by
        for id in met.get(halt, ()):
            hiding.reveal(game, id, "met")
        by = await reactions.meet(game, answers, halt, fired)

    arrived = await walk({max(1, path_length(march.way)), *met, *answers.halts}, go, meet)
    cost = spent()
    game.emit(MarchEnded(march.unit, cost))
    unit = game.state.units[march.unit]
    if by and not traits.drives(game.state, unit):
        planning.into_cover(game, march, cost, by)
    surrender.look(game)
    turns.look_out(game)
    reactions.remember(game, answers)
    return arrived
