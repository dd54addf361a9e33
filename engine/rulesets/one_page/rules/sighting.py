"""Lines of sight and distances between units (OP-GEN-04, OP-SHOOT-01, OP-TERR-03)."""

from __future__ import annotations

from engine.core.rules.implements import implements
from engine.kit.board import lookouts as kit
from engine.kit.board.board import BOARD, kept
from engine.rulesets.one_page.rules import formations, ground, traits
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.state import TABLE, Battle, Figure, Unit
from engine.space.sight.lines import Formation, Obstacle, SightLines, formation
from engine.space.sight.visible import visible_ground
from engine.space.terrain.contact import Base
from engine.space.terrain.gaps import Shape, shapes_gap
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Point, squared
from protocol.ids import NO_FIGURE, NodeId


@implements("OP-GEN-04")
def sees(state: Battle, unit: Unit, target: Unit) -> bool:
    """Tell if a straight line leads from the unit's leader to any model of the target past all solid obstacles."""
    return _view(state, unit, target).first() is not None


def blocker(state: Battle, unit: Unit, target: Unit) -> Obstacle | None:
    """Return the obstacle on the line to the target's leader, if any."""
    return _view(state, unit, target).obstacle(0, 0)


@implements("OP-GEN-04", "OP-TERR-03")
def _view(state: Battle, unit: Unit, target: Unit) -> SightLines:
    """Return the lines from the leader, or any corner of the piece that its unit is in, to every model of the target
    and any corner of its piece."""
    eyes = formation(unit.id, _eyes(state, unit))
    seen = formation(target.id, [*traits.bases(state, target), *_corners(state, target)])
    return SightLines(ground.scenery_of(state), eyes, seen, solid(state))


def _eyes(state: Battle, unit: Unit) -> list[Base]:
    """Return what a unit looks from: its leader, and the corners of the piece that it is in."""
    return [traits.base(state, state.leader(unit)), *_corners(state, unit)]


def _corners(state: Battle, unit: Unit) -> list[Base]:
    outline = ground.footprint(state, unit)
    return [Base(NO_FIGURE, at, 1) for at in outline or ()]


@kept(BOARD)
@implements("OP-GEN-04")
def solid(state: Battle) -> list[Formation]:
    """Return the units that stop sight: Vehicles, Walkers and Monsters; other models do not."""
    special = [unit for unit in state.standing() if not traits.profile(state, unit).infantry]
    return [formation(unit.id, traits.bases(state, unit)) for unit in special]


def lookouts(state: Battle, subject: NodeId) -> tuple[Point, ...]:
    """Return the places from which a unit looks out, its leader's first; none of one that is not on the table."""
    unit = state.units.get(names.group_of(subject))
    return kit.lookouts([eye.at for eye in _eyes(state, unit)] if unit is not None and unit.where == TABLE else [])


def seen_from(state: Battle, subject: NodeId, at: Point) -> Outline:
    """Return the ground that a unit sees from one of its lookouts."""
    unit = state.units[names.group_of(subject)]
    eye = next(eye for eye in _eyes(state, unit) if eye.at == at)
    return visible_ground(ground.scenery_of(state), eye, [one for one in solid(state) if one.id != unit.id])


@implements("OP-SHOOT-01", "OP-TERR-03")
def distance(state: Battle, unit: Unit, target: Unit) -> int:
    """Return the distance in hundredths from nearest model to nearest model, or to and from the edge of the piece that
    a unit is in."""
    return shapes_gap(shapes(state, unit), shapes(state, target))


def shapes(state: Battle, unit: Unit) -> list[Shape]:
    """Return the shapes that count as a unit in measuring."""
    outline = ground.footprint(state, unit)
    return [outline] if outline is not None else list(traits.bases(state, unit))


@implements("OP-TERR-03")
def is_within(state: Battle, unit: Unit, figure: Figure, target: Unit, reach: int) -> bool:
    """Tell if the nearest part of another unit is at most `reach` hundredths from one model of a unit, or from the edge
    of the piece that the unit is in."""
    own, theirs = ground.footprint(state, unit), ground.footprint(state, target)
    base = traits.base(state, figure)
    if own is None and theirs is None:
        far = reach + base.radius + formations.FARTHEST
        if squared(figure.at, state.leader(target).at) > far * far:
            return False
    return shapes_gap([base if own is None else own], shapes(state, target)) <= reach
