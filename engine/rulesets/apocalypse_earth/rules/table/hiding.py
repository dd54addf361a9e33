"""Hidden units: which may hide, where, how they come to light, and what a seat knows (AE-SETUP-04, AE-GEN-06)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from engine.core.rules.audience import ALL, Audience, only
from engine.core.rules.sides import allies_of
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules.table import ground, traits, zones
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.setup_events import HidingPlace, UnitHid, UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import NOWHERE, Battle, Figure, Unit
from engine.space.terrain.contact import Base
from engine.space.terrain.gaps import point_gap
from engine.space.vectors.points import Point, box_around, box_of, boxes_meet, widened, within
from protocol.ids import FigureId, GroupId

if TYPE_CHECKING:
    from engine.core.bots.random_bot import Chance

BESIDE: Final = 200
"""Greatest distance of a base from a hedge, fence or wall that hides it."""
MET: Final = 300
"""An enemy figure that comes so near reveals a hidden one."""
UNKNOWN = ""
"""A support card of another side."""
TRIES = 40


@implements("AE-SETUP-04")
def may_hide(state: Battle, unit: Unit) -> bool:
    """Tell if a unit may be set up hidden at all: all infantry may."""
    return not traits.drives(state, unit) and state.resolved.scenario.seats[unit.owner].hides


@implements("AE-SETUP-04")
def hides_at(state: Battle, unit: Unit, places: Mapping[FigureId, Point]) -> bool:
    """Tell if a unit is hidden at these places: each figure in soft or hard cover, in the open only with Camouflage."""
    return all(
        traits.figure_has(state, state.figures[figure], profiles.CAMOUFLAGE) or is_covered(state, at)
        for figure, at in places.items()
    )


@implements("AE-SETUP-04")
def is_covered(state: Battle, at: Point) -> bool:
    """Tell if a place hides a figure: in a feature or building that gives cover, or beside a line that does."""
    table = ground.scenery_of(state)
    if any(_covers(state, area) for area in table.areas_at(at)):
        return True
    return any(barrier.near(at, traits.RADIUS + BESIDE + 1) for barrier in table.barriers)


def _covers(state: Battle, feature: str | int) -> bool:
    kind = ground.terrain(state, feature)
    return kind.building or kind.cover_throughout != "open"


def hide(game: Game[Battle], id: GroupId, places: dict[FigureId, Point]) -> None:
    """Put a unit on the table at places that its side alone knows."""
    seat = Seat(game.state.units[id].owner)
    game.emit_split(UnitHid(id), {seat: HidingPlace(seat, places)})


@implements("AE-SETUP-04")
def reveal(game: Game[Battle], id: GroupId, why: str) -> None:
    """Reveal a hidden unit; nothing happens to one that is not."""
    unit = game.state.units[id]
    if unit.hidden:
        places = {figure.id: figure.at for figure in game.state.members(unit)}
        game.emit(UnitRevealed(id, places, why, unit.overwatch))


@implements("AE-GEN-06")
def audience(unit: Unit) -> Audience:
    """Return those who may know of the dice for a unit under a template: of a hidden one its side alone."""
    return only(Seat(unit.owner)) if unit.hidden else ALL


@implements("AE-SETUP-04")
def met_by(state: Battle, seat: int, bases: Iterable[Base]) -> list[GroupId]:
    """Return the hidden enemy units that figures of a seat come too near to at these places, in the order of play."""
    movers, own = list(bases), allies_of(state.sides, seat)
    hidden = [unit for unit in state.in_order() if unit.hidden and unit.figures and unit.owner not in own]
    return [unit.id for unit in hidden if _is_met(state, unit, movers)]


def _is_met(state: Battle, unit: Unit, movers: Iterable[Base]) -> bool:
    places = [figure.at for figure in state.members(unit)]
    houses = [ground.house_at(state, at) for at in places]
    walls = {house.outline for house in houses if house is not None}
    around = widened(box_of([*places, *[corner for wall in walls for corner in wall]]), traits.RADIUS + MET)
    return any(
        any(point_gap(base.at, outline) <= base.radius + MET for outline in walls)
        or any(within(at, base.at, base.radius + traits.RADIUS + MET) for at in places)
        for base in movers
        if boxes_meet(box_around(base.at, base.radius), around)
    )


@implements("AE-GEN-06", "AE-SETUP-04")
def known(state: Battle, seat: Seat) -> Battle:
    """Return the state as a seat knows it: the same object for all seats of a side while nothing of it changes, and the
    state itself where nothing is hidden from them."""
    side = state.side(seat)
    find = state.resolved.memo.get
    units, figures = find(("known", side), (state.units, state.figures), partial(_known_units, state, seat))
    support = find(("cards", side), (state.support, state.ended), partial(_known_cards, state, seat))
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
        if is_covered(known, at):
            return at
    return at
