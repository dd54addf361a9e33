"""The process that plays one match again: its order comes on standard input, the playback goes out on standard output.

It is apart from the server, so that the memory of a whole match and of all its pictures goes back to the system, and
the interpreter that serves people does nothing else."""

from __future__ import annotations

import os
import sys
from typing import Final

import msgspec

from protocol.ids import MatchId
from server.match.playback import played
from server.runtime.child_processes import give_way, imported


class PlaybackOrder(msgspec.Struct, frozen=True, array_like=True):
    """The match to play. `system`: MODULE:NAME of its rule system; `secret`: that of its dice."""

    system: str
    match: MatchId
    secret: bytes
    steps: tuple[bytes, ...]

    def __repr__(self) -> str:
        return f"PlaybackOrder({self.match!r})"


_ORDER: Final = msgspec.msgpack.Decoder(PlaybackOrder)


def main() -> None:
    """Play the match that is ordered."""
    give_way()
    answer = os.dup(sys.stdout.fileno())
    # what the rules print is no answer
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    order = _ORDER.decode(sys.stdin.buffer.read())
    found = played(imported(order.system), order.match, order.secret, order.steps)
    with os.fdopen(answer, "wb") as told:
        told.write(msgspec.msgpack.encode(found))
