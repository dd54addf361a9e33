"""Record of what a measured window is told, which needs nothing of engine and server."""

from __future__ import annotations

import msgspec


class WindowFrames(msgspec.Struct, frozen=True):
    """Messages as they travel: until the lobby is there, until the table is, and the deltas after that."""

    lobby: list[bytes]
    table: list[bytes]
    deltas: list[bytes]
