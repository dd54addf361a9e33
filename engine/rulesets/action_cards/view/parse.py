"""Parsing of a filled-in choice into a typed intent. The form is checked here, the rules by the procedures.

The choices and fields are those of prompts.py; values that name pieces, groups and features are node ids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.core.rules.replies import field_refused, unknown_choice
from engine.core.rules.reply_fields import Fields
from engine.core.rules.system import Intent
from engine.rulesets.action_cards.state import intents
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


def _linked(fields: Fields, _: str) -> Intent:
    shots = (fields.group("first"), fields.group("second"), *fields.groups("third"))
    return intents.LinkedFire(shots, fields.group("target"), _faction(fields))


def _special(fields: Fields, choice: str) -> Intent:
    to = fields.point("to") if fields.has("to") else None
    about = fields.node("about") if fields.has("about") else ""
    return intents.UseSpecial(fields.group("group"), choice.removeprefix(SPECIAL), fields.figures("helpers"), to, about)


def _propose(fields: Fields, _: str) -> Intent:
    return intents.Propose(
        fields.group("group"),
        fields.word("effect"),
        fields.word("words"),
        fields.word("roll", "") == "yes",
        "".join(fields.nodes("about")[:1]),
    )


_PARSERS: Final[Mapping[str, Callable[[Fields, str], Intent]]] = {
    "move": lambda f, _: intents.Move(f.group("group"), f.figure("lead"), f.point("to"), f.places("places")),
    "shoot": lambda f, _: intents.Shoot(f.group("group"), f.group("target"), _faction(f)),
    "linked": _linked,
    SPECIAL: _special,
    "propose": _propose,
    "drive": lambda f, _: intents.Drive(f.group("group"), f.number("way"), f.number("facing")),
    "take_off": lambda f, _: intents.TakeOff(f.group("group")),
    "fly": lambda f, _: intents.Fly(f.group("group"), f.point("to"), f.number("facing")),
    "land": lambda f, _: intents.Land(f.group("group")),
    "disembark": lambda f, _: intents.Disembark(f.group("group"), f.point("to"), f.places("places")),
    "blast": lambda f, _: intents.Blast(f.group("group"), f.point("at")),
    "hunt": lambda f, _: intents.Hunt(f.group("group"), f.node("prey")),
    "end": lambda *_: intents.EndCard(),
}


def _faction(fields: Fields) -> int:
    """Return the seat of the faction to shoot at, out of several ("seat/2"); -1 where it is left out or empty."""
    value = fields.word("faction", "")
    number = local_id(value) if value else "-1"
    if number != "-1" and not (number.isascii() and number.isdigit() and len(number) < 3):
        raise field_refused("bad-field", "faction")
    return int(number)
