"""What the table shows: scenery, bases, formations, who is in which feature, who sees whom.

All of it follows from a state's features, figures and groups alone, so it is kept by their identity: states that share
them share what was worked out.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.core.implements import implements
from engine.rulesets.action_cards.model import Feature, Point, Profile, Resolved, Terrain
from engine.rulesets.action_cards.state import Figure, Group, Skirmish
from engine.space.contact import Base
from engine.space.features import Area, Barrier, Scenery, scenery
from engine.space.memo import IdentityMemo
from engine.space.sight import Formation, Obstacle, View, formation
from engine.space.vectors import squared

_KEPT_SCENERIES: Final = 64
_KEPT_BOARDS: Final = 64


class Sight(NamedTuple):
    """What a group sees of another: for each shooter with sight, the nearest figure of the target that it sees.

    `blocker` is what blocks the line between the nearest figures where no shooter has sight.
    """

    lines: tuple[tuple[str, str], ...]
    blocker: Obstacle | None = None

    @property
    def clear(self) -> bool:
        """Whether any figure sees any."""
        return bool(self.lines)


class _Content:
    """One match's content, looked up by id; its sceneries by what is gone."""

    def __init__(self, resolved: Resolved) -> None:
        self.resolved = resolved
        self.features = {feature.id: feature for feature in resolved.scenario.features}
        self.kinds = {id: resolved.terrain[feature.kind] for id, feature in self.features.items()}
        self.profiles = [{profile.id: profile for profile in faction.profiles} for faction in resolved.factions]
        self._sceneries: dict[tuple[str, ...], Scenery] = {}

    def scenery(self, gone: tuple[str, ...]) -> Scenery:
        if gone not in self._sceneries:
            for oldest in list(self._sceneries)[: max(0, len(self._sceneries) + 1 - _KEPT_SCENERIES)]:
                self._sceneries.pop(oldest, None)
            self._sceneries[gone] = _prepared(self, gone)
        return self._sceneries[gone]


_content: Final = IdentityMemo(_Content, 16)


class Board:
    """One arrangement of figures, with what has been worked out about it so far.

    `covers` is kept by cover.py: protections by shooters and target.
    """

    def __init__(self, state: Skirmish, before: Board | None) -> None:
        self.state = state
        self.content = _content(state.resolved)
        self.scenery = self.content.scenery(state.gone)
        self.covers: dict[tuple[str, ...], str] = {}
        self._sights: dict[tuple[str, str], Sight] = {}
        self._inside: dict[str, dict[str, int]] = {}
        self._formed: dict[str, tuple[tuple[Figure, ...], Formation]] = {}
        if before is not None and before.state.resolved is state.resolved:
            self._formed = dict(before._formed)

    def formation(self, id: str) -> Formation:
        """A group's bases, prepared for sight; figures that share a base stand as one."""
        state = self.state
        figures = tuple([state.figures[figure] for figure in state.groups[id].figures])
        kept = self._formed.get(id)
        if kept is not None and len(kept[0]) == len(figures) and all(map(_same, kept[0], figures)):
            return kept[1]
        made = formation(id, [self.base(figure) for figure in _one_a_base(figures)])
        self._formed[id] = (figures, made)
        return made

    def base(self, figure: Figure) -> Base:
        """The round base that a figure stands on."""
        return Base(figure.id, figure.at, self.content.profiles[figure.owner][figure.profile].radius)

    def inside(self, id: str) -> dict[str, int]:
        """The features that figures of a group are in, with how many; a figure is in one when its centre is."""
        if id not in self._inside:
            counts: dict[str, int] = {}
            for figure in self.state.groups[id].figures:
                for area in self.scenery.areas_at(self.state.figures[figure].at):
                    counts[str(area)] = counts.get(str(area), 0) + 1
            self._inside[id] = counts
        return self._inside[id]

    def sight(self, shooters: str, target: str) -> Sight:
        """What one group sees of another."""
        pair = (shooters, target)
        if pair not in self._sights:
            others = [self.formation(id) for id in self.state.groups if id not in pair]
            self._sights[pair] = sight_between(self.scenery, self.formation(shooters), self.formation(target), others)
        return self._sights[pair]


_boards: dict[tuple[int, int, int, int], Board] = {}
_newest: list[Board] = []


def board(state: Skirmish) -> Board:
    """What is known of this arrangement of features, figures and groups."""
    key = (id(state.resolved), id(state.gone), id(state.figures), id(state.groups))
    kept = _boards.get(key)
    # a board keeps its state alive, so that these identities cannot have been used again
    if kept is not None:
        return kept
    made = Board(state, _newest[0] if _newest else None)
    _newest[:] = [made]
    for oldest in list(_boards)[: max(0, len(_boards) + 1 - _KEPT_BOARDS)]:
        _boards.pop(oldest, None)
    _boards[key] = made
    return made


@implements("AC-SHOOT-01")
def sight_between(table: Scenery, shooters: Formation, target: Formation, others: list[Formation]) -> Sight:
    """Lines of sight from group to group, centre to centre; any other group blocks as a whole."""
    view = View(table, shooters, target, others)
    lines: list[tuple[str, str]] = []
    if view.first() is None:
        nearest = min(
            (squared(a, b), i, j) for i, a in enumerate(shooters.centres) for j, b in enumerate(target.centres)
        )
        return Sight((), view.obstacle(nearest[1], nearest[2]))
    for number, shooter in enumerate(shooters.figures):
        seen = view.target_of(number)
        if seen is not None:
            lines.append((str(shooter.id), str(target.figures[seen].id)))
    return Sight(tuple(lines))


def sight(state: Skirmish, shooters: str, target: str) -> Sight:
    """What the group `shooters` sees of the group `target`."""
    return board(state).sight(shooters, target)


def scenery_of(state: Skirmish) -> Scenery:
    """The features that are still there, prepared."""
    return board(state).scenery


def at(state: Skirmish, figure: str) -> Point:
    """Where a figure stands."""
    return state.figures[figure].at


def radius(state: Skirmish, figure: str) -> int:
    """The radius of its base."""
    return profile(state, figure).radius


def profile(state: Skirmish, figure: str) -> Profile:
    """What kind of figure it is."""
    found = state.figures[figure]
    return _content(state.resolved).profiles[found.owner][found.profile]


def base(state: Skirmish, figure: str) -> Base:
    """The base that a figure stands on."""
    return board(state).base(state.figures[figure])


def bases_of(state: Skirmish, group: str) -> tuple[Base, ...]:
    """The bases of a group; those who share one stand for it by the first of them."""
    return board(state).formation(group).figures


def formation_of(state: Skirmish, group: str) -> Formation:
    """A group prepared for questions of sight."""
    return board(state).formation(group)


def bodies(state: Skirmish, group: Group) -> tuple[tuple[str, ...], ...]:
    """The figures of a group, those who share a base together."""
    shared: dict[str, list[str]] = {}
    for figure in group.figures:
        shared.setdefault(state.figures[figure].base or figure, []).append(figure)
    return tuple([tuple(figures) for figures in shared.values()])


def features_of(state: Skirmish, group: str) -> dict[str, int]:
    """The features that figures of the group are in, with how many."""
    return board(state).inside(group)


def feature(state: Skirmish, id: str) -> Feature:
    """A feature by id. KeyError without one."""
    return _content(state.resolved).features[id]


def kind(state: Skirmish, feature: str) -> Terrain:
    """What kind of terrain a feature is."""
    return _content(state.resolved).kinds[feature]


def centre(state: Skirmish, group: str) -> Point:
    """The middle of a group, rounded down."""
    points = formation_of(state, group).centres
    return sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points)


def _same(one: object, other: object) -> bool:
    return one is other


def _one_a_base(figures: tuple[Figure, ...]) -> tuple[Figure, ...]:
    first: dict[str, Figure] = {}
    for figure in figures:
        first.setdefault(figure.base or figure.id, figure)
    return tuple(first.values())


def _prepared(content: _Content, gone: tuple[str, ...]) -> Scenery:
    width, height = content.resolved.scenario.size
    areas: list[Area] = []
    barriers: list[Barrier] = []
    for id, feature in content.features.items():
        terrain = content.kinds[id]
        if id in gone:
            continue
        if terrain.line:
            barriers.append(Barrier(id, feature.outline, terrain.blocks))
        else:
            areas.append(Area(id, feature.outline, terrain.blocks, terrain.impassable))
    return scenery(width, height, areas, barriers)
