"""Queries on the board: scenery, bases, formations, figures in features, lines of sight.

All of it follows from a state's features, figures and groups alone, so it is cached by their identity: states of a
match that share them share the results. The cache belongs to the match's content, so that no match pushes out
another's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import is_
from typing import Any, Final, TypeVar

from engine.core.rules.implements import implements, rules_now
from engine.rulesets.action_cards.rules.board import hulls, weather
from engine.rulesets.action_cards.rules.board.group_cache import GroupCache
from engine.rulesets.action_cards.rules.board.sightlines import Sight, Sightlines
from engine.rulesets.action_cards.state.model import (
    Condition,
    Feature,
    Gun,
    Kill,
    Point,
    Profile,
    Resolved,
    Terrain,
    Vehicle,
)
from engine.rulesets.action_cards.state.state import Figure, Group, Skirmish
from engine.space.sight.corridor import Corridor
from engine.space.sight.lines import Formation, SightLines, formation
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Barrier, Scenery, scenery, with_areas
from engine.space.terrain.footprints import as_area
from engine.space.vectors.points import within
from protocol.ids import FigureId, GroupId

RUBBLE: Final = "rubble"
"""The kind of terrain that a ruined building is."""
_KEPT_SCENERIES: Final = 64
_KEPT_BOARDS: Final = 8

T = TypeVar("T")


class _Content:
    """Content of a match, indexed by id, with what its boards share."""

    def __init__(self, resolved: Resolved) -> None:
        self.scenario = resolved.scenario
        self.terrain = resolved.terrain
        self.features = {feature.id: feature for feature in resolved.scenario.features}
        self.kinds = {id: resolved.terrain[feature.kind] for id, feature in self.features.items()}
        self.profiles = [{profile.id: profile for profile in faction.profiles} for faction in resolved.factions]
        own = [condition for role in resolved.scenario.roles for condition in role.conditions]
        self.conditions = {condition.id: condition for condition in reversed((*resolved.scenario.secrets, *own))}
        self.has_vehicles = any(profile.vehicle for faction in resolved.factions for profile in faction.profiles)
        self._with_hulls: dict[tuple[tuple[str, ...], tuple[str, ...], hulls.Hulls], Scenery] = {}
        self.sightlines = Sightlines()
        self.reaches: dict[object, Any] = {}
        self.condition_statuses: dict[int, Any] = {}

    def scenery(self, gone: tuple[str, ...], ruined: tuple[str, ...]) -> Scenery:
        """Return the features that are left, prepared: shared by all matches with the same scenario and terrain."""
        shared = self.scenario.__dict__
        if shared.get("terrain") is not self.terrain:
            shared |= {"terrain": self.terrain, "sceneries": {}}
        kept: dict[tuple[tuple[str, ...], ...], Scenery] = shared["sceneries"]
        if (gone, ruined) not in kept:
            for oldest in list(kept)[: max(0, len(kept) + 1 - _KEPT_SCENERIES)]:
                kept.pop(oldest, None)
            kept[gone, ruined] = _prepared(self, gone, ruined)
        return kept[gone, ruined]

    def with_hulls(self, gone: tuple[str, ...], ruined: tuple[str, ...], standing: hulls.Hulls) -> Scenery:
        """Return the scenery of the features that are left and the vehicles on the ground."""
        key = (gone, ruined, standing)
        if key not in self._with_hulls:
            for oldest in list(self._with_hulls)[: max(0, len(self._with_hulls) + 1 - _KEPT_SCENERIES)]:
                self._with_hulls.pop(oldest, None)
            self._with_hulls[key] = _round_hulls(self.scenery(gone, ruined), standing)
        return self._with_hulls[key]


@implements("AC-MOVE-02")
def _round_hulls(ground: Scenery, standing: hulls.Hulls) -> Scenery:
    """Add vehicles on the ground to a scenery as impassable areas."""
    return with_areas(ground, map(as_area, standing))


def _content(resolved: Resolved) -> _Content:
    found: _Content | None = resolved.__dict__.get("content")
    if found is None:
        found = resolved.__dict__["content"] = _Content(resolved)
    return found


class Board:
    """Arrangement of figures, with a cache of values worked out from it. `ground` is the scenery without vehicles,
    which block no sight and hold nobody.

    `covers` is filled by cover.py: cover classes by shooters and target; `memo` by other modules, under names of their
    own.
    """

    def __init__(self, state: Skirmish, content: _Content, last: Board | None) -> None:
        # not the state itself, whose content keeps its boards: in a cycle, an ended match would stay in memory
        self.figures = state.figures
        self.groups = state.groups
        self.gone = state.gone
        self.content = content
        self.ground = content.scenery(state.gone, state.ruined)
        standing = hulls.standing(state.figures.values(), content.profiles) if content.has_vehicles else ()
        self.scenery = content.with_hulls(state.gone, state.ruined, standing) if standing else self.ground
        self.covers: dict[tuple[str, ...], str] = {}
        self.memo: dict[Hashable, tuple[tuple[object, ...], object, Any]] = {}
        self._sights: dict[tuple[GroupId, GroupId], Sight] = {}
        self._centres: dict[GroupId, Point] = {}
        self._all: tuple[Formation, ...] | None = None
        self._standing: dict[GroupId, GroupCache] = {}
        self._before: dict[GroupId, GroupCache] = {**last._before, **last._standing} if last is not None else {}
        """Latest cache of each group."""

    def cached(self, name: Hashable, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """Return the cached value of this name while the objects in `key` are the same ones (`is`) and the rules too,
        else make it.

        `make` may depend on nothing but `key`, the board (features, figures and groups) and the name, which says what
        the value is, and of whom.
        """
        found, rules = self.memo.get(name), rules_now()
        if found is not None and found[1] is rules and all(map(is_, found[0], key)):
            known: T = found[2]
            return known
        made = make()
        self.memo[name] = key, rules, made
        return made

    def cached_of_group(self, id: GroupId, name: Hashable, make: Callable[[], T]) -> T:
        """Return the cached value of this name for a group. It is carried from board to board, so that `make` may
        depend on nothing but where and what the group's figures are, and on the features."""
        return self._group(id).cached(name, make)

    def _group(self, id: GroupId) -> GroupCache:
        """Return a group's cache: the same object as on the board before, while the group has not changed."""
        found = self._standing.get(id)
        if found is None:
            figures = tuple([self.figures[figure] for figure in self.groups[id].figures])
            found = self._before.get(id)
            if found is None or not found.holds_for(figures, self.ground):
                formed = formation(id, [self.base(figure) for figure in _one_a_base(figures)])
                found = GroupCache(figures, self.ground, formed)
            self._standing[id] = found
        return found

    def formation(self, id: GroupId) -> Formation:
        """Return a group's bases, prepared for sight; figures that share a base stand as one."""
        return self._group(id).formation

    def bases(self, id: GroupId) -> tuple[Base, ...]:
        """Return the bases of a group, a shared one by its first figure; none of a vehicle, which is a piece of terrain
        to others."""
        return self._group(id).formation.figures if self.vehicle(id) is None else ()

    def base(self, figure: Figure) -> Base:
        """Return the round base of a figure."""
        return Base(figure.id, figure.at, self.content.profiles[figure.owner][figure.profile].radius)

    def inside(self, id: GroupId) -> dict[str, int]:
        """Count the group's figures in each feature that holds any; a figure is in one when its centre is."""
        return self._group(id).inside

    def vehicle(self, id: GroupId) -> Vehicle | None:
        """Return the vehicle that a group is; None for one on foot."""
        if not self.content.has_vehicles:
            return None
        figure = self.figures[self.groups[id].figures[0]]
        return self.content.profiles[figure.owner][figure.profile].vehicle

    def is_airborne(self, id: GroupId) -> bool:
        """Tell whether a group is in the air."""
        return self.content.has_vehicles and self.figures[self.groups[id].figures[0]].airborne

    def centre(self, id: GroupId) -> Point:
        """Return the mean of a group's centres, rounded down."""
        if id not in self._centres:
            points = self.formation(id).centres
            self._centres[id] = sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points)
        return self._centres[id]

    def sight(self, shooters: GroupId, target: GroupId) -> Sight:
        """Return the lines of sight from one group to another."""
        pair = (shooters, target)
        found = self._sights.get(pair)
        if found is None:
            one, other = self._group(shooters).formation, self._group(target).formation
            if self.content.has_vehicles and (self.is_airborne(shooters) or self.is_airborne(target)):
                found = hulls.sight_from_above(one, other)
            else:
                found = self.content.sightlines.find(self.ground, one, other, self.blockers, sight_between)
            self._sights[pair] = found
        return found

    @property
    def blockers(self) -> tuple[Formation, ...]:
        """All groups that may block a line of sight; a vehicle never does (AC-SHOOT-01)."""
        if self._all is None:
            self._all = tuple([self.formation(id) for id in self.groups if self.vehicle(id) is None])
        return self._all


class _Boards:
    """The newest boards of a match."""

    def __init__(self, content: _Content) -> None:
        self.content = content
        self.kept: dict[tuple[int, int, int], Board] = {}
        self.newest: Board | None = None


def _boards(resolved: Resolved) -> _Boards:
    found = resolved.__dict__["boards"] = _Boards(_content(resolved))
    return found


def board(state: Skirmish) -> Board:
    """Return the board of this arrangement of features, figures and groups."""
    boards: _Boards = state.resolved.__dict__.get("boards") or _boards(state.resolved)
    newest = boards.newest  # nearly all calls are about the newest arrangement
    if (
        newest is not None
        and state.figures is newest.figures
        and state.groups is newest.groups
        and state.gone is newest.gone
    ):
        return newest
    key = (id(state.gone), id(state.figures), id(state.groups))
    kept = boards.kept.get(key)
    # a board keeps these three alive, so that these identities cannot have been used again
    if kept is not None:
        return kept
    made = Board(state, boards.content, newest)
    for oldest in list(boards.kept)[: max(0, len(boards.kept) + 1 - _KEPT_BOARDS)]:
        boards.kept.pop(oldest, None)
    boards.kept[key] = boards.newest = made
    return made


@implements("AC-SHOOT-01")
def sight_between(
    table: Scenery,
    shooters: Formation,
    target: Formation,
    others: Sequence[Formation],
    corridor: Corridor | None = None,
) -> Sight:
    """Work out the lines of sight from group to group, centre to centre; any other group blocks as a whole. `corridor`:
    that between the two, where it is known; `others` are near it then."""
    view = SightLines(table, shooters, target, others, corridor)
    lines: list[tuple[FigureId, FigureId]] = []
    if view.first() is None:
        return Sight((), view.nearest_obstacle)
    for number, shooter in enumerate(shooters.figures):
        seen = view.target_of(number)
        if seen is not None:
            lines.append((shooter.id, target.figures[seen].id))
    return Sight(tuple(lines))


def sight(state: Skirmish, shooters: GroupId, target: GroupId) -> Sight:
    """Return the lines of sight from the group `shooters` to the group `target`, no longer than the weather allows."""
    seen = board(state).sight(shooters, target)
    limit = weather.sight_limit(state)
    if not limit:
        return seen
    near = tuple([pair for pair in seen.lines if within(at(state, pair[0]), at(state, pair[1]), limit)])
    return seen if len(near) == len(seen.lines) else Sight(near)


def reach_cache(state: Skirmish) -> dict[object, Any]:
    """Return this match's cache for reaches.py, by lead, or by the ways out of what leads stand in."""
    return _content(state.resolved).reaches


def scenery_of(state: Skirmish) -> Scenery:
    """Return the scenery of the features that are left and the vehicles on the ground."""
    return board(state).scenery


def at(state: Skirmish, figure: FigureId) -> Point:
    """Return the place of a figure."""
    return state.figures[figure].at


def radius(state: Skirmish, figure: FigureId) -> int:
    """Return the radius of a figure's base."""
    return profile(state, figure).radius


def profile(state: Skirmish, figure: FigureId) -> Profile:
    """Return the profile of a figure on the table."""
    found = state.figures[figure]
    return _content(state.resolved).profiles[found.owner][found.profile]


def profile_of(state: Skirmish, figure: Figure) -> Profile:
    """Return the profile of a figure, which may be aboard a vehicle."""
    return _content(state.resolved).profiles[figure.owner][figure.profile]


def base(state: Skirmish, figure: FigureId) -> Base:
    """Return the base of a figure."""
    return board(state).base(state.figures[figure])


def bases_of(state: Skirmish, group: GroupId) -> tuple[Base, ...]:
    """Return `Board.bases` of this state."""
    return board(state).bases(group)


def formation_of(state: Skirmish, group: GroupId) -> Formation:
    """Return a group's bases, prepared for sight."""
    return board(state).formation(group)


def bodies(state: Skirmish, group: Group) -> tuple[tuple[FigureId, ...], ...]:
    """Return the figures of a group, those who share a base together."""
    shared: dict[str, list[FigureId]] = {}
    for figure in group.figures:
        shared.setdefault(state.figures[figure].base or figure, []).append(figure)
    return tuple([tuple(figures) for figures in shared.values()])


def features_of(state: Skirmish, group: GroupId) -> dict[str, int]:
    """Count the group's figures in each feature that holds any."""
    return board(state).inside(group)


def feature(state: Skirmish, id: str) -> Feature:
    """Return a feature by id. Raises KeyError."""
    return _content(state.resolved).features[id]


def condition(state: Skirmish, id: str) -> Condition:
    """Return a condition by id, a secret one or a role's own. Raises KeyError."""
    return _content(state.resolved).conditions[id]


def kind(state: Skirmish, feature: str) -> Terrain:
    """Return the kind of terrain of a feature, or of a vehicle on the ground, by its figure; ruined buildings are
    rubble."""
    content = _content(state.resolved)
    if feature in state.ruined:
        return content.terrain[RUBBLE]
    return hulls.kind(state.resolved) if feature in state.figures else content.kinds[feature]


def vehicle_of(state: Skirmish, group: GroupId) -> Vehicle | None:
    """Return the vehicle that a group is; None for one on foot."""
    return board(state).vehicle(group)


def is_airborne(state: Skirmish, group: GroupId) -> bool:
    """Tell whether a group is a vehicle in the air."""
    return board(state).is_airborne(group)


def kill_of(state: Skirmish, group: GroupId) -> Kill:
    """Return the kill numbers of a group: its faction's, or its own as a vehicle."""
    vehicle = vehicle_of(state, group)
    return vehicle.kill if vehicle is not None else state.faction(state.groups[group].owner).kill


def move_of(state: Skirmish, group: Group) -> int:
    """Return the Move of a group on foot, in hundredths of an inch: its organisation's, else its faction's."""
    return state.faction(group.owner).organisation(group.kind).move


@implements("AC-SETUP-01")
def served_guns(state: Skirmish, group: GroupId) -> tuple[Gun, ...]:
    """Return the crewed weapons of a group that have crew enough left on their base."""
    guns: list[Gun] = []
    for body in bodies(state, state.groups[group]):
        gun = profile(state, body[0]).gun
        if gun is not None and len(body) >= gun.least:
            guns.append(gun)
    return tuple(guns)


def centre(state: Skirmish, group: GroupId) -> Point:
    """Return the mean of a group's centres, rounded down."""
    return board(state).centre(group)


def _one_a_base(figures: tuple[Figure, ...]) -> tuple[Figure, ...]:
    first: dict[str, Figure] = {}
    for figure in figures:
        first.setdefault(figure.base or figure.id, figure)
    return tuple(first.values())


def _prepared(content: _Content, gone: tuple[str, ...], ruined: tuple[str, ...]) -> Scenery:
    width, height = content.scenario.size
    areas: list[Area] = []
    barriers: list[Barrier] = []
    for id, feature in content.features.items():
        terrain = content.terrain[RUBBLE] if id in ruined else content.kinds[id]
        if id in gone and id not in ruined:
            continue
        if terrain.line:
            barriers.append(Barrier(id, feature.outline, terrain.blocks))
        else:
            areas.append(Area(id, feature.outline, terrain.blocks, terrain.impassable))
    return scenery(width, height, areas, barriers)
