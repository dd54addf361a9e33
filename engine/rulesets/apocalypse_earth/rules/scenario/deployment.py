"""Deployment: units in their zone by hand or by default, hidden or not, infiltrators anywhere (AE-SETUP-03, -04)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.kit.blanks import facing, places, point
from engine.kit.board.place_fields import turned
from engine.kit.rules import Game, Gesture, IllegalIntent, Intent, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.table import ground, hiding, meetings, stands, traits, zones
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, others_at, pick, unit_of
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.setup_events import UnitKept, UnitPlaced, UnitSplit, teams_of
from engine.rulesets.apocalypse_earth.state.state import AWAY, INFILTRATE, Battle, Unit
from engine.space.terrain.contact import Base
from engine.space.terrain.footprints import BoxBase, Footprint, are_nearer
from engine.space.terrain.gaps import point_gap
from engine.space.vectors.headings import ANGLES
from engine.space.vectors.lattice import places_near
from engine.space.vectors.outlines import contains, outline_of, point_near_outline
from engine.space.vectors.points import Point, box_of, middle_of
from protocol.ids import NO_FIGURE, FigureId, GroupId
from protocol.scene.fields import Facing, PickPoint, Placement

FROM_ENEMIES: Final = 2400
"""AE-OPEN-07: infiltrators stand farther than this from enemies that are not hidden."""
NEAR: Final = 1000
"""AE-SCEN-02: so near one unit stands to each feature that its seat must watch."""
LARGE: Final = 300
"""Step of the places that are tried for a vehicle."""


class Deploy(UnitIntent, frozen=True, tag="ae.deploy"):
    """Deployment of a unit: its leader at `to`, the others around; `hidden`: at a place that its side alone knows."""

    to: Point
    hidden: bool = False
    facing: int = -1
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


class Split(UnitIntent, frozen=True, tag="ae.split"):
    """Split of a squad into fireteams."""


class DeployRest(Intent, frozen=True, tag="ae.deploy_rest"):
    """Placing of all remaining units by default."""


@implements("AE-SETUP-03", "AE-OPEN-07")
def infiltrates(state: Battle, unit: Unit) -> bool:
    """Tell if a unit is set up after both forces, anywhere far from the enemy."""
    return state.resolved.scenario.infiltrates and traits.all_have(state, unit, profiles.INFILTRATE)


def to_place(state: Battle, seat: int, *, late: bool = False) -> tuple[GroupId, ...]:
    """Return the units that a seat deploys in its zone, or those that come after both forces (`late`)."""
    away = state.units_of(seat, AWAY) if not state.seats[seat].conceded else []
    return tuple([unit.id for unit in away if infiltrates(state, unit) == late])


class Site:
    """The places where one unit may be deployed: in its seat's zone, or anywhere far from the enemy (`free`)."""

    def __init__(self, state: Battle, unit: Unit, *, free: bool) -> None:
        self.room = stands.StandRoom(state, unit)
        self.outline = zones.zone_of(state, unit.owner).outline
        self.free = free
        self.enemies = [base for enemy in state.enemies(unit.owner) for base in traits.bases(state, enemy)]

    @implements("AE-SETUP-03", "AE-OPEN-07")
    def admits(self, base: Footprint) -> bool:
        """Tell if the zone, or the distance from the enemy, allows a base: the whole of it is within the zone."""
        if self.free:
            return not any(are_nearer(base, enemy, FROM_ENEMIES + 1) for enemy in self.enemies)
        if isinstance(base, BoxBase):
            return all(contains(corner, self.outline) for corner in base.outline())
        return contains(base.at, self.outline) and not point_near_outline(base.at, self.outline, base.radius)

    def fault(self, base: Footprint) -> str:
        """Return the code of the reason why a base may not stand there; "" where it may."""
        return self.room.fault(base) if self.admits(base) else "zone"

    def fits(self, at: Point, radius: int) -> bool:
        """Tell if a round base may stand there."""
        return not self.fault(Base(NO_FIGURE, at, radius))


def check_deploy(state: Battle, seat: int, deploy: Deploy) -> tuple[Unit, dict[FigureId, Point]]:
    """Return the unit and its places. Raises IllegalIntent."""
    unit = state.check_placing(seat, deploy.unit)
    found = settled(state, unit, deploy.to, deploy.places, deploy.facing)
    hides = deploy.hidden and hiding.may_hide(state, unit) and hiding.hides_at(state, unit, found)
    forbid(deploy.hidden and not hides, "deploy/hidden")
    _check_watch(state, unit, found)
    return unit, found


def _heading(state: Battle, unit: Unit, given: int = -1) -> int:
    """Return the heading of a vehicle as it was given, or else into the table; 0 of infantry."""
    if not traits.drives(state, unit):
        return 0
    return given if given >= 0 else zones.ahead_of(state, unit.owner)


def settled(
    state: Battle, unit: Unit, to: Point, chosen: Mapping[FigureId, Point], facing: int = -1
) -> dict[FigureId, Point]:
    """Return the places that a player chose, checked, or default ones with the leader at `to`. Raises IllegalIntent."""
    site, heading = Site(state, unit, free=state.phase == INFILTRATE), _heading(state, unit, facing)
    if traits.drives(state, unit):
        forbid(heading not in ANGLES, "move/turn")
        fault = site.fault(stands.box_at(state, unit, to, heading))
        if fault:
            raise IllegalIntent(f"place/{fault}").showing(at=to)
        return {unit.leader: to}
    if chosen:
        found = {**chosen, unit.leader: to}
        stands.check_places(state, unit, found, site.room, site.admits)
        stands.check_chain(state, unit, found)
        return found
    forbid(not site.admits(Base(unit.leader, to, traits.RADIUS)), "place/zone", to)
    stood = stands.placed_at(state, unit, to, site.fits) if site.fits(to, traits.RADIUS) else None
    if stood is None:
        raise IllegalIntent("place/no-room").showing(at=to)
    return stood


@implements("AE-SCEN-02")
def unwatched(state: Battle, seat: int) -> list[str]:
    """Return the features near each of which a unit of a seat's side must stand, and none does yet."""
    near = state.resolved.scenario.seats[seat].near
    return [feature for feature in near if not any(_is_near(state, u, feature) for u in state.friends(seat))]


def _is_near(state: Battle, unit: Unit, feature: str, at: Mapping[FigureId, Point] | None = None) -> bool:
    outline = ground.feature(state, feature).outline
    spots: Iterable[Point] = at.values() if at is not None else [figure.at for figure in state.members(unit)]
    return any(point_gap(spot, outline) - traits.RADIUS <= NEAR for spot in spots)


@implements("AE-SCEN-02")
def _check_watch(state: Battle, unit: Unit, found: Mapping[FigureId, Point]) -> None:
    """Refuse a place that leaves too few units for the features that must be watched. Raises IllegalIntent."""
    open_yet = [one for one in unwatched(state, unit.owner) if not _is_near(state, unit, one, found)]
    allies = state.seats_of(state.side(unit.owner))
    left = [one for seat in allies for one in to_place(state, seat) if one != unit.id]
    forbid(len(open_yet) > len(left), "deploy/watch")


@implements("AE-SETUP-03", "AE-SETUP-04")
async def deploy(game: Game[Battle], seat: Seat, deploy: Deploy) -> None:
    """Put a unit on the table, or hide it there."""
    unit, found = check_deploy(game.state, seat, deploy)
    if deploy.hidden:
        hiding.hide(game, unit.id, found)
    else:
        game.emit(UnitPlaced(unit.id, found, _heading(game.state, unit, deploy.facing)))
    meetings.look(game, unit.id)


@implements("AE-OPEN-09")
async def split(game: Game[Battle], seat: Seat, split: Split) -> None:
    """Split a squad into fireteams."""
    unit = game.state.check_placing(seat, split.unit)
    forbid(not teams_of(game.state, unit), "deploy/whole")
    game.emit(UnitSplit(unit.id))


@implements("AE-SETUP-03")
def first_place(state: Battle, unit: Unit) -> dict[FigureId, Point] | None:
    """Return the first free places for a unit, nearest to the middle of its zone, or to what must be watched; None
    without room."""
    site, watch = Site(state, unit, free=False), unwatched(state, unit.owner)
    left, bottom, right, top = box_of(site.outline)
    middle = middle_of(box_of(ground.feature(state, watch[0]).outline if watch else site.outline))
    reach = right - left + top - bottom
    if not traits.drives(state, unit):
        return stands.nearest(state, unit, middle, reach, site.fits)
    ahead = zones.ahead_of(state, unit.owner)
    spots = (at for at in places_near(middle, LARGE, reach) if not site.fault(stands.box_at(state, unit, at, ahead)))
    at = next(spots, None)
    return None if at is None else {unit.leader: at}


@implements("AE-SETUP-03")
async def deploy_rest(game: Game[Battle], seat: Seat, intent: DeployRest) -> None:
    """Place all remaining units on the first free places of the zone; one without room comes in later."""
    forbid(not game.state.placing, "deploy/not-now")
    for id in game.state.placing:
        unit = game.state.units[id]
        found = first_place(game.state, unit)
        if found is None:
            game.emit(UnitKept(id))
        else:
            game.emit(UnitPlaced(id, found, _heading(game.state, unit)))
            meetings.look(game, id)
        if game.state.phase == INFILTRATE:
            return


def _placeable(draft: Choosing, *, drives: bool) -> list[Unit]:
    return [unit for unit in draft.state.to_place() if traits.drives(draft.state, unit) == drives]


def _to(draft: Choosing, field: PickPoint) -> PickPoint:
    """Return a field of the places in the zone, or anywhere, by default the first free one."""
    state, unit = draft.state, unit_of(draft)
    outline = zones.zone_of(state, unit.owner).outline
    if state.phase == INFILTRATE:
        outline = outline_of((0, 0, *state.resolved.scenario.size))
    found = first_place(state, unit)
    return replace(field, regions=(outline,), radius=traits.RADIUS, default=found[unit.leader] if found else None)


def _places(draft: Choosing, field: Placement) -> Placement:
    unit, to = unit_of(draft), draft.point("to")
    return others_at(field, unit.leader, to, settled(draft.state, unit, to, {}))


def _facing(draft: Choosing, field: Facing) -> Facing:
    profile = draft.state.profile(unit_of(draft))
    assert traits.is_vehicle(profile)
    ahead = zones.ahead_of(draft.state, draft.seat)
    return turned(field, draft.point("to"), ahead, (profile.length, profile.width))


def _deploy(draft: Choosing) -> Deploy:
    return Deploy(draft.group("unit"), draft.point("to"), draft.choice == "hide", places=draft.places("places"))


def _on_foot(words: Label, units: Callable[[Choosing], list[Unit]], rank: int = 0) -> Verb[Battle, Deploy]:
    gesture = Gesture("unit", "to", "point", rank, "move")
    fields = pick("unit", units), point("to", _to), places("places", _places)
    return Verb(words, deploy, *fields, make=_deploy, gesture=gesture)


DEPLOY: Final = _on_foot(
    Label("deploy", "d", "Deploy a unit", "Pick a place for its leader. The others form up around him."),
    lambda draft: _placeable(draft, drives=False),
)
HIDE: Final = _on_foot(
    Label("hide", "h", "Deploy a unit hidden", "In cover. Only your side knows where it is."),
    lambda draft: [unit for unit in _placeable(draft, drives=False) if hiding.may_hide(draft.state, unit)],
    1,
)
DEPLOY_VEHICLE: Final = Verb(
    Label("deploy_vehicle", "v", "Deploy a vehicle", "Pick its place and facing."),
    deploy,
    pick("unit", lambda draft: _placeable(draft, drives=True)),
    point("to", _to),
    facing("facing", _facing),
    gesture=Gesture("unit", "to", "point", mark="move"),
)
SPLIT: Final = Verb(
    Label("split", "f", "Split into fireteams", "Three teams of three that act on their own."),
    split,
    pick("unit", lambda draft: [u for u in _placeable(draft, drives=False) if teams_of(draft.state, u)]),
    gesture=Gesture("unit", rank=5),
)
REST: Final = Verb(
    Label("deploy_rest", "e", "Deploy the rest", "Place everything that is left in the middle of your zone."),
    deploy_rest,
    when=lambda state, seat: state.placing,
    gesture=Gesture(rank=9),
)
