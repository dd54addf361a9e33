"""Choices of a server: rule systems, their scenarios, and the factions of these."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from protocol.text import Text
from protocol.wire.lessons import Lesson

OptionValue: TypeAlias = bool | int | str
"""Value of an option of the rules."""


class FactionChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A faction that a seat may play, with lines that describe it."""

    id: str
    name: Text
    lines: tuple[Text, ...] = ()


class ScenarioChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A scenario that a table may play. `form_of`: the one that it is, for another number of players.
    `points`: every seat brings an army list of so many at most (0: none). `sides`: the side of each seat, empty where
    each stands alone."""

    id: str
    name: Text
    about: Text
    seats: int
    factions: tuple[FactionChoice, ...]
    minutes: int = 90
    form_of: str = ""
    points: int = 0
    sides: tuple[int, ...] = ()


class ValueChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value of an option that is one of several."""

    id: str
    name: Text


class OptionChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """An option of the rules. `kind`: flag (yes or no), number (from `low` to `high`), or one_of (`values`). `default`:
    its value where nobody chooses. `scenarios`: the ids of those that have it, empty for all."""

    key: str
    name: Text
    hint: Text
    kind: str
    default: OptionValue
    low: int = 0
    high: int = 0
    values: tuple[ValueChoice, ...] = ()
    scenarios: tuple[str, ...] = ()


class SystemChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule system with its scenarios, the kinds of bots it has, the options of its rules, and its lessons, the first
    one for beginners."""

    id: str
    name: Text
    scenarios: tuple[ScenarioChoice, ...]
    bots: tuple[str, ...]
    options: tuple[OptionChoice, ...] = ()
    lessons: tuple[Lesson, ...] = ()
