"""Hash chain over steps: each head commits to the one before it and to one salted leaf per audience, so that a step can
be disclosed in part.

    head 0  SHA-256(joined("eschaton/log-v1/match", match))
    head v  SHA-256(joined("eschaton/log-v1/step", head v-1, u64(v), leaf of the cause, joined(public, ..., asked),
                           leaf of seat 0, ..., leaf of the last seat, leaf of nobody))

`public` are the entries that everyone may know, as stored, in order; in place of "core.answers", whose answers may be
few and secret, stands joined("core.answers", u64(question), a leaf for each answer). The content of a leaf is as
stored: of the cause its bytes; of an audience joined(u64(place), entry, ...) over the entries that it may know beside
the public ones, with their places in the step. So there are as many leaves of the same size, whatever happens unseen.

Event 0 names the layout of the leaves, `log`: 2, or 1 where it names none. The leaf of an answer is salted with the
salt of its label, "step/{version}/answer/{seat}". In log-v1 all others are too: "step/{version}/cause",
"step/{version}/seat/{seat}", "step/{version}/nobody". In log-v2 block v is cut into pieces of 32 bytes, one for each of
these leaves in this order: the piece is the leaf where there is no content, and the salt of its content where there is.
Without the match's secret no difference can be seen; once that is open, the block shows what the host was bound to.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Any, Final

import msgspec

from engine.core.rules.dice import DiceSource
from protocol.ids import MatchId
from protocol.proof.dice import joined, u64
from protocol.proof.leaves import leaf

LOG: Final = 2
"""The layout of new matches."""

_MATCH: Final = b"eschaton/log-v1/match"
_STEP: Final = b"eschaton/log-v1/step"
_8, _32 = (size.to_bytes(4, "big") for size in (8, 32))
_STEP_FIRST: Final = joined(_STEP) + _32
ANSWERS: Final = "core.answers"
_ANSWERS: Final = ANSWERS.encode()

Hidden = Mapping[int, tuple[int, ...]]
"""The seats that may know each hidden entry, by the place of the entry in its step."""

_PARTS: Final = msgspec.msgpack.Decoder(tuple[int, msgspec.Raw, list[msgspec.Raw], msgspec.Raw, msgspec.Raw])


class _Answer(msgspec.Struct):
    seat: int


class _Entry(msgspec.Struct):
    e: str
    question: int = 0
    answers: list[msgspec.Raw] = []


_ENTRY: Final = msgspec.msgpack.Decoder(_Entry)
_ANSWER: Final = msgspec.msgpack.Decoder(_Answer)


class StepProof(msgspec.Struct, frozen=True):
    """The public part of a step, enough to compute its head: its hidden parts are leaves of 32 bytes."""

    cause: bytes
    public: tuple[bytes, ...]
    asked: bytes
    leaves: tuple[bytes, ...]


def first_head(match: MatchId) -> bytes:
    """Return the head before the first step."""
    return sha256(joined(_MATCH, match.encode())).digest()


def next_head(head: bytes, version: int, proof: StepProof) -> bytes:
    """Return the head after step `version`."""
    told = joined(*proof.public, proof.asked)
    # joined(_STEP, head, u64(version), proof.cause, told, *proof.leaves): all but `told` have fixed sizes
    first = b"%b%b%b%b%b%b" % (_STEP_FIRST, head, _8, version.to_bytes(8, "big"), _32, proof.cause)
    return sha256(b"".join((first, len(told).to_bytes(4, "big"), told, _32, _32.join(proof.leaves)))).digest()


def log_of(first: bytes) -> int:
    """Return the layout that the first stored step of a match names. Raises IndexError, msgspec.MsgspecError."""
    entry: dict[str, Any] = msgspec.msgpack.decode(_PARTS.decode(first)[2][0], type=dict)
    return int(entry.get("log", 1))


def proof_of(data: bytes, seats: int, hidden: Hidden, dice: DiceSource, log: int) -> StepProof:
    """Make the proof of a stored step at a table of so many seats."""
    version, cause, raws, asked, _ = _PARTS.decode(data)
    public = entries = list(map(bytes, raws))
    contents: dict[int, bytes] = {}
    if hidden:  # few steps have hidden entries
        public = [entry for place, entry in enumerate(entries) if place not in hidden]
        contents = _by_audience(entries, seats, hidden)
    if _ANSWERS in data:
        public = [_public_form(entry, version, dice) if _ANSWERS in entry else entry for entry in public]
    contents[0] = bytes(cause)
    make = _leaves_v1 if log == 1 else _leaves_v2
    first, *leaves = make(version, seats, contents, dice)
    return StepProof(first, tuple(public), bytes(asked), tuple(leaves))


def _by_audience(entries: list[bytes], seats: int, hidden: Hidden) -> dict[int, bytes]:
    """Return the content of each leaf that has any, by its place behind the leaf of the cause."""
    parts: dict[int, list[bytes]] = {}
    for place, entry in enumerate(entries):
        for audience in (hidden[place] or (seats,)) if place in hidden else ():
            parts.setdefault(audience, []).extend((u64(place), entry))
    return {audience + 1: joined(*told) for audience, told in parts.items()}


def _leaves_v1(version: int, seats: int, contents: Mapping[int, bytes], dice: DiceSource) -> list[bytes]:
    """Make the leaves of cause, seats and nobody, each with a salt of its own."""
    salts = dice.salts(b"step/%d/" % version, _names(seats))
    return [leaf(salt, contents.get(place, b"")) for place, salt in enumerate(salts)]


def _leaves_v2(version: int, seats: int, contents: Mapping[int, bytes], dice: DiceSource) -> list[bytes]:
    """Make the same leaves, salted by the pieces of one block: two hashes a step in place of 24."""
    leaves = dice.pieces(version, seats + 2)
    for place, content in contents.items():
        leaves[place] = leaf(leaves[place], content)
    return leaves


@cache
def _names(seats: int) -> tuple[bytes, ...]:
    """Return the labels of the leaves of a step, in order."""
    return (b"cause", *[b"seat/%d" % seat for seat in range(seats)], b"nobody")


def _public_form(entry: bytes, version: int, dice: DiceSource) -> bytes:
    found = _ENTRY.decode(entry)
    if found.e != ANSWERS:
        return entry
    given = dice.salts(b"step/%d/" % version, [b"answer/%d" % _ANSWER.decode(raw).seat for raw in found.answers])
    leaves = [leaf(salt, bytes(raw)) for salt, raw in zip(given, found.answers, strict=True)]
    return joined(_ANSWERS, u64(found.question), *leaves)
