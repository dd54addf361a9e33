"""Formations: legal places for the models of a unit, clear of other units and of closed ground."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.implements import implements
from engine.rulesets.one_page.rules import ground, traits
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.state import TABLE, Battle, Unit
from engine.space.placement.coherency import Fits, gather, strayed
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea
from engine.space.terrain.gaps import shapes_gap
from engine.space.vectors.lattice import nearest_place
from engine.space.vectors.outlines import place_near_outline
from engine.space.vectors.points import Box, Point, box_around, boxes_meet, in_box, squared, widened
from protocol.ids import FigureId
from protocol.text import Text

SPREAD: Final = 600
"""OP-MOVE-02: greatest distance of a model from the leader."""
FARTHEST: Final = 2 * SPREAD
"""Greatest reach of a unit's bases from its leader's place."""
LINK: Final = 100
"""OP-MOVE-02: greatest distance from the next model."""
APART: Final = 100
"""OP-MOVE-03: least distance from other units."""
STEP: Final = 50
REACH: Final = SPREAD + 1000
"""Greatest distance from their leader at which places for models are tried, with room to spare."""
WIDEST: Final = 700
"""Greatest distance at which the base of another unit is in the way."""


def closed(state: Battle, unit: Unit) -> list[PreparedArea]:
    """Return the pieces that a unit may not enter: impassable, barred to its kind, or full."""
    return state.board.get("closed", (unit,), lambda: _closed(state, unit))


@implements("OP-OPEN-15")
def _closed(state: Battle, unit: Unit) -> list[PreparedArea]:
    found: list[PreparedArea] = []
    for area in ground.scenery_of(state).areas:
        room = ground.terrain(state, area.id).room
        if ground.is_closed(state, area, unit) or (room and _is_taken(state, area, unit, room)):
            found.append(area)
    return found


def _is_taken(state: Battle, area: PreparedArea, unit: Unit, room: int) -> bool:
    others = (other for other in state.standing() if other.id != unit.id)
    return len(unit.figures) > room or any(area.holds(f.at) for other in others for f in state.models(other))


def kept_clear(
    state: Battle, unit: Unit, contact: Collection[str] = (), *, strict: bool = False
) -> list[tuple[Base, int]]:
    """Return the bases of all other units, each with the gap in hundredths that a model of this unit keeps: 1 inch, 0
    for units in `contact`, and the present gap where it is already less (but not if `strict`)."""
    name = ("clear", tuple(sorted(contact)), strict)
    return state.board.get(
        name,
        (unit,),
        lambda: [(base, apart) for bases, apart in _others(state, unit, contact, strict=strict) for base in bases],
    )


@implements("OP-MOVE-03")
def _others(
    state: Battle, unit: Unit, contact: Collection[str], *, strict: bool
) -> Iterator[tuple[Sequence[Base], int]]:
    """Give the bases of each other unit, and how far off them a model of this one stays."""
    own = traits.bases(state, unit) if unit.where == TABLE and not strict else []
    for other in state.standing():
        if other.id == unit.id:
            continue
        theirs = traits.bases(state, other)
        apart = 0 if other.id in contact else APART
        if own and apart and _is_near(own, theirs):
            apart = min(apart, shapes_gap(own, theirs))
        yield theirs, apart


class Cluster(NamedTuple):
    """Discs that no base may meet (x, y and reach, in hundredths of an inch), and the box around them all."""

    box: Box
    discs: list[tuple[int, int, int]]


def cluster(discs: list[tuple[int, int, int]]) -> Cluster:
    """Put one disc or more in a box."""
    left, bottom, right, top = zip(*[box_around((x, y), reach) for x, y, reach in discs], strict=True)
    return Cluster((min(left), min(bottom), max(right), max(top)), discs)


def _kept_by(state: Battle, bases: Sequence[Base], apart: int) -> Cluster:
    """Put in a box what is kept clear of a unit; once while it stands where it does."""

    def found() -> Cluster:
        return cluster([(*base.at, base.radius + apart) for base in bases])

    return state.resolved.memo.get(("cluster", apart), (bases,), found)


def _clusters(state: Battle, unit: Unit, contact: Collection[str], *, strict: bool) -> list[Cluster]:
    """Give what is kept clear of each other unit; made once for all places that are tried."""
    name = ("clusters", tuple(sorted(contact)), strict)
    return state.board.get(
        name, (unit,), lambda: [_kept_by(state, *other) for other in _others(state, unit, contact, strict=strict)]
    )


def _is_near(own: Sequence[Base], theirs: Sequence[Base]) -> bool:
    reach = 2 * (SPREAD + 2 * APART) + 2 * (own[0].radius + theirs[0].radius)
    return squared(own[0].at, theirs[0].at) < reach**2


class FormationRoom:
    """Legal places for the models of one unit around its leader, up to `reach` away. `dry`: pieces of cover are closed
    too (an Assault)."""

    def __init__(
        self,
        state: Battle,
        unit: Unit,
        lead: Point,
        contact: Collection[str] = (),
        *,
        dry: bool = False,
        strict: bool = False,
        reach: int = REACH,
    ) -> None:
        self.scenery = ground.scenery_of(state)
        self.lead = lead
        self.flies = traits.has(state, unit, rules.FLYING)
        self.closed = list(closed(state, unit))
        if dry:
            known = {area.id for area in self.closed}
            self.closed += [a for a in self.scenery.areas if a.id not in known and ground.terrain(state, a.id).cover]
        near = box_around(lead, reach + WIDEST)
        self.clear = [one for one in _clusters(state, unit, contact, strict=strict) if boxes_meet(one.box, near)]

    def keep_off(self, state: Battle, seat: int, distance: int) -> None:
        """Close all places nearer than `distance` to an enemy of the seat."""
        for unit in state.standing():
            if unit.owner != seat:
                self.clear.append(_kept_by(state, traits.bases(state, unit), distance))

    def fault(self, p: Point, radius: int) -> str:
        """Return the code of the reason why no base of this size may stand there; "" where it may."""
        if not self.scenery.has_disc(p, radius):
            return "off-table"
        x, y = p
        for (left, bottom, right, top), discs in self.clear:
            if left - radius < x < right + radius and bottom - radius < y < top + radius:
                for bx, by, apart in discs:
                    if (x - bx) * (x - bx) + (y - by) * (y - by) < (apart + radius) ** 2:
                        return "too-near"
        for area in self.closed:
            if in_box(p, widened(area.box, radius)) and place_near_outline(p, area.outline, radius):
                return "impassable"
            if p != self.lead and not self.flies and area.pierced_by(self.lead, p):
                return "beyond-obstacle"
        if any(barrier.near(p, 1) for barrier in self.scenery.barriers):
            return "on-barrier"
        return ""

    def fits(self, p: Point, radius: int) -> bool:
        """Tell if a base of this size may stand there."""
        return not self.fault(p, radius)


@implements("OP-MOVE-02")
def formed(
    state: Battle, unit: Unit, lead: Point, fits: Fits, pull: Collection[Point] = ()
) -> dict[FigureId, Point] | None:
    """Return a place for every model around the leader; None where there is no room for all."""
    models = state.models(unit)
    first = Base(models[0].id, lead, traits.radius(state, models[0]))
    others = [(figure.id, traits.radius(state, figure)) for figure in models[1:]]
    found = gather(first, others, fits, SPREAD, LINK, pull=pull)
    if len(found) < len(others):
        return None
    return {models[0].id: lead, **{base.id: base.at for base in found}}


@implements("OP-MOVE-02", "OP-MOVE-03")
def check_places(state: Battle, unit: Unit, places: Mapping[FigureId, Point], room: FormationRoom) -> None:
    """Check that the models may stand at these places. Raises IllegalIntent."""
    if set(places) != set(unit.figures):
        raise IllegalIntent("place/models")
    placed = [Base(id, places[id], traits.radius(state, state.figures[id])) for id in unit.figures]
    for number, base in enumerate(placed):
        reason = room.fault(base.at, base.radius)
        if reason:
            raise IllegalIntent(
                f"place/{reason}", Text(f"refuse.place/{reason}", {"model": names.model(state, base.id)})
            )
        if any(squared(base.at, other.at) < (base.radius + other.radius) ** 2 for other in placed[:number]):
            raise IllegalIntent("place/overlap")
    if strayed(placed[0], placed[1:], SPREAD, LINK) is not None:
        raise IllegalIntent("place/formation")


def settled(
    state: Battle,
    unit: Unit,
    lead: Point,
    room: FormationRoom,
    places: Mapping[FigureId, Point],
    pull: Collection[Point] = (),
) -> dict[FigureId, Point]:
    """Return the places that a player chose, checked, or the default ones without any. Raises IllegalIntent."""
    if places:
        chosen = {**places, unit.leader: lead}
        check_places(state, unit, chosen, room)
        return chosen
    found = formed(state, unit, lead, room.fits, pull)
    if found is None:
        raise IllegalIntent("place/no-room")
    return found


def nearest_stand(
    state: Battle, unit: Unit, wish: Point, farthest: int, *, strict: bool = False, step: int = STEP
) -> dict[FigureId, Point] | None:
    """Return places for the whole unit with its leader as near as possible to a wished place; None where nothing is
    free."""
    radius = traits.radius(state, state.leader(unit))
    found: dict[FigureId, Point] = {}
    tries = [40]
    # most places are refused for the leader alone, so test that before making room for the unit
    wide = FormationRoom(state, unit, wish, strict=strict, reach=farthest + REACH)

    def stands(p: Point) -> bool:
        wide.lead = p
        if wide.fault(p, radius):
            return False
        tries[0] -= 1
        places = formed(state, unit, p, FormationRoom(state, unit, p, strict=strict).fits)
        found.update(places or {})
        return places is not None or not tries[0]

    nearest_place(wish, stands, step, farthest)
    return found or None


@implements("OP-SHOOT-04")
def closed_up(state: Battle, unit: Unit) -> dict[FigureId, Point]:
    """Return new places of those models that have lost touch with their leader; the others stay."""
    models = traits.bases(state, unit)
    lead, rest = models[0], models[1:]
    loose: list[tuple[FigureId, int]] = []
    for _ in models:
        away = strayed(lead, rest, SPREAD, LINK)
        if away is None:
            break
        base = next(base for base in rest if base.id == away)
        loose.append((away, base.radius))
        rest.remove(base)
    room = FormationRoom(state, unit, lead.at)
    return {base.id: base.at for base in gather(lead, loose, room.fits, SPREAD, LINK, rest)}
