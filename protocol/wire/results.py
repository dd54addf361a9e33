"""Results of finished matches, ratings of people, and those who lead."""

from __future__ import annotations

import msgspec

from protocol.ids import TableId
from protocol.redaction import redacted_repr
from protocol.text import Text
from protocol.wire.server_message import ServerMessage


class RatingView(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rating of a person at a system: `points`, give or take `spread`, after so many rated `matches`. `new`: these are
    too few for it to be shown."""

    system: str
    points: int
    spread: int
    matches: int
    new: bool = False


class PlayedView(msgspec.Struct, frozen=True, omit_defaults=True):
    """Matches of a person against other people at a system, and those of them that they won."""

    system: str
    matches: int
    won: int = 0


class ResultSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Seat in a finished match. `who`: the person who held it at the start, empty for a bot; `name`: theirs now, empty
    where they are deleted; `side`: -1 where it stands alone; `won`, `score`: of its side, or its own; `gone`: the
    person conceded or was replaced for good; `change`: of their rating, where the match is rated."""

    who: str = ""
    name: str = ""
    side: int = -1
    won: bool = False
    score: int = 0
    gone: bool = False
    change: int | None = None


class ResultRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Finished match. `number`: its place in the order in which matches ended; `name`: of its table; `when`: unix
    seconds; `why` it ended; `rounds`: those of its dice, of which `bare` had a part of nobody but the host; `unrated`:
    why it is not rated (bots, parked, ended, unproven, alone, often), empty where it is; `ranked`: it was played at a
    ranked table; `replay`: it can be asked for; `code`: that of a link to it, while it works."""

    number: int
    table: TableId
    name: str
    system: str
    scenario: Text
    when: int
    why: Text
    seats: tuple[ResultSeat, ...]
    rounds: int = 0
    bare: int = 0
    unrated: str = ""
    ranked: bool = False
    replay: bool = False
    code: str = ""

    def __repr__(self) -> str:
        return redacted_repr(self, ("code",))


class Results(ServerMessage, frozen=True, tag="results"):
    """Answer to GetResults: the ratings of the person `who`, by system, and results, the newest first. `name`: empty
    where they are deleted; `older`: the number to ask for older results before, 0 where there are none; `played`: their
    matches, by system; `begun`: of the newest 50 of these that they began, which are over, they played `stayed` to the
    end."""

    who: str
    name: str
    ratings: tuple[RatingView, ...] = ()
    results: tuple[ResultRow, ...] = ()
    older: int = 0
    played: tuple[PlayedView, ...] = ()
    begun: int = 0
    stayed: int = 0


class Leader(msgspec.Struct, frozen=True, omit_defaults=True):
    """Person among those who lead. `name`: empty where they are deleted."""

    who: str
    name: str
    rating: RatingView


class Leaders(ServerMessage, frozen=True, tag="leaders"):
    """Answer to GetLeaders: the best at this system, of those who ended ten rated matches in the last 90 days; 50 at
    most."""

    system: str
    leaders: tuple[Leader, ...] = ()
