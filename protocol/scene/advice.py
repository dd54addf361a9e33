"""Advice on choices: how two clicks make one, and what it would come to. Whole numbers only, no rule of any game."""

from __future__ import annotations

from typing import Literal

import msgspec

from protocol.ids import NodeId
from protocol.text import Text

Outcome = tuple[int, int]
"""Number of losses, and its probability in thousandths."""


class Gesture(msgspec.Struct, frozen=True, omit_defaults=True):
    """The clicks that make a choice: on its subject, then on its object. `subject`, `object`: keys of the fields that
    they fill, "" for none (then the subject is what the choice is about). `on`: what the object is.

    Of several that fit one object the lowest `rank` acts at the click. `mark` says which sign an object bears: move,
    shot, charge, ride, power or another word. `ends`: it rolls, draws, or ends the activation.
    """

    subject: str = ""
    object: str = ""
    on: Literal["none", "point", "group", "piece", "feature", "cell", "card"] = "none"
    rank: int = 0
    mark: str = ""
    ends: bool = False


class ForecastPool(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dice that would be rolled. `needs`: what a die needs to count, 0 where they are added up."""

    purpose: Text
    count: int
    sides: int = 6
    needs: int = 0


class ForecastLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """Modifier of a forecast, in words, with the rule that it comes from."""

    text: Text
    rule: str = ""


class ForecastBack(msgspec.Struct, frozen=True, omit_defaults=True):
    """Answer of a group to a choice, where it could give one. `mean` in hundredths of a figure."""

    group: NodeId
    outcomes: tuple[Outcome, ...] = ()
    mean: int = 0


class Forecast(msgspec.Struct, frozen=True, omit_defaults=True):
    """Chances of a filled-in choice, up to the next answer of a person. `outcomes`: losses of its object, the fewest
    first; `mean`: in hundredths of a figure; `lines`: modifiers; `touched`: the pieces below a template.

    `sure`: exact; about (sampled, up to the next turn, card or round); known (of what is known: something hidden could
    change it).
    """

    pools: tuple[ForecastPool, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    mean: int = 0
    back: tuple[ForecastBack, ...] = ()
    lines: tuple[ForecastLine, ...] = ()
    sure: Literal["exact", "about", "known"] = "exact"
    cover: Text | None = None
    touched: tuple[NodeId, ...] = ()

    @property
    def chance(self) -> int:
        """The probability of at least one loss, in thousandths."""
        return sum(share for losses, share in self.outcomes if losses)


class Target(msgspec.Struct, frozen=True, omit_defaults=True):
    """Possible object of a choice. `why` it cannot be, and the node that is in the way (`by`); else the `chance` of at
    least one loss in thousandths, the mean `loss` in hundredths of a figure, its cover, and the groups that may fire
    `back`."""

    id: NodeId
    why: Text | None = None
    chance: int = 0
    loss: int = 0
    cover: Text | None = None
    back: tuple[NodeId, ...] = ()
    by: NodeId = NodeId("")
