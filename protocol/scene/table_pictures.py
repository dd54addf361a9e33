"""Picture that a program of the host asks a client to draw into a file: a table, and the words of its texts."""

from __future__ import annotations

import msgspec

from protocol.scene.diagrams import Diagram


class TablePicture(msgspec.Struct, frozen=True):
    """A table to be drawn `width` pixels wide. `entries`: the catalogue of its texts."""

    table: Diagram
    entries: dict[str, str]
    width: int
