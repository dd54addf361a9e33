"""Formations: legal places for the models of a unit, clear of other units and of closed ground."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from engine.kit.board.board import BOARD, kept
from engine.kit.board.formations import Cluster, Coherency, LeadRoom, cluster, first_stand
from engine.kit.rules import IllegalIntent, forbid, implements
from engine.rulesets.one_page.rules import ground, traits
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.state import TABLE, Battle, Unit
from engine.space.placement.coherency import Fits
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea
from engine.space.terrain.gaps import shapes_gap
from engine.space.vectors.lattice import places_near
from engine.space.vectors.points import Box, Point, boxes_meet
from protocol.ids import FigureId

SPREAD: Final = 600
"""OP-MOVE-02: greatest distance of a model from the leader."""
FARTHEST: Final = 2 * SPREAD
"""Greatest reach of a unit's bases from its leader's place."""
LINK: Final = 100
"""OP-MOVE-02: greatest distance from the next model."""
COHERENCY: Final = Coherency(SPREAD, LINK)
APART: Final = 100
"""OP-MOVE-03: least distance from other units."""
STEP: Final = 50
MOST_TRIED: Final = 40
"""Places of a leader around which room for the unit is looked for."""
REACH: Final = SPREAD + 1000
"""Greatest distance from their leader at which places for models are tried, with room to spare."""
WIDEST: Final = 700
"""Greatest distance at which the base of another unit is in the way."""


@kept(BOARD)
@implements("OP-OPEN-15")
def closed(state: Battle, unit: Unit) -> list[PreparedArea]:
    """Return the pieces that a unit may not enter: impassable, barred to its kind, or full. A flying unit passes over
    them, but does not end there either."""

    def is_closed(area: PreparedArea) -> bool:
        kind = ground.terrain(state, area.id)
        if kind.impassable or traits.profile(state, unit).kind in kind.bars:
            return True
        others = [other for other in state.standing() if other.id != unit.id] if kind.room else []
        taken = any(area.holds(model.at) for other in others for model in state.members(other))
        return taken or 0 < kind.room < len(unit.figures)

    return list(filter(is_closed, ground.scenery_of(state).areas))


def kept_clear(state: Battle, unit: Unit, contact: Collection[str] = (), *, strict: bool = False) -> list[Cluster]:
    """Return what a model of a unit keeps clear of, for each other unit: its bases with a gap of 1 inch, 0 for units in
    `contact`, and the present gap where it is already less (but not if `strict`)."""
    name = ("clear", tuple(sorted(contact)), strict)
    return state.board.get(
        name, (unit,), lambda: [_kept_by(state, *other) for other in _others(state, unit, contact, strict=strict)]
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
        # the boxes around the two come nearer than that
        if own and boxes_meet(_kept_by(state, own, 0).box, _kept_by(state, theirs, APART).box):
            apart = min(apart, shapes_gap(own, theirs))
        yield theirs, apart


def _kept_by(state: Battle, bases: Sequence[Base], apart: int) -> Cluster:
    """Put in a box what is kept clear of a unit; once while it stands where it does."""

    return state.resolved.memo.get(
        ("cluster", apart), (bases,), lambda: cluster([(*base.at, base.radius + apart) for base in bases])
    )


class FormationRoom(LeadRoom):
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
        within: Box | None = None,
    ) -> None:
        scenery, barred = ground.scenery_of(state), list(closed(state, unit))
        if dry:
            known = {area.id for area in barred}
            barred += [a for a in scenery.areas if a.id not in known and ground.terrain(state, a.id).cover]
        clear = kept_clear(state, unit, contact, strict=strict)
        flies = traits.has(state, unit, rules.FLYING)
        super().__init__(scenery, lead, barred, clear, reach + WIDEST, flies=flies, within=within)

    def keep_off(self, state: Battle, seat: int, distance: int) -> None:
        """Close all places nearer than `distance` to an enemy of the seat."""
        self.clear += [_kept_by(state, traits.bases(state, unit), distance) for unit in state.enemies(seat)]


@implements("OP-MOVE-02")
def formed(
    state: Battle, unit: Unit, lead: Point, fits: Fits, pull: Collection[Point] = ()
) -> dict[FigureId, Point] | None:
    """Return a place for every model around the leader; None where there is no room for all."""
    first, *others = [Base(figure.id, lead, traits.radius(state, figure)) for figure in state.members(unit)]
    found = COHERENCY.around(first, [(base.id, base.radius) for base in others], fits, pull)
    return found if len(found) > len(others) else None


@implements("OP-MOVE-02", "OP-MOVE-03")
def check_places(state: Battle, unit: Unit, places: Mapping[FigureId, Point], room: FormationRoom) -> None:
    """Check that the models may stand at these places. Raises IllegalIntent."""
    forbid(set(places) != set(unit.figures), "place/models")
    placed = [Base(id, places[id], traits.radius(state, state.figures[id])) for id in unit.figures]
    fault, model = COHERENCY.fault(placed, room.fault)
    told = {} if fault in ("overlap", "formation") else {"model": names.model(state, model)}
    if fault:
        raise IllegalIntent(f"place/{fault}", **told).showing(at=places[model])


def settled(
    state: Battle, unit: Unit, lead: Point, places: Mapping[FigureId, Point], room: FormationRoom | None = None
) -> dict[FigureId, Point]:
    """Return the places that a player chose, checked, or the default ones without any. Raises IllegalIntent. `room`: if
    it is not that around the leader."""
    room = room or FormationRoom(state, unit, lead)
    if places:
        chosen = {**places, unit.leader: lead}
        check_places(state, unit, chosen, room)
        return chosen
    found = formed(state, unit, lead, room.fits)
    if found is None:
        raise IllegalIntent("place/no-room").showing(at=lead)
    return found


def nearest_stand(
    state: Battle, unit: Unit, wish: Point, farthest: int, *, strict: bool = False, step: int = STEP
) -> dict[FigureId, Point] | None:
    """Return places for the whole unit with its leader as near as possible to a wished place; None where nothing is
    free."""
    wide = FormationRoom(state, unit, wish, strict=strict, reach=farthest + REACH)
    free = wide.leads_at(places_near(wish, step, farthest), traits.radius(state, state.leader(unit)))

    def stand(p: Point) -> dict[FigureId, Point] | None:
        return formed(state, unit, p, FormationRoom(state, unit, p, strict=strict).fits)

    return first_stand(free, stand, MOST_TRIED)


@implements("OP-SHOOT-04")
def closed_up(state: Battle, unit: Unit) -> dict[FigureId, Point]:
    """Return new places of those models that have lost touch with their leader; the others stay."""
    models = traits.bases(state, unit)
    return COHERENCY.closed_up(models, FormationRoom(state, unit, models[0].at).fits)
