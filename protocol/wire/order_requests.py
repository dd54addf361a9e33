"""Messages of moderators: what they ask about order among people. Of anybody else they are refused."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from protocol.limits import Limits
from protocol.wire.client_message import Count, Id, Message, Name, WireTableId

MOST_REASON: Final = 400
MOST_ANNOUNCED: Final = Limits().announcement_length
MOST_COUNTDOWN: Final = Limits().countdown_seconds
YEARS: Final = 10 * 365 * 24 * 3600
Reason = Annotated[str, Meta(min_length=1, max_length=MOST_REASON)]
"""Reason of an act, which the host reads in the audit list."""
SanctionSeconds = Annotated[int, Meta(ge=0, le=YEARS)]
Included = Literal["name", "address", "network"]


class Sanction(Message, frozen=True, tag="sanction"):
    """Moderator: ban of a person from the server for so many `seconds` (an hour at least, 0: for ever), or mute in
    public talk (5 minutes to 30 days). `also`: a ban of their name, of the addresses they came from in the last 30
    days, or of the networks of these."""

    who: Id
    what: Literal["ban", "mute"]
    reason: Reason
    seconds: SanctionSeconds = 0
    also: Annotated[list[Included], Meta(max_length=3)] = msgspec.field(default_factory=list)


class LiftSanction(Message, frozen=True, tag="lift_sanction"):
    """Moderator: end of a ban or mute."""

    id: Id
    reason: Reason


class RemovePerson(Message, frozen=True, tag="remove_person"):
    """Moderator: removal of a person from all tables that go on, where they play or watch; they do not come back to
    them."""

    who: Id
    reason: Reason


class RenamePerson(Message, frozen=True, tag="rename_person"):
    """Moderator: another name for a person."""

    who: Id
    name: Name
    reason: Reason


class CloseTable(Message, frozen=True, tag="close_table"):
    """Moderator: end of a table; its match, if any, ends without a result."""

    table: WireTableId
    reason: Reason


class GetReports(Message, frozen=True, tag="get_reports"):
    """Moderator: request for a page of the reports, those before number `before`, or the newest. None of them is about
    the sender."""

    before: Count | None = None


class GetAudit(Message, frozen=True, tag="get_audit"):
    """Moderator: request for a page of the audit list, the acts before number `before`, or the newest."""

    before: Count | None = None


class Announce(Message, frozen=True, tag="announce"):
    """Moderator: announcement to everybody on the server. With `seconds` it counts down to a moment so far away."""

    text: Annotated[str, Meta(min_length=1, max_length=MOST_ANNOUNCED)]
    seconds: Annotated[int, Meta(ge=0, le=MOST_COUNTDOWN)] = 0


class TakeBackAnnouncement(Message, frozen=True, tag="take_back_announcement"):
    """Moderator: end of an announcement, whoever made it."""

    id: Id


class GetSanctions(Message, frozen=True, tag="get_sanctions"):
    """Moderator: request for a page of the bans and mutes that hold, from place `first` on, the newest first."""

    first: Count = 0
