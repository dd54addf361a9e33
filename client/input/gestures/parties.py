"""Parties: the groups of one's own that carry out a choice together, exchanged by clicks on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from client.input.gestures.aims import field_of
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Choice


class Party(NamedTuple):
    """Groups that carry out one choice together. `slots`: the fields that they stand in, that of the subject among
    them; `candidates`: the groups that may take part."""

    slots: tuple[scene.Pieces, ...]
    candidates: frozenset[NodeId]

    @property
    def least(self) -> int:
        """The number of places that must be filled."""
        return sum(slot.least for slot in self.slots)

    @property
    def most(self) -> int:
        """The number of places."""
        return sum(slot.most for slot in self.slots)

    def members(self, fields: Mapping[str, object]) -> list[NodeId]:
        """Return the groups that take part by these fields, each as often as it does."""
        return [NodeId(id) for ids in self.picked(fields).values() for id in ids]

    def picked(self, fields: Mapping[str, object]) -> dict[str, list[str]]:
        """Return the fields of the groups alone."""
        values = {slot.key: fields.get(slot.key) for slot in self.slots}
        return {key: [str(id) for id in value] for key, value in values.items() if isinstance(value, list)}

    def exchanged(self, members: Sequence[NodeId], thing: NodeId, *, again: bool) -> dict[str, list[str]]:
        """Return the fields with a group taken out, or in: first in the place of one that takes part twice. Where too
        few are left, the first takes part once more. `again`: take it in although it is there."""
        now = list(members)
        last = len(now) - 1 - now[::-1].index(thing) if thing in now else -1
        twice = next((number for number in range(len(now) - 1, 0, -1) if now[number] in now[:number]), -1)
        if last >= 0 and not again:
            del now[last]
        elif twice >= 0 and not again:
            now[twice] = thing
        elif len(now) < self.most:
            now.append(thing)
        elif now:
            now[-1] = thing
        now += (now or [thing])[:1] * (self.least - len(now))
        return self._placed(now)

    def _placed(self, members: Sequence[NodeId]) -> dict[str, list[str]]:
        """Return the fields of these groups, in their order."""
        left, found = [str(id) for id in members], {}
        for slot in self.slots:
            found[slot.key], left = left[: slot.most], left[slot.most :]
        return found


def party_of(choice: Choice, known: Mapping[tuple[str, str], AnyField]) -> Party | None:
    """Return the party of a choice: all of its fields that offer what its subject's field offers; None where only one
    group takes part. `known`: fields with their options, by choice and key."""
    gesture = choice.gesture
    subject = field_of(choice, gesture.subject) if gesture is not None else None
    if gesture is None or not isinstance(subject, scene.Pieces):
        return None
    own = {option.id for option in subject.options}
    told = [known.get((choice.id, field.key), field) for field in choice.fields if field.key != gesture.object]
    slots = tuple(
        field for field in told if isinstance(field, scene.Pieces) and any(one.id in own for one in field.options)
    )
    if sum(slot.most for slot in slots) < 2:
        return None
    return Party(slots, frozenset(NodeId(option.id) for slot in slots for option in slot.options))
