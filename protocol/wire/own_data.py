"""The data that a server keeps of a person, sent to them as one file of JSON in parts."""

from __future__ import annotations

from protocol.wire.client_message import Message
from protocol.wire.server_message import ServerMessage


class GetOwnData(Message, frozen=True, tag="get_own_data"):
    """Request for all that the server keeps of the sender."""


class OwnDataPart(ServerMessage, frozen=True, tag="own_data"):
    """Answer to GetOwnData: part `part` (from 0) of `parts` of a JSON text in UTF-8."""

    part: int
    parts: int
    data: bytes
