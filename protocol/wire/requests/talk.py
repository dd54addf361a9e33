"""Requests that others see: lines of chat, marks on the table, and reports of both."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from protocol.wire.client_message import MOST_WORDS, Count, Id, Message, PointValue, SeatNumber


class Chat(Message, frozen=True, tag="chat"):
    """Words to all at the sender's table, or `where` "lobby": to all in the lobby. Player: `where` "side" to the people
    of their side, with `to` to the holder of that seat alone."""

    text: Annotated[str, Meta(min_length=1, max_length=400)]
    to: SeatNumber | None = None
    where: Literal["table", "side", "lobby"] = "table"


class ReportedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Line of chat as it was told: its text, its time, and of one of the lobby its number."""

    text: Annotated[str, Meta(min_length=1, max_length=MOST_WORDS)]
    at: Count
    number: Count = 0


class Report(Message, frozen=True, tag="report"):
    """Report of a person to the host, with the reason and in words; of a `line` of theirs that the sender can read
    where they are, or in the lobby: the host reads it then, with those around it."""

    who: Id
    reason: Literal["abuse", "spam", "cheating", "name", "other"]
    words: Annotated[str, Meta(max_length=400)] = ""
    line: ReportedLine | None = None


class GetLobbyChat(Message, frozen=True, tag="get_lobby_chat"):
    """Request for a page of the lobby's chat: the lines before number `before`, or the newest. From then on this
    connection is told of new lines while it looks at the lobby."""

    before: Count | None = None


class PointAt(Message, frozen=True, tag="point_at"):
    """Player, in a match: a mark on the table for 4 seconds, seen by the player's side; by all at a table without
    sides. It is no part of the match, and kept nowhere. `at`: its place in hundredths."""

    at: PointValue
