"""Figures or groups that answer a question, exchanged by clicks: the proposed ones at first."""

from __future__ import annotations

from client.input.drafts import PiecesDraft
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.nodes import Choice, Prompt, Reply


class Picking:
    """Pick of several things for the only field of a choice."""

    def __init__(self, choice: Choice, field: scene.Pieces) -> None:
        self.choice = choice
        self.draft = PiecesDraft(field)
        self.draft.ids, self.draft.touched = tuple(map(NodeId, field.default)), True

    @property
    def is_single(self) -> bool:
        """True where one thing is picked, no more and no less."""
        return self.draft.field.least == self.draft.field.most == 1

    @property
    def settles_at_once(self) -> bool:
        """True where a single thing is picked and none is proposed, so that a click on it is the answer."""
        return self.is_single and not self.draft.field.default

    @property
    def is_complete(self) -> bool:
        return not self.draft.missing()

    def reply(self) -> Reply:
        return Reply(self.choice.id, {self.draft.field.key: self.draft.wire()})


def picking_of(prompt: Prompt) -> Picking | None:
    """Return the pick that a prompt asks for, if it does: a choice without a subject whose object are pieces of which
    it may take several, or which it proposes."""
    for choice in prompt.choices:
        gesture = choice.gesture
        if gesture is None or gesture.subject or not gesture.object or len(choice.fields) != 1 or choice.about:
            continue
        field = choice.fields[0]
        if isinstance(field, scene.Pieces) and not field.lazy:
            return Picking(choice, field)
    return None
