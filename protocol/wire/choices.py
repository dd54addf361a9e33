"""Choices of a server: rule systems, their scenarios, and the factions of these."""

from __future__ import annotations

import msgspec

from protocol.text import Text


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


class SystemChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule system with its scenarios and the kinds of bots it has."""

    id: str
    name: Text
    scenarios: tuple[ScenarioChoice, ...]
    bots: tuple[str, ...]
