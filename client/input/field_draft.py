"""Base class of all drafts (see client/input/drafts.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from protocol.ids import NodeId
from protocol.scene.fields import AnyField, Barred, Option
from protocol.scene.nodes import Point

F = TypeVar("F", bound=AnyField)


def by_node(options: Iterable[Option]) -> dict[NodeId, Option]:
    """Return options by node: a thing on the table is offered under the id of its node, and no other option has one."""
    return {NodeId(option.id): option for option in options}


class FieldDraft(Generic[F]):
    """Base draft: nothing can be picked, nothing is missing."""

    def __init__(self, field: F) -> None:
        self.field: F = field
        self.touched = False

    def selectable(self) -> dict[NodeId, Option]:
        """Return the things that can be picked, by id."""
        return {}

    def picked(self) -> tuple[NodeId, ...]:
        """Return the ids picked so far."""
        return ()

    def barred(self) -> dict[NodeId, Barred]:
        """Return the things that a player may expect to pick and cannot, by id."""
        return {NodeId(bar.id): bar for bar in getattr(self.field, "barred", ())}

    def holdable(self) -> tuple[NodeId, ...]:
        """Return the things that can be taken in hand one after another, before they are put somewhere."""
        return ()

    def hold(self, node_id: NodeId) -> None:
        """Take one of `holdable` in hand."""

    def pick(self, node_id: NodeId) -> bool:
        """Pick a thing, or put it back; return False if it is none of the field's."""
        return False

    def complete_by_pick(self) -> bool:
        """Return True if the last pick settled the field, so that it needs no confirmation."""
        return False

    def aim(self, point: Point) -> bool:
        """Take in a click at a place on the table; return False if the field takes no places."""
        return False

    def step(self, by: int) -> bool:
        """Go to the next value, or the one before; return False if the field's values have no order."""
        return False

    def nudge(self, dx: int, dy: int) -> bool:
        """Move what is being placed by so much, in hundredths; return False if nothing is."""
        return False

    def missing(self) -> str:
        """Return in words what must still be done before the field is complete, "" if nothing."""
        return ""

    def value(self) -> object | None:
        """Return the value in wire form, None where it is left to the server."""
        return None if self.field.auto and not self.touched else self.wire()

    def wire(self) -> object:
        raise NotImplementedError
