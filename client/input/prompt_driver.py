"""State machine from a prompt to a filled-in reply, step by step. Needs no window and no network.

The driver walks choice, then field by field. The view shows `stage`, `field` and `draft`, tells the driver what the
player picked, sends `request` when there is one, and sends `reply` when it is complete.
"""

from __future__ import annotations

import msgspec

from client.input.drafts import Draft, draft_for
from client.input.field_draft import by_node
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene.fields import AnyField, Barred, Option, PickOption, Pieces
from protocol.scene.nodes import NO_NODE, Choice, Prompt, Reply
from protocol.text import Text

CHOOSING = "choosing"
ASKING = "asking"
FILLING = "filling"
READY = "ready"

UNDO = "core:undo"


class OptionsRequest(msgspec.Struct, frozen=True):
    """Request for the options of the next field of this choice, with these fields filled in."""

    choice: str
    fields: dict[str, object]


class PromptDriver:
    """State of one prompt being answered. `note` is the last reason why something could not be done, "" when all is
    well."""

    def __init__(self, prompt: Prompt) -> None:
        self.prompt = prompt
        self.focus = NO_NODE
        self.note: Text | str = ""
        self._reset()

    def _reset(self) -> None:
        self.choice: Choice | None = None
        self.fields: list[AnyField] = []
        self.values: list[object | None] = []
        self.draft: Draft | None = None
        self.request: OptionsRequest | None = None
        self.reply: Reply | None = None
        self.started_with_focus = False

    @property
    def stage(self) -> str:
        """CHOOSING a choice, ASKING the server for a field's options, FILLING a field, or READY with a reply."""
        if self.reply is not None:
            return READY
        if self.choice is None:
            return CHOOSING
        return ASKING if self.draft is None else FILLING

    @property
    def field(self) -> AnyField | None:
        """The field being filled."""
        return None if self.draft is None else self.draft.field

    def filled(self) -> dict[str, object]:
        """Return the fields so far, in wire form, without those left to the server."""
        pairs = zip(self.fields, self.values, strict=False)
        return {field.key: value for field, value in pairs if value is not None}

    def choose(self, choice_id: str) -> bool:
        """Begin with a choice of the prompt; a thing in focus is put into its first field where it fits."""
        known = (*self.prompt.choices, *self.prompt.asides)
        choice = next((choice for choice in known if choice.id == choice_id), None)
        if choice is None:
            return False
        self._reset()
        self.note = ""
        self.choice = choice
        self.fields = list(choice.fields)
        self._advance()
        if self.focus and self.draft is not None and len(self.values) == 0:
            self.started_with_focus = self.focus in self.draft.selectable() and self.pick(self.focus)
        return True

    def choices_for(self, node_id: NodeId) -> tuple[Choice, ...]:
        """Return the choices that this thing could be picked in first, or that are about it."""
        return tuple(choice for choice in self.prompt.choices if node_id in _offered(choice) or node_id in choice.about)

    def selectable(self) -> dict[NodeId, Option]:
        """Return what can be picked now, by id: in the field being filled, or before a choice in every choice's first
        field."""
        if self.draft is not None:
            return self.draft.selectable()
        if self.choice is not None or self.reply is not None:
            return {}
        return {node_id: option for choice in self.prompt.choices for node_id, option in _offered(choice).items()}

    def barred(self) -> dict[NodeId, Barred]:
        """Return what cannot be picked now although a player may expect it, with the reason."""
        return self.draft.barred() if self.draft is not None else {}

    def pick(self, node_id: NodeId) -> bool:
        """Pick a thing; return False, with `note`, if it cannot be picked now."""
        self.note = ""
        if self.stage == CHOOSING:
            if node_id in self.selectable():
                self.focus = node_id
                return True
            return False
        if self.draft is None:
            return False
        bar = self.barred().get(node_id)
        if bar is not None:
            self.note = bar.why
            return False
        if not self.draft.pick(node_id):
            return False
        if self.draft.complete_by_pick():
            self.confirm()
        return True

    def confirm(self) -> bool:
        """Accept the field with what was picked, or its default; return False, with `note`, if something is missing."""
        if self.draft is None:
            return False
        missing = self.draft.missing()
        if missing:
            self.note = missing
            return False
        self.note = ""
        self.values.append(self.draft.value())
        self.draft = None
        self._advance()
        return True

    def detail(self, field: AnyField | None, why: Text | None = None) -> None:
        """Take in the server's answer to `request`.

        That is the field with its options, None (the choice is complete without it), or None with the reason why; in
        the last case the driver goes a step back.
        """
        if self.choice is None or self.draft is not None or self.reply is not None:
            return
        self.request = None
        if field is None and why is not None:
            self.back()
            self.note = why
        elif field is None:
            del self.fields[len(self.values) :]
            self._advance()
        else:
            self.fields[len(self.values)] = field
            self._take_up(field)

    def back(self) -> bool:
        """Go one step back: the picks of this field, else the field before, else the choice. Returns False at the
        beginning."""
        self.note = ""
        if self.draft is not None and self.draft.touched:
            self.draft = draft_for(self.draft.field)
            return True
        if self.choice is None:
            moved = bool(self.focus)
            self.focus = NO_NODE
            return moved
        at = len(self.values) - 1
        while at >= 0 and self._has_one_answer(at):
            self.values.pop()
            at -= 1
        if at < 0 or (at == 0 and self.started_with_focus):
            self._reset()
            return True
        self.reply, self.request = None, None
        self.values.pop()
        self.draft = draft_for(self.fields[at])
        self.fields[at + 1 :] = self.choice.fields[at + 1 :]
        return True

    def carried_over(self, prompt: Prompt) -> PromptDriver:
        """Return a driver for the prompt that came after this one; the focus stays if its thing can still act."""
        fresh = PromptDriver(prompt)
        if self.focus in fresh.selectable():
            fresh.focus = self.focus
        return fresh

    def _advance(self) -> None:
        """Go on to the next field, or to the reply when there is none."""
        assert self.choice is not None
        at = len(self.values)
        if at >= len(self.fields):
            self.reply = Reply(self.choice.id, self.filled())
        elif self.fields[at].lazy:
            self.request = OptionsRequest(self.choice.id, self.filled())
        else:
            self._take_up(self.fields[at])

    def _take_up(self, field: AnyField) -> None:
        """Begin with a field that has its options; confirm at once one that offers none and needs none, and one with a
        single answer, as long as a later field is still to be filled in."""
        self.draft = draft_for(field)
        if isinstance(field, Pieces | PickOption) and self._has_one_answer(len(self.values)):
            for option in field.options:
                self.draft.pick(NodeId(option.id))
            self.confirm()
            return
        offers = not isinstance(field, Pieces | PickOption) or bool(field.options)
        needs = isinstance(field, Pieces) and field.least > 0
        if not offers and (field.auto or (isinstance(field, Pieces) and not needs)):
            self.confirm()
        elif not offers and isinstance(field, Pieces | PickOption) and field.barred:
            self.note = field.barred[0].why if len(field.barred) == 1 else phrase("drafts.all_barred")

    def _has_one_answer(self, at: int) -> bool:
        """Tell whether a field is answered without asking: never the last that is to be filled in, with which the
        choice is made."""
        return has_one_answer(self.fields[at]) and any(not field.auto for field in self.fields[at + 1 :])


def has_one_answer(field: AnyField) -> bool:
    """Tell whether a field with its options can be filled in in one way only."""
    if isinstance(field, Pieces):
        return not field.lazy and 0 < field.least == field.most == len(field.options)
    return isinstance(field, PickOption) and not field.lazy and not field.auto and len(field.options) == 1


def _offered(choice: Choice) -> dict[NodeId, Option]:
    """Return what the first field of a choice offers, if it is a field of pieces."""
    first = choice.fields[0] if choice.fields else None
    return by_node(first.options) if isinstance(first, Pieces) else {}
