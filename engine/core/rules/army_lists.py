"""What a rule system may offer beside its game: army lists that people build for points and bring to the table.

A system that does has an attribute `lists`; nothing else is asked of it. A list travels as text: a short code that
checks itself, or a TOML file. What a system's form says and what its lists mean, only the system knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from protocol.text import Text
from protocol.wire.list_form import Change, ListForm


class BroughtList(NamedTuple):
    """A list that may be played. `code`: its short form, of today's data; `faction`: whose it is; `changed`: what has
    been brought up to date in it; `lines`: what it holds, for people, its total first."""

    code: str
    faction: str
    name: Text
    points: int
    limit: int
    lines: tuple[Text, ...]
    changed: tuple[Text, ...] = ()


@runtime_checkable
class ArmyLists(Protocol):
    """The army lists of a system, made and read; `content` is what its `content` gave.

    What is written comes from anybody. Every number in it is bounded where it is read, so that whatever is made of it
    can be sent: what is out of bounds raises ListRefused, and so does a list whose code could not be read again."""

    @property
    def limits(self) -> Sequence[int]:
        """Points that a list may be made for, the usual first."""

    def factions(self, content: object) -> Sequence[str]:
        """Ids of those that lists can be made for."""

    def empty(self, content: object, faction: str, limit: int) -> str:
        """The code of a list with nothing in it. Raises ListRefused where the faction is unknown."""

    def build(self, content: object, faction: str, limit: int, seed: int) -> str:
        """The code of a sound list, the same for a seed. Raises ListRefused where the faction or limit is unknown."""

    def read(self, content: object, written: str, file: str = "") -> BroughtList:
        """A list by its code or as TOML. Raises ListRefused; where `file` names the TOML, each fault says where it
        stands."""

    def write(self, content: object, code: str) -> str:
        """A list as TOML, with what people need to read it in comments. Raises ListRefused."""

    def form(self, content: object, draft: str, change: Change | None = None) -> ListForm:
        """The form to build a list in: as it stands, or changed by what somebody did to it. `draft` is a list, sound or
        not: its code, or TOML that has no faults of form. Raises ListRefused where it cannot be read."""


def lists_of(system: object) -> ArmyLists | None:
    """What a system offers; None where its armies are not built by people."""
    offered: Any = getattr(system, "lists", None)
    return offered if isinstance(offered, ArmyLists) else None
