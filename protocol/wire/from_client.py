"""Messages of clients: one closed union, strict and bounded; anything else is refused with a code.

Every message is a map with the tag `t`; the types of its fields are bounded (protocol/wire/client_message.py).
"""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from protocol.text_cleaning import clean_line
from protocol.wire.client_message import (
    MOST_PASSWORD,
    MOST_WORDS,
    PLAIN,
    BotMilliseconds,
    Code,
    Count,
    Digest,
    Fields as Fields,
    Id,
    Key,
    Language,
    ListLines,
    Message as Message,
    Name,
    OptionNumber,
    OptionWord,
    Password,
    PointValue,
    QuickSeats,
    SeatCount,
    SeatNumber,
    Signature,
    WirePromptId,
    WireSeq,
    WireTableId,
    Words,
)
from protocol.wire.faction_pages import GetFaction
from protocol.wire.links import FollowLink
from protocol.wire.list_form import Change
from protocol.wire.on_now import GetOnNow
from protocol.wire.order_requests import (
    Announce,
    CloseTable,
    GetAudit,
    GetReports,
    GetSanctions,
    LiftSanction,
    RemovePerson,
    RenamePerson,
    Sanction,
    TakeBackAnnouncement,
)
from protocol.wire.own_data import GetOwnData
from protocol.wire.previews import GetPreview
from protocol.wire.seating import AskSeat, GetInvitations, GiveSeat, KeepSeat, Rematch, SwapSeats
from protocol.wire.webhooks import GetWebhook, SetWebhook, TryWebhook

PeopleList = Literal["friends", "asking", "asked", "muted", "blocked", "recent"]
PeopleChange = Literal["ask", "take_back", "accept", "decline", "end", "mute", "unmute", "block", "unblock"]
_PLAIN: Final = re.compile(PLAIN)


class Resume(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Last numbers that a returning client has of a table's stream; see `Snapshot.stream`."""

    table: WireTableId
    stream: Id
    public: WireSeq
    private: WireSeq


class Hello(Message, frozen=True, tag="hello"):
    """First message, within `handshake_seconds`: the person, and the place where they left off. With `token` the person
    it was given to, with `password` the one who keeps `name` with it (then the token says nothing), else a new guest.
    `adds`: the program adds to the dice wherever the person has a seat."""

    version: Count
    name: Name
    token: Annotated[str, Meta(max_length=128)] | None = None
    password: Password | None = None
    language: Language = "en"
    catalogues: Annotated[list[Id], Meta(max_length=32)] = msgspec.field(default_factory=list)
    resume: Resume | None = None
    adds: bool = False


class Speak(Message, frozen=True, tag="speak"):
    """Request for the catalogues of all systems in this language, which is that of the sender from now on."""

    language: Language


class TokenKept(Message, frozen=True, tag="kept"):
    """Note that the client has kept the token of the Welcome; the one that it came with may be forgotten."""


class Logout(Message, frozen=True, tag="logout"):
    """Request to forget all tokens of the sender on all devices and to close their connections. Seats are kept, but
    only a seat code leads back to them, or the password of a name that is kept."""


class KeepName(Message, frozen=True, tag="keep_name"):
    """Request to keep the sender's name on this server, so that they can sign in with it and `password` anywhere.
    Whoever keeps it already changes the password, which needs the `old` one and ends their sessions on all other
    devices."""

    password: Password
    old: Password | None = None


class Rename(Message, frozen=True, tag="rename"):
    """Request to be called otherwise from now on. A match that is on keeps the name with which it began. A name that
    was kept by a password is kept from others for 30 days after."""

    name: Name


class DeleteAccount(Message, frozen=True, tag="delete_account"):
    """Request to delete the sender's account with all that is kept of it, and to close all their connections; whoever
    keeps their name needs its `password`. Matches stay, without the name."""

    password: Password | None = None


class GetSeatCode(Message, frozen=True, tag="seat_code"):
    """Player: request for a code by which their seat at this table passes to another device, once and soon."""


class UseSeatCode(Message, frozen=True, tag="use_seat_code"):
    """Request to take over the seat of a seat code from its holder, whose connection is closed."""

    code: Annotated[str, Meta(min_length=1, max_length=16)]


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


class Intent(Message, frozen=True, tag="intent"):
    """Act, answer, aside or undo of a player. `id`: 16 random bytes, the same in every resend."""

    id: Annotated[bytes, Meta(min_length=16, max_length=16)]
    prompt: WirePromptId
    choice: Key
    fields: Fields = msgspec.field(default_factory=dict)


class DetailRequest(Message, frozen=True, tag="detail"):
    """Request for the next field of a choice, given the fields filled in so far."""

    id: Count
    prompt: WirePromptId
    choice: Key
    fields: Fields = msgspec.field(default_factory=dict)


class Survey(Message, frozen=True, tag="survey"):
    """Request for what a thing could do: every choice with a gesture for it, with its reach and its targets."""

    id: Count
    prompt: WirePromptId
    subject: Key


class Propose(Message, frozen=True, tag="propose"):
    """Request for a choice filled in completely, given some of its fields, and for what it would come to."""

    id: Count
    prompt: WirePromptId
    choice: Key
    fields: Fields = msgspec.field(default_factory=dict)


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


class Offer(Message, frozen=True, tag="offer"):
    """Player: offer to the holder of seat `to`, in words. It binds nobody: no rule hears of it. `open`: all at the
    table see it and its answer; else only the two. It takes the place of an open one between the same two."""

    to: SeatNumber
    kind: Literal["truce", "leave", "help", "share", "other"]
    text: Annotated[str, Meta(min_length=1, max_length=200)]
    open: bool = False


class AnswerOffer(Message, frozen=True, tag="answer_offer"):
    """Player: yes or no to an offer that was made to them; no from the one who made it takes it back."""

    offer: Id
    yes: bool


class PointAt(Message, frozen=True, tag="point_at"):
    """Player, in a match: a mark on the table for 4 seconds, seen by the player's side; by all at a table without
    sides. It is no part of the match, and kept nowhere. `at`: its place in hundredths."""

    at: PointValue


class Resync(Message, frozen=True, tag="resync"):
    """Request for both parts of the scene whole, after it has drifted or a number was missed. `part` and `why` say
    where and how it was noticed (scene_model.Drift)."""

    part: Literal["public", "private"] | None = None
    why: Annotated[str, Meta(max_length=16, pattern=r"^[a-z]*\Z")] = ""


class GetPeople(Message, frozen=True, tag="get_people"):
    """Request for a page of one of the sender's lists of people, from place `first` on: friends, requests to them
    (`asking`) and of theirs (`asked`), people they have muted, blocked, or played with of late. From then on this
    connection is told of requests and consents as they come."""

    list: PeopleList
    first: Count = 0


class GetPerson(Message, frozen=True, tag="get_person"):
    """Request for a person, and for the sender's lists that they are in."""

    who: Id


class Relate(Message, frozen=True, tag="relate"):
    """Change of the sender's lists about one person: `ask` for friendship and `take_back` that request, `accept` or
    `decline` one of theirs, `end` a friendship; `mute` (their chat) and `block` (all that comes from them) and back. To
    ask, `name` may stand for `who`."""

    what: PeopleChange
    who: Id | None = None
    name: Name | None = None


class ShowPresence(Message, frozen=True, tag="show_presence"):
    """Choice that the sender's friends see when they are here, and at which table, or that they do not."""

    shown: bool


class GetHistory(Message, frozen=True, tag="get_history"):
    """Request for the page of a table's history before entry number `before`, or the newest, with the newest lines of
    chat."""

    table: WireTableId
    before: Count | None = None


class GetResults(Message, frozen=True, tag="get_results"):
    """Request for the ratings of a person and a page of their results: those before number `before`, or the newest.
    Without `who`: the sender's own."""

    who: Id | None = None
    before: Count | None = None


class GetLeaders(Message, frozen=True, tag="get_leaders"):
    """Request for those who are rated best at a system."""

    system: Id


class GetReplay(Message, frozen=True, tag="replay"):
    """Request for the replay file of a finished table, in parts."""

    table: WireTableId


class GetProof(Message, frozen=True, tag="get_proof"):
    """Request for the facts by which chance at this table can be checked, from number `after` on, and for all that
    follow."""

    table: WireTableId
    after: Count = 0


class Tip(Message, frozen=True, tag="tip"):
    """Tip of this program's entropy chain for a match, and its key (protocol/fairness/entropy_chain.py): said on each
    connection; it counts from the round after the next call on."""

    table: WireTableId
    tip: Digest
    key: Digest


class Entropy(Message, frozen=True, tag="entropy"):
    """Answer to an EntropyWanted: the link of this round, and the signature of it under the program's key."""

    table: WireTableId
    round: Count
    link: Digest
    proof: Signature


class Ping(Message, frozen=True, tag="ping"):
    """Request for a Pong with the same number."""

    n: Count


FromClient = (
    Hello
    | Speak
    | TokenKept
    | Logout
    | KeepName
    | Rename
    | DeleteAccount
    | GetOwnData
    | GetWebhook
    | SetWebhook
    | TryWebhook
    | GetSeatCode
    | UseSeatCode
    | CreateTable
    | JoinTable
    | OpenTable
    | WatchTable
    | FollowLink
    | LookAs
    | Consent
    | LeaveTable
    | ChooseFaction
    | BuildList
    | BringList
    | SetReady
    | AddBot
    | RemoveSeat
    | RemoveWatcher
    | ChangeTable
    | NewCode
    | StartMatch
    | BotPace
    | CallVote
    | CastVote
    | Concede
    | ListTables
    | FindTables
    | GetOnNow
    | GetPreview
    | GetFaction
    | SeekMatch
    | StopSeeking
    | ConfirmMatch
    | FillWithBots
    | KeepSeat
    | SwapSeats
    | AskSeat
    | GiveSeat
    | Rematch
    | GetInvitations
    | Intent
    | DetailRequest
    | Survey
    | Propose
    | Chat
    | GetLobbyChat
    | Report
    | Sanction
    | LiftSanction
    | RemovePerson
    | RenamePerson
    | CloseTable
    | GetReports
    | GetSanctions
    | GetAudit
    | Announce
    | TakeBackAnnouncement
    | Offer
    | AnswerOffer
    | PointAt
    | GetPeople
    | GetPerson
    | Relate
    | ShowPresence
    | Resync
    | GetHistory
    | GetResults
    | GetLeaders
    | GetReplay
    | GetProof
    | Tip
    | Entropy
    | Ping
)

M = TypeVar("M")


def cleaned(message: M) -> M:
    """Return a decoded message with its words made safe to show. Raises msgspec.ValidationError where a name in it is
    not plain."""
    if not isinstance(message, (Intent, DetailRequest, Propose)):
        return message
    words = {}
    for key, value in message.fields.items():
        if isinstance(value, str):
            words[key] = clean_line(value)[:MOST_WORDS]
        for name in value.values() if isinstance(value, dict) else ():
            if isinstance(name, str) and not _PLAIN.match(name):
                raise msgspec.ValidationError("Expected a plain name - at `$.fields[...][...]`")
    return replace(message, fields=message.fields | words) if words else message
