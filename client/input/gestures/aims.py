"""Aims: what a pointer on the table means by the choices of a prompt, from their gestures and what a survey found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from client.model.table.shapes import contains, nearest_allowed, nearest_angle
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.advice import Gesture, Target
from protocol.scene.fields import AnyField, Band
from protocol.scene.grid import Grid
from protocol.scene.nodes import NO_NODE, TURN, Choice, Point, Prompt
from protocol.text import Text
from protocol.wire.from_server import Surveyed

NEAR = 150
"""Distance from a path, in hundredths, within which a click means its nearest corner."""
BESIDE = 60
"""Distance from the ground within reach, in hundredths, within which a click still means its edge."""


@dataclass(frozen=True)
class Pointed:
    """Place of the table that is pointed at, with the things there. `from_at`: where what is to go stands now; `held`:
    it is being dragged, so that a place out of reach means the edge; `unit`: of the table, in or cm."""

    point: Point
    things: tuple[NodeId, ...] = ()
    grid: Grid | None = None
    from_at: Point | None = None
    held: bool = False
    unit: str = "in"


@dataclass(frozen=True)
class Meaning:
    """Choice with the fields that two clicks fill, on a thing or at a place. `name`: of the option that was picked,
    where one was."""

    choice: Choice
    fields: Mapping[str, object] = field(default_factory=dict)
    thing: NodeId = NO_NODE
    point: Point | None = None
    name: Text | None = None


def field_of(choice: Choice, key: str) -> AnyField | None:
    """Return a field of a choice, None where it has none of this key."""
    return next((field for field in choice.fields if field.key == key), None)


def asks_for_words(choice: Choice) -> bool:
    """Tell whether a choice needs words that nobody but the player can give."""
    return any(isinstance(field, scene.Words) and not field.default for field in choice.fields)


def subjects_of(choice: Choice) -> tuple[NodeId, ...]:
    """Return the things that a choice can be made with: the options of its subject, else what it is about."""
    gesture = choice.gesture
    if gesture is None:
        return ()
    if gesture.subject:
        return tuple(NodeId(option.id) for option in getattr(field_of(choice, gesture.subject), "options", ()))
    return choice.about if gesture.object or gesture.rank or gesture.ends or gesture.mark else ()


def subjects(prompt: Prompt) -> dict[NodeId, None]:
    """Return the things that any choice can be made with, in the order in which they are offered."""
    return dict.fromkeys(thing for choice in prompt.choices for thing in subjects_of(choice))


def with_subject(choice: Choice, subject: NodeId) -> dict[str, object]:
    """Return the field that a click on the subject fills."""
    gesture = choice.gesture or Gesture()
    if not gesture.subject:
        return {}
    return {gesture.subject: _picked(field_of(choice, gesture.subject), subject)}


def _picked(field: AnyField | None, thing: NodeId) -> object:
    """Return the value of a field in which one thing is picked."""
    return [str(thing)] if isinstance(field, scene.Pieces) else str(thing)


def answers(prompt: Prompt, thing: NodeId) -> list[Choice]:
    """Return the choices that a click on a thing makes at once: the answers that are about it."""
    if prompt.window == TURN:
        return []
    plain = [choice for choice in prompt.choices if choice.gesture is not None and not choice.fields]
    return [choice for choice in plain if thing in choice.about]


def of_the_prompt(prompt: Prompt) -> list[Surveyed]:
    """Return what the prompt itself says of choices without a subject, whose object it offers already."""
    found = []
    for choice in prompt.choices:
        gesture = choice.gesture
        if gesture is None or gesture.subject or not gesture.object:
            continue
        known = field_of(choice, gesture.object)
        if known is None or known.lazy:
            continue
        reach: tuple[Band, ...] = ()
        if isinstance(known, scene.PickPoint | scene.Template):
            reach = (Band(choice.name, known.reach, known.regions),)
        elif isinstance(known, scene.Way):
            reach = known.bands
        targets = [
            Target(NodeId(option.id)) for option in getattr(known, "options", ()) if isinstance(option, scene.Option)
        ]
        targets += [Target(NodeId(bar.id), bar.why) for bar in getattr(known, "barred", ())]
        found.append(Surveyed(0, choice.id, reach=reach, targets=tuple(targets)))
    return found


def aim_of(
    choice: Choice, found: Surveyed, subject: NodeId, at: Pointed, known: AnyField | None = None
) -> Meaning | Text | None:
    """Return what pointing at a place or a thing means by one choice; the reason why it cannot be; None where it means
    nothing. `known`: the object's field with its options, where a proposal has told it."""
    gesture, fields = choice.gesture or Gesture(), with_subject(choice, subject)
    shape = known or field_of(choice, gesture.object)
    if found.why is not None or shape is None:
        return found.why
    if gesture.on in ("group", "piece", "feature", "card"):
        target = next((target for thing in at.things for target in found.targets if target.id == thing), None)
        if target is None or target.why is not None:
            return target.why if target is not None else None
        return Meaning(choice, {**fields, shape.key: _picked(shape, target.id)}, target.id)
    if gesture.on not in ("point", "cell"):
        return None
    value = _place(shape, found.reach, at)
    if value is None:
        return None
    return Meaning(choice, {**fields, shape.key: value}, point=at.point)


def _place(shape: AnyField, reach: Sequence[Band], at: Pointed) -> object | None:
    """Return the value that a place gives a field, None where it is out of reach."""
    match shape:
        case scene.Way() | scene.PickCell() if at.grid is not None:
            cell = at.grid.nearest(at.point)
            return list(cell) if _holds_cell(reach, cell) else None
        case scene.Template():
            return list(at.point)  # its regions are a hint: the table says what hides a place
        case scene.PickPoint() | scene.Way():
            point = reached(reach, at)
            return None if point is None else list(point)
        case scene.PathPoint():
            path = shape.path or next((region for band in reach for region in band.regions), ())
            return _nearest_corner(path, shape.least, at)
        case scene.Facing() if shape.angles:
            return nearest_angle(shape.at, at.point, shape.angles, shape.default)
    return None


def _holds_cell(reach: Sequence[Band], cell: tuple[int, int]) -> bool:
    return not reach or any(cell in band.cells for band in reach)


def _nearest_corner(path: Sequence[Point], least: int, at: Pointed) -> int | None:
    numbers = range(least, len(path))
    best = min(numbers, key=lambda number: math.dist(path[number], at.point), default=None)
    if best is None or (not at.held and math.dist(path[best], at.point) > NEAR):
        return None
    return best


def reached(reach: Sequence[Band], at: Pointed) -> Point | None:
    """Return the place within reach that a pointer means: its own, or the nearest on the way there if that is close by
    or the thing is being dragged; None where it is out of reach."""
    regions = [region for band in reach for region in band.regions if len(region) > 2]
    if not regions or any(contains(region, at.point) for region in regions):
        return at.point
    if at.from_at is None:
        return None
    edge = nearest_allowed(at.point, at.from_at, 0, regions)
    return edge if edge != at.from_at and (at.held or math.dist(edge, at.point) <= BESIDE) else None


def _bend(choice: Choice) -> scene.PickPoint | None:
    """Return the field of a bend: a place that may be left out, beside the choice's object."""
    gesture = choice.gesture or Gesture()
    spots = (field for field in choice.fields if isinstance(field, scene.PickPoint) and field.auto)
    return next((field for field in spots if field.key != gesture.object), None)


def takes_corners(choice: Choice) -> bool:
    """Tell whether the way of a choice may have corners."""
    gesture = choice.gesture or Gesture()
    return isinstance(field_of(choice, gesture.object), scene.Way) or _bend(choice) is not None


def with_corners(meaning: Meaning, corners: Sequence[Point]) -> Meaning:
    """Return a meaning whose way goes over these corners, as many as it may have."""
    choice, gesture = meaning.choice, meaning.choice.gesture or Gesture()
    shape, bend = field_of(choice, gesture.object), _bend(choice)
    fields = dict(meaning.fields)
    if isinstance(shape, scene.Way):
        end = cast("list[int]", fields[shape.key])
        fields[shape.key] = [*(part for corner in corners[: shape.most - 1] for part in corner), *end]
    elif bend is not None:
        fields[bend.key] = list(corners[-1])
    return Meaning(choice, fields, meaning.thing, meaning.point)


def facing(meaning: Meaning, open_fields: Sequence[AnyField], towards: Point) -> Meaning | None:
    """Return a meaning that looks at a place; None where nothing of it has a facing that may be changed."""
    known = next((field for field in open_fields if isinstance(field, scene.Facing) and field.angles), None)
    if known is None:
        return None
    angle = nearest_angle(known.at, towards, known.angles, known.default)
    return Meaning(meaning.choice, {**meaning.fields, known.key: angle}, meaning.thing, meaning.point)
