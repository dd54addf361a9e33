"""Drafts: fields of a choice while they are being filled in, with what is picked, what is missing, and the value.

A draft's `value()` is in wire form, or None where the field is left to the server (`auto` and never touched).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from client.input.board_drafts import CellDraft, FacingDraft, PathDraft, PlacementDraft, PointDraft, TemplateDraft
from client.input.field_draft import FieldDraft, by_node
from client.input.way_draft import WayDraft
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.nodes import NO_NODE


class PiecesDraft(FieldDraft[scene.Pieces]):
    """Draft of a choice of pieces, in the order they were picked; a pick beyond `most` replaces the oldest."""

    def __init__(self, field: scene.Pieces) -> None:
        super().__init__(field)
        self.ids: tuple[NodeId, ...] = ()

    def selectable(self) -> dict[NodeId, scene.Option]:
        return by_node(self.field.options)

    def picked(self) -> tuple[NodeId, ...]:
        return self.ids if self.touched else tuple(map(NodeId, self.field.default))

    def pick(self, node_id: NodeId) -> bool:
        if node_id not in self.selectable():
            return False
        self.touched = True
        if node_id in self.ids:
            self.ids = tuple(other for other in self.ids if other != node_id)
        else:
            self.ids = (*self.ids, node_id)[-max(self.field.most, 1) :]
        return True

    def complete_by_pick(self) -> bool:
        return self.field.most == 1 and len(self.ids) == 1

    def missing(self) -> str:
        count = len(self.picked())
        if count >= self.field.least or (self.field.auto and not self.touched):
            return ""
        more = self.field.least - count
        return phrase("drafts.pick_more", more=more) if count else phrase("drafts.pick", least=self.field.least)

    def wire(self) -> object:
        return list(self.picked())


class OptionDraft(FieldDraft[scene.PickOption]):
    """Draft of one option; picking it settles the field."""

    def __init__(self, field: scene.PickOption) -> None:
        super().__init__(field)
        self.id = field.default

    def selectable(self) -> dict[NodeId, scene.Option]:
        return by_node(self.field.options)

    def picked(self) -> tuple[NodeId, ...]:
        return (NodeId(self.id),) if self.id else ()

    def pick(self, node_id: NodeId) -> bool:
        if node_id not in self.selectable():
            return False
        self.touched, self.id = True, node_id
        return True

    def complete_by_pick(self) -> bool:
        return self.touched

    def missing(self) -> str:
        return "" if self.id or self.field.auto else phrase("drafts.pick_one")

    def wire(self) -> object:
        return self.id


class NumberDraft(FieldDraft[scene.Number]):
    """Draft of a number within its bounds."""

    def __init__(self, field: scene.Number) -> None:
        super().__init__(field)
        self.number = min(max(field.default, field.least), field.most)

    def set(self, number: int) -> None:
        self.touched = True
        self.number = min(max(number, self.field.least), self.field.most)

    def step(self, by: int) -> bool:
        self.set(self.number + by)
        return True

    def type(self, digit: int) -> None:
        """Take a typed digit: behind those before it, or anew where that would be too much."""
        longer = self.number * 10 + digit if self.touched else digit
        self.set(longer if longer <= self.field.most else digit)

    def wire(self) -> object:
        return self.number


class AssignDraft(FieldDraft[scene.Assign]):
    """Draft of items in slots. Pick an item to hold it, then the slot; or put it there at once."""

    def __init__(self, field: scene.Assign) -> None:
        super().__init__(field)
        self.slot_of: dict[str, str] = dict(field.default)
        self.held = NO_NODE

    def selectable(self) -> dict[NodeId, scene.Option]:
        return by_node((*self.field.items, *self.field.slots))

    def barred(self) -> dict[NodeId, scene.Barred]:
        return {NodeId(bar.id): bar for bar in self.field.bars.get(self.held, ())}

    def picked(self) -> tuple[NodeId, ...]:
        return (self.held,) if self.held else ()

    def holdable(self) -> tuple[NodeId, ...]:
        return tuple(by_node(self.field.items))

    def hold(self, node_id: NodeId) -> None:
        self.held = node_id

    def pick(self, node_id: NodeId) -> bool:
        if any(item.id == node_id for item in self.field.items):
            self.held = node_id
            return True
        if self.held and self.put(self.held, node_id):
            self.held = NO_NODE
            return True
        return False

    def put(self, item: str, slot: str) -> bool:
        """Put an item into a slot; return False if the slot is none of the field's, barred to the item, or full."""
        barred = {bar.id for bar in self.field.bars.get(item, ())}
        known = slot not in barred and any(option.id == slot for option in self.field.slots)
        is_full = list(self.slot_of.values()).count(slot) >= self.field.room.get(slot, math.inf)
        if not known or (self.slot_of.get(item) != slot and is_full):
            return False
        self.touched = True
        self.slot_of[item] = slot
        return True

    def turn(self, item: str, by: int) -> bool:
        """Put an item into the next slot (`by`: 1) or the one before (-1) that takes it; return False where none
        does."""
        slots = [slot.id for slot in self.field.slots][::by]
        at = slots.index(self.slot_of[item]) if self.slot_of.get(item) in slots else -1
        return any(self.put(item, slot) for slot in (*slots[at + 1 :], *slots[: at + 1]))

    def step(self, by: int) -> bool:
        if not self.held:
            self.held = next(iter(self.holdable()), NO_NODE)
        return self.turn(self.held, by)

    def missing(self) -> str:
        without = sum(1 for item in self.field.items if item.id not in self.slot_of)
        if not without or (self.field.auto and not self.touched):
            return ""
        return phrase("drafts.assign", left=without)

    def wire(self) -> object:
        return {item.id: self.slot_of[item.id] for item in self.field.items}


class OrderDraft(FieldDraft[scene.Order]):
    """Draft of an order of all items; at first the default's, or the field's own."""

    def __init__(self, field: scene.Order) -> None:
        super().__init__(field)
        self.ids: list[str] = list(field.default) or [item.id for item in field.items]

    def move(self, item: str, by: int) -> None:
        """Move an item `by` places towards the end (or the beginning, if negative)."""
        at = self.ids.index(item)
        to = min(max(at + by, 0), len(self.ids) - 1)
        self.touched = True
        self.ids.insert(to, self.ids.pop(at))

    def wire(self) -> object:
        return list(self.ids)


class WordsDraft(FieldDraft[scene.Words]):
    """Draft of free text."""

    def __init__(self, field: scene.Words) -> None:
        super().__init__(field)
        self.text = field.default

    def write(self, text: str) -> None:
        self.touched, self.text = True, text[: self.field.most]

    def missing(self) -> str:
        return "" if self.text.strip() or self.field.auto else phrase("drafts.write")

    def wire(self) -> object:
        return self.text


Draft = (
    PiecesDraft
    | OptionDraft
    | PointDraft
    | PlacementDraft
    | PathDraft
    | WayDraft
    | CellDraft
    | FacingDraft
    | TemplateDraft
    | NumberDraft
    | AssignDraft
    | OrderDraft
    | WordsDraft
)


_KINDS: Final[Mapping[type[scene.AnyField], Callable[[Any], Draft]]] = {
    scene.Pieces: PiecesDraft,
    scene.PickOption: OptionDraft,
    scene.PickPoint: PointDraft,
    scene.Placement: PlacementDraft,
    scene.PathPoint: PathDraft,
    scene.Way: WayDraft,
    scene.PickCell: CellDraft,
    scene.Facing: FacingDraft,
    scene.Template: TemplateDraft,
    scene.Number: NumberDraft,
    scene.Assign: AssignDraft,
    scene.Order: OrderDraft,
    scene.Words: WordsDraft,
}


def draft_for(field: scene.AnyField) -> Draft:
    """Return an empty draft for a field that has its options."""
    return _KINDS[type(field)](field)
