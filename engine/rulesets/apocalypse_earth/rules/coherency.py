"""Coherency of the figures of a unit, and checks of those that are out of it (AE-COH-02, AE-COH-03)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.kit.rules import Game, IllegalIntent, implements
from engine.rulesets.apocalypse_earth.rules import command, experience, morale, stands, traits
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.terrain.contact import Base, gap
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId


@implements("AE-COH-02")
def out_of_chain(state: Battle, unit: Unit, places: Mapping[FigureId, Point] | None = None) -> tuple[FigureId, ...]:
    """Return the figures of a unit that no chain of links leads to from its leader, at these places or where they
    stand."""
    return stands.loose(state, unit, places or {figure.id: figure.at for figure in state.members(unit)})


@implements("AE-COH-03")
def check_move(state: Battle, unit: Unit, places: Mapping[FigureId, Point]) -> None:
    """Check the end of a move: within the distances of command where the unit began so, and, of troops that do not
    check, each figure in coherency or nearer to its chain. Raises IllegalIntent."""
    if command.strays(state, unit, places[unit.leader]):
        raise IllegalIntent("move/command").showing(at=places[unit.leader])
    if experience.checks_coherency(state, unit):
        return
    now = set(out_of_chain(state, unit))
    for figure in out_of_chain(state, unit, places):
        if figure not in now or not _comes_nearer(state, unit, places, figure):
            raise IllegalIntent("place/chain", figure=names.figure(state, figure)).showing(at=places[figure])


def _comes_nearer(state: Battle, unit: Unit, places: Mapping[FigureId, Point], figure: FigureId) -> bool:
    """Tell if a figure that is out of coherency ends its move nearer to the rest of its unit."""

    def nearest(at: Mapping[FigureId, Point]) -> int:
        own = Base(figure, at[figure], traits.RADIUS)
        return min(gap(own, Base(id, at[id], traits.RADIUS)) for id in unit.figures if id != figure)

    return nearest(places) < nearest({one.id: one.at for one in state.members(unit)})


@implements("AE-COH-03", "AE-MOR-02")
def check_figures(game: Game[Battle], id: GroupId) -> None:
    """Check the morale of each figure that is out of coherency at the end of its unit's move."""
    unit = game.state.units[id]
    if unit.figures and experience.checks_coherency(game.state, unit):
        for figure in out_of_chain(game.state, unit):
            if not game.state.figures[figure].shaken:
                morale.check_figure(game, figure)
