"""Messages of clients: one closed union, strict and bounded; anything else is refused with a code.

Every message is a map with the tag `t`; the types of its fields are bounded (protocol/wire/client_message.py).
"""

from __future__ import annotations

import re
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from protocol.text_cleaning import clean_line
from protocol.wire.client_message import (
    MOST_WORDS,
    PLAIN,
    Fields as Fields,
    Message as Message,
)
from protocol.wire.faction_pages import GetFaction
from protocol.wire.links import FollowLink
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
from protocol.wire.requests.account import (
    DeleteAccount as DeleteAccount,
    GetSeatCode as GetSeatCode,
    Hello as Hello,
    KeepName as KeepName,
    Logout as Logout,
    Ping as Ping,
    Rename as Rename,
    Resume as Resume,
    Speak as Speak,
    TokenKept as TokenKept,
    UseSeatCode as UseSeatCode,
)
from protocol.wire.requests.finding import (
    ConfirmMatch as ConfirmMatch,
    FillWithBots as FillWithBots,
    FindTables as FindTables,
    ListTables as ListTables,
    SeekMatch as SeekMatch,
    StopSeeking as StopSeeking,
)
from protocol.wire.requests.match import (
    AnswerOffer as AnswerOffer,
    DetailRequest as DetailRequest,
    Entropy as Entropy,
    GetProof as GetProof,
    GetReplay as GetReplay,
    Intent as Intent,
    Offer as Offer,
    Propose as Propose,
    Resync as Resync,
    Survey as Survey,
    Tip as Tip,
)
from protocol.wire.requests.people import (
    GetHistory as GetHistory,
    GetLeaders as GetLeaders,
    GetPeople as GetPeople,
    GetPerson as GetPerson,
    GetResults as GetResults,
    PeopleChange as PeopleChange,
    PeopleList as PeopleList,
    Relate as Relate,
    ShowPresence as ShowPresence,
)
from protocol.wire.requests.table import (
    AddBot as AddBot,
    BotPace as BotPace,
    BringList as BringList,
    BuildList as BuildList,
    CallVote as CallVote,
    CastVote as CastVote,
    ChangeTable as ChangeTable,
    ChooseFaction as ChooseFaction,
    Concede as Concede,
    Consent as Consent,
    CreateTable as CreateTable,
    JoinTable as JoinTable,
    LeaveTable as LeaveTable,
    LookAs as LookAs,
    NewCode as NewCode,
    OpenTable as OpenTable,
    RemoveSeat as RemoveSeat,
    RemoveWatcher as RemoveWatcher,
    SetReady as SetReady,
    StartMatch as StartMatch,
    WatchTable as WatchTable,
)
from protocol.wire.requests.talk import (
    Chat as Chat,
    GetLobbyChat as GetLobbyChat,
    PointAt as PointAt,
    Report as Report,
    ReportedLine as ReportedLine,
)
from protocol.wire.seating import AskSeat, GetInvitations, GiveSeat, KeepSeat, Rematch, SwapSeats
from protocol.wire.webhooks import GetWebhook, SetWebhook, TryWebhook

_PLAIN: Final = re.compile(PLAIN)


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
