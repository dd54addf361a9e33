"""Queries on the board: scenery, bases, formations, figures in features, lines of sight.

All of it follows from a state's features, figures and groups alone: states of a match that share them share a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.rules.implements import RULES, implements
from engine.kit.board import board as kit
from engine.kit.board.sightlines import Look, Sight
from engine.kit.terrain.ground import prepared
from engine.rulesets.action_cards.rules.board import hulls, weather
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.model import Feature, Gun, Kill, Point, Profile, Resolved, Terrain, Vehicle
from engine.rulesets.action_cards.state.state import Figure, Group, Skirmish
from engine.space.sight.corridor import Corridor
from engine.space.sight.lines import Formation, SightLines
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Scenery, with_areas
from engine.space.terrain.footprints import as_area
from engine.space.vectors.outlines import nearest_on_edges, place_near_outline
from engine.space.vectors.points import Id, within
from protocol.ids import FigureId, GroupId, NodeId
from protocol.scene.nodes import NO_NODE

RUBBLE: Final = "rubble"
"""The kind of terrain that a ruined building is."""


class _Content:
    """Content of a match, indexed by id, and its way to stand figures on a board."""

    def __init__(self, resolved: Resolved) -> None:
        self.scenario = resolved.scenario
        self.terrain = resolved.terrain
        self.features = {feature.id: feature for feature in resolved.scenario.features}
        self.kinds = {id: resolved.terrain[feature.kind] for id, feature in self.features.items()}
        self.profiles = [{profile.id: profile for profile in faction.profiles} for faction in resolved.factions]
        self.secrets = {condition.id: condition for condition in resolved.scenario.secrets}
        self.has_vehicles = any(profile.vehicle for faction in resolved.factions for profile in faction.profiles)

    @property
    def look(self) -> Look:
        """The rule of sight."""
        return sight_between

    def is_down(self, figure: Figure) -> bool:
        """Tell whether a figure is on the ground."""
        return hulls.is_down(figure)

    def base(self, figure: Figure) -> Base:
        """Return the round base of a figure."""
        return Base(figure.id, figure.at, self.profiles[figure.owner][figure.profile].radius)

    def bases(self, figures: Sequence[Figure]) -> list[Base]:
        """Return the bases of a group's figures; those who share one stand as one."""
        first: dict[str, Figure] = {}
        for figure in figures:
            first.setdefault(figure.base or figure.id, figure)
        return [self.base(figure) for figure in first.values()]


@implements("AC-MOVE-02")
def _round_hulls(ground: Scenery, standing: hulls.Hulls) -> Scenery:
    return with_areas(ground, map(as_area, standing))


class SkirmishBoard(kit.Board[Figure]):
    """Arrangement of figures. `scenery`: the ground with the vehicles on it, which block no sight and hold nobody."""

    def __init__(self, parts: tuple[object, ...], state: Skirmish) -> None:
        memo = state.resolved.memo
        self.content: _Content = memo.get("content", (), lambda: _Content(state.resolved))
        self.figures = state.figures
        self.groups = state.groups
        self.gone = state.gone
        gone, ruined, content = state.gone, state.ruined, self.content
        ground = memo.get(("scenery", gone, ruined), (), lambda: _prepared(content, gone, ruined))
        figures = state.figures
        groups = {id: tuple([figures[one] for one in group.figures]) for id, group in state.groups.items()}
        super().__init__(parts, memo, ground, groups, content)
        hull = hulls.standing(figures.values(), content.profiles) if content.has_vehicles else ()
        self.scenery = memo.get(("hulls", hull), (ground,), lambda: _round_hulls(ground, hull)) if hull else ground

    def bases(self, id: GroupId) -> tuple[Base, ...]:
        """Return the bases of a group; none of a vehicle, which is a piece of terrain to others."""
        return self.standing[id].formation.figures if self.vehicle(id) is None else ()

    def vehicle(self, id: GroupId) -> Vehicle | None:
        """Return the vehicle that a group is; None for one on foot."""
        if not self.content.has_vehicles:
            return None
        figure = self.figures[self.groups[id].figures[0]]
        return self.content.profiles[figure.owner][figure.profile].vehicle

    def is_airborne(self, id: GroupId) -> bool:
        """Tell whether a group is in the air."""
        return self.content.has_vehicles and self.figures[self.groups[id].figures[0]].airborne

    def blocks(self, id: GroupId) -> bool:
        """Tell whether a group may block a line of sight; a vehicle never does (AC-SHOOT-01)."""
        return self.vehicle(id) is None

    def _sight(self, shooters: GroupId, target: GroupId) -> Sight:
        if self.content.has_vehicles and (self.is_airborne(shooters) or self.is_airborne(target)):
            return hulls.sight_from_above(self.standing[shooters].formation, self.standing[target].formation)
        return super()._sight(shooters, target)


def board(state: Skirmish) -> SkirmishBoard:
    """Return the board of this arrangement of features, figures and groups."""
    newest: SkirmishBoard | None = state.resolved.memo.newest
    if (
        # asked many times a step: `about` in short
        newest is not None
        and newest.figures is state.figures
        and newest.groups is state.groups
        and newest.gone is state.gone
        and newest.rules is RULES.now
    ):
        return newest
    return state.resolved.memo.about((state.figures, state.groups, state.gone), SkirmishBoard, state)


@implements("AC-SHOOT-01")
def sight_between(
    table: Scenery,
    shooters: Formation,
    target: Formation,
    others: Sequence[Formation],
    corridor: Corridor | None = None,
) -> Sight:
    """Work out the lines of sight, centre to centre; other groups block as a whole. `corridor`: where it is known."""
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
    places = state.figures
    near = tuple([pair for pair in seen.lines if within(places[pair[0]].at, places[pair[1]].at, limit)])
    return seen if len(near) == len(seen.lines) else Sight(near)


@implements("AC-OPEN-01")
def is_hull_touched(state: Skirmish, vehicle: FigureId, at: Point, radius: int) -> bool:
    """Tell whether a circle touches the outline of a vehicle on the ground."""
    return place_near_outline(at, board(state).scenery.area(vehicle).outline, radius + 1)


def nearest_of_hull(state: Skirmish, vehicle: FigureId, at: Point) -> Base:
    """Return the point of a vehicle on the ground that is nearest to a place, as a base."""
    hull = board(state).scenery.area(vehicle)
    return Base(vehicle, at if hull.holds(at) else nearest_on_edges(at, hull.edges), 0)


def radius(state: Skirmish, figure: FigureId) -> int:
    """Return the radius of a figure's base."""
    return profile(state, figure).radius


def profile(state: Skirmish, figure: FigureId) -> Profile:
    """Return the profile of a figure on the table."""
    found = state.figures[figure]
    return board(state).content.profiles[found.owner][found.profile]


def base(state: Skirmish, figure: FigureId) -> Base:
    """Return the base of a figure."""
    return board(state).content.base(state.figures[figure])


def bodies(state: Skirmish, group: Group) -> tuple[tuple[FigureId, ...], ...]:
    """Return the figures of a group, those who share a base together."""
    shared: dict[str, list[FigureId]] = {}
    for figure in group.figures:
        shared.setdefault(state.figures[figure].base or figure, []).append(figure)
    return tuple([tuple(figures) for figures in shared.values()])


def free_features(state: Skirmish) -> list[Feature]:
    """Return the features that are left and that no special action needs."""
    needed = {special.feature for special in state.resolved.scenario.specials}
    return [f for f in state.resolved.scenario.features if f.id not in state.gone and f.id not in needed]


def feature(state: Skirmish, id: str) -> Feature:
    """Return a feature by id. Raises KeyError."""
    return board(state).content.features[id]


def kind(state: Skirmish, feature: str) -> Terrain:
    """Return the terrain of a feature (ruined: rubble), or of a vehicle on the ground by its figure."""
    content = board(state).content
    if feature in state.ruined:
        return content.terrain[RUBBLE]
    return hulls.kind(state.resolved) if feature in state.figures else content.kinds[feature]


def in_the_way(state: Skirmish, what: Id | None) -> NodeId:
    """Return the node of what is in the way of a move: a figure, a vehicle by its group, or a feature; NO_NODE without
    any."""
    if what is None:
        return NO_NODE
    id = FigureId(str(what))
    if id not in state.figures:
        return names.feature_node(id)
    group = state.group_of(id)
    if group is not None and profile(state, id).vehicle is not None:
        return names.group_node(group.id)
    return names.piece_node(id)


def kill_of(state: Skirmish, group: GroupId) -> Kill:
    """Return the kill numbers of a group: its faction's, or its own as a vehicle."""
    vehicle = board(state).vehicle(group)
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


def _prepared(content: _Content, gone: tuple[str, ...], ruined: tuple[str, ...]) -> Scenery:
    laid = [
        (feature, content.terrain[RUBBLE] if id in ruined else content.kinds[id])
        for id, feature in content.features.items()
        if id not in gone or id in ruined
    ]
    return prepared(content.scenario.size, laid)
