"""The stored form of steps. Each system has a codec, since entries are the core's events and its own."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import or_
from typing import Any, Final, Generic, TypeVar

import msgspec

from engine.core.match.causes import AnyCause
from engine.core.rules.errors import LogDamaged
from engine.core.rules.events import CORE_EVENTS, CoreEvent, Event
from engine.core.rules.questions import StoredQuestion
from engine.core.rules.sides import ALONE, Sides, audience_of
from engine.core.rules.system import Intent, System

S = TypeVar("S")


class StoredStep(msgspec.Struct, Generic[S], frozen=True, array_like=True):
    """A step as stored: msgpack of `[version, cause, entries, asked, hidden]`.

    `version` counts from 1. A cause is a map tagged `c` (causes.py), an entry a map tagged `e` (events.py; the core's
    begin with "core."). `asked` is nil at a quiescent step, the open question, or `"round"` where the step stopped for
    a new round of dice. `hidden` gives the seats that may know each hidden entry, by its place: the log's heads need
    it, and later rules need not be asked.
    """

    version: int
    cause: AnyCause
    entries: list[Any]
    asked: StoredQuestion | str | None
    hidden: dict[int, tuple[int, ...]]


def stored_step(
    version: int,
    cause: AnyCause,
    entries: list[Event[S] | CoreEvent],
    asked: StoredQuestion | str | None,
    sides: Sides = ALONE,
) -> StoredStep[S]:
    """Make the step to store. What a seat may know, its side may."""
    hidden: dict[int, tuple[int, ...]] = {}
    for place, entry in enumerate(entries):
        if type(entry).audience in _FOR_ALL:
            continue
        audience = entry.audience()
        if audience.seats is not None:
            hidden[place] = audience_of(sides, audience).seats or ()
    return StoredStep(version, cause, entries, asked, hidden)


_FOR_ALL: Final = (Event.audience, CoreEvent.audience)
"""The audience of events that have none of their own."""


def _any_of(types: tuple[type[Any], ...]) -> Any:
    """Return the type of a value that is of any of these types."""
    return reduce(or_, types)


@lru_cache(maxsize=64)
def _step_decoder(entries: tuple[type[Any], ...]) -> msgspec.msgpack.Decoder[Any]:
    """Make a decoder of steps with these types of entries, once for all matches of a system: its type is a class, which
    stays in memory until a collection."""
    entry: Any = _any_of(entries)
    # the same layout as StoredStep, with the entries typed for this system
    step = msgspec.defstruct(
        "Step",
        [
            ("version", int),
            ("cause", AnyCause),
            ("entries", list[entry]),
            ("asked", StoredQuestion | str | None),
            ("hidden", dict[int, tuple[int, ...]]),
        ],
        frozen=True,
        array_like=True,
    )
    return msgspec.msgpack.Decoder(step)


class LogCodec(Generic[S]):
    """The encoder and decoder of the steps and intents of one system."""

    def __init__(self, system: System[S]) -> None:
        for event in system.events:
            if event.apply is Event.apply:
                raise TypeError(f"{event.__name__} does not say how it is applied")
        self._older = {
            tag: (event.__struct_config__.tag, upcast)
            for event in self._events(system)
            for tag, upcast in event.formerly.items()
        }
        self._step = _step_decoder(self._events(system))
        self._intent: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(_any_of(tuple(system.intents)))
        self._encoder = msgspec.msgpack.Encoder()

    @staticmethod
    def _events(system: System[S]) -> tuple[type[Event[S]] | type[CoreEvent], ...]:
        return (*CORE_EVENTS, *system.events)

    def encode(self, step: StoredStep[S]) -> bytes:
        """Return the bytes of a step to store."""
        return self._encoder.encode(step)

    def decode(self, data: bytes) -> StoredStep[S]:
        """Read a stored step. Raises LogDamaged for bytes that are no step of this system (or an unknown event)."""
        try:
            found = self._read(data)
        except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
            raise LogDamaged(f"a stored step cannot be read: {problem}") from problem
        return StoredStep(found.version, found.cause, found.entries, found.asked, found.hidden)

    def _read(self, data: bytes) -> Any:
        try:
            return self._step.decode(data)
        except msgspec.ValidationError:
            if not self._older:
                raise
        return self._step.decode(self._upcast(data))

    def _upcast(self, data: bytes) -> bytes:
        """Rewrite a step with its entries in today's layouts. The heads were made of what is stored, and stay so."""
        step = msgspec.msgpack.decode(data)
        try:
            for place, entry in enumerate(step[2]):
                while entry["e"] in self._older:
                    tag, upcast = self._older[entry.pop("e")]
                    changed = upcast(dict(entry), step[2][:place])
                    entry.clear()
                    entry.update(changed, e=tag)
        except (TypeError, KeyError, IndexError, ValueError, AttributeError) as problem:
            raise LogDamaged(f"a stored step of an older layout cannot be read: {problem!r}") from problem
        return self._encoder.encode(step)

    def encode_intent(self, intent: Intent) -> bytes:
        """Return the bytes of an intent inside its cause."""
        return self._encoder.encode(intent)

    def decode_intent(self, data: bytes) -> Intent:
        """Read an intent from its cause. Raises LogDamaged."""
        try:
            intent: Intent = self._intent.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
            raise LogDamaged(f"a stored intent cannot be read: {problem}") from problem
        return intent

    def same(self, one: list[Event[S] | CoreEvent], other: list[Event[S] | CoreEvent]) -> bool:
        """Tell whether two lists of entries would be stored as the same bytes."""
        return self._encoder.encode(one) == self._encoder.encode(other)
