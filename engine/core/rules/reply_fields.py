"""Fields of a reply, read one by one with their form checked: for a system's `parse`, and for its `detail`. Nodes are
named as the rules name them, without their kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from engine.core.rules.node_ids import figure_of, group_of
from engine.core.rules.replies import field_refused, is_point, is_whole
from protocol.ids import FigureId, GroupId


class Fields:
    """The fields of a reply. Each reading raises IllegalIntent ("reply/...") where the field is of another form, or
    missing and without a value that stands in for it."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values
        self._read: set[str] = set()

    def has(self, key: str) -> bool:
        """Tell whether the field was filled in."""
        return key in self._values

    def nodes(self, key: str) -> tuple[str, ...]:
        """Return the ids of nodes; none where the field is left out."""
        return tuple([_node(key, id) for id in _row(key, self._value(key, ()))])

    def node(self, key: str) -> str:
        """Return the id of exactly one node."""
        row = self._value(key)
        if not isinstance(row, (list, tuple)) or len(row) != 1:
            raise field_refused("bad-field", key)
        return _node(key, row[0])

    def group(self, key: str) -> GroupId:
        """Return the id of exactly one group."""
        return GroupId(self.node(key))

    def groups(self, key: str) -> tuple[GroupId, ...]:
        """Return the ids of groups; none where the field is left out."""
        return tuple(map(GroupId, self.nodes(key)))

    def figure(self, key: str) -> FigureId:
        """Return the id of exactly one figure."""
        return FigureId(self.node(key))

    def figures(self, key: str) -> tuple[FigureId, ...]:
        """Return the ids of figures; none where the field is left out."""
        return tuple(map(FigureId, self.nodes(key)))

    def word(self, key: str, otherwise: str | None = None) -> str:
        """Return an option or a text as it stands; `otherwise` where the field is left out."""
        value = self._value(key, otherwise)
        if not isinstance(value, str):
            raise field_refused("bad-field", key)
        return value

    def number(self, key: str, otherwise: int | None = None) -> int:
        """Return a whole number; `otherwise` where the field is left out."""
        value = self._value(key, otherwise)
        if not is_whole(value):
            raise field_refused("bad-field", key)
        return cast("int", value)

    def point(self, key: str) -> tuple[int, int]:
        """Return a place on the table, in hundredths."""
        return _point(key, self._value(key))

    def points(self, key: str) -> tuple[tuple[int, int], ...]:
        """Return a place on the table, in hundredths; none where the field is left out."""
        return (self.point(key),) if self.has(key) else ()

    def way(self, key: str) -> tuple[tuple[int, int], ...]:
        """Return the corners of a way, in hundredths, its end the last of them."""
        value = self._value(key)
        if not isinstance(value, (list, tuple)) or not value or len(value) % 2 or not all(map(is_whole, value)):
            raise field_refused("bad-field", key)
        return tuple(zip(value[::2], value[1::2], strict=True))

    def places(self, key: str) -> dict[FigureId, tuple[int, int]]:
        """Return places by figure, in hundredths; none where the field is left out."""
        value = self._value(key, {})
        if not isinstance(value, Mapping) or not all(isinstance(id, str) for id in value):
            raise field_refused("bad-field", key)
        return {figure_of(id): _point(key, at) for id, at in value.items()}

    def assigned(self, key: str) -> dict[str, str]:
        """Return the slots of items as they stand; none where the field is left out."""
        value = self._value(key, {})
        if not isinstance(value, Mapping) or not all(isinstance(v, str) for pair in value.items() for v in pair):
            raise field_refused("bad-field", key)
        return dict(value)

    def slots(self, key: str) -> dict[str, GroupId]:
        """Return ids of groups by the item that is assigned to them; none where the field is left out."""
        return {item: group_of(slot) for item, slot in self.assigned(key).items()}

    def check_all_read(self) -> None:
        """Check that every field has been read. Raises IllegalIntent for one that the choice does not have."""
        for key in self._values:
            if key not in self._read:
                raise field_refused("unknown-field", key)

    def _value(self, key: str, otherwise: object = None) -> object:
        self._read.add(key)
        value = self._values.get(key, otherwise)
        if value is None:
            raise field_refused("bad-field" if key in self._values else "missing-field", key)
        return value


def _row(key: str, value: object) -> Sequence[object]:
    if not isinstance(value, (list, tuple)):
        raise field_refused("bad-field", key)
    return value


def _node(key: str, id: object) -> str:
    if not isinstance(id, str):
        raise field_refused("bad-field", key)
    return id.partition("/")[2]


def _point(key: str, value: object) -> tuple[int, int]:
    if not is_point(value):
        raise field_refused("bad-field", key)
    x, y = cast("tuple[int, int]", value)
    return x, y
