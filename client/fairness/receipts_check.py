"""Check of receipts by a replay, and by those of others: a host that told two histories has signed both.

Like the checker it uses nothing of the rest of Eschaton: client/fairness/receipts.py reads the files,
client/fairness/promises.py what the host has signed in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgpack

from client.fairness.promises import LogIndex, NoProof, Promise, SignedAct, SignedExpiry, SignedHead, promises
from client.fairness.receipts import Receipts, Record
from client.fairness.verify import Entry, Log, VerificationFailed, read_sections, records, refuse
from protocol.ids import MatchId

Fact = dict[str, Any]


class ReplayLog:
    """Log of a replay that holds: causes, entries and heads by step."""

    def __init__(self, data: bytes) -> None:
        sections = read_sections(data)
        self.match: MatchId = msgpack.unpackb(sections["head"][0])["match"]
        self.key = sections["sign"][0]
        log = Log(self.match, sections["seal"][0][128:])
        self.heads: list[bytes] = [log.head]
        self.steps: list[list[Any]] = []
        for number, step in enumerate(records(sections["tlog"][0]), start=1):
            log.check_step(number, step)
            self.heads.append(log.head)
            self.steps.append(msgpack.unpackb(step, strict_map_key=False))

    def facts(self, seat: int) -> Iterator[Fact]:
        """Yield the facts that a host had to tell to this seat (-1: to a spectator) as they happened."""
        for number, (_, _, entries, _, hidden) in enumerate(self.steps, start=1):
            for place, entry in enumerate(entries):
                if place not in hidden or (seat >= 0 and seat in hidden[place]):
                    yield from self._fact(number, entry, entries, is_private=place in hidden)

    def _fact(self, version: int, entry: Entry, entries: Sequence[Entry], *, is_private: bool) -> Iterator[Fact]:
        """Yield the fact in an entry of a step with these entries, if it tells one."""
        kind = entry["e"]
        step = {"version": version, "head": self.heads[version]}
        if kind == "core.started":
            named = ("match", "seats", "commitment", "dice", "parts", "strict")
            told: Fact = {name: entry[name] for name in named if name in entry}
            yield {"f": "bound", "head": self.heads[version], **told}
        elif kind == "core.seat":
            yield {"f": "seat", **{name: entry[name] for name in ("seat", "by", "person") if name in entry}}
        elif kind == "core.tip":
            yield {"f": "tip", **{name: entry[name] for name in ("seat", "tip", "key") if name in entry}}
        elif kind == "core.call":
            yield {"f": "call", "round": entry["round"], "seats": entry["seats"], **step, **_deferred(entries)}
        elif kind == "core.round":
            told = {"links": [], "seed": b"", **entry}
            del told["e"]
            yield {"f": "round", **step, **told}
        elif kind == "core.opened":
            yield {"f": "opened", **{name: entry[name] for name in ("call", "links", "proofs")}, **step}
        elif kind == "core.voided":
            yield {"f": "void", "version": version}
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


def _deferred(entries: Sequence[Entry]) -> Fact:
    """Return the fields that mark the call in a step which puts an act off; none in another step."""
    for entry in entries:
        if entry["e"] == "core.deferred":
            return {"deferred": True, **({"actor": entry["seat"]} if "seat" in entry else {})}
    return {}


def is_closed(data: bytes) -> bool:
    """Return True where the host has not opened the secret of this replay. Raises VerificationFailed for what is no
    replay."""
    with _in_form("The file"):
        return [len(seal) for seal in read_sections(data)["seal"]] == [128]


@contextmanager
def _in_form(what: str) -> Iterator[None]:
    """Raise VerificationFailed for whatever a hostile file makes the decoder or a look-up raise; MemoryError passes
    through."""
    try:
        yield
    except (VerificationFailed, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - hostile bytes make a look-up raise anything, and it means the same
        raise VerificationFailed(f"{what} is not in the form that it should have.") from None


def check_receipts(data: bytes, own: Sequence[Receipts], others: Sequence[Receipts] = ()) -> list[str]:
    """Check a replay that holds by receipts, and return what was found, in sentences.

    own: those that this computer has kept. others: those that somebody gave, of which only what the host has signed
    counts. Raises VerificationFailed with the first thing that the host has signed, or told this computer, otherwise
    than its replay has it; NoProof for receipts that prove nothing about this match.
    """
    kept = [*own, *others]
    check_each_other(kept)
    with _in_form("The log of the file"):
        steps = ReplayLog(data)
        history = LogIndex(steps.heads, steps.steps)
        return [sentence for one in kept for sentence in _compare(one, steps, history, is_own=one in own)]


def _compare(receipts: Receipts, steps: ReplayLog, history: LogIndex, *, is_own: bool) -> Iterator[str]:
    if receipts.match != steps.match:
        raise NoProof(receipts, f"Receipts are those of match {receipts.match!r}, not of {steps.match!r}.")
    if receipts.key != steps.key:
        sentence = "The replay was signed by another host than the one that gave the receipts."
        raise VerificationFailed(sentence) if is_own else NoProof(receipts, sentence)
    signed = promises(receipts)
    for promise in signed:
        why = history.check(promise)
        if why:
            refuse(why)
    who = "a spectator" if receipts.seat < 0 else f"seat {receipts.seat}"
    yield from _replaced(who, receipts.seat, signed, history)
    facts, other = _check_facts(receipts, steps)
    if other and is_own:
        refuse(f"You were told otherwise than the replay has it: {other}.")
    if other:
        yield (
            f"The file of {who} says that it was told otherwise than the replay has it: {other}. The host has not "
            "signed that: whoever gave you the file may have changed it, so it proves nothing."
        )
    acts = sum(isinstance(promise, SignedAct) for promise in signed)
    expired = sum(isinstance(promise, SignedExpiry) for promise in signed)
    late = f", {expired} times out of time" if expired else ""
    yield f"The receipts of {who} agree: {len(signed) - acts - expired} signed heads, {acts} acts{late}, {facts} facts."


def _replaced(who: str, seat: int, signed: Sequence[Promise], history: LogIndex) -> Iterator[str]:
    """Yield a sentence for each question whose replaceable answer was not counted."""
    for question in sorted({act.question for act in signed if isinstance(act, SignedAct) and act.seat is None} - {-1}):
        given = [act for act in signed if isinstance(act, SignedAct) and act.seat is None and act.question == question]
        if not all(history.counts(seat, act) for act in given):
            yield (
                f"{who.capitalize()} has receipts for an answer to question {question} that was not counted. When they "
                "were given, an answer could still be changed: they prove nothing."
            )


def check_each_other(kept: Sequence[Receipts]) -> None:
    """Check receipts by one another. Raises VerificationFailed where a host has signed two heads for one step, or two
    ends of one question for a seat, and NoProof where it has not signed what stands in a file."""
    heads: dict[tuple[str, bytes, int], bytes] = {}
    answers: dict[tuple[str, bytes, int, int], bytes] = {}
    for receipts in kept:
        of = receipts.match, receipts.key
        for promise in promises(receipts):
            head = heads.setdefault((*of, promise.version), promise.head)
            if head != promise.head:
                refuse(
                    f"The host has signed two histories: step {promise.version} of match {receipts.match!r} has the "
                    f"heads {head.hex()} and {promise.head.hex()}, both under its key. This is proof against it."
                )
            if isinstance(promise, SignedHead) or promise.seat is None or promise.question < 0:
                continue
            answer = promise.said if isinstance(promise, SignedAct) else b""
            if answers.setdefault((*of, promise.seat, promise.question), answer) != answer:
                refuse(
                    f"The host has signed two things of question {promise.question} of match {receipts.match!r} for "
                    f"seat {promise.seat}: two answers, or one and that none came. This is proof against it."
                )


def _check_facts(receipts: Receipts, steps: ReplayLog) -> tuple[int, str]:
    """Return the number of facts told, and the first that is not the one of the replay."""
    expected = list(steps.facts(receipts.seat))
    facts: list[Record] = [record for record in receipts.records if record[0] == "fact"]
    for _, number, fact in facts:
        # signatures are checked by themselves
        told = {name: value for name, value in fact.items() if name != "signature"}
        # a program of before ids of people has not kept them
        older = fact.get("f") == "seat" and "person" not in fact
        if not 0 <= number < len(expected) or told != {
            name: value for name, value in expected[number].items() if not (older and name == "person")
        }:
            return len(facts), f"fact {number} ({_named(fact)})"
    return len(facts), ""


def _named(fact: Fact) -> str:
    names = {"bound": "the beginning", "seat": "the holder of a seat", "tip": "a tip", "call": "a call"}
    names |= {"round": "a round", "opened": "the parts for an act", "void": "an act given up"}
    names |= {"roll": "a roll", "order": "an order"}
    return names.get(str(fact.get("f")), f"the deck {fact.get('deck')!r}")
