"""The check of a replay, and of the receipts kept of its match, in a child process of bounded memory and time.

What a host gives may be made to cost any amount of both (client/fairness/confined_process.py). What is checked comes by
standard input, the finding goes out by standard output.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, Literal

import msgpack
import msgspec

from client.errors import BadReceipts
from client.fairness import receipts_check, verify
from client.fairness.confined_process import ConfinedProcess, ProcessEnd
from client.fairness.promises import NoProof
from client.fairness.receipts import Receipts, read
from protocol.fairness.replay_sandbox import confine
from protocol.ids import MatchId
from protocol.limits import ChildLimits

MOST_SENTENCES: Final = 100
MOST_LETTERS: Final = 600
"""Letters of a sentence in a finding: some quote what stands in the file."""
VOIDED: Final = "core.voided"


class ReplayCase(msgspec.Struct, array_like=True):
    """Material of a check: a replay; the host's key, where it is known; files of receipts that are said to be of this
    match, and some that may be."""

    data: bytes
    key: bytes
    named: list[bytes]
    kept: list[bytes]


class ReplayFinding(msgspec.Struct, array_like=True):
    """Finding of a check, in sentences. "other": the file holds, but receipts of its match were given under another
    key; "closed": the host has not opened its secret; "receipts": number `place` of those named are none, or prove
    nothing (-1: those that are kept here); the last three: the check did not come to its end. `files` of receipts with
    so many `acts` agree with a replay that holds.

    Of a file that holds: `key` has signed it (`other`: the receipts); `given_up`: an act was given up after a fault.
    """

    kind: Literal["holds", "wrong", "other", "closed", "receipts", "memory", "time", "broken"]
    said: list[str] = []
    match: MatchId = MatchId("")
    files: int = 0
    acts: int = 0
    place: int = 0
    key: bytes = b""
    other: bytes = b""
    given_up: bool = False


def check_replay(case: ReplayCase) -> ReplayFinding:
    """Check everything, here. Raises MemoryError."""
    named: list[Receipts] = []
    for place, file in enumerate(case.named):
        try:
            named.append(read(file))
        except BadReceipts as bad:
            return ReplayFinding("receipts", [str(bad)], place=place)
    own: list[Receipts] = []
    is_closed = False
    try:
        is_closed = receipts_check.is_closed(case.data)
        said = verify.check(case.data, case.key)
        sections = verify.read_sections(case.data)
        match: MatchId = msgpack.unpackb(sections["head"][0])["match"]
        key = sections["sign"][0]
        own += [kept for kept in _readable(case) if kept.match == match]
        others = [receipts for receipts in named if receipts not in own]
        # those of somebody else are no reason to doubt a file: anybody can make some up under another key
        strange = [kept for kept in own if kept.key != key]
        own = [kept for kept in own if kept not in strange]
        if own or others:
            said += receipts_check.check_receipts(case.data, own, others)
    except NoProof as none:
        return ReplayFinding(
            "receipts", [str(none)], place=named.index(none.receipts) if none.receipts in named else -1
        )
    except verify.VerificationFailed as problem:
        return ReplayFinding("closed" if is_closed else "wrong", [str(problem)])
    given_up = any(_is_given_up(step) for step in verify.records(sections["tlog"][0]))
    if strange:
        return ReplayFinding("other", [], match, key=key, other=strange[0].key, given_up=given_up)
    acts = sum(record[0] in ("ack", "ack2") for one in (*own, *others) for record in one.records)
    return ReplayFinding("holds", said, match, len(own) + len(others), acts, key=key, given_up=given_up)


def _is_given_up(step: bytes) -> bool:
    """Return True where the host gave up an act with this step of the log. Most steps are not decoded."""
    if VOIDED.encode() not in step:
        return False
    return any(entry["e"] == VOIDED for entry in msgpack.unpackb(step, strict_map_key=False)[2])


def _readable(case: ReplayCase) -> Iterator[Receipts]:
    """Yield the kept receipts that can be read."""
    for file in case.kept:
        with suppress(BadReceipts):
            yield read(file)


def check_in_child(case: ReplayCase, apart: ConfinedProcess) -> ReplayFinding:
    """Have a child check (`apart` runs this module). Raises OSError where there can be none."""
    ended = apart.run(msgspec.msgpack.encode(case))
    with suppress(msgspec.MsgspecError):
        return msgspec.msgpack.decode(ended.output, type=ReplayFinding)
    return ReplayFinding("time" if _is_late(ended) else "broken")


def _is_late(ended: ProcessEnd) -> bool:
    # Windows has no such signal: there the parent's patience ends the child
    return ended.status is None or ended.status == -getattr(signal, "SIGXCPU", 0)


def check_process(limits: ChildLimits) -> ConfinedProcess:
    """Return the child process that checks."""
    return ConfinedProcess(__name__, limits)


def main() -> int:
    """Check the case on standard input, in the child, and write the finding to standard output. Returns the exit
    status."""
    confine()
    try:
        finding = check_replay(msgspec.msgpack.decode(sys.stdin.buffer.read(), type=ReplayCase))
        finding.said = [sentence[:MOST_LETTERS] for sentence in finding.said[:MOST_SENTENCES]]
    except MemoryError:
        finding = ReplayFinding("memory")
    sys.stdout.buffer.write(msgspec.msgpack.encode(finding))
    return 0
