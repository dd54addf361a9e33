"""Programs' parts in dice 2, beside `client/fairness/verify.py`: chains, calls, openings, absences (docs/dice.md)."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from client.fairness import verify_report
from client.fairness.verify_hashes import digest, is_signed, joined, refuse, u64
from client.fairness.verify_report import Begun
from client.fairness.verify_strict import Deferrals

ROUNDS = 4096
Entry = dict[str, Any]

# the chain of a seat's program: its tip and key, the last round called before the tip was logged, the last link that
# counted (the tip before there is one) and the round of that
Chain = namedtuple("Chain", "tip key since link round")


def is_id(who: Any, by: str) -> bool:
    """Return whether this may stand for the id of a person in the match: only a person has one."""
    return isinstance(who, bytes) and (not who or (len(who) == 16 and by == "person"))


class EntropyParts:
    """Programs' parts in dice 2, as the record alone tells them; `origin` is H_1, `entropy` holds the mix."""

    label = "dice-v2/round"
    entries = ("core.seat", "core.tip", "core.deferred", "core.call")

    def __init__(self, match: str, seats: int, *, allowed: bool, strict: bool = False) -> None:
        self.match, self.seats, self.allowed = match.encode(), seats, allowed
        self.deferrals = Deferrals(refuse, strict=strict)
        self.origin, self.entropy = b"", [bytes(32)]
        self.holders, self.people = ["empty"] * seats, [b""] * seats
        self.chains: dict[int, Chain] = {}
        self.had: set[bytes] = set()
        self.absences, self.out_until = [0] * seats, [-1] * seats
        self.put_off = 0
        self.not_strict: list[int] = []
        self.called = self.rounds_called = 0
        self.call: list[int] | None = None
        self.rounds, self.voids = [Begun([], [], [], [], [])], [0]

    def check_shape(self, number: int, cause: Entry, entries: list[Entry]) -> None:
        """Refuse anything between a call and its opening, and entries that do not follow from the cause."""
        kind, kinds = cause["c"], [entry["e"] for entry in entries]
        self.deferrals.check_step(number, cause, entries)
        opens = kind == "round" or (kind == "void" and self.call is not None)
        if self.call is not None and not opens and kind != "opened":
            refuse(f"Step {number} stands between the call of a round and its opening.")
        fits = bool(entries) and (kind != "call" or self.allowed)
        fits = fits and set(cause.get("holders", [])) <= {"person", "bot", "empty"}
        if kind == "seats":
            people = list(cause.get("people", [b""] * self.seats))
            now, before = zip(cause["holders"], people, strict=True), zip(self.holders, self.people, strict=True)
            changed = [(n, *held) for n, (held, was) in enumerate(zip(now, before, strict=True)) if held != was]
            wanted = [
                {"e": "core.seat", "seat": n, "by": by} | ({"person": who} if who else {}) for n, by, who in changed
            ]
            fits = fits and all(is_id(who, by) for _, by, who in changed)
        elif kind == "tip":
            wanted = [{**{name: cause[name] for name in cause if name != "c"}, "e": "core.tip"}]
        elif kind == "call":
            wanted = [{"e": "core.call", "round": self.called + 1, "seats": self.due(len(self.rounds))}]
        elif kind == "deferred":
            actor = self.deferrals.actor(cause, entries)
            due = [seat for seat in self.due(len(self.rounds) - 1) if seat != actor]
            call = {"e": "core.call", "round": self.called + 1, "seats": due}
            wanted = [{"e": "core.deferred"} | ({"seat": actor} if actor >= 0 else {}), *entries[1:-1], call]
        elif kind == "opened":
            parts = {name: list(cause[name]) for name in ("links", "proofs")}
            wanted = [{"e": "core.opened", "call": self.called, **parts}]
        else:
            first = ["core.round"] * opens + ["core.voided"] * (kind == "void")
            rest, wanted = set(kinds[len(first) :]), entries
            fits = kinds[: len(first)] == first and not rest & {"core.round", "core.voided", *self.entries}
            fits = fits and (kind != "void" or rest <= {"core.deck"})
        if not fits or entries != wanted:
            refuse(f"Step {number} has other entries than those that follow from its cause, {kind!r}.")
        self.voids[-1] += kind == "void" and not opens

    def check_seat(self, number: int, cause: Entry, entry: Entry) -> None:
        self.holders[entry["seat"]], self.people[entry["seat"]] = entry["by"], entry.get("person", b"")
        if entry["by"] != "person":
            self.end_chain(entry["seat"])

    def check_tip(self, number: int, cause: Entry, entry: Entry) -> None:
        seat, tip, key = entry["seat"], entry["tip"], entry.get("key", b"")
        if not (self.allowed and 0 <= seat < self.seats and self.holders[seat] == "person"):
            refuse(f"Step {number} has a tip of seat {seat}, which no person's program may say.")
        if (len(tip), len(key)) != (32, 32) or self.had & {tip, key}:
            refuse(f"Step {number} has a tip or key of seat {seat} that is none, or that the match has had before.")
        self.end_chain(seat)
        self.chains[seat] = Chain(tip, key, self.called, tip, 0)
        self.had |= {tip, key}

    def end_chain(self, seat: int) -> None:
        if self.chains.pop(seat, None) is not None:
            self.rounds[-1].ended.append(seat)
            self.absent(seat)

    def absent(self, seat: int) -> None:
        """Note an absence in the last round called, or after it: the seat sits out the next 1, 2, 4, 8 ... rounds."""
        until = self.rounds_called + 2 ** min(self.absences[seat], 12)
        self.absences[seat], self.out_until[seat] = self.absences[seat] + 1, max(until, self.out_until[seat])

    def due(self, round: int) -> list[int]:
        """Return seats whose tip was logged before the call before (of the first: its own) and not out in a round."""
        ready = [seat for seat, chain in sorted(self.chains.items()) if chain.since < max(self.called, 1)]
        return [seat for seat in ready if self.out_until[seat] < round and self.called < ROUNDS]

    def check_call(self, number: int, cause: Entry, entry: Entry) -> None:
        self.called, self.call = entry["round"], entry["seats"]
        self.rounds_called += cause["c"] == "call"

    def check_deferred(self, number: int, cause: Entry, entry: Entry) -> None:
        """Nothing: the shape of the step says it all."""

    def open(self, number: int, cause: Entry, links: list[bytes], proofs: list[bytes], head: bytes) -> None:
        """Begin a round. `head`: that of the step before, which is the call's."""
        called, self.call = self.call, None
        if not self.allowed and not links and not proofs:
            self.called, self.rounds_called = len(self.rounds), len(self.rounds)
            called, links, proofs = [], [b""] * self.seats, [b""] * self.seats
        if called is None:
            refuse(f"Step {number} opens a round that was not called.")
        out = [n for n, until in enumerate(self.out_until) if until >= len(self.rounds) and self.holders[n] != "bot"]
        self.take_parts(number, called, links, proofs, head)
        self.rounds.append(Begun(called, links, [n for n in out if n not in called], [], []))
        self.voids.append(int(cause["c"] == "void"))

    def open_deferred(self, number: int, cause: Entry, head: bytes) -> None:
        """Take the parts of a step that was put off. `head`: that of the step before, which is the call's."""
        called, self.call = self.call or [], None
        self.take_parts(number, called, cause["links"], cause["proofs"], head)
        self.rounds[-1].deferred.append([seat for seat in called if not cause["links"][seat]])
        if not any(cause["links"]):
            self.not_strict.append(number + 1)
        self.put_off += 1

    def take_parts(self, number: int, called: list[int], links: list[bytes], proofs: list[bytes], head: bytes) -> None:
        """Check links and proofs of the last call, note who is absent, and mix the links in."""
        if not len(links) == len(proofs) == self.seats:
            refuse(f"Step {number} has parts of more or fewer seats.")
        for seat, (link, proof) in enumerate(zip(links, proofs, strict=True)):
            if (link or proof) and seat not in called:
                refuse(f"Step {number} has a part of seat {seat}, which was not called.")
            if link or proof:
                self.check_part(number, seat, link, proof, head)
            elif seat in called:
                self.absent(seat)
        self.entropy = [digest("dice-v2/mix", self.match, u64(self.called), *self.entropy, *links)]

    def check_part(self, number: int, seat: int, link: bytes, proof: bytes, head: bytes) -> None:
        """Refuse a link that is not signed, or not as many hashes behind the last one as rounds have passed."""
        chain, found = self.chains[seat], link
        for _ in range(self.called - chain.round):
            found = digest("dice-v2/link", self.match, self.origin, found)
        if len(link) != 32 or found != chain.link:
            refuse(f"Step {number}: the link of seat {seat} does not follow the one that the seat was bound to.")
        words = joined(b"eschaton/dice-v2/open", self.match, u64(self.called), u64(number - 1), head, link)
        if not is_signed(chain.key, words, proof):
            refuse(f"Step {number}: the program of seat {seat} has not signed its link for this call.")
        self.chains[seat] = chain._replace(link=link, round=self.called)

    def report(self, names: list[str]) -> list[str]:
        if not self.allowed:
            return [verify_report.WITHOUT_PARTS]
        strict = verify_report.strict(self.put_off, self.not_strict) if self.deferrals.strict else []
        return verify_report.entropy(self.rounds, self.voids, names) + strict
