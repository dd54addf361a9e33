"""What a player may ask for on his card."""

from __future__ import annotations

import msgspec

from engine.core.rules.system import Intent
from engine.rulesets.action_cards.state.model import Point


class Move(Intent, frozen=True, tag="move"):
    """Move a group: its `lead` figure in a straight line to `to`, the others as placed (missing ones: by default)."""

    group: str
    lead: str
    to: Point
    places: dict[str, Point] = msgspec.field(default_factory=dict)


class Shoot(Intent, frozen=True, tag="shoot"):
    """One group shoots at one enemy group; `faction`: the target seat where fire goes into a combat (-1: none)."""

    group: str
    target: str
    faction: int = -1


class LinkedFire(Intent, frozen=True, tag="linked"):
    """Several shots of one card at one target, added together; `shots`: a group id for each shot."""

    shots: tuple[str, ...]
    target: str
    faction: int = -1


class UseSpecial(Intent, frozen=True, tag="special"):
    """A special action of the faction or the scenario. `helpers`: the figures that help; `to`: where an effect needs a
    place; `about`: the group or feature that an effect is aimed at."""

    group: str
    special: str
    helpers: tuple[str, ...] = ()
    to: Point | None = None
    about: str = ""


class Propose(Intent, frozen=True, tag="propose"):
    """Try something that no rule lists, for the others to vote on.

    `effect`: again, clear, stun, open or other; `about`: the feature or group that it is about.
    """

    group: str
    effect: str
    words: str
    roll: bool = False
    about: str = ""


class Drive(Intent, frozen=True, tag="drive"):
    """A ground vehicle goes so many inches straight ahead (at most as far as it is able), then looks at `facing`."""

    group: str
    inches: int
    facing: int


class TakeOff(Intent, frozen=True, tag="take_off"):
    """A vehicle that flies takes off."""

    group: str


class Fly(Intent, frozen=True, tag="fly"):
    """A vehicle in the air travels to a place, and looks at `facing`."""

    group: str
    to: Point
    facing: int


class Land(Intent, frozen=True, tag="land"):
    """A vehicle in the air lands where it is."""

    group: str


class Embark(Intent, frozen=True, tag="embark"):
    """A group gets into a vehicle, named by its group."""

    group: str
    vehicle: str


class Disembark(Intent, frozen=True, tag="disembark"):
    """A group gets out of its vehicle: its first figure to `to`, the others as placed (missing ones: by default)."""

    group: str
    to: Point
    places: dict[str, Point] = msgspec.field(default_factory=dict)


class Blast(Intent, frozen=True, tag="blast"):
    """A group fires its blast weapons at a place."""

    group: str
    at: Point


class Hunt(Intent, frozen=True, tag="hunt"):
    """A group shoots at a monster."""

    group: str
    monster: str


class EndCard(Intent, frozen=True, tag="end_card"):
    """No more actions on this card."""


class LeaveTable(Intent, frozen=True, tag="leave"):
    """The player has conceded: all his figures are taken off the table."""


INTENTS: tuple[type[Intent], ...] = (
    Move,
    Shoot,
    LinkedFire,
    UseSpecial,
    Propose,
    Drive,
    TakeOff,
    Fly,
    Land,
    Embark,
    Disembark,
    Blast,
    Hunt,
    EndCard,
    LeaveTable,
)
