"""The webhook of a person, by which they are told of turns and dates while they are not there, and news of a turn."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from protocol.ids import TableId
from protocol.redaction import redacted_repr
from protocol.text import Text
from protocol.wire.client_message import Message
from protocol.wire.server_message import ServerMessage

MOST_ADDRESS: Final = 500
"""Characters of a webhook's address."""
MOST_PLACE: Final = 270
"""Characters of a server's host and port."""


class GetWebhook(Message, frozen=True, tag="get_webhook"):
    """Request for the state of the sender's webhook, now and whenever a message to it has been tried."""


class SetWebhook(Message, frozen=True, tag="set_webhook"):
    """Wish to be told at this address, "" for nowhere. `place`: the server as the sender reaches it, HOST or HOST:PORT,
    as it is to stand in links."""

    address: Annotated[str, Meta(max_length=MOST_ADDRESS)]
    place: Annotated[str, Meta(max_length=MOST_PLACE)]

    def __repr__(self) -> str:
        # whoever knows the address may write there
        return redacted_repr(self, ("address",))


class TryWebhook(Message, frozen=True, tag="try_webhook"):
    """Request for a message to the sender's webhook now. One that arrives switches it on again."""


class WebhookState(ServerMessage, frozen=True, tag="webhook"):
    """State of the receiver's webhook. `hosts`: those that the server sends to; `host`: where the webhook leads, "" for
    none; `failures`: messages in a row that have not arrived; `off`: so many that nothing is sent any more; `why`: the
    reason why the newest one has not, None where it has; `tried`: the answer to TryWebhook."""

    hosts: tuple[str, ...]
    host: str = ""
    failures: int = 0
    off: bool = False
    why: Text | None = None
    tried: bool = False


class TurnTold(ServerMessage, frozen=True, tag="turn_told"):
    """The match of a table that the receiver is not looking at waits for them, since just now."""

    table: TableId
    name: str
