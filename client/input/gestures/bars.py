"""Verbs that stand in a bar: those of the group in focus that no click on the table makes, and those of the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from client.input.gestures.aims import subjects, subjects_of
from client.input.gestures.controller import GestureController
from client.model.table.tabletop import Tabletop
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, TURN, Choice, Prompt
from protocol.text import Text


class BarVerb(NamedTuple):
    """Entry of a bar: a choice, greyed where `why` says that it cannot be made, or a thing to take up."""

    choice: Choice | None
    name: Text | None
    why: Text | None = None
    hint: Text | None = None
    thing: NodeId = NO_NODE


def group_verbs(gestures: GestureController, prompt: Prompt, top: Tabletop) -> Iterator[BarVerb]:
    """Yield the verbs of the group in focus: those without an object, those that come second to another at a click, and
    those that cannot be done. None stands at the foot of the board."""
    met: set[NodeId] = set()
    for choice, found in gestures.survey.by_rank(prompt):
        gesture = choice.gesture
        assert gesture is not None
        if stands_alone(choice, prompt, top):
            continue
        objects = {target.id for target in found.targets if target.why is None}
        is_second = bool(gesture.object) and gesture.on != "point" and bool(objects & met)
        met |= objects
        if found.why is not None:
            yield BarVerb(choice, choice.name, found.why)
        elif not gesture.object or is_second or _needs_arming(choice):
            yield BarVerb(choice, choice.name, hint=choice.hint)


def _needs_arming(choice: Choice) -> bool:
    """Tell whether a choice with a place is made from the bar: a click there means another."""
    gesture = choice.gesture
    return gesture is not None and gesture.on == "point" and gesture.rank > 0


def foot_verbs(prompt: Prompt, top: Tabletop) -> Iterator[BarVerb]:
    """Yield what belongs to no group in focus: things off the table that could be taken up, then the choices that
    clicks on the table do not make."""
    for thing in subjects(prompt):
        if not top.pieces_of(thing) and thing not in top.pieces and thing in top.groups:
            yield BarVerb(None, None, thing=thing)
    for choice in prompt.choices:
        if stands_alone(choice, prompt, top):
            yield BarVerb(choice, choice.name, hint=choice.hint)


def stands_alone(choice: Choice, prompt: Prompt, top: Tabletop) -> bool:
    """Tell whether no click on the table begins a choice."""
    gesture = choice.gesture
    if gesture is None:
        return not choice.fields or prompt.window != TURN
    if gesture.subject or gesture.object:
        return False
    if subjects_of(choice):
        return all(not top.pieces_of(thing) for thing in subjects_of(choice))
    return not any(top.pieces_of(thing) or thing in top.pieces for thing in choice.about)
