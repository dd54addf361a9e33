"""Lists of tables: the lobby's, the page that one looks at with its changes, and one's own games."""

from __future__ import annotations

import msgspec

from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.server_message import ServerMessage


class TableRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Table in the lobby's lists. `state`: open, live, finished. `mine`: the receiver has a seat. `turn`: it waits for
    them. `rest`: "paused" or "adjourned". `mail`: it is played by mail. `lesson`: it is a guided match, whose clock is
    off. `bots`: seats in a live match that a late person may take. `delayed_view`: as in TableView. `rated`: its match
    may count for ratings, `ranked`: at a ranked table; `language`: that of whoever opened it. `taken`: seats that not
    everybody may take; `kept`: one is kept for the receiver; `begins`: unix seconds at which its people mean to begin,
    0 for no time; `guarded`: whoever comes without a code needs a password."""

    id: TableId
    name: str
    system: str
    scenario: Text
    state: str
    seats: int
    taken: int
    private: bool = False
    mine: bool = False
    turn: bool = False
    waits: tuple[str, ...] = ()
    owner: str = ""
    result: Text | None = None
    when: int = 0
    rest: str = ""
    mail: bool = False
    bots: int = 0
    delayed_view: bool = False
    lesson: bool = False
    rated: bool = False
    ranked: bool = False
    language: str = ""
    kept: bool = False
    begins: int = 0
    guarded: bool = False


class Lobby(ServerMessage, frozen=True, tag="lobby"):
    """All tables that the receiver may see: their own first, those that wait for them before all others."""

    tables: tuple[TableRow, ...]


class Counts(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of the tables that were found, by state."""

    live: int = 0
    open: int = 0
    finished: int = 0

    @property
    def total(self) -> int:
        """Number of all that were found."""
        return self.live + self.open + self.finished


class Found(ServerMessage, frozen=True, tag="found"):
    """Answer to FindTables: the page of the public tables that it asks for, from place `first` on, live before open
    before finished, the newest first, then by id. `mine` and `turn` are never set in it. It is sent again, whole, to
    one who has missed a change."""

    rows: tuple[TableRow, ...]
    counts: Counts
    first: int = 0


class FoundChange(ServerMessage, frozen=True, tag="found_change"):
    """Change of the page that was sent last: rows that are new on it, or other ones now, and the ids of those that are
    no longer there."""

    counts: Counts
    rows: tuple[TableRow, ...] = ()
    gone: tuple[TableId, ...] = ()


class MyGames(ServerMessage, frozen=True, tag="my_games"):
    """Tables that are not finished at which the receiver has a seat, or one is kept for them, and private ones that
    they were let in to: those that wait for them first, then live before open, the newest first. Sent with Found, and
    whole again when they change."""

    rows: tuple[TableRow, ...] = ()
