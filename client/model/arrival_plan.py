"""Plan of what is done as soon as a server has been reached. Needs no window."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class ArrivalPlan:
    """Acts to take at a server once its lobby is known: go where a code leads, to `act` of a replay; watch by a code or
    table id, begin the first lesson, or quick start."""

    join: str = ""
    act: int = 0
    watch: str = ""
    learn: bool = False
    quick: bool = False
