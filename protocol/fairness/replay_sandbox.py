"""Sandbox for replays from others: a child process reads them first, with little memory and time.

The parent runs `command` with the file's bytes as input and hands what came of it to `verdict`: in the child nothing is
written, opened or run but the reader of protocol/fairness/replay.py.
"""

from __future__ import annotations

import sys
from typing import Final

import msgspec

from protocol.child_commands import confined_command
from protocol.errors import BadReplay
from protocol.fairness.replay import Replay, read
from protocol.fairness.round_history import round_history
from protocol.limits import READING, ChildLimits, Limits
from protocol.text import Text, text

SANDBOX: Final = "protocol.fairness.replay_sandbox"


class RejectedReplay(msgspec.Struct, array_like=True):
    """The answer of the child about a file that is no replay: the code and text of its BadReplay."""

    code: str
    text: Text


def command(module: str = SANDBOX, limits: ChildLimits = READING) -> list[str]:
    """Return the command line of the child, which runs `main` of a module that calls `confine`."""
    return confined_command(module, str(limits.memory_bytes), str(limits.cpu_seconds))


def raise_refusal(status: int | None, output: bytes) -> None:
    """Raise BadReplay unless the child has read the file. `status`: None where it was given up."""
    if status == 0 and not output:
        return
    try:
        refusal = msgspec.msgpack.decode(output, type=RejectedReplay)
    except msgspec.MsgspecError:
        raise BadReplay("replay/too-costly", text("replay.too_costly")) from None
    raise BadReplay(refusal.code, refusal.text)


def main() -> int:
    """Read the replay on standard input, in the child, and write its refusal to standard output where it is none.
    Returns the exit status."""
    confine()
    limits = Limits()
    data = sys.stdin.buffer.read(limits.replay_bytes + 1)
    try:
        _follow(read(data, limits))
    except BadReplay as problem:
        sys.stdout.buffer.write(msgspec.msgpack.encode(RejectedReplay(problem.code, problem.text)))
    except MemoryError:
        return 1
    return 0


def _follow(replay: Replay) -> None:
    """Read the rounds in the record as whoever watches does: what they cost is borne here first."""
    try:
        round_history(replay.header.match, replay.log)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - no record of a match of this scheme: its pictures can be watched all the same
        return


def confine() -> None:
    """Bound memory and time to what `command` was told, and forbid files; where the system has no such limits, the
    parent's patience is all."""
    try:
        import resource
    except ImportError:
        return
    memory_bytes, cpu_seconds = map(int, sys.argv[1:])
    for what, most, last in (
        (resource.RLIMIT_AS, memory_bytes, memory_bytes),
        # a second between the signal for the soft limit and the kill at the hard one
        (resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, 3, 3),
    ):
        resource.setrlimit(what, (most, last))
