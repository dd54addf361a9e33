"""The judgement of a replay, and of the receipts kept of its match, in a child process (client/fairness/apart.py).

What a host gives may be made to cost any memory and time. What is judged comes by standard input, the finding goes out
by standard output.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, Literal

import msgpack
import msgspec

from client.fairness import compare, verify
from client.fairness.apart import Apart, Ended
from client.fairness.promises import NoProof
from client.fairness.receipts import BadReceipts, Receipts, read
from protocol.fairness.vetting import confine
from protocol.limits import ChildLimits

MOST_SENTENCES: Final = 100
MOST_LETTERS: Final = 600
"""Of a sentence: some quote what stands in the file."""
VOIDED: Final = "core.voided"


class Case(msgspec.Struct, array_like=True):
    """What is judged: a replay; the host's key, where it is known; files of receipts that are said to be of this match,
    and some that may be."""

    data: bytes
    key: bytes
    named: list[bytes]
    kept: list[bytes]


class Finding(msgspec.Struct, array_like=True):
    """The finding of a check, in sentences. "other": the file holds, but receipts of its match were given under another
    key; "closed": the host has not opened its secret; "receipts": number `place` of those named are none, or prove
    nothing (-1: those that are kept here); the last three: the check did not come to its end. `files` of receipts with
    so many `acts` agree with a replay that holds.

    Of a file that holds: `key` has signed it (`other`: the receipts); `given_up`: an act was given up after a fault."""

    kind: Literal["holds", "wrong", "other", "closed", "receipts", "memory", "time", "broken"]
    said: list[str] = []
    match: str = ""
    files: int = 0
    acts: int = 0
    place: int = 0
    key: bytes = b""
    other: bytes = b""
    given_up: bool = False


def judge(case: Case) -> Finding:
    """Check everything, here. Raises MemoryError."""
    named: list[Receipts] = []
    for place, file in enumerate(case.named):
        try:
            named.append(read(file))
        except BadReceipts as bad:
            return Finding("receipts", [str(bad)], place=place)
    own: list[Receipts] = []
    is_closed = False
    try:
        is_closed = compare.is_closed(case.data)
        said = verify.check(case.data, case.key)
        sections = verify.read_sections(case.data)
        match: str = msgpack.unpackb(sections["head"][0])["match"]
        key = sections["sign"][0]
        own += [kept for kept in _kept(case) if kept.match == match]
        others = [receipts for receipts in named if receipts not in own]
        # those of somebody else are no reason to doubt a file: anybody can make some up under another key
        strange = [kept for kept in own if kept.key != key]
        own = [kept for kept in own if kept not in strange]
        if own or others:
            said += compare.compare(case.data, own, others)
    except NoProof as none:
        return Finding("receipts", [str(none)], place=named.index(none.receipts) if none.receipts in named else -1)
    except verify.DoesNotHold as problem:
        return Finding("closed" if is_closed else "wrong", [str(problem)])
    given_up = any(_is_given_up(step) for step in verify.records(sections["tlog"][0]))
    if strange:
        return Finding("other", [], match, key=key, other=strange[0].key, given_up=given_up)
    acts = sum(record[0] in ("ack", "ack2") for one in (*own, *others) for record in one.records)
    return Finding("holds", said, match, len(own) + len(others), acts, key=key, given_up=given_up)


def _is_given_up(step: bytes) -> bool:
    """Return True where the host gave up an act with this step of the log. Most steps are not decoded."""
    if VOIDED.encode() not in step:
        return False
    return any(entry["e"] == VOIDED for entry in msgpack.unpackb(step, strict_map_key=False)[2])


def _kept(case: Case) -> Iterator[Receipts]:
    """The kept files that can be read."""
    for file in case.kept:
        with suppress(BadReceipts):
            yield read(file)


def judged(case: Case, apart: Apart) -> Finding:
    """Have it judged by a child (`apart` runs this module). Raises OSError where there can be none."""
    ended = apart.run(msgspec.msgpack.encode(case))
    with suppress(msgspec.MsgspecError):
        return msgspec.msgpack.decode(ended.output, type=Finding)
    return Finding("time" if _is_late(ended) else "broken")


def _is_late(ended: Ended) -> bool:
    # Windows has no such signal: there the parent's patience ends the child
    return ended.status is None or ended.status == -getattr(signal, "SIGXCPU", 0)


def checker(limits: ChildLimits) -> Apart:
    """The child that judges."""
    return Apart(__name__, limits)


def main() -> int:
    """In the child: judge what stands in the input."""
    confine()
    try:
        finding = judge(msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Case))
        finding.said = [sentence[:MOST_LETTERS] for sentence in finding.said[:MOST_SENTENCES]]
    except MemoryError:
        finding = Finding("memory")
    sys.stdout.buffer.write(msgspec.msgpack.encode(finding))
    return 0
