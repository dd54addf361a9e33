"""What players may ask for."""

from __future__ import annotations

import msgspec

from engine.core.rules.system import Intent
from engine.rulesets.one_page.state.model import Point


class Deploy(Intent, frozen=True, tag="op.deploy"):
    """Put a unit on the table: its leader there, the others around it. `twin`: the second copy of a big unit."""

    unit: str
    to: Point
    facing: int = 0
    twin: str = ""
    places: dict[str, Point] = msgspec.field(default_factory=dict)


class Join(Intent, frozen=True, tag="op.join"):
    """A character becomes part of a unit that is deployed already."""

    unit: str
    host: str


class Load(Intent, frozen=True, tag="op.load"):
    """A unit starts aboard a transport."""

    unit: str
    vessel: str


class Keep(Intent, frozen=True, tag="op.keep"):
    """A unit that can Deep Strike is kept in reserve, or waits there for another round."""

    unit: str


class DeployRest(Intent, frozen=True, tag="op.deploy_rest"):
    """All that is left to be placed now is placed where there is room."""


class Hold(Intent, frozen=True, tag="op.hold"):
    """A unit stays where it is; a Vehicle may turn."""

    unit: str
    facing: int = -1


class Move(Intent, frozen=True, tag="op.move"):
    """A unit walks or runs, over `via` if there is one."""

    unit: str
    run: bool
    to: Point
    via: tuple[Point, ...] = ()
    places: dict[str, Point] = msgspec.field(default_factory=dict)


class Drive(Intent, frozen=True, tag="op.drive"):
    """A Vehicle drives: so far along its heading (backwards below 0), turns once, and so far along the new one."""

    unit: str
    run: bool
    facing: int
    ahead: int
    before: int = 0


class Assault(Intent, frozen=True, tag="op.assault"):
    """A unit goes into melee."""

    unit: str
    target: str
    via: tuple[Point, ...] = ()


class Shoot(Intent, frozen=True, tag="op.shoot"):
    """The acting unit fires. `split`: targets of kinds of weapons, for who may fire all; `weapon`: which one a model
    with several takes."""

    unit: str
    target: str
    weapon: str = ""
    split: dict[str, str] = msgspec.field(default_factory=dict)


class Fight(Intent, frozen=True, tag="op.fight"):
    """Blows fall in the melee that the acting unit has gone into."""


class UsePower(Intent, frozen=True, tag="op.use_power"):
    """A Psyker of a unit tries a power with so many dice."""

    unit: str
    power: str
    dice: int
    target: str
    to: Point | None = None


class Embark(Intent, frozen=True, tag="op.embark"):
    """A unit moves up to a transport and gets in."""

    unit: str
    vessel: str


class Disembark(Intent, frozen=True, tag="op.disembark"):
    """A unit gets out with a Walk."""

    unit: str
    to: Point
    places: dict[str, Point] = msgspec.field(default_factory=dict)


class Sally(Intent, frozen=True, tag="op.sally"):
    """A Furious unit gets out with an Assault."""

    unit: str
    target: str


class Finish(Intent, frozen=True, tag="op.finish"):
    """The unit does no more in this round; without an acting unit, this one stays idle."""

    unit: str = ""


class Concede(Intent, frozen=True, tag="op.concede"):
    """A player's army leaves the table."""


INTENTS: tuple[type[Intent], ...] = (
    Deploy,
    Join,
    Load,
    Keep,
    DeployRest,
    Hold,
    Move,
    Drive,
    Assault,
    Shoot,
    Fight,
    UsePower,
    Embark,
    Disembark,
    Sally,
    Finish,
    Concede,
)
