"""Intents of a battle."""

from __future__ import annotations

import msgspec

from engine.core.rules.events import tagged
from engine.core.rules.system import Intent
from engine.rulesets.one_page.state.model import Point
from protocol.ids import NO_GROUP, FigureId, GroupId


class Deploy(Intent, frozen=True, tag="op.deploy"):
    """Deployment of a unit: its leader at `to`, the others around. `twin`: the second copy of a big unit."""

    unit: GroupId
    to: Point
    facing: int = 0
    twin: GroupId = NO_GROUP
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


class Join(Intent, frozen=True, tag="op.join"):
    """Joining of a character to a unit that is deployed already."""

    unit: GroupId
    host: GroupId


class Load(Intent, frozen=True, tag="op.load"):
    """Start of a unit aboard a transport."""

    unit: GroupId
    vessel: GroupId


class Keep(Intent, frozen=True, tag="op.keep"):
    """Stay of a unit that can Deep Strike in reserve, or for another round there."""

    unit: GroupId


class DeployRest(Intent, frozen=True, tag="op.deploy_rest"):
    """Placing of all remaining units where there is room."""


class Hold(Intent, frozen=True, tag="op.hold"):
    """Hold of a unit; a Vehicle may turn."""

    unit: GroupId
    facing: int = -1


class Move(Intent, frozen=True, tag="op.move"):
    """Walk or run of a unit, by way of `via` if given."""

    unit: GroupId
    run: bool
    to: Point
    via: tuple[Point, ...] = ()
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


class Drive(Intent, frozen=True, tag="op.drive"):
    """Move of a Vehicle: `before` along its heading (backwards below 0), one turn, and `ahead` along the new one."""

    unit: GroupId
    run: bool
    facing: int
    ahead: int
    before: int = 0


class Assault(Intent, frozen=True, tag="op.assault"):
    """Assault of a unit on a target, which leads to melee."""

    unit: GroupId
    target: GroupId
    via: tuple[Point, ...] = ()


class Shoot(Intent, frozen=True, tag="op.shoot"):
    """Fire of the acting unit. `split`: targets by kind of weapon, for a unit that may fire all; `weapon`: the one that
    a model with several fires."""

    unit: GroupId
    target: GroupId
    weapon: str = ""
    split: dict[str, GroupId] = msgspec.field(default_factory=dict)


class Fight(Intent, frozen=True, tag="op.fight"):
    """Start of the blows in the melee of the acting unit."""


class UsePower(Intent, frozen=True, tag="op.use_power"):
    """Attempt of a unit's Psyker at a power with a number of dice."""

    unit: GroupId
    power: str
    dice: int
    target: GroupId
    to: Point | None = None


class Disembark(Intent, frozen=True, tag="op.disembark"):
    """Landing of a unit as its Walk."""

    unit: GroupId
    to: Point
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


class Sally(Intent, frozen=True, tag="op.sally"):
    """Assault of a Furious unit out of its transport."""

    unit: GroupId
    target: GroupId


class Finish(Intent, frozen=True, tag="op.finish"):
    """End of the acting unit's activation; without one, `unit` stays idle."""

    unit: GroupId = NO_GROUP


class ConcedeBattle(Intent, frozen=True, tag="op.concede"):
    """Departure of a player's whole army from the table."""


INTENTS: tuple[type[Intent], ...] = tagged(globals(), Intent)
