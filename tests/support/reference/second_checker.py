"""Independent checker of .replay files, written from dice.md alone: dice 1 and 2, log 1 and 2."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b, sha256, shake_128
from itertools import accumulate, chain, count, islice
from typing import Any, Final, TypeVar

import msgpack  # type: ignore[import-untyped,unused-ignore]
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.support.reference.second_strict import PutOff

MAGIC: Final = b"eschaton replay\n"
MOST_BYTES, MOST_ROUNDS, MOST_SEATS, MOST_PLACES = 8 << 20, 4096, 64, 65536
ONCE: Final = (b"head", b"seal", b"tlog", b"sign", b"hash")
# causes that neither begin nor end an act
BESIDE: Final = ("aside", "tip", "table", "seats", "call", "deferred", "opened")
ALONE: Final = {"seats": "core.seat", "tip": "core.tip", "call": "core.call"}  # what steps of a cause consist of
ACTS: Final = ("core.declared", "core.resolved")
HIDDEN: Final = ("core.dice", "core.card", "core.settings", *ACTS)  # the core's entries that may be hidden
EVERYONE: Final = frozenset((-1,))  # stands among seats for all seats, and who watches
LEAF: Final = "eschaton/log-v1/leaf"
Json = dict[str, Any]
Chain = tuple[bytes, int, bytes, int]  # a seat's: its key, the step of its tip, its last link and that link's round
Shown = tuple[int, int, list[int], frozenset[int]]  # of a roll: seat, sides, faces, and who may know it if hidden
T = TypeVar("T")


class Refused(Exception):
    """The first thing that does not hold, as a sentence."""


@dataclass
class Round:
    """Entropy of a round, by seats."""

    round: int
    called: tuple[int, ...] = ()
    given: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    mix: bytes = b""
    choices: int = 0


@dataclass
class Found:
    """Content of a verified replay."""

    match: str
    steps: int
    rolls: int
    decks: int
    cards: int
    head: bytes
    rounds: list[Round]
    voids: list[int]
    not_strict: int = 0


def need(holds: object, sentence: str) -> None:
    """Refuse with this sentence unless the condition holds."""
    if not holds:
        raise Refused(sentence)


def joined(*parts: bytes | str | int) -> bytes:
    """Concatenate the parts, each after its length in 4 bytes; a number stands for its u64."""
    need(all(0 <= part < 1 << 64 for part in parts if isinstance(part, int)), "A number does not fit into 8 bytes.")
    raw = [p.encode() if isinstance(p, str) else p.to_bytes(8, "big") if isinstance(p, int) else p for p in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in raw)


def digest(*parts: bytes | str | int) -> bytes:
    """Hash the joined parts with SHA-256."""
    return sha256(joined(*parts)).digest()


def keyed(key: bytes, *parts: bytes | str | int) -> bytes:
    """Compute HMAC-SHA256 of the joined parts."""
    return hmac.digest(key, joined(*parts), "sha256")


def unpacked(data: bytes, what: str) -> Any:
    """Decode one value of msgpack."""
    with suppress(ValueError, TypeError, OverflowError):
        return msgpack.unpackb(data, strict_map_key=False)
    raise Refused(f"{what} is not msgpack.")


def packed(value: object) -> bytes:
    """Encode a decoded value as msgpack again."""
    with suppress(ValueError, TypeError, OverflowError):
        return bytes(msgpack.packb(value))
    raise Refused("A value cannot be encoded as msgpack.")


def exactly(value: object, kind: type[T], what: str) -> T:
    """Give the value back if it is of just this type; a bool is no int."""
    if not isinstance(value, kind) or type(value) is not kind:
        raise Refused(f"{what} is not of the type {kind.__name__}.")
    return value


def take(fields: Json, name: str, kind: type[T], default: T | None = None) -> T:
    """Read a field of a map, of just this type."""
    return exactly(fields.get(name, default), kind, f"The field {name}")


def take_all(fields: Json, name: str, kind: type[T], default: list[T] | None = None) -> list[T]:
    """Read a field that is a list of values of one type."""
    return [exactly(value, kind, f"An element of {name}") for value in take(fields, name, list, default)]


def verify(key: bytes, signature: bytes, message: bytes, what: str) -> None:
    """Refuse a signature that is not this key's over the message."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        raise Refused(f"The signature of {what} does not hold.") from None


def keystream(key: bytes, *parts: bytes | str | int) -> Iterator[int]:
    """Derive bytes without end, from one block after another."""
    return chain.from_iterable(keyed(key, *parts, block) for block in count())


def permutation(key: bytes, size: int) -> list[int]:
    """Shuffle the numbers 0 to size - 1 under a key."""
    need(size <= MOST_PLACES, f"Numbers of 2 bytes cannot shuffle {size} places.")
    stream = keystream(key, "eschaton/dice-v1/cards")
    numbers = (high << 8 | low for high, low in zip(stream, stream, strict=False))
    places = list(range(size))
    for i in range(size - 1, 0, -1):
        other = next(number for number in numbers if number < MOST_PLACES - MOST_PLACES % (i + 1)) % (i + 1)
        places[i], places[other] = places[other], places[i]
    return places


def seed_chain(last: bytes, match: str) -> list[bytes]:
    """Derive the seeds of all rounds, s_0 first, from the last one."""
    rounds = range(MOST_ROUNDS, 0, -1)
    back = accumulate(rounds, lambda seed, r: digest("eschaton/dice-v1/chain", match, r, seed), initial=last)
    return list(back)[::-1]


class Secrets:
    """Values derived from the match secret."""

    def __init__(self, secret: bytes, match: str) -> None:
        self.match, dice = match, keyed(secret, "eschaton/dice-v1/dice")
        self.salts, self.decks = keyed(secret, "eschaton/dice-v1/salts"), keyed(dice, "eschaton/dice-v1/decks")
        self.seeds = seed_chain(dice, match)
        self.hidden_seeds = seed_chain(keyed(dice, "eschaton/dice-v1/hidden"), match)

    def salt(self, label: str) -> bytes:
        """Derive the salt of a label."""
        return keyed(self.salts, "eschaton/dice-v1/salt", self.match, label)[:16]


class Entropy:
    """Holders of the seats, and the entropy that their programs add to the dice."""

    def __init__(self, match: str, seats: int, dice: int, *, parts: bool) -> None:
        self.match, self.seats, self.dice, self.parts = match, seats, dice, parts
        self.holders, self.absences, self.out_until = ["empty"] * seats, [0] * seats, [-1] * seats
        self.people = [b""] * seats  # by seat the id that the match has for its person
        self.chains, self.said = dict[int, Chain](), set[bytes]()
        self.ended: set[int] = set()  # the seats whose chain ended since the last opening
        self.call: tuple[Round, int, bytes] | None = None
        self.last_call, self.last_call_version, self.first_head = 0, 0, b""
        self.last_called = 0  # of rounds; last_call: of all calls, which is the same where the table is not strict

    def seat(self, fields: Json) -> int:
        """Read the seat that a map names."""
        seat = take(fields, "seat", int)
        need(0 <= seat < self.seats, f"There is no seat {seat}.")
        return seat

    def held(self, entry: Json) -> None:
        """Pass a seat to a holder (core.seat)."""
        seat, by = self.seat(entry), take(entry, "by", str)
        need(by in ("person", "bot", "empty"), "A seat has a holder of an unknown kind.")
        self.holders[seat], self.people[seat] = by, take(entry, "person", bytes, b"")
        if self.dice == 2 and by != "person":
            self.end(seat)

    def passed(self, cause: Json) -> list[Json]:
        """Work out the entries of a step with the cause `seats`: of each seat whose holder or person is another."""
        holders, entries = take_all(cause, "holders", str), list[Json]()
        people = take_all(cause, "people", bytes, [b""] * self.seats)
        need(len(people) == self.seats, "The people are not one for each seat.")
        for seat, (by, person) in enumerate(zip(holders, people, strict=True)):
            need(person == b"" or (len(person) == 16 and by == "person"), f"The person of seat {seat} cannot be one.")
            if (by, person) != (self.holders[seat], self.people[seat]):
                entries.append({"e": "core.seat", "seat": seat, "by": by} | ({"person": person} if person else {}))
        return entries

    def end(self, seat: int) -> None:
        """End the chain of a seat, if it has one."""
        if self.chains.pop(seat, None):
            self.ended.add(seat)
            self.absent(seat, self.last_called)

    def absent(self, seat: int, r: int) -> None:
        """Let the seat sit out for one more absence, in round r."""
        self.out_until[seat] = max(self.out_until[seat], r + (1 << min(self.absences[seat], 12)))
        self.absences[seat] += 1

    def tipped(self, entry: Json, cause: Json, version: int) -> None:
        """Begin the chain of a seat (core.tip)."""
        seat, tip, key = self.seat(entry), take(entry, "tip", bytes), take(entry, "key", bytes, b"")
        need(len(tip) == 32 and len(key) == (32 if self.dice == 2 else 0), "A tip or its key has a wrong length.")
        if self.dice == 2:
            need(self.parts and self.holders[seat] == "person", "A tip is said where no program adds to the dice.")
            told = take(cause, "seat", int), take(cause, "tip", bytes), take(cause, "key", bytes, b"")
            need(told == (seat, tip, key), "The cause of a tip tells another tip than its entry.")
            need(not self.said & {tip, key}, "The match has had this tip or this key before.")
            self.said |= {tip, key}
            self.end(seat)
        self.chains[seat] = key, version, tip, 0  # the tip is the link of round 0

    def called(self, entry: Json, version: int, head: bytes, put_off: Json | None) -> None:
        """Check the seats called (core.call) in the step of this version and head: to the next round, or for a step
        that is put off, with its entry core.deferred."""
        need(self.dice == 2 and self.parts, "There is a call where the table runs without parts.")
        self.last_called += put_off is None
        r, number = self.last_called, self.last_call + 1
        need(take(entry, "round", int) == number and r <= MOST_ROUNDS, f"Call {number} is out of turn.")
        before = version if number == 1 else self.last_call_version if number <= MOST_ROUNDS else 0
        out = [seat for seat in range(self.seats) if self.out_until[seat] >= r]
        seats = [seat for seat in sorted(self.chains) if self.chains[seat][1] < before and seat not in out]
        seats = [seat for seat in seats if put_off is None or seat != take(put_off, "seat", int, -1)]
        need(take_all(entry, "seats", int) == seats, f"Call {number} names other seats than it should.")
        begun = Round(r, tuple(seats), out=tuple(seat for seat in out if self.holders[seat] != "bot"))
        self.call, self.last_call, self.last_call_version = (begun, version, head), number, version

    def opened(self, r: int, links: list[bytes], proofs: list[bytes]) -> Round:
        """Check the links and proofs of an opening; mix and voids are left to the record."""
        begun, opens, given = Round(r), b"", tuple(seat for seat, link in enumerate(links) if link)
        if self.dice == 1 or not self.parts:
            fits = len(links) in (0, self.seats) if self.dice == 1 else not links
            need(fits and not proofs, f"Round {r} has links or proofs that it should not have.")
        elif self.call is None or self.call[0].round != r:
            raise Refused(f"Round {r} is opened without a call.")
        else:
            (begun, version, head), self.call = self.call, None
            opens = joined("eschaton/dice-v2/open", self.match, self.last_call, version, head)
            paired = len(links) == self.seats and [bool(link) for link in links] == [bool(proof) for proof in proofs]
            need(paired and set(given) <= set(begun.called), f"Round {r} has a link or a proof too many, or too few.")
            begun.missing = tuple(seat for seat in begun.called if seat not in given)
            begun.choices = len(begun.missing)
            for seat in begun.missing:
                self.absent(seat, r)
        begun.given = given
        for seat in given:
            key, since, last, q = self.chains.get(seat, (b"", 0, b"", 0))
            need(len(links[seat]) == 32 == len(last), f"Seat {seat} has no chain, or a link too short, in round {r}.")
            hashed, origin = links[seat], (self.first_head,) if self.dice == 2 else ()
            for _ in range(self.last_call - q if self.dice == 2 else 1):
                hashed = digest(f"eschaton/dice-v{self.dice}/link", self.match, *origin, hashed)
            need(hashed == last, f"The link of seat {seat} in round {r} is not of its chain.")
            self.chains[seat] = key, since, links[seat], self.last_call if self.dice == 2 else r
            if self.dice == 2:
                verify(key, proofs[seat], opens + joined(links[seat]), f"seat {seat} in round {r}")
        return begun


class Epoch:
    """A deck as it was shuffled last: its cards from the top, their salts, and the rows of the tree over them."""

    def __init__(self, secrets: Secrets, deck: str, number: int, cards: list[str], chance: bytes) -> None:
        key = joined("eschaton/dice-v1/epoch", secrets.match, deck, number) + chance
        order = permutation(hmac.digest(secrets.decks, key, "sha256"), len(cards))
        self.number, self.drawn, self.cards = number, 0, [cards[place] for place in order]
        self.salts = [secrets.salt(f"deck/{deck}/{number}/{j}") for j in range(len(cards))]
        row = [digest("eschaton/dice-v1/card", j, self.salts[j], card) for j, card in enumerate(self.cards)]
        self.rows = [row or [digest("eschaton/dice-v1/node")]]
        while len(row) > 1:
            pairs = [digest("eschaton/dice-v1/node", *row[at : at + 2]) for at in range(0, len(row) - 1, 2)]
            row = pairs + row[len(row) // 2 * 2 :]
            self.rows.append(row)


class Record:
    """The walk over the steps of a match."""

    def __init__(self, match: str, secret: bytes, start: Json) -> None:
        need(start.get("e") == "core.started" and start.get("match") == match, "Event 0 does not start this match.")
        self.match, self.secrets = match, Secrets(secret, match)
        self.seats, parts = take(start, "seats", int), take(start, "parts", bool, False)
        self.log, self.dice = take(start, "log", int, 1), take(start, "dice", int, 1)
        need(1 <= self.seats <= MOST_SEATS and {self.log, self.dice} <= {1, 2}, "The table's kind is unknown.")
        need(take(start, "commitment", bytes) == self.secrets.seeds[0], "The secret is not that of the commitment.")
        self.entropy = Entropy(match, self.seats, self.dice, parts=parts)
        self.head, self.version, self.asked = digest("eschaton/log-v1/match", match), 0, object()
        self.rounds, self.voids = list[Round](), list[tuple[int, int]]()  # of a void: its step, its round
        self.decks, self.names, self.draws = dict[str, Epoch](), set[str](), 0  # names: of all cards
        self.touched: dict[str, tuple[Epoch | None, int]] = {}  # by the act: decks, and how many were drawn before
        self.known: dict[str, tuple[int, frozenset[int]]] = {}  # of a card drawn: how much was told before, and to whom
        self.told: list[tuple[bytes, frozenset[int]]] = []  # the entries of the rule system, and who may know them
        self.put_off, self.not_strict = PutOff(strict=take(start, "strict", bool, False)), 0
        need(not self.put_off.strict or (parts and self.dice == 2), "The table cannot be strict.")
        self.rolls, self.mixed = dict[tuple[int, int, bool], Shown | None](), bytes(32)
        self.deferred: Json | None = None  # the entry core.deferred, until its call
        self.numbers = [0, 0]
        self.renew([])

    def step(self, data: bytes) -> None:
        """Check the next step."""
        self.version += 1
        where = f"Step {self.version}"
        parts = exactly(unpacked(data, where), list, where)
        need(packed(parts) == data, f"{where} is not canonical.")
        need(len(parts) == 5 and exactly(parts[0], int, "A version") == self.version, f"{where} is not the next step.")
        cause, asked, hidden = exactly(parts[1], dict, "A cause"), parts[3], exactly(parts[4], dict, "hidden")
        entries = [exactly(entry, dict, "An entry") for entry in exactly(parts[2], list, "entries")]
        kind, names = take(cause, "c", str), [take(entry, "e", str) for entry in entries]
        need(asked is None or asked == "round" or isinstance(asked, dict), f"{where} asks for something unknown.")
        audiences = {exactly(place, int, "A place"): self.audience(seats) for place, seats in hidden.items()}
        need(all(0 <= place < len(entries) for place in audiences), f"{where} hides an entry that it has not.")
        self.advance(cause, entries, asked, audiences)
        self.check_shape(kind, cause, entries, names)
        back = {deck: sorted(was.cards[drawn:]) if was else [] for deck, (was, drawn) in self.touched.items()}
        for place, (name, entry) in enumerate(zip(names, entries, strict=True)):
            if name.startswith("core."):
                self.entry(name, entry, cause, audiences.get(place))
            else:
                self.told.append((packed(entry), audiences.get(place, EVERYONE)))
        if kind == "void":
            decks = [(entry["deck"], entry["cards"]) for entry in entries if entry["e"] == "core.deck"]
            need(sorted(decks) == sorted(back.items()), f"{where} does not put the decks back.")
            self.voids.append((self.version, len(self.rounds)))
        ends = kind == "void" or (kind not in BESIDE and asked is None)
        self.touched, self.asked = {} if ends else self.touched, asked

    def audience(self, seats: object) -> frozenset[int]:
        """Read the seats that may know an entry."""
        listed = [exactly(seat, int, "A seat") for seat in exactly(seats, list, "A list of seats")]
        need(all(0 <= seat < self.seats for seat in listed), "A seat that is not at the table may know an entry.")
        return frozenset(listed)

    def advance(self, cause: Json, entries: list[Json], asked: object, audiences: dict[int, frozenset[int]]) -> None:
        """Compute the head after a step."""
        public, private = list[bytes](), [b""] * (self.seats + 1)
        for place, entry in enumerate(entries):
            if place not in audiences:
                public.append(self.answers(entry) if entry["e"] == "core.answers" else packed(entry))
            else:
                for leaf in audiences[place] or (self.seats,):
                    private[leaf] += joined(place, packed(entry))
        if self.log == 1:
            ends = ["cause", *(f"seat/{seat}" for seat in range(self.seats)), "nobody"]
            pieces = [self.secrets.salt(f"step/{self.version}/{end}") for end in ends]
        else:
            seed = joined("eschaton/log-v2/block", self.secrets.salts, self.match, self.version)
            block = shake_128(seed).digest(32 * (self.seats + 2))
            pieces = [block[at : at + 32] for at in range(0, len(block), 32)]
        both = zip(pieces, [packed(cause), *private], strict=True)
        leaves = [digest(LEAF, piece, content) if content or self.log == 1 else piece for piece, content in both]
        leaves.insert(1, joined(*public, packed(asked)))
        self.head = digest("eschaton/log-v1/step", self.head, self.version, *leaves)
        self.entropy.first_head = self.entropy.first_head or self.head

    def answers(self, entry: Json) -> bytes:
        """Hash the answers of a question one by one (core.answers)."""
        told = [(self.entropy.seat(answer), packed(answer)) for answer in take_all(entry, "answers", dict)]
        salted = [(self.secrets.salt(f"step/{self.version}/answer/{seat}"), answer) for seat, answer in told]
        return joined("core.answers", take(entry, "question", int), *(digest(LEAF, *pair) for pair in salted))

    def check_shape(self, kind: str, cause: Json, entries: list[Json], names: list[str]) -> None:
        """Check which entries stand in a step with this cause."""
        where, begins = f"Step {self.version}", names[:1] == ["core.round"]
        need((kind == "start") == (self.version == 1), f"{where} has a wrong cause.")
        need("core.started" not in names[self.version == 1 :], f"{where} starts the match again.")
        if kind == "start":
            says = ("match", str, None), ("seats", int, None), ("resolved", bytes, None), ("parts", bool, False)
            same = all(take(cause, *field) == take(entries[0], *field) for field in says)
            need(same, "The cause of step 1 says something else than event 0.")
        problem = self.put_off.problem(cause, entries, names)
        need(not problem, f"{where} {problem}.")
        opens = kind == "round" or (self.entropy.call is not None and kind != "opened")
        good = names.count("core.round") == begins == opens and (not opens or kind in ("round", "void"))
        need(good, f"{where} does not open a round as it should.")
        holders = len(take_all(cause, "holders", str)) if kind == "seats" else self.seats
        need(holders == self.seats, f"{where} names no holder for each seat.")
        if self.dice == 1:
            return
        if kind == "seats":
            need(entries == self.entropy.passed(cause), f"{where} passes other seats than its cause names.")
        if kind in ALONE:
            listed = [take(entry, "seat", int) for entry in entries] if kind == "seats" else [0] * len(entries)
            good = {*names} == {ALONE[kind]} and listed == sorted({*listed})
            need(good, f"{where} has other entries than follow from its cause.")
        may_say = ALONE.get("call" if kind == "deferred" else kind)
        need(not ({"core.tip", "core.call"} - {may_say}) & {*names}, f"{where} tips or calls.")
        need(kind != "call" or self.asked == "round", f"{where} calls where no round is awaited.")
        rest = [name for name in names[begins:] if name != "core.deck"]
        need(rest == ["core.voided"] if kind == "void" else "core.voided" not in rest, f"{where} gives up otherwise.")

    def entry(self, name: str, entry: Json, cause: Json, audience: frozenset[int] | None) -> None:
        """Check an entry of the core."""
        need(audience is None or name in HIDDEN, f"Step {self.version} hides an entry {name}.")
        if name in ("core.dice", "core.card", *ACTS):
            to = take(entry, "to", dict, {})
            told = self.audience(to["seats"]) if "seats" in to else None
            need(told == audience, f"Step {self.version} hides {name} from other seats than it says.")
        if name in ("core.dice", "core.order", "core.deck"):
            need(take(entry, "round", int) == len(self.rounds), f"{name} in step {self.version} is of another round.")
        if name == "core.seat":
            self.entropy.held(entry)
        elif name == "core.tip":
            self.entropy.tipped(entry, cause, self.version)
        elif name == "core.call":
            self.entropy.called(entry, self.version, self.head, self.deferred)
            self.deferred = None
        elif name == "core.deferred":
            self.deferred = entry
        elif name == "core.opened":
            self.open_put_off(entry, cause)
        elif name == "core.round":
            self.begin(entry, cause)
        elif name in ("core.dice", "core.order"):
            self.roll(entry, audience)
        elif name in ("core.deck", "core.card"):
            self.deal(entry, audience)
        elif name == "core.settings":
            need(audience == frozenset((self.entropy.seat(entry),)), "Settings are not known to their seat alone.")
        else:
            known = ("core.started", "core.answers", "core.undone", "core.voided", *ACTS)
            need(name in known, f"Entries {name} are unknown.")

    def begin(self, entry: Json, cause: Json) -> None:
        """Check the beginning of a round (core.round)."""
        r = take(entry, "round", int)
        need(r == len(self.rounds) + 1 <= MOST_ROUNDS, f"Round {r} begins out of turn.")
        need(take(entry, "seed", bytes, b"") == (self.secrets.seeds[r - 1] if r > 1 else b""), "A seed is wrong.")
        links, proofs = take_all(entry, "links", bytes, []), take_all(entry, "proofs", bytes, [])
        both = take_all(cause, "links", bytes, []), take_all(cause, "proofs", bytes, [])
        need(both == (links, proofs), f"The cause of round {r} has other links or proofs.")
        begun = self.entropy.opened(r, links, proofs)
        begun.choices, self.entropy.ended = begun.choices + len(self.entropy.ended), set()
        if self.dice == 2:
            begun.mix = self.mix(links or [b""] * self.seats, self.entropy.last_call if self.entropy.parts else r)
        self.rounds.append(begun)
        self.numbers = [0, 0]
        self.renew(links)

    def mix(self, links: list[bytes], number: int) -> bytes:
        """Add the links of a call to the mix."""
        self.mixed = digest("eschaton/dice-v2/mix", self.match, number, self.mixed, *links)
        return self.mixed

    def open_put_off(self, entry: Json, cause: Json) -> None:
        """Check the parts for a step that was put off (core.opened)."""
        links, proofs = take_all(entry, "links", bytes), take_all(entry, "proofs", bytes)
        both = take_all(cause, "links", bytes), take_all(cause, "proofs", bytes)
        need(both == (links, proofs), f"The cause of step {self.version} has other links or proofs.")
        need(take(entry, "call", int) == self.entropy.last_call, f"Step {self.version} opens another call.")
        opened = self.entropy.opened(len(self.rounds), links, proofs)
        self.not_strict += not any(links)
        if self.rounds:
            self.rounds[-1].choices += opened.choices
        self.mix(links, self.entropy.last_call)
        self.renew(links)

    def renew(self, links: list[bytes]) -> None:
        """Derive the keys that hold from now on."""
        self.chance = joined(self.mixed) if self.dice == 2 else joined(len(links), *links)
        text = joined(f"eschaton/dice-v{self.dice}/round", self.match, len(self.rounds)) + self.chance
        seeds = [chain[max(len(self.rounds), 1)] for chain in (self.secrets.seeds, self.secrets.hidden_seeds)]
        self.keys = [hmac.digest(seed, text, "sha256") for seed in seeds]

    def deal(self, entry: Json, audience: frozenset[int] | None) -> None:
        """Check the changes of a deck (core.deck, core.card)."""
        name = take(entry, "deck", str)
        last = self.decks.get(name)
        self.touched.setdefault(name, (last, last.drawn if last else 0))
        if entry["e"] == "core.card":
            index, epoch = take(entry, "index", int), take(entry, "epoch", int)
            if last is None or epoch != last.number or not index == last.drawn < len(last.cards):
                raise Refused(f"A card of the deck {name!r} is drawn out of turn.")
            path = [row[near] for level, row in enumerate(last.rows) if (near := index >> level ^ 1) < len(row)]
            opening = take(entry, "card", str), take(entry, "salt", bytes), take_all(entry, "path", bytes)
            need(opening == (last.cards[index], last.salts[index], path), f"A card of {name!r} is another one.")
            last.drawn, self.draws = index + 1, self.draws + 1
            since, knowing = self.known.get(opening[0], (len(self.told), frozenset()))
            self.known[opening[0]] = since, knowing | (EVERYONE if audience is None else audience)
            return
        cards, number = take_all(entry, "cards", str), last.number + 1 if last else 0
        right = take(entry, "epoch", int) == number and cards == sorted(cards)
        need(right, f"The deck {name!r} has an epoch out of turn, or cards that are not sorted.")
        new = self.decks[name] = Epoch(self.secrets, name, number, cards, self.chance)
        need(take(entry, "root", bytes) == new.rows[-1][0], f"The deck {name!r} was shuffled in another order.")
        self.names.update(cards)

    def laid_open(self, card: str, audience: frozenset[int]) -> bool:
        """Tell whether an audience may see this card face up."""
        since, knowing = self.known.get(card, (len(self.told), frozenset[int]()))
        later = (data for data, seats in islice(self.told, since, None) if seats & audience)
        return card not in self.names or bool(knowing & audience) or any(card.encode() in data for data in later)

    def roll(self, entry: Json, audience: frozenset[int] | None) -> None:
        """Check a roll or an order (core.dice, core.order)."""
        r, n, hidden, known = len(self.rounds), take(entry, "n", int), audience is not None, None
        need(n == self.numbers[hidden], f"Roll {n} of round {r} is out of turn.")
        self.numbers[hidden] += 1
        if entry["e"] == "core.order":
            order, key = take_all(entry, "order", int), keyed(self.keys[0], "eschaton/dice-v1/order", n)
            need(order == permutation(key, len(order)), f"Order {n} of round {r} is another one.")
        else:
            sides, faces = take(entry, "sides", int), take_all(entry, "faces", int)
            need(1 <= sides <= 256 and len(faces) <= MOST_PLACES, f"Dice of {sides} sides, or too many, are rolled.")
            stream = keystream(self.keys[hidden], "eschaton/dice-v1/roll", n)
            good = (byte % sides + 1 for byte in stream if byte < 256 // sides * sides)
            need(faces == list(islice(good, len(faces))), f"Roll {n} of round {r} shows other faces.")
            known = take(entry, "seat", int), sides, faces, audience or frozenset()
        self.rolls[r, n, hidden] = known

    def found(self) -> Found:
        """Sum up the match."""
        voids, again = Counter(r for _, r in self.voids), 0
        for begun in self.rounds if self.dice == 2 else []:
            again = again + voids[begun.round - 1] if voids[begun.round - 1] else 0
            begun.choices += voids[begun.round] + again
        shuffles, steps = sum(deck.number + 1 for deck in self.decks.values()), [step for step, _ in self.voids]
        counts = len(self.rolls), shuffles, self.draws
        return Found(self.match, self.version, *counts, self.head, self.rounds, steps, self.not_strict)


def in_order(value: object) -> object:
    """Sort the keys of all maps in a value by their UTF-8 bytes."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(exactly(key, str, "A key") for key in value)}
    return [in_order(element) for element in value] if isinstance(value, list) else value


def merged(target: object, patch: object) -> object:
    """Apply a merge patch (RFC 7386)."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    result.update({key: merged(result.get(key), value) for key, value in patch.items()})
    return {key: value for key, value in result.items() if key not in patch or patch[key] is not None}


class Stream:
    """The frames that an audience was shown, with the numbers that a private one and the public one compare."""

    def __init__(self, content: bytes, record: Record) -> None:
        records = [data for _, data, _ in framed(content, 0, 0)]
        names = [b"public", *(b"seat/%d" % seat for seat in range(record.seats))]
        need(records[:1] != [] and records[0] in names, "A stream is of an unknown audience.")
        self.record, self.seat, self.name = record, names.index(records[0]) - 1, records[0].decode()
        self.audience, self.seen = EVERYONE | {self.seat}, set[str]()  # the cards that were found to be shown rightly
        self.nodes, self.after = dict[str, tuple[object, int]](), set[int]()
        self.total, self.last, following = 0, 0, object()
        for data in records[1:]:
            frame = exactly(unpacked(data, "A frame"), dict, "A frame")
            n, whole = take(frame, "n", int), frame.get("t") == "snapshot"
            need(whole or (frame.get("t") == "delta" and n == following), f"Frame {n} of {self.name} follows no other.")
            self.show(frame, n, whole=whole)
            following, self.last = n + 1, n

    def show(self, frame: Json, n: int, *, whole: bool) -> None:
        """Check one frame over the picture before it."""
        where, part = f"Frame {n} of {self.name}", "public" if self.seat < 0 else "private"
        need(frame.get("part") == part, f"{where} is of another part.")
        if whole:
            self.nodes, self.total = {}, 0
        for id, change in take(frame, "nodes" if whole else "patch", dict).items():
            old, hashed = self.nodes.pop(exactly(id, str, "The id of a node"), (None, 0))
            self.total -= hashed
            node = change if whole else merged(old, change)
            if whole or node is not None:
                self.node(exactly(node, dict, "A node"), where)
                hashed = int.from_bytes(blake2b(packed([id, in_order(node)]), digest_size=8).digest(), "big")
                self.nodes[id], self.total = (node, hashed), self.total + hashed
        need(take(frame, "hash", int) == self.total % (1 << 64), f"{where} has another hash.")
        self.after |= {take(frame, "after", int, 0)} if self.seat >= 0 else set()
        for cue in [] if whole else take_all(frame, "cues", dict, []):
            if "dice" in cue:
                self.dice(take(cue, "dice", dict), where)

    def node(self, node: Json, where: str) -> None:
        """Check the dice and the cards that a node shows."""
        for dice in take_all(node, "dice", dict, []):
            self.dice(dice, where)
        cards = {take(card, "id", str) for card in take_all(node, "cards", dict, [])} - self.seen
        good = all(self.record.laid_open(card, self.audience) for card in cards)
        need(good, f"{where} shows a card that was not drawn, or that the audience may not know.")
        self.seen |= cards

    def dice(self, shown: Json, where: str) -> None:
        """Check the dice that a cue or a node shows."""
        old, hidden = self.record.dice == 1, take(shown, "hidden", bool, False)
        need(not hidden or self.seat >= 0, f"{where} shows hidden dice to everyone.")
        n = take(shown, "n", int, -1 if old else None)
        if old and n == -1:
            return
        known = self.record.rolls.get((take(shown, "round", int), n, hidden))
        if known is None or (hidden and self.seat not in known[3]):
            raise Refused(f"{where} shows dice that were not rolled, or that the seat may not know.")
        told = take(shown, "seat", int), take(shown, "sides", int), take_all(shown, "faces", int)
        need(told == known[:3], f"{where} shows other dice than were rolled.")


def framed(data: bytes, at: int, name_size: int) -> Iterator[tuple[bytes, bytes, int]]:
    """Split data into contents after their lengths: each with the name before its length, and where it begins."""
    while at < len(data):
        begin, name = at + name_size + 4, data[at : at + name_size]
        end = begin + int.from_bytes(data[at + name_size : begin], "big")
        need(begin <= len(data) and end <= len(data), "A section or a record is cut off.")
        yield name, data[begin:end], at
        at = end


def check(data: bytes) -> Found:
    """Check a replay; raise Refused at the first thing that does not hold."""
    version = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 4], "big")
    known = len(data) <= MOST_BYTES and data.startswith(MAGIC) and version in (1, 2)
    need(known, "The file is no replay of version 1 or 2, or too long.")
    sections = list(framed(data, len(MAGIC) + 4, 4))
    names = [name for name, _, _ in sections]
    beside = [b"name"] * (version == 2 and names[-2:-1] == [b"name"])
    ends = [b"sign", *beside, b"hash"]
    once = all(names.count(name) == 1 for name in (*ONCE, *beside)) and names[-len(ends) :] == ends
    allowed = {*ONCE, *beside, b"strm", b"text"}
    need(once and {*names} <= allowed, "A section is missing, unknown, there twice, or out of place.")
    one = {name.decode(): content for name, content, _ in sections}
    need(one["hash"] == sha256(data[: sections[-1][2]]).digest(), "The hash of the file is another one.")
    head = exactly(unpacked(one["head"], "The head"), dict, "The head")
    match = take(head, "match", str)
    if beside:
        said = exactly(unpacked(one["name"], "The names"), dict, "The names")
        named, seats = take_all(said, "seats", str, []), take(head, "seats", list)
        need(len(named) == len(seats), "The names beside the file are not one for each seat.")
    host, signature, seal = one["sign"][:32], one["sign"][32:], one["seal"]
    signed = sha256(data[: sections[-len(ends)][2]]).digest()
    verify(host, signature, joined("eschaton/sign-v1/replay", signed), "the replay")
    need(len(seal) != 128, "The host has not opened the match secret: the match is unproven.")
    need(len(seal) == 160 and len(signature) == 64, "The section seal or sign has a wrong length.")
    steps = [step for _, step, _ in framed(one["tlog"], 0, 0)]
    first = exactly(unpacked(steps[0] if steps else b"", "Step 1"), list, "Step 1")
    need(len(first) == 5 and isinstance(first[2], list) and first[2] != [], "Step 1 has no entries.")
    record = Record(match, seal[128:], exactly(first[2][0], dict, "Event 0"))
    for step in steps:
        record.step(step)
    need(seal[:64] == record.secrets.seeds[0] + record.head, "The seal has another commitment, or another last head.")
    verify(host, seal[64:128], joined("eschaton/sign-v1/head", match, 1, record.entropy.first_head), "the first head")
    try:
        streams = [Stream(content, record) for name, content, _ in sections if name == b"strm"]
    except RecursionError:
        raise Refused("A frame is nested too deeply.") from None
    audiences = Counter(stream.seat for stream in streams)
    need(audiences[-1] == 1 == max(audiences.values()), "There is no public stream, or an audience has two.")
    last = next(stream.last for stream in streams if stream.seat < 0)
    need(all(0 <= after <= last for stream in streams for after in stream.after), "A private frame is out of turn.")
    return record.found()
