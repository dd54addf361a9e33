"""Intents of the action-card skirmish."""

from __future__ import annotations

import msgspec

from engine.core.rules.events import tagged
from engine.core.rules.system import Intent
from engine.rulesets.action_cards.state.model import Point
from protocol.ids import FigureId, GroupId


class Move(Intent, frozen=True, tag="move"):
    """Move a group: its `lead` figure in a straight line to `to`, the others as placed (missing ones: by default)."""

    group: GroupId
    lead: FigureId
    to: Point
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


class Shoot(Intent, frozen=True, tag="shoot"):
    """Shoot with one group at one enemy group; `faction`: the target seat where fire goes into a combat (-1: none)."""

    group: GroupId
    target: GroupId
    faction: int = -1


class LinkedFire(Intent, frozen=True, tag="linked"):
    """Fire several shots of one card at one target, added together; `shots`: a group id for each shot."""

    shots: tuple[GroupId, ...]
    target: GroupId
    faction: int = -1


class UseSpecial(Intent, frozen=True, tag="special"):
    """Take a special action of the faction or the scenario. `helpers`: the figures that help; `to`: where an effect
    needs a place; `about`: the group or feature that an effect is aimed at."""

    group: GroupId
    special: str
    helpers: tuple[FigureId, ...] = ()
    to: Point | None = None
    about: str = ""


class Propose(Intent, frozen=True, tag="propose"):
    """Try something that no rule lists, for the others to vote on.

    `effect`: again, clear, stun, open or other; `about`: the feature or group that it is about.
    """

    group: GroupId
    effect: str
    words: str
    roll: bool = False
    about: str = ""


class Drive(Intent, frozen=True, tag="drive"):
    """Drive a ground vehicle so many inches straight ahead (at most as far as it is able), then turn it to `facing`."""

    group: GroupId
    inches: int
    facing: int


class TakeOff(Intent, frozen=True, tag="take_off"):
    """Take off with a vehicle that flies."""

    group: GroupId


class Fly(Intent, frozen=True, tag="fly"):
    """Fly a vehicle in the air to a place, and turn it to `facing`."""

    group: GroupId
    to: Point
    facing: int


class Land(Intent, frozen=True, tag="land"):
    """Land a vehicle in the air where it is."""

    group: GroupId


class Disembark(Intent, frozen=True, tag="disembark"):
    """Get a group out of its vehicle: its first figure to `to`, the others as placed (missing ones: by default)."""

    group: GroupId
    to: Point
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


class Blast(Intent, frozen=True, tag="blast"):
    """Fire a group's blast weapons at a place."""

    group: GroupId
    at: Point


class Hunt(Intent, frozen=True, tag="hunt"):
    """Shoot with a group at a monster."""

    group: GroupId
    monster: str


class EndCard(Intent, frozen=True, tag="end_card"):
    """End the current card."""


class LeaveGame(Intent, frozen=True, tag="leave"):
    """Concede: all figures of the player are taken off the table."""


INTENTS: tuple[type[Intent], ...] = tagged(globals(), Intent)
