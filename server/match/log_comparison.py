"""The comparison of a log with the rule code of today: a child process plays the match again.

A log that was played by other code may make the rules of today run for ever, or raise anything: here that costs one
child. It reads a ComparisonJob from its standard input, with the secret of the match, and writes the Comparison.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import Any, Final

import msgspec

from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.view.projection import Projector
from protocol.child_commands import child_command
from protocol.ids import MatchId
from server.content.systems import find_systems
from server.match.checking import carry_out
from server.match.rule_marks import changes_in
from server.runtime.child_processes import give_way

SECONDS: Final = 300.0
"""For one match; the longest take a few."""


class ComparisonJob(msgspec.Struct, frozen=True, array_like=True):
    """A match that is to be played again."""

    system: str
    match: MatchId
    secret: bytes
    steps: tuple[bytes, ...]


class Comparison(msgspec.Struct, frozen=True, array_like=True):
    """The outcome. `head`: the last one, where all steps came out the same; else `why` they did not, after step
    `version`, and `goes_on`: the steps can be folded all the same, and there is a moment from which to play on."""

    head: bytes = b""
    version: int = 0
    why: str = ""
    goes_on: bool = False


async def compare_log(job: ComparisonJob) -> Comparison:
    """Play a match again in a child process, which ends with this call. Raises OSError."""
    child = await asyncio.create_subprocess_exec(
        *child_command(__name__), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(SECONDS):
            said, _ = await child.communicate(msgspec.msgpack.encode(job))
        return msgspec.msgpack.decode(said, type=Comparison)
    except TimeoutError:
        return Comparison(why=f"it took longer than {SECONDS:.0f} s")
    except msgspec.MsgspecError:
        return Comparison(why=f"the process that played it ended with {child.returncode}")
    finally:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()


def play_again(job: ComparisonJob) -> Comparison:
    """Play a match again in this process. Raises ContentRefused."""
    system = find_systems([job.system])[job.system]

    def begun() -> Match[Any]:
        return Match(system, job.match, MatchDice(job.secret, job.match))

    match = begun()
    try:
        changes = changes_in(job.steps)
        for data in job.steps:
            carry_out(match, data, changes)
    except Exception as problem:  # noqa: BLE001 - the log is of other code: whatever they raise, the rules do not agree
        why = f"{type(problem).__name__}: {problem}"
        return Comparison(version=match.version, why=why, goes_on=_can_go_on(begun(), job.steps))
    return Comparison(head=match.head, version=match.version)


def _can_go_on(match: Match[Any], steps: tuple[bytes, ...]) -> bool:
    """Return True where these steps can be folded and shown, and there is a state to which a waiting procedure could be
    taken back."""
    try:
        for data in steps:
            match.replay(data)
        Projector(match, "")
    except Exception:  # noqa: BLE001 - as above: they may raise anything
        return False
    return match.pending is None or match.pending.base.version > 0


def main() -> None:
    """Play the match in the standard input again; run in the child."""
    give_way()
    job = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=ComparisonJob)
    sys.stdout.buffer.write(msgspec.msgpack.encode(play_again(job)))
