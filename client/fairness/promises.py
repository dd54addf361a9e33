"""Promises that a host has signed to one seat, as receipts hold them: heads, acts and answers, time that ran out.

Each promise is checked by itself, by the seat and the numbers that the host has signed in it: whoever leaves receipts
out of a file, repeats or mixes them, changes nothing about the others. Like the checker it uses nothing of the rest of
Eschaton but what client/fairness/receipts.py reads.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from client.fairness.receipts import Receipts, Record
from client.fairness.verify import VerificationFailed, canonical, digest, joined, u64


class NoProof(VerificationFailed):
    """Receipts that prove nothing about any host: their signature does not fit, or they are of another match."""

    def __init__(self, receipts: Receipts, sentence: str) -> None:
        super().__init__(sentence)
        self.receipts = receipts


class SignedHead(NamedTuple):
    """Promise that the log has this head after step `version`."""

    version: int
    head: bytes


class SignedAct(NamedTuple):
    """Promise that the act of this id is done, as a step or (`question` from 0 on) as an answer. `seat` is None in
    layout 1, in which it was not signed, and an answer could still be replaced."""

    seat: int | None
    id: bytes
    said: bytes
    question: int
    version: int
    head: bytes


class SignedExpiry(NamedTuple):
    """Promise that time ran out for this seat at step `version`, at this question or (-1) in its turn."""

    seat: int
    question: int
    version: int
    head: bytes


Promise = SignedHead | SignedAct | SignedExpiry


def promises(receipts: Receipts) -> list[Promise]:
    """Return all that the host has signed in these receipts. Raises NoProof where a record bears another signature than
    that of the key."""
    found: list[Promise] = []
    try:
        match, key = receipts.match.encode(), Ed25519PublicKey.from_public_bytes(receipts.key)
        for record in receipts.records:
            signed = _read(record, match)
            if signed is not None:
                promise, signature, text = signed
                key.verify(signature, text)
                found.append(promise)
    except InvalidSignature:
        raise NoProof(receipts, "These receipts hold what the host has not signed: they prove nothing.") from None
    # whoever writes the file may have put anything into it
    except (ValueError, OverflowError):
        why = "These receipts are not in the form that they should have: they prove nothing."
        raise NoProof(receipts, why) from None
    return found


def _read(record: Record, match: bytes) -> tuple[Promise, bytes, bytes] | None:
    """Return the promise in a record, with its signature and the text that must have been signed; None where it has
    none."""
    kind, *parts = record
    if kind == "head":
        version, head, signature = parts
        return SignedHead(version, head), signature, joined(b"eschaton/sign-v1/head", match, u64(version), head)
    if kind == "ack":
        *said, signature, place, path = parts
        return SignedAct(None, *said), signature, _pressed(digest("sign-v1/receipt", match, *_act(*said)), place, path)
    if kind == "ack2":
        seat, *said, signature, place, path = parts
        leaf = digest("sign-v2/receipt", match, u64(seat), *_act(*said))
        return SignedAct(seat, *said), signature, _pressed(leaf, place, path)
    if kind == "expired":
        seat, question, version, head, signature = parts
        text = joined(b"eschaton/sign-v2/expired", match, u64(seat), u64(question + 1), u64(version), head)
        return SignedExpiry(seat, question, version, head), signature, text
    return None


def _act(id: bytes, said: bytes, question: int, version: int, head: bytes) -> tuple[bytes, ...]:
    return id, said, u64(question + 1), u64(version), head


def _pressed(leaf: bytes, place: int, path: bytes) -> bytes:
    """Return the bytes signed for all receipts made with this one. Raises ValueError where there is no such place."""
    for start in range(0, len(path), 32):
        other = path[start : start + 32]
        leaf = digest("dice-v1/node", *((other, leaf) if place & 1 else (leaf, other)))
        place >>= 1
    if place or len(path) % 32:
        raise ValueError(place)
    return joined(b"eschaton/sign-v1/receipts", leaf)


def said_of(reply: dict[str, Any]) -> bytes:
    """Return the digest under which a receipt knows this reply."""
    return sha256(msgpack.packb(canonical([reply["choice"], reply.get("fields", {})]))).digest()


class LogIndex:
    """Causes and questions of a log, to check promises by. `steps`: as the log has them, from step 1."""

    def __init__(self, heads: list[bytes], steps: list[list[Any]]) -> None:
        self._heads = heads
        self._causes = [cause for _, cause, *_ in steps]
        self._made: dict[bytes, list[int]] = {}
        self._asked: dict[int, int] = {}
        self._closed: dict[int, tuple[int, dict[int, dict[str, Any]]]] = {}
        self._given_up: set[int] = set()
        self._open = -1
        for number, (_, cause, entries, asked, _) in enumerate(steps, start=1):
            self._add(number, cause, entries, asked["question"] if isinstance(asked, dict) else -1)

    def _add(self, number: int, cause: dict[str, Any], entries: list[dict[str, Any]], asked: int) -> None:
        if "id" in cause:
            self._made.setdefault(cause["id"], []).append(number)
        if cause["c"] == "void":
            self._given_up.add(self._open)
        for entry in entries:
            if entry["e"] == "core.answers":
                self._closed[entry["question"]] = number, {given["seat"]: given for given in entry["answers"]}
        self._open = asked
        self._asked.setdefault(asked, number)

    def check(self, promise: Promise) -> str:
        """Return the reason for which this log cannot be one that the promise was made in; empty where it can."""
        if promise.version >= len(self._heads):
            return f"The host has signed step {promise.version}, but its replay ends at step {len(self._heads) - 1}."
        if self._heads[promise.version] != promise.head:
            return f"The replay has another history up to step {promise.version} than the one that the host has signed."
        match promise:
            case SignedAct(question=-1):
                return self._check_act(promise)
            case SignedAct(seat=int() as seat):
                return self._check_answer(seat, promise)
            case SignedExpiry():
                return self._check_expired(promise)
        return ""

    def _check_act(self, act: SignedAct) -> str:
        lacks = f"The host has signed that the act {act.id.hex()} was done by step {act.version}: the log lacks it."
        made = [number for number in self._made.get(act.id, ()) if number <= act.version]
        if act.seat is None:
            return "" if made else lacks
        number = next((number for number in made if self._causes[number - 1]["seat"] == act.seat), 0)
        if not number:
            return lacks
        cause = self._causes[number - 1]
        said = said_of(cause["reply"]) if "reply" in cause else cause.get("said", act.said)
        return "" if said == act.said else f"Step {number}: the act of seat {act.seat} is another one than was signed."

    def _check_answer(self, seat: int, answer: SignedAct) -> str:
        question = answer.question
        if self._asked.get(question, answer.version + 1) > answer.version:
            return f"The host has signed an answer to question {question}: the log did not ask it by then."
        if question not in self._closed:
            is_known = question in self._given_up or question == self._open
            lost = f"The host has signed an answer to question {question}: the log lost the question."
            return "" if is_known else lost
        if self.counts(seat, answer):
            return ""
        number, _ = self._closed[question]
        return (
            f"Step {number}: the sealed answer of seat {seat} to question {question} is not the one that was counted."
        )

    def counts(self, seat: int, answer: SignedAct) -> bool:
        """Return True where this is the answer that counted for the seat, or where none has been counted."""
        _, given = self._closed.get(answer.question, (0, None))
        if given is None:
            return True
        mine = given.get(seat)
        return mine is not None and not mine.get("by_default") and said_of(mine["reply"]) == answer.said

    def _check_expired(self, expired: SignedExpiry) -> str:
        version, seat = expired.version, expired.seat
        cause = self._causes[version - 1] if version else {"c": ""}
        _, given = self._closed.get(expired.question, (0, {}))
        fits = cause["c"] == "expiry" and cause.get("question", -1) == expired.question
        if expired.question < 0:
            fits = fits and cause.get("seat", -1) == seat
        else:
            fits = fits and given.get(seat, {}).get("by_default", False)
        lacks = f"The host has signed that time ran out for seat {seat} in step {version}: the log lacks it."
        return "" if fits else lacks
