"""Deeds: what a scripted player means to do next, told apart from how the hand does it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from client.model.table.shapes import contains
from engine.core.rules.errors import IllegalIntent
from engine.core.view.proposals import proposal_for
from engine.core.view.situations import Situation
from engine.core.view.surveys import survey_of, surveyed_choices
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.fields import Band
from protocol.scene.nodes import NO_NODE, Choice, Point, Reply

SET_UP = frozenset(
    "deploy deploy_vehicle deploy_rest hide split double join load keep north south rest".split()  # noqa: SIM905 - in a row
)
"""Choices before the first act of a match."""
LIKED: Mapping[str, float] = {
    "assault": 12,
    "charge": 12,
    "drive": 5,
    "fire": 8,
    "linked": 4,
    "move": 5,
    "run": 5,
    "shoot": 8,
    "walk": 5,
}
"""Weights of choices that are liked more than others."""
UNLIKED: Mapping[str, float] = {
    "embark": 0.4,
    "end": 0.2,
    "hold": 0.2,
    "idle": 0.05,
    "propose": 0,
    "stand": 0.05,
    "turn": 0.3,
}
"""Weights of those that are liked less. Who tries something new must say it in words, which no hand does."""
MOST_TRIES = 12
FAR = 4
"""Corners of a region that are looked at for a place in it."""


@dataclass(frozen=True)
class Deed:
    """One act that the rules take: `fields` are those of the whole reply. `thing` or `point`: its object, if it has
    one."""

    choice: Choice
    fields: Mapping[str, object]
    subject: NodeId = NO_NODE
    thing: NodeId = NO_NODE
    point: Point | None = None


def decide(situation: Situation[object], default: Reply | None, dice: random.Random) -> Deed:
    """Return what to do next: an act by a gesture where there is one, by chance among those that come off."""
    choices = list(situation.choices())
    for _ in range(MOST_TRIES):
        weights = [LIKED.get(choice.id, UNLIKED.get(choice.id, 1)) for choice in choices]
        choice = dice.choices(choices, weights)[0]
        deeds = list(_deeds(situation, choice, dice))
        dice.shuffle(deeds)
        for deed in deeds[:FAR]:
            filled = _filled(situation, deed)
            if filled is not None:
                return filled
    for choice in choices:
        filled = _filled(situation, Deed(choice, {})) if choice.gesture is None or not choice.gesture.object else None
        if filled is not None:
            return filled
    raise AssertionError(f"nothing can be done: {[choice.id for choice in choices]}, {default}")


def _filled(situation: Situation[object], deed: Deed) -> Deed | None:
    """Return a deed with all its fields, None where the rules do not take it."""
    try:
        fields = dict(proposal_for(situation, deed.choice.id, deed.fields).fields)
    except IllegalIntent:
        return None
    return Deed(deed.choice, fields, deed.subject, deed.thing, deed.point)


def _deeds(situation: Situation[object], choice: Choice, dice: random.Random) -> Iterator[Deed]:
    """Yield a few acts by one choice."""
    gesture = choice.gesture
    if gesture is None or not (gesture.subject or gesture.object):
        yield Deed(choice, {}, subject=next(iter(choice.about), NO_NODE))
        return
    subjects = _options(choice, gesture.subject) if gesture.subject else (choice.about or (NO_NODE,))
    subject = dice.choice(list(subjects)) if subjects else NO_NODE
    fields = _with(choice, gesture.subject, subject)
    if not gesture.object:
        yield Deed(choice, fields, subject)
        return
    if not gesture.subject and not choice.about:
        yield Deed(choice, {}, subject)
        return
    if choice not in surveyed_choices(situation, subject):
        return
    found = survey_of(situation, choice, subject)
    for target in found.targets:
        if target.why is None and found.why is None:
            yield Deed(choice, fields | _with(choice, gesture.object, target.id), subject, target.id)
    if found.why is None and isinstance(_field(choice, gesture.object), scene.PickPoint | scene.Way):
        sooner = [
            region
            for other in surveyed_choices(situation, subject)
            if other.gesture is not None and other.gesture.on == "point" and other.gesture.rank < gesture.rank
            for band in survey_of(situation, other, subject).reach
            for region in band.regions
        ]
        # nobody runs where they could walk
        for point in _places(found.reach, dice):
            if any(contains(region, point) for region in sooner):
                continue
            yield Deed(choice, {**fields, gesture.object: list(point)}, subject, point=point)


def _field(choice: Choice, key: str) -> scene.AnyField | None:
    return next((field for field in choice.fields if field.key == key), None)


def _options(choice: Choice, key: str) -> tuple[NodeId, ...]:
    return tuple(NodeId(option.id) for option in getattr(_field(choice, key), "options", ()))


def _with(choice: Choice, key: str, thing: NodeId) -> dict[str, object]:
    if not key:
        return {}
    return {key: [str(thing)] if isinstance(_field(choice, key), scene.Pieces) else str(thing)}


def _places(reach: tuple[Band, ...], dice: random.Random) -> Iterator[Point]:
    """Yield places well inside the ground within reach."""
    for region in [region for band in reach for region in band.regions if len(region) > 2]:
        middle = (sum(x for x, _ in region) // len(region), sum(y for _, y in region) // len(region))
        for corner in dice.sample(region, min(FAR, len(region))):
            share = dice.uniform(0.3, 0.9)
            x, y = (round(m + (c - m) * share) for m, c in zip(middle, corner, strict=True))
            yield x, y
