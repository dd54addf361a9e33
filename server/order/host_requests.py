"""Requests of the host about order, as `eschaton-server admin` hands them to a running server: JSON, one object a
request and an answer."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from protocol.wire.client_message import Count, Id, Name
from protocol.wire.order_requests import MOST_ANNOUNCED, MOST_COUNTDOWN, Included, Reason, SanctionSeconds

MOST_AUDIT: Final = 200
"""Most acts that are read at once."""


class HostRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the requests. `person`: an id, or a name that is kept."""


class ListModerators(HostRequest, frozen=True, tag="moderators"):
    """Request for the moderators."""


class AppointModerator(HostRequest, frozen=True, tag="appoint"):
    """Request to make a person a moderator."""

    person: Name


class DismissModerator(HostRequest, frozen=True, tag="dismiss"):
    """Request to end that a person is a moderator."""

    person: Name


class ListSanctions(HostRequest, frozen=True, tag="bans"):
    """Request for the bans and mutes that hold."""


class BanPerson(HostRequest, frozen=True, tag="ban"):
    """Request to ban a person for so many `seconds`, 0: for ever; `also`: as of Sanction."""

    person: Name
    reason: Reason
    seconds: SanctionSeconds = 0
    also: Annotated[list[Included], Meta(max_length=3)] = msgspec.field(default_factory=list)


class LiftById(HostRequest, frozen=True, tag="lift"):
    """Request to end a ban or mute."""

    id: Id
    reason: Reason


class ReadAudit(HostRequest, frozen=True, tag="audit"):
    """Request for the newest acts before number `before`."""

    before: Count | None = None
    most: Annotated[int, Meta(ge=1, le=MOST_AUDIT)] = 50


class ListAnnouncements(HostRequest, frozen=True, tag="announcements"):
    """Request for the announcements that stand."""


class AnnounceByHost(HostRequest, frozen=True, tag="announce"):
    """Request to announce something, which counts down for so many `seconds`; 0: it does not."""

    text: Annotated[str, Meta(min_length=1, max_length=MOST_ANNOUNCED)]
    seconds: Annotated[int, Meta(ge=0, le=MOST_COUNTDOWN)] = 0


class TakeBackById(HostRequest, frozen=True, tag="take-back"):
    """Request to end an announcement."""

    id: Id


AnyHostRequest = (
    ListModerators
    | AppointModerator
    | DismissModerator
    | ListSanctions
    | BanPerson
    | LiftById
    | ReadAudit
    | ListAnnouncements
    | AnnounceByHost
    | TakeBackById
)


class HostLine(msgspec.Struct, frozen=True):
    """Line of an answer, in words and as what they are made of."""

    words: str
    about: dict[str, Any]


class HostAnswer(msgspec.Struct, frozen=True):
    """Answer to a request; `refused`: the reason why nothing was done, empty where it was."""

    lines: list[HostLine] = msgspec.field(default_factory=list)
    refused: str = ""


def decode_host_request(data: bytes) -> AnyHostRequest:
    """Decode a request. Raises MsgspecError."""
    request: AnyHostRequest = msgspec.json.decode(data, type=AnyHostRequest)
    return request
