"""The base of all drafts (client/input/drafts.py says what a draft is)."""

from __future__ import annotations

from typing import Generic, TypeVar

from protocol.scene.nodes import AnyField, Option, Point

F = TypeVar("F", bound=AnyField)


class FieldDraft(Generic[F]):
    """Base: nothing can be picked, nothing is missing."""

    def __init__(self, field: F) -> None:
        self.field: F = field
        self.touched = False

    def selectable(self) -> dict[str, Option]:
        """Things that can be picked, by id."""
        return {}

    def picked(self) -> tuple[str, ...]:
        """Things picked so far."""
        return ()

    def pick(self, node_id: str) -> bool:
        """Pick a thing, or put it back; False if it is none of the field's."""
        return False

    def complete_by_pick(self) -> bool:
        """Whether the last pick settled the field, so that it needs no confirmation."""
        return False

    def aim(self, point: Point) -> bool:
        """A place on the table was clicked; False if the field takes no places."""
        return False

    def step(self, by: int) -> bool:
        """The next value, or the one before, by key; False if the field has no such order."""
        return False

    def missing(self) -> str:
        """What is still to be done before the field is complete; "" if nothing."""
        return ""

    def value(self) -> object | None:
        """The value in wire form; None: left to the server."""
        return None if self.field.auto and not self.touched else self.wire()

    def wire(self) -> object:
        raise NotImplementedError
