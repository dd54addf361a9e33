"""Pages of factions, as the server shows them, and the factions that there are. Needs no window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.model.lobby.seen_by_hash import SeenByHash
from protocol.text import Text
from protocol.wire.choices import FactionChoice, SystemChoice
from protocol.wire.client_message import Message
from protocol.wire.faction_pages import FactionSheet, FactionShown, GetFaction

MOST_KEPT: Final = 64
"""Of the newest, across games and links."""


class SeenFactions:
    """Pages of factions of a session. `say` sends a message; `clock` gives seconds."""

    def __init__(self, say: Callable[[Message], object], clock: Callable[[], float]) -> None:
        self._say = say
        self.is_known = False
        """True where the server shows factions."""
        self._seen: SeenByHash[tuple[str, str], FactionSheet] = SeenByHash(clock, MOST_KEPT)

    def begin(self, *, is_known: bool) -> None:
        """Begin on a new link: what was seen before is asked about again, by its hash."""
        self.is_known = is_known
        self._seen.begin()

    def want(self, system: str, faction: str) -> None:
        """Ask for the page of a faction, unless it is there or on its way."""
        if self.is_known and self._seen.wants((system, faction)):
            self._say(GetFaction(system, faction, self._seen.known((system, faction))))

    def of(self, system: str, faction: str) -> FactionSheet | None:
        """Return the page of a faction, None where it is not there."""
        return self._seen.of((system, faction))

    def why_not(self, system: str, faction: str) -> Text | None:
        """Return why there is no page, None where there is one or it is on its way."""
        return self._seen.why_not((system, faction))

    def take(self, told: FactionShown) -> None:
        """Take in an answer."""
        key = told.system, told.faction
        if told.code:
            self._seen.refuse(key, told.text or Text(told.code))
        elif told.sheet is None:
            self._seen.same(key, told.hash)
        else:
            self._seen.keep(key, told.hash, told.sheet)


def factions_of(system: SystemChoice | None, scenario: str = "") -> tuple[FactionChoice, ...]:
    """Return the factions of a scenario; those of all scenarios of the game where it has none of this id."""
    if system is None:
        return ()
    played = [one for one in system.scenarios if one.id == scenario] or system.scenarios
    return tuple({faction.id: faction for one in played for faction in one.factions}.values())
