"""Compares receipts with a replay, and with those of others: a host that told two histories has signed both.

Like the checker it uses nothing of the rest of Eschaton (client/receipts.py reads the files).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import msgpack

from client.receipts import Receipts, Record
from client.verify import (
    DoesNotHold,
    Entry,
    Log,
    canonical,
    check_signature,
    digest,
    read_sections,
    records,
    refuse,
    u64,
)

Fact = dict[str, Any]


class Steps:
    """The log of a replay that holds: causes, entries and heads by step."""

    def __init__(self, data: bytes) -> None:
        sections = read_sections(data)
        self.match: str = msgpack.unpackb(sections["head"][0])["match"]
        self.key = sections["sign"][0]
        log = Log(self.match, sections["seal"][0][128:])
        self.heads: list[bytes] = [log.head]
        self.steps: list[list[Any]] = []
        for number, step in enumerate(records(sections["tlog"][0]), start=1):
            log.check_step(number, step)
            self.heads.append(log.head)
            self.steps.append(msgpack.unpackb(step, strict_map_key=False))

    def facts(self, seat: int) -> Iterator[Fact]:
        """What a host had to tell to this seat (-1: to a spectator) as it happened."""
        for number, (_, _, entries, _, hidden) in enumerate(self.steps, start=1):
            for place, entry in enumerate(entries):
                if place not in hidden or (seat >= 0 and seat in hidden[place]):
                    yield from self._fact(number, entry, place in hidden)

    def _fact(self, version: int, entry: Entry, is_private: bool) -> Iterator[Fact]:
        kind = entry["e"]
        if kind == "core.started":
            yield {"f": "bound", "commitment": entry["commitment"], "head": self.heads[version]}
        elif kind == "core.round":
            told = {name: entry.get(name, empty) for name, empty in (("links", []), ("seed", b""))}
            yield {"f": "round", "round": entry["round"], "version": version, "head": self.heads[version], **told}
        elif kind == "core.tip":
            yield {"f": "tip", "seat": entry["seat"], "tip": entry["tip"]}
        elif kind == "core.dice" and not is_private:
            yield {"f": "roll", **{name: entry[name] for name in ("round", "n", "seat", "sides", "faces")}}
        elif kind == "core.order":
            yield {"f": "order", **{name: entry[name] for name in ("round", "n", "order")}}
        elif kind == "core.deck":
            told = {name: entry[name] for name in ("deck", "epoch", "round", "root")}
            yield {"f": "deck", "cards": len(entry["cards"]), **told}
        elif kind == "core.card":
            told = {name: entry[name] for name in ("deck", "epoch", "index", "card", "salt", "path")}
            yield {"f": "card", **told, **({"private": True} if is_private else {})}


def is_closed(data: bytes) -> bool:
    """Whether the host has not opened the secret of this replay. Raises DoesNotHold for what is no replay."""
    with _in_form("The file"):
        return [len(seal) for seal in read_sections(data)["seal"]] == [128]


@contextmanager
def _in_form(what: str) -> Iterator[None]:
    """Whatever a hostile file makes the decoder or a look-up raise, it means the same."""
    try:
        yield
    except (DoesNotHold, MemoryError):
        raise
    except Exception:
        raise DoesNotHold(f"{what} is not in the form that it should have.") from None


def compare(data: bytes, kept: Sequence[Receipts]) -> list[str]:
    """What was found, in sentences. Raises DoesNotHold with the first thing that the host has signed or told
    otherwise than its replay has it."""
    with _in_form("A receipt"):
        check_each_other(kept)
    with _in_form("The log of the file"):
        return _compare(data, kept)


def _compare(data: bytes, kept: Sequence[Receipts]) -> list[str]:
    steps = Steps(data)
    found = []
    for receipts in kept:
        if receipts.match != steps.match:
            refuse(f"Receipts are those of match {receipts.match!r}, not of {steps.match!r}.")
        if receipts.key != steps.key:
            refuse("The replay was signed by another host than the one that gave the receipts.")
        heads = _check_heads(receipts, steps)
        acts = _check_acts(receipts, steps)
        facts = _check_facts(receipts, steps)
        who = "a spectator" if receipts.seat < 0 else f"seat {receipts.seat}"
        found.append(f"The receipts of {who} agree: {heads} signed heads, {acts} acts, {facts} facts.")
    return found


def check_each_other(kept: Sequence[Receipts]) -> None:
    """Raises DoesNotHold where a host has signed two heads for one step, or told different things to two people."""
    for receipts in kept:
        signed: dict[int, bytes] = {}
        for other in kept:
            if (other.match, other.key) != (receipts.match, receipts.key):
                continue
            for version, head in _signed(other):
                if signed.setdefault(version, head) != head:
                    refuse(
                        f"The host has signed two histories: step {version} of match {receipts.match!r} has the heads "
                        f"{signed[version].hex()} and {head.hex()}, both under its key. This is proof against it."
                    )


def _signed(receipts: Receipts) -> Iterator[tuple[int, bytes]]:
    """Version and head of all that bears the host's signature. Raises DoesNotHold where one does not fit."""
    match = receipts.match.encode()
    for record in receipts.records:
        if record[0] == "head":
            _, version, head, signature = record
            check_signature(receipts.key, signature, "head", match, u64(version), head)
            yield version, head
        elif record[0] == "ack":
            _, id, said, question, version, head, signature, place, path = record
            leaf = digest("sign-v1/receipt", match, id, said, u64(question + 1), u64(version), head)
            check_signature(receipts.key, signature, "receipts", _root(leaf, place, path))
            yield version, head


def _root(found: bytes, place: int, path: bytes) -> bytes:
    """Where a receipt leads to. Raises DoesNotHold where there is no such place."""
    for start in range(0, len(path), 32):
        other = path[start : start + 32]
        found = digest("dice-v1/node", *((other, found) if place & 1 else (found, other)))
        place >>= 1
    if place or len(path) % 32:
        refuse("A receipt has a place that is not under what the host has signed.")
    return found


def _check_heads(receipts: Receipts, steps: Steps) -> int:
    count = 0
    for version, head in _signed(receipts):
        if version >= len(steps.heads):
            refuse(f"The host has signed step {version}, but its replay ends at step {len(steps.heads) - 1}.")
        if steps.heads[version] != head:
            refuse(f"The replay has another history up to step {version} than the one that the host has signed.")
        count += 1
    return count


def _check_acts(receipts: Receipts, steps: Steps) -> int:
    made = {cause["id"]: number for number, (_, cause, *_) in enumerate(steps.steps, 1) if "id" in cause}
    answers: dict[int, bytes] = {}
    count = 0
    for record in receipts.records:
        if record[0] == "ack":
            _, id, said, question, version, *_ = record
            count += 1
            if question >= 0:
                answers[question] = said
            elif made.get(id, version + 1) > version:
                refuse(f"The host has signed that your act {id.hex()} was done by step {version}: the log lacks it.")
    for question, said in answers.items():
        _check_answer(receipts.seat, question, said, steps)
    return count


def _check_answer(seat: int, question: int, said: bytes, steps: Steps) -> None:
    """The last answer that was sealed must be the one that counted when the question closed."""
    for number, (_, _, entries, *_) in enumerate(steps.steps, start=1):
        for entry in entries:
            if entry["e"] != "core.answers" or entry["question"] != question:
                continue
            given = next((a["reply"] for a in entry["answers"] if a["seat"] == seat), None)
            if given is None or _said(given) != said:
                refuse(f"Step {number}: your sealed answer to question {question} is not the one that was counted.")


def _said(reply: Entry) -> bytes:
    return sha256(msgpack.packb(canonical([reply["choice"], reply.get("fields", {})]))).digest()


def _check_facts(receipts: Receipts, steps: Steps) -> int:
    expected = list(steps.facts(receipts.seat))
    facts: list[Record] = [record for record in receipts.records if record[0] == "fact"]
    for _, number, fact in facts:
        # signatures are checked by themselves
        told = {name: value for name, value in fact.items() if name not in ("signature", "match", "seats")}
        if number >= len(expected) or told != expected[number]:
            refuse(f"You were told otherwise than the replay has it: fact {number} ({_named(fact)}).")
    return len(facts)


def _named(fact: Fact) -> str:
    names = {"bound": "the beginning", "round": "a round", "tip": "a tip", "roll": "a roll", "order": "an order"}
    return names.get(str(fact.get("f")), f"the deck {fact.get('deck')!r}")
