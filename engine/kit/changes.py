"""Declarations of what an event changes, and copies of immutable values with one part changed.

An event class states its `apply` in one line:

    class GroupStunned(SkirmishEvent, frozen=True, tag="ac.group_stunned"):
        group: GroupId
        apply = of_group(stunned=True)

`sets` changes fields of the state, `of` those of one item in it. The new value of a field is given as it is, taken from
the event (`its.words`), or made out of the old one (`plus`, `minus`, `also`, `drop`,
`put`). What needs more is a method.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

T = TypeVar("T", bound=msgspec.Struct)
K = TypeVar("K")
V = TypeVar("V")
Apply = Any
"""The `apply` of an event class, a function from the event and the state before it to the state after it. (A checker of
types takes no callable value for a method whose argument has a name.)"""


class NewValue(NamedTuple):
    """The new value of a field, made out of the event and the field's old value."""

    make: Callable[[Any, Any], Any]


class _Its:
    """The fields of the event, by name."""

    def __getattr__(self, field: str) -> NewValue:
        return NewValue(lambda event, old: getattr(event, field))


its: Final = _Its()


def _value(given: Any, event: Any, old: Any) -> Any:
    return given.make(event, old) if isinstance(given, NewValue) else given


def plus(by: Any) -> NewValue:
    """Add a number."""
    return NewValue(lambda event, old: old + _value(by, event, old))


def minus(by: Any) -> NewValue:
    """Take a number away."""
    return NewValue(lambda event, old: old - _value(by, event, old))


def also(item: Any) -> NewValue:
    """Append an item to a tuple."""
    return NewValue(lambda event, old: (*old, _value(item, event, old)))


def put(key: Any, value: Any) -> NewValue:
    """Set an entry of a mapping; `value` may be a change of the entry's old one, 0 where it has none."""

    def make(event: Any, old: Any) -> Any:
        place = _value(key, event, old)
        return {**old, place: _value(value, event, old.get(place, 0))}

    return NewValue(make)


def drop(id: Any, by: str = "id") -> NewValue:
    """Leave out the items of a tuple whose attribute `by` is `id`; of plain values, those that are `id` (by: "")."""

    def make(event: Any, old: Any) -> Any:
        gone = _value(id, event, old)
        return tuple([item for item in old if (getattr(item, by) if by else item) != gone])

    return NewValue(make)


def _changed(target: Any, event: Any, changes: Mapping[str, Any]) -> Any:
    new = {name: _value(given, event, getattr(target, name)) for name, given in changes.items()}
    return replace(target, **new)


def sets(**changes: object) -> Apply:
    """Return an `apply` that changes fields of the state; with none, that of an event which only tells of something."""
    return lambda event, state: _changed(state, event, changes)


def of(table: str, field: str) -> Callable[..., Apply]:
    """Return a maker of `apply`s that change fields of one item in a table of the state: the one that the event's
    `field` names. The table is a mapping, a tuple of seats (by number), or a tuple of items with ids."""

    def item(**changes: object) -> Apply:
        def apply(event: Any, state: Any) -> Any:
            place = getattr(event, field)
            items: Any = getattr(state, table)
            if isinstance(items, dict):
                new: Any = {**items, place: _changed(items[place], event, changes)}
            elif isinstance(place, int):
                new = (*items[:place], _changed(items[place], event, changes), *items[place + 1 :])
            else:
                new = tuple([_changed(one, event, changes) if one.id == place else one for one in items])
            return replace(state, **{table: new})

        return apply

    return item


def changed_at(items: tuple[T, ...], place: int, **changes: object) -> tuple[T, ...]:
    """Copy `items` with some fields changed of the item at `place` (0 is the first)."""
    return (*items[:place], replace(items[place], **changes), *items[place + 1 :])


def moved(items: Mapping[K, T], places: Mapping[K, object], **changes: object) -> dict[K, T]:
    """Copy figures by id, those of `places` standing there (`at`), with these other fields changed too."""
    return {**items, **{id: replace(items[id], at=at, **changes) for id, at in places.items()}}


def without(items: Mapping[K, V], gone: Collection[K]) -> dict[K, V]:
    """Copy a mapping without some of its keys."""
    return {id: item for id, item in items.items() if id not in gone}
