"""Declarations of what an event changes, and copies of immutable values with one part changed.

An event class states its `apply` in one line:

    class GroupStunned(SkirmishEvent, frozen=True, tag="ac.group_stunned"):
        group: GroupId
        apply = of_group(stunned=True)

`sets` changes fields of the state, `of` those of one item in it, `moves` the places of figures; `in_turn` does several,
`when` one or the other. The new value of a field is given as it is, taken from the event (`its.words`) or the state
(`now.round`), made of several (`made`), or out of the old one (`plus`, `minus`,
`at_least`, `also`, `drop`, `with_new`, `put`; `inside` and `each` change fields of what it holds). What needs more is
a method.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
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


class NewValue(NamedTuple):
    """The new value of a field, made out of the event, the state before it and the field's old value. `told`: how to
    read it off the event, where nothing else decides it."""

    make: Callable[[Any, Any, Any], Any]
    told: Callable[[Any], Any] | None = None


class _Its:
    """The fields of the event, by name."""

    def __getattr__(self, field: str) -> NewValue:
        own = attrgetter(field)
        return NewValue(lambda event, state, old: own(event), own)


class _Now:
    """The fields of the state before the event, by name."""

    def __getattr__(self, field: str) -> NewValue:
        own = attrgetter(field)
        return NewValue(lambda event, state, old: own(state))


its: Final = _Its()
now: Final = _Now()


def _maker(given: Any) -> Callable[[Any, Any, Any], Any]:
    return given.make if isinstance(given, NewValue) else lambda event, state, old: given


def _by(combine: Callable[[Any, Any], Any], given: Any) -> NewValue:
    if not isinstance(given, NewValue):
        return NewValue(lambda event, state, old: combine(old, given))
    make, told = given
    if told is not None:
        return NewValue(lambda event, state, old: combine(old, told(event)))
    return NewValue(lambda event, state, old: combine(old, make(event, state, old)))


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


def drop(id: Any, by: str = "id") -> NewValue:
    """Leave out the items of a tuple whose attribute `by` is `id`; of plain values, those that are `id` (by: "")."""
    return _by(lambda old, gone: tuple([item for item in old if (getattr(item, by) if by else item) != gone]), id)


def inside(**changes: Any) -> NewValue:
    """Change fields of the value itself, a struct; None stays None."""
    changed = _changing(changes)
    return NewValue(lambda event, state, old: None if old is None else changed(event, state, old))


def each(**changes: Any) -> NewValue:
    """Change fields of every item of a mapping, or of a tuple."""
    changed = _changing(changes)

    def make(event: Any, state: Any, old: Any) -> Any:
        if isinstance(old, dict):
            return {id: changed(event, state, item) for id, item in old.items()}
        return tuple([changed(event, state, item) for item in old])

    return NewValue(make)


def drop_first(id: Any, by: str = "") -> NewValue:
    """Leave out the first item of a tuple whose attribute `by` is `id`, or that is `id` itself, and no other like
    it."""

    def left(old: tuple[Any, ...], gone: Any) -> tuple[Any, ...]:
        place = [(getattr(item, by) if by else item) for item in old].index(gone)
        return (*old[:place], *old[place + 1 :])

    return _by(left, id)


def drop_key(key: Any) -> NewValue:
    """Leave an entry out of a mapping."""
    return _by(lambda old, gone: {id: item for id, item in old.items() if id != gone}, key)


def size(items: NewValue) -> NewValue:
    """Count the items of a tuple."""
    return NewValue(lambda event, state, old: len(items.make(event, state, old)))


def ids(items: NewValue) -> NewValue:
    """Take the ids of the items of a tuple."""
    return NewValue(lambda event, state, old: tuple([item.id for item in items.make(event, state, old)]))


def made(kind: Callable[..., Any], *parts: Any) -> NewValue:
    """Make a value of a kind out of others."""
    read = [_maker(part) for part in parts]
    return NewValue(lambda event, state, old: kind(*[part(event, state, old) for part in read]))


def put(key: Any, value: Any) -> NewValue:
    """Set an entry of a mapping; `value` may be a change of the entry's old one, 0 where it has none."""
    place, new = _maker(key), _maker(value)

    def make(event: Any, state: Any, old: Any) -> Any:
        at = place(event, state, old)
        return {**old, at: new(event, state, old.get(at, 0))}

    return NewValue(make)


def _changing(changes: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a function that makes these changes, from the event and the state, to a target: the state, if none is
    given."""
    plain = {name: given for name, given in changes.items() if not isinstance(given, NewValue)}
    others = {name: given for name, given in changes.items() if isinstance(given, NewValue)}
    told = [(name, given.told) for name, given in others.items() if given.told is not None]
    made = [(name, given.make) for name, given in others.items() if given.told is None]
    if not changes:
        return lambda event, state, target=None: state if target is None else target
    if not others:
        return lambda event, state, target=None: replace(state if target is None else target, **plain)
    if len(told) == len(changes) == 1:
        [(only, value)] = told
        return lambda event, state, target=None: replace(state if target is None else target, **{only: value(event)})

    def changed(event: Any, state: Any, target: Any = None) -> Any:
        target = state if target is None else target
        new = plain.copy()
        for name, read in told:
            new[name] = read(event)
        for name, make in made:
            new[name] = make(event, state, getattr(target, name))
        return replace(target, **new)

    return changed


def sets(**changes: object) -> Apply:
    """Return an `apply` that changes fields of the state; with none, that of an event which only tells of something."""
    return _changing(changes)


def of(table: str, field: str | NewValue, by: str = "") -> Callable[..., Apply]:
    """Return a maker of `apply`s that change fields of one item in a table of the state: the one that the event's
    `field` names, or a value. The table is a mapping, a tuple of seats (by number), or a tuple of items with ids, or
    with an attribute `by`."""
    named, told = field if isinstance(field, NewValue) else getattr(its, field)

    def item(**changes: object) -> Apply:
        changed = _changing(changes)

        def apply(event: Any, state: Any) -> Any:
            items, place = getattr(state, table), told(event) if told is not None else named(event, state, None)
            if isinstance(items, dict):
                new: Any = {**items, place: changed(event, state, items[place])}
            elif isinstance(place, int) and not by:
                new = (*items[:place], changed(event, state, items[place]), *items[place + 1 :])
            else:
                new = tuple([changed(event, state, one) if getattr(one, by or "id") == place else one for one in items])
            return replace(state, **{table: new})

        return apply

    return item


def moves(**changes: object) -> Apply:
    """Return an `apply` that moves the figures of the event's `places` there, with these other fields changed too."""
    made = [(name, _maker(given)) for name, given in changes.items()]

    def apply(event: Any, state: Any) -> Any:
        new = {name: make(event, state, None) for name, make in made} if made else {}
        return replace(state, figures=moved(state.figures, event.places, **new))

    return apply


def when(field: str, then: Apply, otherwise: Apply | None = None) -> Apply:
    """Return an `apply` that depends on a field of the event being set."""
    usual = otherwise or sets()
    return lambda event, state: (then if getattr(event, field) else usual)(event, state)


def in_turn(*applies: Apply) -> Apply:
    """Return an `apply` that makes one change after the other."""

    def apply(event: Any, state: Any) -> Any:
        for change in applies:
            state = change(event, state)
        return state

    return apply


def placing_begun(event: Any, state: Any) -> Any:
    """Let the `seat` of an event place its `units` in its `phase`; `placed` holds the seats that have had their turn in
    this phase."""
    placed = state.placed if state.phase == event.phase else ()
    return replace(state, phase=event.phase, acting=event.seat, placing=event.units, placed=(*placed, event.seat))


def changed_at(items: tuple[T, ...], place: int, **changes: object) -> tuple[T, ...]:
    """Copy `items` with some fields changed of the item at `place` (0 is the first)."""
    return (*items[:place], replace(items[place], **changes), *items[place + 1 :])


def item_changed(state: T, table: str, id: object, **changes: object) -> T:
    """Return a state with some fields changed of one item of a table by id."""
    items = getattr(state, table)
    return replace(state, **{table: {**items, id: replace(items[id], **changes)}})


def moved(items: Mapping[K, T], places: Mapping[K, object], **changes: object) -> dict[K, T]:
    """Copy figures by id, those of `places` standing there (`at`), with these other fields changed too."""
    new = dict(items)
    for id, at in places.items():
        new[id] = replace(items[id], at=at, **changes) if changes else replace(items[id], at=at)
    return new


def without(items: Mapping[K, V], gone: Collection[K]) -> dict[K, V]:
    """Copy a mapping without some of its keys."""
    return {id: item for id, item in items.items() if id not in gone}
