"""Ghosts: pieces where a proposal would put them, dragged to other places before it is accepted."""

from __future__ import annotations

import math
from collections.abc import Mapping

from client.input.gestures.aims import Meaning
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.nodes import NO_NODE, Point
from protocol.wire.from_server import Proposed


class Ghosts:
    """Places of pieces that were dragged since a choice was proposed. `held`: the piece in hand."""

    def __init__(self) -> None:
        self.places: dict[NodeId, Point] = {}
        self.held = NO_NODE
        self.good: tuple[Meaning, dict[NodeId, Point], Proposed] | None = None

    def begin(self, meaning: Meaning, proposal: Proposed) -> None:
        """Begin with the places that a proposal gives."""
        self.good = (meaning, {}, proposal)
        self.places, self.held = {}, NO_NODE

    def take(self, point: Point, reach: int) -> bool:
        """Take the ghost under a point in hand; return False if there is none."""
        shown = self.shown()
        near = min(shown, key=lambda piece: math.dist(shown[piece], point), default=NO_NODE)
        self.held = near if near and math.dist(shown[near], point) <= reach else NO_NODE
        return bool(self.held)

    def shown(self) -> dict[NodeId, Point]:
        """Return where the ghosts are drawn."""
        return {} if self.good is None else {**self.good[2].ghosts, **self.places}

    def move(self, meaning: Meaning, point: Point) -> Meaning | None:
        """Put the ghost in hand somewhere else; return what is meant now, None where the choice places no piece."""
        assert self.good is not None
        choice, gesture = meaning.choice, meaning.choice.gesture
        at = self.good[2].ghosts.get(self.held)
        if gesture is not None and at is not None and meaning.fields.get(gesture.object) == list(at):
            # the piece that the place was picked for: the others form up around it anew
            self.places = {}
            return Meaning(choice, {**meaning.fields, gesture.object: list(point)}, point=point)
        key = next((field.key for field in choice.fields if isinstance(field, scene.Placement)), "")
        if not key:
            return None
        shown = self.shown()
        # figures that share a base go together
        self.places |= {piece: point for piece, place in shown.items() if place == shown[self.held]}
        return Meaning(choice, {**meaning.fields, key: self._others(meaning)}, point=meaning.point)

    def _others(self, meaning: Meaning) -> Mapping[str, object]:
        """Return the places of all pieces but those that stand where the choice's own place is."""
        picked = [value for value in meaning.fields.values() if isinstance(value, list)]
        return {str(piece): list(at) for piece, at in self.shown().items() if list(at) not in picked}
