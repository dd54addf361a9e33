"""The base of the messages of a server."""

from __future__ import annotations

import msgspec


class ServerMessage(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="t"):
    """Base of all messages from the server."""
