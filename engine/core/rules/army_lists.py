"""Army lists, which a rule system may have beside its game: people build them for points and bring them to the table.

A system that has them has an attribute `lists`; nothing else is asked of it. A list travels as text: a short code that
checks itself, or a TOML file. Only the system knows what its form says and what its lists mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from protocol.text import Text
from protocol.wire.list_form import Change, ListForm


class BroughtList(NamedTuple):
    """An army list that may be played. `code`: its short form, of today's data; `faction`: the id of its faction;
    `changed`: what has been brought up to date in it; `lines`: its content for people, its total first."""

    code: str
    faction: str
    name: Text
    points: int
    limit: int
    lines: tuple[Text, ...]
    changed: tuple[Text, ...] = ()


@runtime_checkable
class ArmyLists(Protocol):
    """The maker and reader of a system's army lists; `content` is what its `content` gave.

    Lists come from anybody. Every number in one is bounded where it is read, so that whatever is made of it can be
    sent: a number out of bounds raises ListRefused, and so does a list whose code could not be read again.
    """

    @property
    def limits(self) -> Sequence[int]:
        """The points that a list may be made for, the usual number first."""

    def factions(self, content: object) -> Sequence[str]:
        """Return the ids of the factions that lists can be made for."""

    def empty(self, content: object, faction: str, limit: int) -> str:
        """Return the code of a list with nothing in it. Raises ListRefused where the faction is unknown."""

    def build(self, content: object, faction: str, limit: int, seed: int) -> str:
        """Return the code of a sound list, the same for a seed. Raises ListRefused where the faction or limit is
        unknown."""

    def read(self, content: object, written: str, file: str = "") -> BroughtList:
        """Read a list from its code or from TOML. Raises ListRefused; where `file` names the TOML, each fault names its
        line."""

    def write(self, content: object, code: str) -> str:
        """Write a list as TOML, with comments for people. Raises ListRefused."""

    def form(self, content: object, draft: str, change: Change | None = None) -> ListForm:
        """Return the form to build a list in, as it stands or after `change`. `draft` is a list, sound or not: its
        code, or TOML that has no faults of form. Raises ListRefused where it cannot be read."""


def lists_of(system: object) -> ArmyLists | None:
    """Return the army lists of a system, None where it has none."""
    offered: Any = getattr(system, "lists", None)
    return offered if isinstance(offered, ArmyLists) else None
