"""From a filled-in choice to a typed intent. The form is checked here, the rules by the procedures.

The choices and fields are those of prompts.py; values that name pieces, groups and features are node ids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from engine.core.errors import IllegalIntent
from engine.core.replies import is_point
from engine.core.system import Intent
from engine.rulesets.action_cards.intents import (
    Blast,
    Disembark,
    Drive,
    Embark,
    EndCard,
    Fly,
    Hunt,
    Land,
    LinkedFire,
    Move,
    Propose,
    Shoot,
    TakeOff,
    UseSpecial,
)
from engine.rulesets.action_cards.model import Point
from engine.rulesets.action_cards.names import bare
from protocol.scene import Reply
from protocol.text import Text

SPECIAL: Final = "special/"


class Fields:
    """The fields of a reply, read one by one; `done` refuses those that nobody has read."""

    def __init__(self, fields: Mapping[str, object]) -> None:
        self._fields = fields
        self._read: set[str] = set()

    def _value(self, key: str) -> object:
        self._read.add(key)
        if key not in self._fields:
            raise _refusal("missing-field", key)
        return self._fields[key]

    def has(self, key: str) -> bool:
        """Whether the field was filled in."""
        return key in self._fields

    def nodes(self, key: str) -> tuple[str, ...]:
        """Node ids, without their kinds."""
        value = self._value(key)
        if not isinstance(value, (list, tuple)):
            raise _refusal("bad-field", key)
        return tuple([_bare(key, id) for id in value])

    def node(self, key: str) -> str:
        """Exactly one node id."""
        value = self._value(key)
        if not isinstance(value, (list, tuple)) or len(value) != 1:
            raise _refusal("bad-field", key)
        return _bare(key, value[0])

    def word(self, key: str) -> str:
        """An option or a text."""
        value = self._value(key)
        if not isinstance(value, str):
            raise _refusal("bad-field", key)
        return value

    def seat(self, key: str) -> int:
        """An option that names a seat ("seat/2"); -1 where it is left out or empty."""
        value = self.word(key) if self.has(key) else ""
        number = bare(value) if value else "-1"
        if number != "-1" and not (number.isascii() and number.isdigit() and len(number) < 3):
            raise _refusal("bad-field", key)
        return int(number)

    def point(self, key: str) -> Point:
        """A place on the table."""
        return _point(key, self._value(key))

    def number(self, key: str) -> int:
        """A whole number."""
        value = self._value(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise _refusal("bad-field", key)
        return value

    def places(self, key: str) -> dict[str, Point]:
        """Places by figure; none where the field is left out."""
        value = self._value(key) if self.has(key) else {}
        if not isinstance(value, Mapping) or not all(isinstance(id, str) for id in value):
            raise _refusal("bad-field", key)
        return {bare(id): _point(key, at) for id, at in value.items()}

    def done(self) -> None:
        """Raises IllegalIntent for a field that the choice does not have."""
        for key in self._fields:
            if key not in self._read:
                raise _refusal("unknown-field", key)


def parse(reply: Reply) -> Intent:
    """The intent that a reply stands for. Raises IllegalIntent where its form is wrong."""
    kind = SPECIAL if reply.choice.startswith(SPECIAL) else reply.choice
    make = _PARSERS.get(kind)
    if make is None:
        raise IllegalIntent("reply/unknown-choice", Text("refuse.reply/unknown-choice", {"choice": reply.choice}))
    fields = Fields(reply.fields)
    intent = make(fields, reply.choice)
    fields.done()
    return intent


def _move(fields: Fields, _: str) -> Intent:
    return Move(fields.node("group"), fields.node("lead"), fields.point("to"), fields.places("places"))


def _shoot(fields: Fields, _: str) -> Intent:
    return Shoot(fields.node("group"), fields.node("target"), fields.seat("faction"))


def _linked(fields: Fields, _: str) -> Intent:
    third = fields.nodes("third") if fields.has("third") else ()
    shots = (fields.node("first"), fields.node("second"), *third)
    return LinkedFire(shots, fields.node("target"), fields.seat("faction"))


def _special(fields: Fields, choice: str) -> Intent:
    helpers = fields.nodes("helpers") if fields.has("helpers") else ()
    to = fields.point("to") if fields.has("to") else None
    about = fields.node("about") if fields.has("about") else ""
    return UseSpecial(fields.node("group"), choice.removeprefix(SPECIAL), helpers, to, about)


def _propose(fields: Fields, _: str) -> Intent:
    about = fields.nodes("about") if fields.has("about") else ()
    return Propose(
        fields.node("group"),
        fields.word("effect"),
        fields.word("words"),
        fields.word("roll") == "yes" if fields.has("roll") else False,
        "".join(about[:1]),
    )


def _drive(fields: Fields, _: str) -> Intent:
    return Drive(fields.node("group"), fields.number("way"), fields.number("facing"))


def _take_off(fields: Fields, _: str) -> Intent:
    return TakeOff(fields.node("group"))


def _fly(fields: Fields, _: str) -> Intent:
    return Fly(fields.node("group"), fields.point("to"), fields.number("facing"))


def _land(fields: Fields, _: str) -> Intent:
    return Land(fields.node("group"))


def _embark(fields: Fields, _: str) -> Intent:
    return Embark(fields.node("group"), fields.node("vehicle"))


def _disembark(fields: Fields, _: str) -> Intent:
    return Disembark(fields.node("group"), fields.point("to"), fields.places("places"))


def _blast(fields: Fields, _: str) -> Intent:
    return Blast(fields.node("group"), fields.point("at"))


def _hunt(fields: Fields, _: str) -> Intent:
    return Hunt(fields.node("group"), fields.node("prey"))


def _end(_: Fields, __: str) -> Intent:
    return EndCard()


_PARSERS: Final[Mapping[str, Callable[[Fields, str], Intent]]] = {
    "move": _move,
    "shoot": _shoot,
    "linked": _linked,
    SPECIAL: _special,
    "propose": _propose,
    "drive": _drive,
    "take_off": _take_off,
    "fly": _fly,
    "land": _land,
    "embark": _embark,
    "disembark": _disembark,
    "blast": _blast,
    "hunt": _hunt,
    "end": _end,
}


def _bare(key: str, id: object) -> str:
    if not isinstance(id, str):
        raise _refusal("bad-field", key)
    return bare(id)


def _point(key: str, value: object) -> Point:
    if not is_point(value):
        raise _refusal("bad-field", key)
    x, y = cast("tuple[int, int]", value)
    return x, y


def _refusal(code: str, key: str) -> IllegalIntent:
    return IllegalIntent(f"reply/{code}", Text(f"refuse.reply/{code}", {"field": key}))
