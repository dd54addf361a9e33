"""Requests at a table: to open, join and watch it, its settings, seats and votes."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from protocol.wire.client_message import (
    MOST_PASSWORD,
    BotMilliseconds,
    Code,
    Count,
    Id,
    ListLines,
    Message,
    Name,
    OptionNumber,
    OptionWord,
    Password,
    SeatNumber,
    WireTableId,
    Words,
)
from protocol.wire.list_form import Change


class CreateTable(Message, frozen=True, tag="create"):
    """Request to open a table for a scenario; the sender becomes its owner and takes the first seat. `lesson`: the id
    of one of the system's, which has this scenario: its line-up is seated, with bots in all other seats, and no clock
    runs."""

    system: Id
    scenario: Id
    name: Name
    private: bool = False
    lesson: Id | None = None


class JoinTable(Message, frozen=True, tag="join"):
    """Request for a seat, by invite code, or by id where the table is public or a seat is kept for the sender: for this
    `seat`, else for one that is kept for them, else for any. In a live match: play on for a bot. `password`: that of
    the table, where it has one and no code is given."""

    code: Code | None = None
    table: WireTableId | None = None
    seat: SeatNumber | None = None
    password: Password | None = None


class OpenTable(Message, frozen=True, tag="open"):
    """Request to look at a table again where the sender has a seat already (or watches); its stream goes to this
    connection from now."""

    table: WireTableId


class WatchTable(Message, frozen=True, tag="watch"):
    """Request to watch as a spectator; a private table needs its code, one with a `password` that or its code."""

    table: WireTableId | None = None
    code: Code | None = None
    password: Password | None = None


class LookAs(Message, frozen=True, tag="look"):
    """Spectator: choice of the view: the public part, what `seat` sees (its holder decides), or all, late."""

    sees: Literal["public", "seat", "all"]
    seat: SeatNumber | None = None


class Consent(Message, frozen=True, tag="consent"):
    """Player: consent that this spectator sees what they see, or its end."""

    who: Id
    allow: bool


class LeaveTable(Message, frozen=True, tag="leave"):
    """Before the start: request to give the seat up. After it: a bot takes the seat over. A spectator stops
    watching."""


class ChooseFaction(Message, frozen=True, tag="faction"):
    """Before the start: choice of a faction. The owner may name another `seat` that a bot holds."""

    faction: Id
    seat: SeatNumber | None = None


class BuildList(Message, frozen=True, tag="build_list"):
    """Request for the form of an army list for the sender's seat (or a bot's `seat`) at this table: of `draft`, as a
    form gave it or as the code of a list; changed by what was done to a row of it. `lines`: those of a list's file, in
    its place. Without either: of the list that the seat has, or an empty one."""

    draft: Words = ""
    change: Change | None = None
    lines: ListLines = msgspec.field(default_factory=list)
    seat: SeatNumber | None = None


class BringList(Message, frozen=True, tag="bring_list"):
    """Before the start: choice of an army list, by its code, or by the `lines` of its file; with neither, one is drawn.
    The owner may name another `seat` that a bot holds."""

    lines: ListLines = msgspec.field(default_factory=list)
    list: Words = ""
    seat: SeatNumber | None = None


class SetReady(Message, frozen=True, tag="ready"):
    """Before the start: the sender is ready, or not any more. `delayed_view`: they agree that spectators see
    everything, late."""

    ready: bool
    delayed_view: bool = False


class AddBot(Message, frozen=True, tag="bot"):
    """Owner, before the start: request to put a bot of this kind ("random", "level1") into a free seat."""

    kind: Id
    seat: SeatNumber | None = None


class RemoveSeat(Message, frozen=True, tag="remove_seat"):
    """Owner: request to remove the holder of this seat (after the start a bot takes over)."""

    seat: SeatNumber


class RemoveWatcher(Message, frozen=True, tag="remove_watcher"):
    """Owner: request to send this spectator away; they may not come back to this table."""

    who: Id


class ChangeTable(Message, frozen=True, tag="change"):
    """Owner, before the start: change of the scenario, name, admission or pace of the table, of the right of a late
    person to take a bot's seat, of what spectators may ask to see, of whether players see what they write, of whether
    the match counts for ratings, of whether each step that rolls waits for parts of its own, of whether the table is
    ranked (which sets most of the others), of the staying power that whoever takes a seat needs (`staying`, in percent;
    0: none), of its beginning (unix seconds; 0: none), of the `password` that whoever comes without a code needs ("":
    none), and of options of the rules, by key. Absent: unchanged."""

    scenario: Id | None = None
    name: Name | None = None
    private: bool | None = None
    seconds: Annotated[int, Meta(ge=5, le=3600)] | None = None
    reaction_seconds: Annotated[int, Meta(ge=0, le=30)] | None = None
    bank: Annotated[int, Meta(ge=0, le=7200)] | None = None
    mail: bool | None = None
    solo_clock: bool | None = None
    bot_pace: BotMilliseconds | None = None
    late: bool | None = None
    seat_views: bool | None = None
    all_views: bool | None = None
    watchers_heard: bool | None = None
    rated: bool | None = None
    strict: bool | None = None
    ranked: bool | None = None
    staying: Annotated[int, Meta(ge=0, le=100)] | None = None
    begins: Count | None = None
    password: Annotated[str, Meta(max_length=MOST_PASSWORD)] | None = None
    options: Annotated[dict[Id, bool | OptionNumber | OptionWord], Meta(max_length=32)] | None = None


class NewCode(Message, frozen=True, tag="new_code"):
    """Owner: request for another invite code; the one before it admits no one any more."""


class StartMatch(Message, frozen=True, tag="start"):
    """Owner: request to start; all seats must be taken and all people ready."""


class BotPace(Message, frozen=True, tag="bot_pace"):
    """Player, in a match: my wish for the pace of bots, in milliseconds an act; the slowest wish holds. Absent: their
    next act at once."""

    pace: BotMilliseconds | None = None


class CallVote(Message, frozen=True, tag="call_vote"):
    """Player: request for a vote of all who are seated: to pause, resume, adjourn or end the match, to let a bot play
    for the absent person of `seat`, or to play on under changed rules. Whoever asks has voted yes."""

    what: Literal["pause", "resume", "adjourn", "end", "bot", "play_on"]
    seat: SeatNumber | None = None


class CastVote(Message, frozen=True, tag="cast"):
    """Player: yes or no to the open vote; the last word counts."""

    yes: bool


class Concede(Message, frozen=True, tag="concede"):
    """Player: end of their match, which they watch from now on. A bot plays on for the seat, or with `figures` its
    figures leave the table, where the rules know how."""

    figures: bool = False
