"""Parsing of a filled-in choice into a typed intent. The form is checked here, the rules by the procedures.

The choices and fields are those of prompts.py; values that name pieces, groups and features are node ids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.core.rules.replies import field_refused, unknown_choice
from engine.core.rules.reply_fields import Fields
from engine.core.rules.system import Intent
from engine.rulesets.action_cards.state.intents import (
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
from engine.rulesets.action_cards.state.names import local_id
from protocol.scene.nodes import Reply

SPECIAL: Final = "special/"


def parse(reply: Reply) -> Intent:
    """Return the intent of a reply. Raises IllegalIntent where its form is wrong."""
    kind = SPECIAL if reply.choice.startswith(SPECIAL) else reply.choice
    make = _PARSERS.get(kind)
    if make is None:
        raise unknown_choice(reply.choice)
    fields = Fields(reply.fields)
    intent = make(fields, reply.choice)
    fields.check_all_read()
    return intent


def _move(fields: Fields, _: str) -> Intent:
    return Move(fields.group("group"), fields.figure("lead"), fields.point("to"), fields.places("places"))


def _shoot(fields: Fields, _: str) -> Intent:
    return Shoot(fields.group("group"), fields.group("target"), _faction(fields))


def _linked(fields: Fields, _: str) -> Intent:
    shots = (fields.group("first"), fields.group("second"), *fields.groups("third"))
    return LinkedFire(shots, fields.group("target"), _faction(fields))


def _special(fields: Fields, choice: str) -> Intent:
    to = fields.point("to") if fields.has("to") else None
    about = fields.node("about") if fields.has("about") else ""
    return UseSpecial(fields.group("group"), choice.removeprefix(SPECIAL), fields.figures("helpers"), to, about)


def _propose(fields: Fields, _: str) -> Intent:
    return Propose(
        fields.group("group"),
        fields.word("effect"),
        fields.word("words"),
        fields.word("roll", "") == "yes",
        "".join(fields.nodes("about")[:1]),
    )


def _drive(fields: Fields, _: str) -> Intent:
    return Drive(fields.group("group"), fields.number("way"), fields.number("facing"))


def _take_off(fields: Fields, _: str) -> Intent:
    return TakeOff(fields.group("group"))


def _fly(fields: Fields, _: str) -> Intent:
    return Fly(fields.group("group"), fields.point("to"), fields.number("facing"))


def _land(fields: Fields, _: str) -> Intent:
    return Land(fields.group("group"))


def _embark(fields: Fields, _: str) -> Intent:
    return Embark(fields.group("group"), fields.group("vehicle"))


def _disembark(fields: Fields, _: str) -> Intent:
    return Disembark(fields.group("group"), fields.point("to"), fields.places("places"))


def _blast(fields: Fields, _: str) -> Intent:
    return Blast(fields.group("group"), fields.point("at"))


def _hunt(fields: Fields, _: str) -> Intent:
    return Hunt(fields.group("group"), fields.node("prey"))


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


def _faction(fields: Fields) -> int:
    """Return the seat of the faction to shoot at, out of several ("seat/2"); -1 where it is left out or empty."""
    value = fields.word("faction", "")
    number = local_id(value) if value else "-1"
    if number != "-1" and not (number.isascii() and number.isdigit() and len(number) < 3):
        raise field_refused("bad-field", "faction")
    return int(number)
