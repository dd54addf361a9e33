"""Values of the fields of a reply, read one by one, their form checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from engine.core.errors import IllegalIntent
from engine.core.replies import is_point
from engine.rulesets.one_page.names import bare
from engine.space.vectors import Point
from protocol.text import Text


class Fields:
    """The fields of a reply. Each reading raises IllegalIntent where the field is missing or of another form."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values

    def has(self, key: str) -> bool:
        """Whether the field was filled in."""
        return key in self._values

    def nodes(self, key: str) -> tuple[str, ...]:
        """Node ids, without their kinds; none where it is left out."""
        value = self._values.get(key, ())
        if not isinstance(value, (list, tuple)) or not all(isinstance(id, str) for id in value):
            raise bad(key)
        return tuple([bare(id) for id in cast("tuple[str, ...]", value)])

    def node(self, key: str) -> str:
        """Exactly one node id."""
        found = self.nodes(key)
        if len(found) != 1:
            raise bad(key)
        return found[0]

    def word(self, key: str) -> str:
        """An option; "" where it is left out."""
        value = self._values.get(key, "")
        if not isinstance(value, str):
            raise bad(key)
        return value

    def number(self, key: str, otherwise: int = 0) -> int:
        """A whole number."""
        value = self._values.get(key, otherwise)
        if not isinstance(value, int) or isinstance(value, bool):
            raise bad(key)
        return value

    def point(self, key: str) -> Point:
        """A place on the table."""
        return _point(key, self._values.get(key))

    def points(self, key: str) -> tuple[Point, ...]:
        """A place, or none where it is left out."""
        return (_point(key, self._values[key]),) if key in self._values else ()

    def places(self, key: str) -> dict[str, Point]:
        """Places by model; none where it is left out."""
        value = self._values.get(key, {})
        if not isinstance(value, Mapping) or not all(isinstance(id, str) for id in value):
            raise bad(key)
        return {bare(id): _point(key, at) for id, at in value.items()}

    def words(self, key: str) -> dict[str, str]:
        """Options by item, both without their kinds; none where it is left out."""
        value = self._values.get(key, {})
        if not isinstance(value, Mapping) or not all(isinstance(v, str) for kv in value.items() for v in kv):
            raise bad(key)
        return {item: bare(slot) for item, slot in value.items()}


def _point(key: str, value: object) -> Point:
    if not is_point(value):
        raise bad(key)
    x, y = cast("tuple[int, int]", value)
    return x, y


def bad(key: str) -> IllegalIntent:
    """The refusal of a field that cannot be read."""
    return IllegalIntent("reply/bad-field", Text("refuse.reply/bad-field", {"field": key}))
