"""Long matches are played again, for their replays, by a process of their own."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from engine.core.rules.system import System
from protocol.child_commands import child_command
from protocol.errors import FaultError
from protocol.ids import MatchId
from server.content.systems import import_path_of
from server.match.playback import Playback, played
from server.match.playback_child import PlaybackOrder
from server.runtime.logs import Log
from server.runtime.long_threads import in_thread

LONG: Final = 64
"""Steps that would keep some 0.1 s of the interpreter, and all pictures of a match, from who is served here."""
CHILD: Final = "server.match.playback_child"

_PLAYBACK: Final = msgspec.msgpack.Decoder(Playback)


class ChildFailed(FaultError):
    """The process has ended without an answer. `status`: its exit status."""

    def __init__(self, status: int | None) -> None:
        super().__init__(f"the process ended with {status}")


async def playback(system: System[Any], match: MatchId, secret: bytes, steps: Sequence[bytes], log: Log) -> Playback:
    """Play a match again: a long one in a process, which ends with it; a short one, and one whose process fails, in a
    thread. Raises LogDamaged, and whatever the rules raise. When cancelled, the process is ended."""
    if len(steps) >= LONG:
        try:
            return await _apart(system, match, secret, steps)
        except (OSError, ChildFailed) as problem:
            log.warning("playback-process", problem=str(problem))
    return await in_thread(played, system, match, secret, steps)


async def _apart(system: System[Any], match: MatchId, secret: bytes, steps: Sequence[bytes]) -> Playback:
    order = PlaybackOrder(import_path_of(system), match, secret, tuple(steps))
    child = await asyncio.create_subprocess_exec(*child_command(CHILD), stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    try:
        answer, _ = await child.communicate(msgspec.msgpack.encode(order))
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            child.kill()
        await child.wait()
        raise
    try:
        return _PLAYBACK.decode(answer)
    except msgspec.MsgspecError as problem:
        raise ChildFailed(child.returncode) from problem
