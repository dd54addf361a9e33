"""Matches that are on: what everybody may know of how they stand, to choose one to watch."""

from __future__ import annotations

import msgspec

from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.client_message import Message
from protocol.wire.server_message import ServerMessage


class GetOnNow(Message, frozen=True, tag="get_on_now"):
    """Request for the matches that are on: those at which friends of the sender are, then those with most
    spectators."""


class OnNowSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Seat of a match that is on, with its score so far; `bot`: a bot plays it. `side`: as in SeatView."""

    name: str
    score: int = 0
    bot: bool = False
    side: int = -1


class OnNowCounter(msgspec.Struct, frozen=True, omit_defaults=True):
    """Number of a match such as its round, of `most` where that is known."""

    name: Text
    value: int
    most: int = 0


class OnNowRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Match that is on. `counters`: what tells how far it has come; `watching`: spectators; `friends`: names of the
    receiver's friends who play or watch, and show that they are here."""

    table: TableId
    name: str
    system: str
    scenario: Text
    seats: tuple[OnNowSeat, ...]
    counters: tuple[OnNowCounter, ...] = ()
    watching: int = 0
    friends: tuple[str, ...] = ()


class OnNow(ServerMessage, frozen=True, tag="on_now"):
    """Answer to GetOnNow: 20 matches at most, without those of the receiver's own tables."""

    rows: tuple[OnNowRow, ...] = ()
