"""Base class of all drafts (see client/input/drafts.py)."""

from __future__ import annotations

from typing import Generic, TypeVar

from protocol.scene.nodes import AnyField, Option, Point

F = TypeVar("F", bound=AnyField)


class FieldDraft(Generic[F]):
    """Base draft: nothing can be picked, nothing is missing."""

    def __init__(self, field: F) -> None:
        self.field: F = field
        self.touched = False

    def selectable(self) -> dict[str, Option]:
        """Return the things that can be picked, by id."""
        return {}

    def picked(self) -> tuple[str, ...]:
        """Return the ids picked so far."""
        return ()

    def pick(self, node_id: str) -> bool:
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

    def missing(self) -> str:
        """Return in words what must still be done before the field is complete, "" if nothing."""
        return ""

    def value(self) -> object | None:
        """Return the value in wire form, None where it is left to the server."""
        return None if self.field.auto and not self.touched else self.wire()

    def wire(self) -> object:
        raise NotImplementedError
