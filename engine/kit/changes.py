"""Declarations of what an event changes, and copies of immutable values with one part changed.

An event class states its `apply` in one line:

    class GroupStunned(SkirmishEvent, frozen=True, tag="ac.group_stunned"):
        group: GroupId
        apply = of_group(stunned=True)

`sets` changes fields of the state, `of` those of one item in it, `moves` the places of figures; `in_turn` does several,
`when` one or the other. The new value of a field is given as it is, taken from the event (`its.words`) or the state
(`now.round`), or made out of the old one (`plus`, `minus`, `at_least`, `also`, `drop`, `with_new`, `put`). What needs
more is a method.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import reduce
from operator import add, attrgetter, sub
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

T = TypeVar("T", bound=msgspec.Struct)
K = TypeVar("K")
V = TypeVar("V")
Apply = Any
"""The `apply` of an event class, a function from the event and the state before it to the state after it. (A checker of
types takes no callable value for a method whose argument has a name.)"""


class Instant(NamedTuple):
    """The event, and the state before it."""

    event: Any
    state: Any


class NewValue(NamedTuple):
    """The new value of a field, made out of the instant and the field's old value."""

    make: Callable[[Instant, Any], Any]


class _Fields:
    """The fields of the event, or of the state before it, by name."""

    def __init__(self, whose: str) -> None:
        self._whose = attrgetter(whose)

    def __getattr__(self, field: str) -> NewValue:
        return NewValue(lambda at, old: getattr(self._whose(at), field))


its: Final = _Fields("event")
now: Final = _Fields("state")


def _value(given: Any, at: Instant, old: Any) -> Any:
    return given.make(at, old) if isinstance(given, NewValue) else given


def _by(combine: Callable[[Any, Any], Any], given: Any) -> NewValue:
    return NewValue(lambda at, old: combine(old, _value(given, at, old)))


def plus(by: Any) -> NewValue:
    """Add a number, or append all items of a tuple."""
    return _by(add, by)


def minus(by: Any) -> NewValue:
    """Take a number away."""
    return _by(sub, by)


def at_least(least: Any) -> NewValue:
    """Raise a number to another."""
    return _by(max, least)


def also(item: Any) -> NewValue:
    """Append an item to a tuple."""
    return _by(lambda old, new: (*old, new), item)


def with_new(items: Any) -> NewValue:
    """Enter items in a mapping by their ids: one, or a tuple of them."""
    return _by(lambda old, new: {**old, **{item.id: item for item in (new if type(new) is tuple else (new,))}}, items)


def size(items: Any) -> NewValue:
    """Count the items of a tuple."""
    return NewValue(lambda at, old: len(_value(items, at, old)))


def ids(items: Any) -> NewValue:
    """Take the ids of the items of a tuple."""
    return NewValue(lambda at, old: tuple([item.id for item in _value(items, at, old)]))


def drop(id: Any, by: str = "id") -> NewValue:
    """Leave out the items of a tuple whose attribute `by` is `id`; of plain values, those that are `id` (by: "")."""
    return _by(lambda old, gone: tuple([item for item in old if (getattr(item, by) if by else item) != gone]), id)


def put(key: Any, value: Any) -> NewValue:
    """Set an entry of a mapping; `value` may be a change of the entry's old one, 0 where it has none."""

    def make(at: Instant, old: Any) -> Any:
        place = _value(key, at, old)
        return {**old, place: _value(value, at, old.get(place, 0))}

    return NewValue(make)


def _changed(target: Any, at: Instant, changes: Mapping[str, Any]) -> Any:
    new = {name: _value(given, at, getattr(target, name)) for name, given in changes.items()}
    return replace(target, **new)


def sets(**changes: object) -> Apply:
    """Return an `apply` that changes fields of the state; with none, that of an event which only tells of something."""
    return lambda event, state: _changed(state, Instant(event, state), changes)


def of(table: str, field: str | NewValue) -> Callable[..., Apply]:
    """Return a maker of `apply`s that change fields of one item in a table of the state: the one that the event's
    `field` names, or a value. The table is a mapping, a tuple of seats (by number), or a tuple of items with ids."""
    named = field if isinstance(field, NewValue) else getattr(its, field)

    def item(**changes: object) -> Apply:
        def apply(event: Any, state: Any) -> Any:
            at, items = Instant(event, state), getattr(state, table)
            place = _value(named, at, None)
            if isinstance(items, dict):
                new: Any = {**items, place: _changed(items[place], at, changes)}
            elif isinstance(place, int):
                new = (*items[:place], _changed(items[place], at, changes), *items[place + 1 :])
            else:
                new = tuple([_changed(one, at, changes) if one.id == place else one for one in items])
            return replace(state, **{table: new})

        return apply

    return item


def moves(**changes: object) -> Apply:
    """Return an `apply` that moves the figures of the event's `places` there, with these other fields changed too."""

    def apply(event: Any, state: Any) -> Any:
        new = {name: _value(given, Instant(event, state), None) for name, given in changes.items()}
        return replace(state, figures=moved(state.figures, event.places, **new))

    return apply


def when(field: str, then: Apply, otherwise: Apply | None = None) -> Apply:
    """Return an `apply` that depends on a field of the event being set."""
    usual = otherwise or sets()
    return lambda event, state: (then if getattr(event, field) else usual)(event, state)


def in_turn(*applies: Apply) -> Apply:
    """Return an `apply` that makes one change after the other."""
    return lambda event, state: reduce(lambda before, apply: apply(event, before), applies, state)


def changed_at(items: tuple[T, ...], place: int, **changes: object) -> tuple[T, ...]:
    """Copy `items` with some fields changed of the item at `place` (0 is the first)."""
    return (*items[:place], replace(items[place], **changes), *items[place + 1 :])


def moved(items: Mapping[K, T], places: Mapping[K, object], **changes: object) -> dict[K, T]:
    """Copy figures by id, those of `places` standing there (`at`), with these other fields changed too."""
    return {**items, **{id: replace(items[id], at=at, **changes) for id, at in places.items()}}


def without(items: Mapping[K, V], gone: Collection[K]) -> dict[K, V]:
    """Copy a mapping without some of its keys."""
    return {id: item for id, item in items.items() if id not in gone}
