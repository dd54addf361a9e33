"""Version of the protocol, with its name in the WebSocket handshake and its usual port."""

from __future__ import annotations

from typing import Final

VERSION: Final = 3
SUBPROTOCOL: Final = "eschaton.v1+msgpack"
DEFAULT_PORT: Final = 8440
