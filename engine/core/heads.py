"""Heads: one a step, over the one before, so that nobody can change what has happened and show part of it at once.

    head 0  SHA-256(joined("eschaton/log-v1/match", match))
    head v  SHA-256(joined("eschaton/log-v1/step", head v-1, u64(v), leaf of the cause, joined(public, ..., asked),
                           leaf of seat 0, ..., leaf of the last seat, leaf of nobody))

`public` are the entries that everyone may know, as stored, in order; in place of "core.answers", whose answers may be
few and secret, stands joined("core.answers", u64(question), a leaf for each answer). The content of a leaf is as
stored: of the cause its bytes; of an audience joined(u64(place), entry, ...) over the entries that it may know beside
the public ones, with their places in the step. So there are as many leaves of the same size, whatever happens unseen.
The salt of a leaf is that of its label: "step/{version}/cause", "step/{version}/seat/{seat}", "step/{version}/nobody",
"step/{version}/answer/{seat}".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec

from protocol.dice import joined, u64
from protocol.leaves import leaf

_MATCH: Final = b"eschaton/log-v1/match"
_STEP: Final = b"eschaton/log-v1/step"
_8, _32 = (size.to_bytes(4, "big") for size in (8, 32))
_STEP_FIRST: Final = joined(_STEP) + _32
ANSWERS: Final = "core.answers"
_ANSWERS: Final = ANSWERS.encode()

Salts = Callable[[bytes, Sequence[bytes]], list[bytes]]
"""The salts of labels that begin alike (DiceSource.salts)."""
Hidden = Mapping[int, tuple[int, ...]]
"""Who may know the entries that not everyone may know: seats by the place of the entry in its step."""

_PARTS: Final = msgspec.msgpack.Decoder(tuple[int, msgspec.Raw, list[msgspec.Raw], msgspec.Raw, msgspec.Raw])


class _Answer(msgspec.Struct):
    seat: int


class _Entry(msgspec.Struct):
    e: str
    question: int = 0
    answers: list[msgspec.Raw] = []


_ENTRY: Final = msgspec.msgpack.Decoder(_Entry)
_ANSWER: Final = msgspec.msgpack.Decoder(_Answer)


class Proof(NamedTuple):
    """What everyone may see of a step so that its head can be computed: the rest are leaves of 32 bytes."""

    cause: bytes
    public: tuple[bytes, ...]
    asked: bytes
    leaves: tuple[bytes, ...]


def first_head(match: str) -> bytes:
    """The head before the first step."""
    return sha256(joined(_MATCH, match.encode())).digest()


def next_head(head: bytes, version: int, proof: Proof) -> bytes:
    """The head after step `version`."""
    told = joined(*proof.public, proof.asked)
    # joined(_STEP, head, u64(version), proof.cause, told, *proof.leaves): all but `told` have fixed sizes
    first = _STEP_FIRST + head + _8 + u64(version) + _32 + proof.cause
    return sha256(b"".join((first, len(told).to_bytes(4, "big"), told, _32, _32.join(proof.leaves)))).digest()


def proof_of(data: bytes, seats: int, hidden: Hidden, salts: Salts) -> Proof:
    """The proof of a stored step at a table of so many seats."""
    version, cause, entries, asked, _ = _PARTS.decode(data)
    step = b"step/%d/" % version
    public: list[bytes] = []
    secret: dict[int, list[bytes]] = {}
    for place, raw in enumerate(entries):
        if place not in hidden:
            public.append(_told(bytes(raw), step, salts))
            continue
        for audience in hidden[place] or (seats,):
            secret.setdefault(audience, []).extend((u64(place), bytes(raw)))
    first, *others = salts(step, _names(seats))
    leaves = [leaf(salt, joined(*secret[number]) if number in secret else b"") for number, salt in enumerate(others)]
    return Proof(leaf(first, bytes(cause)), tuple(public), bytes(asked), tuple(leaves))


@cache
def _names(seats: int) -> tuple[bytes, ...]:
    """The labels of the leaves behind the step's, in order."""
    return (b"cause", *[b"seat/%d" % seat for seat in range(seats)], b"nobody")


def _told(entry: bytes, step: bytes, salts: Salts) -> bytes:
    if _ANSWERS not in entry:
        return entry
    found = _ENTRY.decode(entry)
    if found.e != ANSWERS:
        return entry
    given = salts(step, [b"answer/%d" % _ANSWER.decode(raw).seat for raw in found.answers])
    leaves = [leaf(salt, bytes(raw)) for salt, raw in zip(given, found.answers, strict=True)]
    return joined(_ANSWERS, u64(found.question), *leaves)
