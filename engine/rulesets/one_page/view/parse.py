"""Parsing of a filled-in choice into a typed intent. The form is checked here, the rules by the procedures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.replies import unknown_choice
from engine.core.rules.reply_fields import Fields
from engine.core.rules.system import Intent
from engine.rulesets.one_page.rules.flow import VERBS
from engine.rulesets.one_page.state import intents
from engine.rulesets.one_page.state.state import TABLE, Battle
from engine.rulesets.one_page.view import details
from protocol.ids import NO_GROUP
from protocol.scene.nodes import Reply


def parse(state: Battle, seat: Seat, reply: Reply) -> Intent:
    """Return the intent of a reply. Raises IllegalIntent where its form is wrong."""
    if reply.choice in VERBS:
        return VERBS.parse(state, seat, reply)
    make = _PARSERS.get(reply.choice)
    if make is None:
        raise unknown_choice(reply.choice)
    fields = Fields(reply.fields)
    intent = make(state, fields, reply.choice)
    fields.check_all_read()
    return intent


def _deploy(_: Battle, fields: Fields, choice: str) -> Intent:
    twin = fields.group("twin") if choice == "double" else NO_GROUP
    return intents.Deploy(fields.group("unit"), fields.point("to"), 0, twin, fields.places("places"))


def _deploy_vehicle(_: Battle, fields: Fields, __: str) -> Intent:
    return intents.Deploy(fields.group("unit"), fields.point("to"), fields.number("facing", 0))


def _move(_: Battle, fields: Fields, choice: str) -> Intent:
    to, via = fields.point("to"), fields.points("via")
    return intents.Move(fields.group("unit"), choice == "run", to, via, fields.places("places"))


def _drive(state: Battle, fields: Fields, choice: str) -> Intent:
    unit = state.units.get(fields.group("unit"))
    if unit is None or unit.where != TABLE:
        raise IllegalIntent("act/not-yours")
    before = details.rail_distance(state, unit, choice, fields.number("before", -1))
    ahead = details.rail_distance(state, unit, choice, fields.number("ahead", -1))
    return intents.Drive(unit.id, choice == "drive_fast", fields.number("facing", 0), ahead, before)


def _turn(_: Battle, fields: Fields, __: str) -> Intent:
    return intents.Hold(fields.group("unit"), fields.number("facing", -1))


def _assault(_: Battle, fields: Fields, __: str) -> Intent:
    return intents.Assault(fields.group("unit"), fields.group("target"), fields.points("via"))


def _power(state: Battle, fields: Fields, choice: str) -> Intent:
    to = fields.point("to") if choice == "passage" else None
    lift = next((power.id for power in state.resolved.powers if power.effect == "passage"), "")
    power = lift if choice == "passage" else fields.word("power", "")
    return intents.UsePower(fields.group("unit"), power, fields.number("dice", 0), fields.group("target"), to)


def _shoot(state: Battle, fields: Fields, choice: str) -> Intent:
    unit = state.active.unit if state.active is not None else NO_GROUP
    if choice == "shoot":
        return intents.Shoot(unit, fields.group("target"), fields.word("weapon", ""))
    split = fields.slots("split")
    return intents.Shoot(unit, next(iter(split.values()), NO_GROUP), "", split)


_PARSERS: Final[Mapping[str, Callable[[Battle, Fields, str], Intent]]] = {
    "deploy": _deploy,
    "deploy_vehicle": _deploy_vehicle,
    "double": _deploy,
    "join": lambda _, f, __: intents.Join(f.group("unit"), f.group("host")),
    "load": lambda _, f, __: intents.Load(f.group("unit"), f.group("vessel")),
    "keep": lambda _, f, __: intents.Keep(f.group("unit")),
    "rest": lambda *_: intents.DeployRest(),
    "hold": lambda _, f, __: intents.Hold(f.group("unit")),
    "turn": _turn,
    "walk": _move,
    "run": _move,
    "drive": _drive,
    "drive_fast": _drive,
    "assault": _assault,
    "sally": lambda _, f, __: intents.Sally(f.group("unit"), f.group("target")),
    "disembark": lambda _, f, __: intents.Disembark(f.group("unit"), f.point("to"), f.places("places")),
    "power": _power,
    "passage": _power,
    "shoot": _shoot,
    "volley": _shoot,
    "fight": lambda *_: intents.Fight(),
    "finish": lambda *_: intents.Finish(),
    "idle": lambda _, f, __: intents.Finish(f.group("unit")),
}
