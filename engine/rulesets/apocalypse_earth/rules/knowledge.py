"""Knowledge of a seat: places of its enemies' hidden units, their overwatch and support cards are not in it
(AE-GEN-06)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.rules import hiding, zones
from engine.rulesets.apocalypse_earth.state.state import NOWHERE, Battle, Figure, Unit
from engine.space.vectors.points import Point, box_of
from protocol.ids import FigureId, GroupId

if TYPE_CHECKING:
    from engine.core.bots.random_bot import Chance

UNKNOWN = ""
"""A support card of another side."""
TRIES = 40


@implements("AE-GEN-06", "AE-SETUP-04")
def known(state: Battle, seat: Seat) -> Battle:
    """Return the state as a seat knows it: the same object for all seats of a side while nothing of it changes, and the
    state itself where nothing is hidden from them."""
    side = state.side(seat)
    find = state.resolved.memo.get
    units, figures = find(("known", side), (state.units, state.figures), partial(_known_units, state, seat))
    support = find(("cards", side), (state.support,), partial(_known_cards, state, seat))
    if units is state.units and support is state.support:
        return state
    return find(("state", side), (*state.parts,), lambda: replace(state, units=units, figures=figures, support=support))


def _known_units(state: Battle, seat: Seat) -> tuple[dict[GroupId, Unit], dict[FigureId, Figure]]:
    hidden = [unit for unit in state.units.values() if unit.hidden and state.hostile(unit.owner, seat)]
    if not hidden:
        return state.units, state.figures
    units = {**state.units, **{unit.id: replace(unit, overwatch=False) for unit in hidden}}
    lost = {figure.id: replace(figure, at=NOWHERE) for unit in hidden for figure in state.members(unit)}
    return units, {**state.figures, **lost}


def _known_cards(state: Battle, seat: Seat) -> tuple[tuple[str, ...], ...]:
    shown = tuple(
        [
            (UNKNOWN,) * len(cards) if state.hostile(other, seat) and not state.ended else cards
            for other, cards in enumerate(state.support)
        ]
    )
    return state.support if shown == state.support else shown


@implements("AE-GEN-06")
def imagine(known: Battle, chance: Chance) -> Battle:
    """Return a state that could be behind it: hidden units stand somewhere in their zone, in cover where there is any,
    and hold any cards."""
    figures = dict(known.figures)
    for unit in known.units.values():
        members = known.members(unit) if unit.hidden else []
        if members and members[0].at == NOWHERE:
            lead = _some_place(known, unit, chance)
            for n, figure in enumerate(members):
                figures[figure.id] = replace(figure, at=(lead[0] + n % 3 * 210, lead[1] + n // 3 * 210))
    cards = sorted(known.resolved.cards)
    support = tuple([tuple([card or chance.pick(cards) for card in own]) for own in known.support])
    return replace(known, figures=figures, support=support)


def _some_place(known: Battle, unit: Unit, chance: Chance) -> Point:
    """Return a place where a hidden unit might stand."""
    left, bottom, right, top = box_of(zones.zone_of(known, unit.owner).outline)
    at = left, bottom
    for _ in range(TRIES):
        at = (
            chance.pick(range(left, max(left + 1, right - 500))),
            chance.pick(range(bottom, max(bottom + 1, top - 500))),
        )
        if hiding.is_covered(known, at):
            return at
    return at
