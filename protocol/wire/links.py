"""Following of links (protocol/game_links.py): to a table, or to the replay of one that is finished."""

from __future__ import annotations

from protocol.ids import TableId
from protocol.wire.client_message import Code, Message
from protocol.wire.server_message import ServerMessage


class FollowLink(Message, frozen=True, tag="follow"):
    """Request to come to where the code of a link leads: to the sender's seat, a free one before the start, or to
    watch; of a finished table to its replay."""

    code: Code


class LinkedReplay(ServerMessage, frozen=True, tag="linked_replay"):
    """Answer to FollowLink where the table is finished: the receiver may ask for its replay."""

    table: TableId
