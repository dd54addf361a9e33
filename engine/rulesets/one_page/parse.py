"""From a filled-in choice to a typed intent. The form is checked here, the rules by the procedures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from engine.core.audience import Seat
from engine.core.errors import IllegalIntent
from engine.core.system import Intent
from engine.rulesets.one_page import details, intents as asked
from engine.rulesets.one_page.field_values import Fields
from protocol.scene import Reply
from protocol.text import text

if TYPE_CHECKING:
    from engine.rulesets.one_page.state import Battle


def parse(state: Battle, seat: Seat, reply: Reply) -> Intent:
    """The intent that a reply stands for. Raises IllegalIntent where its form is wrong."""
    if reply.choice not in _KNOWN:
        raise IllegalIntent("reply/unknown-choice", text("refuse.reply/unknown-choice", choice=reply.choice))
    keys, read = _KNOWN[reply.choice]
    for key in reply.fields:
        if key not in keys:
            raise IllegalIntent("reply/unknown-field", text("refuse.reply/unknown-field", field=key))
    return read(state, Fields(reply.fields), reply.choice)


def _deploy(_: Battle, fields: Fields, __: str) -> Intent:
    return asked.Deploy(
        fields.node("unit"),
        fields.point("to"),
        fields.number("facing"),
        fields.node("twin") if fields.has("twin") else "",
        fields.places("places"),
    )


def _move(_: Battle, fields: Fields, choice: str) -> Intent:
    to, via = fields.point("to"), fields.points("via")
    return asked.Move(fields.node("unit"), choice == "run", to, via, fields.places("places"))


def _drive(state: Battle, fields: Fields, choice: str) -> Intent:
    unit = state.units.get(fields.node("unit"))
    if unit is None or unit.where != "table":
        raise IllegalIntent("act/not-yours")
    before = details.rail_distance(state, unit, choice, fields.number("before", -1))
    ahead = details.rail_distance(state, unit, choice, fields.number("ahead", -1))
    return asked.Drive(unit.id, choice == "drive_fast", fields.number("facing"), ahead, before)


def _hold(_: Battle, fields: Fields, __: str) -> Intent:
    return asked.Hold(fields.node("unit"), fields.number("facing", -1))


def _assault(_: Battle, fields: Fields, __: str) -> Intent:
    return asked.Assault(fields.node("unit"), fields.node("target"), fields.points("via"))


def _power(state: Battle, fields: Fields, choice: str) -> Intent:
    to = fields.point("to") if choice == "passage" else None
    lift = next((power.id for power in state.resolved.powers if power.effect == "passage"), "")
    power = lift if choice == "passage" else fields.word("power")
    return asked.UsePower(fields.node("unit"), power, fields.number("dice"), fields.node("target"), to)


def _shoot(state: Battle, fields: Fields, choice: str) -> Intent:
    unit = state.active.unit if state.active is not None else ""
    if choice == "shoot":
        return asked.Shoot(unit, fields.node("target"), fields.word("weapon"))
    split = fields.words("split")
    return asked.Shoot(unit, next(iter(split.values()), ""), "", split)


_KNOWN: Final[Mapping[str, tuple[frozenset[str], Callable[[Battle, Fields, str], Intent]]]] = {
    "deploy": (frozenset({"unit", "to", "places"}), _deploy),
    "deploy_vehicle": (frozenset({"unit", "to", "facing"}), _deploy),
    "double": (frozenset({"unit", "twin", "to", "places"}), _deploy),
    "join": (frozenset({"unit", "host"}), lambda _, f, __: asked.Join(f.node("unit"), f.node("host"))),
    "load": (frozenset({"unit", "vessel"}), lambda _, f, __: asked.Load(f.node("unit"), f.node("vessel"))),
    "keep": (frozenset({"unit"}), lambda _, f, __: asked.Keep(f.node("unit"))),
    "rest": (frozenset(), lambda *_: asked.DeployRest()),
    "hold": (frozenset({"unit"}), _hold),
    "turn": (frozenset({"unit", "facing"}), _hold),
    "walk": (frozenset({"unit", "to", "via", "places"}), _move),
    "run": (frozenset({"unit", "to", "via", "places"}), _move),
    "drive": (frozenset({"unit", "facing", "before", "ahead"}), _drive),
    "drive_fast": (frozenset({"unit", "facing", "before", "ahead"}), _drive),
    "assault": (frozenset({"unit", "target", "via"}), _assault),
    "sally": (frozenset({"unit", "target"}), lambda _, f, __: asked.Sally(f.node("unit"), f.node("target"))),
    "embark": (frozenset({"unit", "vessel"}), lambda _, f, __: asked.Embark(f.node("unit"), f.node("vessel"))),
    "disembark": (
        frozenset({"unit", "to", "places"}),
        lambda _, f, __: asked.Disembark(f.node("unit"), f.point("to"), f.places("places")),
    ),
    "power": (frozenset({"unit", "power", "target", "dice"}), _power),
    "passage": (frozenset({"unit", "target", "to", "dice"}), _power),
    "shoot": (frozenset({"target", "weapon"}), _shoot),
    "volley": (frozenset({"split"}), _shoot),
    "fight": (frozenset(), lambda *_: asked.Fight()),
    "finish": (frozenset(), lambda *_: asked.Finish()),
    "idle": (frozenset({"unit"}), lambda _, f, __: asked.Finish(f.node("unit"))),
}
