"""Officers, radio operators and medics (AE-OPEN-26, AE-SUPPORT-02)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.kit.pools import DieTest
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules.table import hulls, sighting, traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.state import ABOARD, TABLE, Battle, Figure, Unit
from engine.rulesets.apocalypse_earth.state.support_events import MedicTended
from engine.space.terrain.gaps import shape_gap
from protocol.ids import NO_FIGURE, FigureId, GroupId

NEAR: Final = 1200
"""Greatest distance at which an officer helps to rally."""
REACH: Final = 600
"""Greatest distance of a casualty from the medic who helps."""
MEDIC: Final = "ae.dice.medic"
ROLES: Final = (profiles.OFFICER, profiles.SECOND)
"""Abilities of those who may call fire support."""
SAVED: Final = DieTest(6)


def is_free(state: Battle, unit: Unit) -> bool:
    """Tell if those who serve in a unit can do their work: not suppressed or engaged."""
    return not unit.suppressed and state.combat_of(unit.id) is None


@implements("AE-SUPPORT-02", "AE-OPEN-26")
def callers(state: Battle, unit: Unit) -> list[Figure]:
    """Return the figures of a unit that may call fire support: officers and seconds in command, while its net works."""
    if not is_free(state, unit) or not has_net(state, unit):
        return []
    free = [figure for figure in state.members(unit) if not figure.shaken and figure.id not in state.busy]
    return [one for one in free if any(traits.figure_has(state, one, role) for role in ROLES)]


@implements("AE-SUPPORT-02", "AE-OPEN-26", "AE-OPEN-25")
def has_net(state: Battle, unit: Unit) -> bool:
    """Tell if the net of a unit works: by a radio operator or a set taken up, by the set of the vehicle that it is
    aboard, or by Far voice."""
    lasting = [effect.power for own in state.own(unit.owner) for effect in own.effects if not effect.once]
    if traits.FAR_VOICE in lasting:
        return True
    if unit.where == ABOARD:
        return hulls.is_radio(state, state.units[unit.vessel])
    return unit.where == TABLE and bool(radios(state, unit))


@implements("AE-OPEN-26", "AE-OPEN-25")
def radios(state: Battle, unit: Unit) -> list[FigureId]:
    """Return the figures of a unit that work a radio set now."""
    cut = {effect.figure for effect in unit.effects if effect.power == traits.FAR_VOICE and effect.once}
    able = [one for one in state.members(unit) if not (one.shaken or cut & {one.id, NO_FIGURE})]
    return [one.id for one in able if traits.figure_has(state, one, profiles.RADIO) or 0 < one.radio <= state.turn]


@implements("AE-OPEN-26")
def inspires(state: Battle, unit: Unit) -> bool:
    """Tell if an officer of a unit's force, or the second in command of one who has fallen, helps it to rally: near, in
    sight, and free."""
    return any(
        other.id != unit.id and is_free(state, other) and _is_near(state, other, unit)
        for other in state.own(unit.owner)
        if other.where == TABLE and not other.hidden
    )


def _is_near(state: Battle, other: Unit, unit: Unit) -> bool:
    found = traits.bearers(state, other, profiles.OFFICER) or traits.bearers(state, other, profiles.SECOND)
    return any(
        figure.id in found and shape_gap(one.seat, seen.seat) <= NEAR
        for one, seen, _ in (sighting.view(state, other, unit) if found else ())
        for figure in one.figures
    )


@implements("AE-OPEN-26")
def tend(game: Game[Battle], id: GroupId, figures: Sequence[FigureId]) -> list[FigureId]:
    """Let medics near by save the first casualty of the turn that fire causes: return those who still fall."""
    left = list(figures)
    for figure in figures:
        medic = _medic_for(game.state, game.state.units[id], game.state.figures[figure], left)
        if medic is not None:
            seat = Seat(game.state.units[id].owner)
            saved = SAVED.succeeds(game, seat, MEDIC)
            game.emit(MedicTended(id, medic.id, figure, saved))
            if saved:
                left.remove(figure)
    return left


def _medic_for(state: Battle, unit: Unit, figure: Figure, fallen: Sequence[FigureId]) -> Figure | None:
    """Return the medic who helps a figure: one of its force that is free, near, not a casualty, and has helped nobody
    in this turn."""
    if unit.where != TABLE or traits.drives(state, unit):
        return None
    place = sighting.shape(state, figure)
    free = [u for u in state.own(unit.owner) if u.where == TABLE and not u.hidden and is_free(state, u)]
    medics = [state.figures[id] for other in free for id in traits.bearers(state, other, profiles.MEDIC)]
    fresh = [one for one in medics if one.id not in fallen and one.tended != state.turn]
    return next((one for one in fresh if shape_gap(sighting.shape(state, one), place) <= REACH), None)
