"""Areas of the window that can be clicked or asked about, and the numbers of those that stand in lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from client.ui.layout import Rect
from client.ui.text_input import TextInput

Act = Callable[[], object]


@dataclass
class Hotspot:
    """Area that can be clicked or asked about. Without `act` it only has a tooltip.

    `listed`: it stands in a list and has a number; `number`: which one, 0 where it takes the next free one;
    `rule`: the one that tells more of it; `grips`: what a press takes up there can be dragged into the screen.
    """

    rect: Rect
    label: str
    act: Act | None = None
    tip: str = ""
    input: TextInput | None = None
    rule: str = ""
    listed: bool = False
    number: int = 0
    grips: bool = False

    @property
    def can(self) -> bool:
        """True where a click does something."""
        return self.act is not None or self.input is not None


def give_numbers(spots: Iterable[Hotspot]) -> int:
    """Give those in lists that can be clicked a number each, in order; return the number of digits that all have: one
    up to 9, then two, then three."""
    listed = [spot for spot in spots if spot.listed and spot.can]
    taken = {spot.number for spot in listed if spot.number}
    free = (number for number in range(1, len(listed) + len(taken) + 1) if number not in taken)
    for spot in listed:
        spot.number = spot.number or next(free)
    return len(str(max((spot.number for spot in listed), default=1)))


def next_of(spots: Iterable[Hotspot], marked: Hotspot | None, step: int) -> Hotspot | None:
    """Return what can be clicked after `marked` (before it with a step of -1), round at the end; None where nothing
    can."""
    can = [spot for spot in spots if spot.can]
    if not can:
        return None
    if marked not in can:
        return can[0 if step > 0 else -1]
    return can[(can.index(marked) + step) % len(can)]


def same_as(spots: Iterable[Hotspot], marked: Hotspot) -> Hotspot | None:
    """Return the hotspot that has taken another's place in a later frame: at the same place, else of the same label."""
    can = [spot for spot in spots if spot.can]
    at = next((spot for spot in can if spot.rect == marked.rect), None)
    return at or next((spot for spot in can if spot.label == marked.label), None)
