"""Requests for lists of tables, and for a quick match."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from protocol.wire.client_message import Count, Id, Language, ListLines, Message, QuickSeats, SeatCount


class ListTables(Message, frozen=True, tag="list"):
    """Request for the lobby. It is kept up to date for a person at no table; for one at a table from then on, until
    they act there or go to another."""


class FindTables(Message, frozen=True, tag="find"):
    """Request for a page of the public tables, from place `first` on, and for the sender's own games; both are kept up
    in place of the lobby's list, while that would be. Absent filters pass every table. `words`: each of them stands in
    the name of the table or of somebody seated; `seats`: of the table; `free`: seats that can be taken, at least;
    `rated`: its match may count for ratings; `language`: that of whoever opened it."""

    words: Annotated[str, Meta(max_length=64)] = ""
    state: Literal["live", "open", "finished"] | None = None
    system: Id | None = None
    seats: SeatCount | None = None
    free: SeatCount | None = None
    rated: bool | None = None
    mail: bool | None = None
    language: Language | None = None
    first: Count = 0


class SeekMatch(Message, frozen=True, tag="seek"):
    """Request for players for a match, in place of the sender's request before: of one of these systems, with one of
    these numbers of seats, live or by `mail`, `rated` or not; `ranked`: under the terms of a ranked table, which
    is live and rated. `lists`: army lists, each by the lines of its file or its code as one line; the one with the most
    points that fits plays, else one is drawn."""

    systems: Annotated[list[Id], Meta(min_length=1, max_length=8)]
    seats: Annotated[list[QuickSeats], Meta(min_length=1, max_length=5)]
    mail: bool = False
    rated: bool = False
    ranked: bool = False
    lists: Annotated[list[ListLines], Meta(max_length=4)] = msgspec.field(default_factory=list)


class StopSeeking(Message, frozen=True, tag="stop_seeking"):
    """End of the sender's search for players; it refuses the match that they are asked to confirm."""


class ConfirmMatch(Message, frozen=True, tag="confirm"):
    """Consent to a match that was offered (MatchOffered)."""

    match: Id


class FillWithBots(Message, frozen=True, tag="fill"):
    """Request to play against bots of the second level, after a minute without players: of the first system and number
    of seats that the sender asked for."""
