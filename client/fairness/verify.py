"""Checker of .replay files without the host and the program that made them: `python -m client.fairness.verify FILE
[KEY]`.

Only the standard library, msgpack and one signature library are used, nothing of the rest of Eschaton, so that it can
be read in one sitting and does not share its mistakes. Beside it stand the programs' parts (verify_parts.py, of strict
tables verify_strict.py, of older dice verify_dice1.py) and the hashes of all (verify_hashes.py). It proves that

1. the host with this key (KEY: its public key in hex, as your program knows it) signed the file as it is;
2. the secret M that the host opened at the end is the one it was bound to before the first roll (s_0 of event 0), and
   the steps of the log are those that the host's signed heads were made of;
3. before each round those programs were called whose turn it was, and each signed its part in it for that call;
4. every roll, shuffle and card drawn follows from M and the programs' parts, numbered without gap or repeat, and every
   card lay under the root told when its deck was shuffled;
5. every change in the streams leads to the picture with the stated hash, with the dice and cards of the log.

It does not prove that the rules were kept (`eschaton-server check FILE` does), nor that the host did not look at hidden
cards. The scheme and all layouts: docs/dice.md.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Iterable, Iterator
from hashlib import blake2b, sha256, shake_128
from itertools import count
from pathlib import Path
from typing import Any

import msgpack

from client.fairness import verify_report
from client.fairness.verify_dice1 import Links
from client.fairness.verify_hashes import VerificationFailed, digest, is_signed, joined, mac, refuse, u64
from client.fairness.verify_parts import ROUNDS, EntropyParts

__all__ = ["ROUNDS", "EntropyParts", "VerificationFailed", "digest", "is_signed", "joined", "mac", "refuse", "u64"]
MAGIC, VERSIONS = b"eschaton replay\n", (b"\0\0\0\x01", b"\0\0\0\x02")
MOST_BYTES = 8 * 1024 * 1024
Entry = dict[str, Any]
CHECKED_ENTRIES = ("core.round", "core.opened", "core.dice", "core.order", "core.deck", "core.card")
TOLD_TO = ("core.dice", "core.card", "core.declared", "core.resolved")
OTHER_CORE_ENTRIES = (*TOLD_TO[2:], "core.started", "core.answers", "core.settings", "core.undone", "core.voided")


def read_sections(data: bytes) -> dict[str, list[bytes]]:
    """Return the contents of the sections by name: the layout, the SHA-256 and the signature fit. In version 2 names
    stand beside what is signed."""
    if len(data) > MOST_BYTES or not data.startswith(MAGIC) or data[16:20] not in VERSIONS:
        refuse(f"This is not a replay file of this format, or larger than {MOST_BYTES} bytes.")
    if data[-40:-32] != b"hash\0\0\0\x20" or data[-32:] != sha256(data[:-40]).digest():
        refuse("The file has been changed since it was saved, or ends too early: its SHA-256 does not fit.")
    found: dict[str, list[bytes]] = {"head": [], "seal": [], "tlog": [], "strm": [], "text": [], "sign": [], "name": []}
    place, signed = 20, 0
    while place < len(data) - 40:
        start = place + 8
        name, end = data[place : place + 4].decode(), start + int.from_bytes(data[place + 4 : start], "big")
        if (signed and name != "name") or (name == "name" and (found["name"] or data[16:20] == VERSIONS[0])):
            refuse("The file has a part where there should be none.")
        signed = place if name == "sign" else signed
        found[name].append(data[start:end])
        place = end
    if not signed:
        refuse("The file is not signed.")
    if place != len(data) - 40 or [len(found[name]) for name in ("head", "seal", "tlog", "sign")] != [1] * 4:
        refuse("The file lacks a part, or has one twice.")
    key, signature = found["sign"][0][:32], found["sign"][0][32:]
    check_signature(key, signature, "replay", sha256(data[:signed]).digest())
    return {**found, "sign": [key]}


def check_signature(key: bytes, signature: bytes, kind: str, *parts: bytes) -> None:
    """Refuse what the host has not signed."""
    if not is_signed(key, joined(b"eschaton/sign-v1/" + kind.encode(), *parts), signature):
        refuse(f"This is not what the host has signed: {kind}.")


def records(content: bytes) -> Iterator[bytes]:
    """Yield records: length (4) and bytes, again and again."""
    place = 0
    while place < len(content):
        start = place + 4
        place = start + int.from_bytes(content[place:start], "big")
        yield content[start:place]


def seed_chain(secret: bytes, match: str) -> list[bytes]:
    """Return s_0 to s_4096 = secret."""
    seeds = [secret]
    for number in range(ROUNDS, 0, -1):
        seeds.append(digest("dice-v1/chain", match.encode(), u64(number), seeds[-1]))
    return seeds[::-1]


def stream(key: bytes, tag: str, *place: bytes) -> Iterator[int]:
    """Yield the bytes of the HMAC over block 0, 1, 2, ..."""
    for block in count():
        yield from mac(key, tag, *place, u64(block))


def faces(key: bytes, n: int, sides: int, wanted: int) -> list[int]:
    """Return dice: bytes below the largest multiple of `sides` count, others are skipped."""
    if not 1 <= sides <= 256:
        refuse(f"A die of {sides} sides was rolled.")
    good = (byte for byte in stream(key, "dice-v1/roll", u64(n)) if byte < 256 - 256 % sides)
    return [next(good) % sides + 1 for _ in range(wanted)]


def permutation(key: bytes, size: int) -> list[int]:
    """Shuffle (Fisher-Yates) from the last place down, on numbers of two bytes, with the same rejection."""
    data = stream(key if size <= 65_536 else refuse("A list was shuffled that is too long."), "dice-v1/cards")
    numbers = (high << 8 | next(data) for high in data)
    places = list(range(size))
    for last in range(size - 1, 0, -1):
        other = next(number for number in numbers if number < 65_536 - 65_536 % (last + 1)) % (last + 1)
        places[last], places[other] = places[other], places[last]
    return places


def tree(row: list[bytes]) -> list[list[bytes]]:
    """Return all rows up to the root: two make one above, the last of an odd row moves up as it is."""
    rows = [row or [digest("dice-v1/node")]]
    while len(row := rows[-1]) > 1:
        above = [digest("dice-v1/node", *row[i : i + 2]) for i in range(0, len(row) - 1, 2)]
        rows.append(above + row[len(row) & ~1 :])
    return rows


# an epoch of a deck: its cards from the top, their salts, the rows of the tree over both, how many have been drawn
Deck = namedtuple("Deck", "epoch cards salts rows drawn")


class Log:
    """Log of the match, gone through step by step, with the counters that the host must have had."""

    def __init__(self, match: str, secret: bytes) -> None:
        self.match = match
        self.salt_secret, secret = mac(secret, "dice-v1/salts"), mac(secret, "dice-v1/dice")
        self.seeds = seed_chain(secret, match)
        self.hidden_seeds = seed_chain(mac(secret, "dice-v1/hidden"), match)
        self.deck_secret = mac(secret, "dice-v1/decks")
        self.parts: EntropyParts | Links = Links(match, refuse)
        self.next_roll = {"open": 0, "hidden": 0}
        self.decks: dict[str, Deck] = {}
        self.decks_at_rest: dict[str, Deck] = {}
        self.epochs: dict[str, int] = {}
        self.round = self.seats = self.log = self.rolls = self.orders = self.cards = 0
        self.noted: list[tuple[int, Entry]] = []
        self.head, self.asked = digest("log-v1/match", match.encode()), ""
        # for the streams: rolls (seat, sides, faces) and the seats that may know them (-1: everyone) by (hidden, round,
        # n); the names of all cards; the seats that may know those that were drawn
        self.rolled: dict[tuple[bool, int, int], tuple[tuple[int, ...], set[int]]] = {}
        self.named: set[str] = set()
        self.known: dict[str, set[int]] = {}

    def salt(self, label: str) -> bytes:
        return mac(self.salt_secret, "dice-v1/salt", self.match.encode(), label.encode())[:16]

    def add_to_head(self, number: int, cause: Entry, entries: list[Entry], asked: Any, hidden: dict[int, Any]) -> None:
        """Make the head after a step: over the one before, the cause's leaf, what is public, all audiences' leaves."""
        public, secret = b"", [b""] * (self.seats + 1)
        for place, entry in enumerate(entries):
            for seat in hidden.get(place, []) or ([self.seats] if place in hidden else []):
                secret[seat] += joined(u64(place), msgpack.packb(entry))
            told = msgpack.packb(entry)
            if entry["e"] == "core.answers":
                salts = [self.salt(f"step/{number}/answer/{answer['seat']}") for answer in entry["answers"]]
                given = [digest("log-v1/leaf", salts[n], msgpack.packb(a)) for n, a in enumerate(entry["answers"])]
                told = joined(b"core.answers", u64(entry["question"]), *given)
            public += joined(told) if place not in hidden else b""
        first, *leaves = self.leaves(number, [msgpack.packb(cause), *secret])
        self.head = digest("log-v1/step", self.head, u64(number), first, public + joined(msgpack.packb(asked)), *leaves)

    def leaves(self, number: int, contents: list[bytes]) -> list[bytes]:
        """Make leaves; in log-v2 one block salts them all, and a leaf without content is its piece of the block."""
        if self.log == 1:
            names = ["cause", *[f"seat/{seat}" for seat in range(self.seats)], "nobody"]
            salts = [self.salt(f"step/{number}/{name}") for name in names]
            return [digest("log-v1/leaf", salts[n], content) for n, content in enumerate(contents)]
        key = joined(b"eschaton/log-v2/block", self.salt_secret, self.match.encode(), u64(number))
        block = shake_128(key).digest(32 * len(contents))
        salts = [block[place : place + 32] for place in range(0, len(block), 32)]
        return [digest("log-v1/leaf", salts[n], content) if content else salts[n] for n, content in enumerate(contents)]

    def check_step(self, number: int, data: bytes) -> None:
        version, cause, entries, asked, hidden = step = msgpack.unpackb(data, strict_map_key=False)
        if version != number or msgpack.packb(step) != data or None in hidden.values():
            refuse(f"Step {number} of the log is missing.")
        if not isinstance(entries, list):
            refuse(f"Step {number} of the log has no list of entries.")
        if (number == 1) != (cause["c"] == "start"):
            refuse(f"Step {number} does not begin the match where it should.")
        if [place for place, entry in enumerate(entries) if entry["e"] == "core.started"] != [0] * (number == 1):
            refuse(f"Step {number} has no beginning, or a second one.")
        if number == 1:
            self.begin(entries[0])
        if cause["c"] == "call" and self.asked != "round":
            refuse(f"Step {number} calls a round that nothing waits for.")
        self.parts.check_shape(number, cause, entries)
        self.noted += [(number, cause)] * (cause["c"] in ("void", "table"))
        if cause["c"] == "void":
            self.give_up(number, entries)
        for place, entry in enumerate(entries):
            kind, seats = entry["e"], hidden.get(place)
            told = entry.get("to", {}).get("seats") if kind in TOLD_TO else seats
            may_hide = not kind.startswith("core.") or kind in (*TOLD_TO, "core.settings")
            if told != seats or not set(seats or []) <= set(range(self.seats)) or not (seats is None or may_hide):
                refuse(f"Step {number} tells a roll or a card to others than it says, or hides what all may know.")
            if kind in CHECKED_ENTRIES or kind in self.parts.entries:
                checker = self if kind in CHECKED_ENTRIES else self.parts
                getattr(checker, "check_" + kind.removeprefix("core."))(number, cause, entry)
            elif kind.startswith("core.") and kind not in OTHER_CORE_ENTRIES:
                refuse(f"Step {number} has an entry that this checker does not know: {kind!r}.")
            self.note_cards(entry, [-1] if seats is None else seats)
        self.add_to_head(number, cause, entries, asked, hidden)
        self.parts.origin, self.asked = self.parts.origin or self.head, asked
        # what the host gives up later begins at the last moment when nothing was being resolved
        if asked is None and cause["c"] not in ("aside", "tip", "table", "seats", "call", "deferred", "opened"):
            self.decks_at_rest = dict(self.decks)

    def begin(self, entry: Entry) -> None:
        if entry["match"] != self.match:
            refuse("The log is that of another match than the file names.")
        if entry["commitment"] != self.seeds[0]:
            refuse("The secret that was opened is not the one that the host was bound to when the match began.")
        self.seats, self.log = entry["seats"], entry.get("log", 1)
        scheme, has_parts, strict = entry.get("dice", 1), entry.get("parts", False), entry.get("strict", False)
        if (
            strict not in (False, has_parts)
            or {self.log, scheme} - {1, 2}
            or has_parts not in (False, scheme == 2)
            or not 0 < self.seats < 65
        ):
            refuse("The log, its dice or its seats are of a layout that this checker does not know.")
        if scheme == 2:
            self.parts = EntropyParts(self.match, self.seats, allowed=has_parts, strict=strict)

    def give_up(self, number: int, entries: list[Entry]) -> None:
        """Put back the decks before what is given up; in dice 2 each that it touched is shuffled anew."""
        before, touched = self.decks_at_rest, [n for n, d in self.decks.items() if d is not self.decks_at_rest.get(n)]
        rest = [(name, sorted(before[name].cards[before[name].drawn :]) if name in before else []) for name in touched]
        put_back = [(entry["deck"], list(entry["cards"])) for entry in entries if entry["e"] == "core.deck"]
        if isinstance(self.parts, EntropyParts) and sorted(put_back) != sorted(rest):
            refuse(f"Step {number} does not put back the decks that what it gives up had touched.")
        self.decks = dict(before)

    def note_cards(self, entry: Entry, audience: list[int]) -> None:
        """Note who knows a drawn card: all who may know an entry that names it (-1: everyone)."""
        if entry["e"] == "core.card":
            self.known.setdefault(entry["card"], set()).update(audience)
        elif entry["e"] == "core.deck":
            self.named.update(entry["cards"])
        elif not entry["e"].startswith("core."):
            packed = msgpack.packb(entry)
            for known in [seats for name, seats in self.known.items() if -1 not in seats and name.encode() in packed]:
                known.update(audience)

    def check_round(self, number: int, cause: Entry, entry: Entry) -> None:
        if entry.get("seed", b"") != (self.seeds[self.round] if self.round else b""):
            refuse(f"Step {number} tells a wrong seed of round {self.round}.")
        self.round += 1
        self.next_roll = {"open": 0, "hidden": 0}
        if entry["round"] != self.round or self.round > ROUNDS:
            refuse(f"Step {number} opens round {entry['round']} where round {self.round} is next.")
        links, proofs = (list(entry.get(name, [])) for name in ("links", "proofs"))
        if [list(cause.get(name, [])) for name in ("links", "proofs")] != [links, proofs]:
            refuse(f"Step {number} opens a round with other links or proofs than were given.")
        self.parts.open(number, cause, links, proofs, self.head)

    def check_opened(self, number: int, cause: Entry, entry: Entry) -> None:
        if not isinstance(self.parts, EntropyParts):
            refuse(f"Step {number} opens parts for a step that was not put off.")
        self.parts.open_deferred(number, cause, self.head)

    def round_key(self, *, hidden: bool) -> bytes:
        seed = (self.hidden_seeds if hidden else self.seeds)[max(self.round, 1)]
        return mac(seed, self.parts.label, self.match.encode(), u64(self.round), *self.parts.entropy)

    def count_roll(self, number: int, entry: Entry, chain: str) -> None:
        if entry["round"] != self.round or entry["n"] != self.next_roll[chain]:
            due = f"roll {self.next_roll[chain]} of round {self.round} is next."
            refuse(f"Step {number}: roll {entry['n']} of round {entry['round']} is out of order; {due}")
        self.next_roll[chain] += 1
        self.rolls += 1

    def check_dice(self, number: int, cause: Entry, entry: Entry) -> None:
        hidden = entry.get("to", {}).get("seats") is not None
        self.count_roll(number, entry, "hidden" if hidden else "open")
        fair = faces(self.round_key(hidden=hidden), entry["n"], entry["sides"], len(entry["faces"]))
        if list(entry["faces"]) != fair:
            what = f"Step {number}: roll {entry['n']} of round {self.round} (for {entry['purpose']!r})"
            refuse(f"{what} is {list(entry['faces'])} in the log, but the secret gives {fair}.")
        audience = set(entry["to"]["seats"] if hidden else [-1])
        self.rolled[hidden, self.round, entry["n"]] = (entry["seat"], entry["sides"], *fair), audience

    def check_order(self, number: int, cause: Entry, entry: Entry) -> None:
        self.count_roll(number, entry, "open")
        key = mac(self.round_key(hidden=False), "dice-v1/order", u64(entry["n"]))
        if entry["order"] != permutation(key, len(entry["order"])):
            refuse(f"Step {number}: the order for {entry['purpose']!r} is not the one that the secret gives.")

    def check_deck(self, number: int, cause: Entry, entry: Entry) -> None:
        name, cards = entry["deck"], list(entry["cards"])
        epoch = self.epochs[name] = self.epochs.get(name, -1) + 1
        if entry["epoch"] != epoch or entry["round"] != self.round:
            refuse(f"Step {number}: deck {name!r} was shuffled for the wrong time or in the wrong round.")
        if cards != sorted(cards):
            refuse(f"Step {number}: the cards of deck {name!r} were not sorted before they were shuffled.")
        place = (self.match.encode(), name.encode(), u64(epoch), *self.parts.entropy)
        cards = [cards[n] for n in permutation(mac(self.deck_secret, "dice-v1/epoch", *place), len(cards))]
        salts = [self.salt(f"deck/{name}/{epoch}/{n}") for n in range(len(cards))]
        leaves = [digest("dice-v1/card", u64(n), salts[n], card.encode()) for n, card in enumerate(cards)]
        self.decks[name] = Deck(epoch, cards, salts, tree(leaves), 0)
        if [entry["root"]] != self.decks[name].rows[-1]:
            refuse(f"Step {number}: the root told for deck {name!r} is not that of its cards.")
        self.orders += 1

    def check_card(self, number: int, cause: Entry, entry: Entry) -> None:
        name, index = entry["deck"], entry["index"]
        deck = self.decks.get(name)
        if deck is None or entry["epoch"] != deck.epoch or index != deck.drawn or index >= len(deck.cards):
            refuse(f"Step {number}: card {index} of deck {name!r} was drawn, which was not the next one.")
        if entry["card"] != (fair := deck.cards[index]):
            refuse(f"Step {number}: {entry['card']!r} was drawn from deck {name!r}, but {fair!r} lay on top.")
        path = [row[index >> n ^ 1] for n, row in enumerate(deck.rows) if index >> n ^ 1 < len(row)]
        if (entry["salt"], entry["path"]) != (deck.salts[index], path):
            refuse(f"Step {number}: the opening of card {index} of deck {name!r} does not lead to the deck's root.")
        self.decks[name] = deck._replace(drawn=index + 1)
        self.cards += 1


def canonical(value: Any) -> Any:
    """Return the value with the keys of all maps sorted by bytes."""
    if isinstance(value, dict):
        return {key: canonical(value[key]) for key in sorted(value, key=str.encode)}
    return [canonical(item) for item in value] if isinstance(value, list) else value


def merged(before: Any, patch: Entry) -> Entry:
    """Apply a merge patch (RFC 7386): null deletes, maps are merged, anything else is replaced."""
    old = before if isinstance(before, dict) else {}
    new = {key: merged(old.get(key), value) if isinstance(value, dict) else value for key, value in patch.items()}
    return {key: value for key, value in {**old, **new}.items() if value is not None}


class Stream:
    """Stream of one audience: pictures, each with its hash, and the dice and cards in them."""

    def __init__(self, name: str, log: Log) -> None:
        self.name, self.log = name, log
        self.seat = -1 if name == "public" else int(name.removeprefix("seat/"))
        self.n, self.changes, self.dice, self.cards, self.unnumbered = -1, 0, 0, 0, 0

    def check(self, frames: Iterable[Entry], public: int) -> None:
        """Go through all frames. `public`: the last number of the public stream, for a private one."""
        nodes: dict[str, Entry] = {}
        hashes: dict[str, int] = {}
        for frame in frames:
            if frame["t"] == "snapshot":
                nodes, hashes = {}, {}
            elif frame["t"] != "delta" or self.n < 0 or frame["n"] != self.n + 1:
                refuse(f"The stream {self.name!r} has a gap after number {self.n}.")
            patch = frame["nodes" if frame["t"] == "snapshot" else "patch"]
            self.n, self.changes = frame["n"], self.changes + 1
            self.where = f"In the stream {self.name!r}, number {self.n}"
            for id, change in patch.items():
                node, _ = nodes.pop(id, None), hashes.pop(id, None)
                if change is not None:
                    nodes[id] = merged(node, change)
                    data = msgpack.packb([id, canonical(nodes[id])])
                    hashes[id] = int.from_bytes(blake2b(data, digest_size=8).digest(), "big")
                    self.check_node(nodes[id])
            if sum(hashes.values()) % 2**64 != frame["hash"]:
                refuse(f"{self.where} does not lead to the picture that it states.")
            if frame["part"] != ("public" if self.seat < 0 else "private") or frame.get("after", 0) > public:
                refuse(f"{self.where} belongs to another picture.")
            for cue in frame.get("cues", []):
                if (dice := cue.get("dice")) is not None:
                    self.check_dice(dice)

    def check_node(self, node: Entry) -> None:
        for card in node.get("cards", []):
            seen = self.log.known.get(card["id"], set())
            if card["id"] in self.log.named and not seen & {-1, self.seat}:
                refuse(f"{self.where} shows the card {card['id']!r}, which was not drawn, or not for this seat.")
            self.cards += card["id"] in self.log.named
        for dice in node.get("dice", []):
            self.check_dice(dice)

    def check_dice(self, dice: Entry) -> None:
        """Refuse dice that are not those of the roll that they name; in matches with dice 1 some name none."""
        roll = (dice["seat"], dice["sides"], *dice["faces"])
        place = (dice.get("hidden", False), dice.get("round", -1), dice.get("n", -1))
        if place[2] < 0 and isinstance(self.log.parts, Links):
            self.unnumbered += 1
            return
        found, audience = self.log.rolled.get(place, ((), set()))
        if found != roll or not audience & {-1, self.seat}:
            refuse(f"{self.where} shows dice that are no roll of the log: {dice['faces']} of {dice['sides']} sides.")
        self.dice += 1


def check_streams(sections: list[bytes], log: Log) -> list[Stream]:
    """Refuse what the audiences cannot have been shown; returns their streams, the public one first."""
    pairs = [list(records(section)) for section in sections]
    frames = {name.decode("ascii"): map(msgpack.unpackb, frames) for name, *frames in pairs}
    if "public" not in frames or len(frames) != len(sections):
        refuse("The file lacks the public stream, or has a stream twice.")
    streams = [Stream(name, log) for name in sorted(frames)]
    for shown in streams:
        shown.check(frames[shown.name], 0 if shown.seat < 0 else streams[0].n)
    return streams


def names_in(sections: dict[str, list[bytes]], header: Entry) -> list[str]:
    """Return the names of seats: from beside what is signed, or of a file of version 1 from its head."""
    if not sections["name"]:
        return [str(seat.get("name", "")) for seat in header.get("seats", [])]
    names = msgpack.unpackb(sections["name"][0]).get("seats", [])
    if len(names) != len(header["seats"]) or not all(isinstance(name, str) for name in names):
        refuse("The names beside the file are not one for each seat.")
    return list(names)


def check(data: bytes, key: bytes = b"") -> list[str]:
    """Return what was found; `key`: the host's, where it is known. Raises VerificationFailed with the first fault."""
    where = "The file"
    try:
        sections = read_sections(data)
        steps = list(records(sections["tlog"][0]))
        seal, host = sections["seal"][0], sections["sign"][0]
        if key not in (b"", host):
            refuse("The file was signed by another host than the one you know.")
        if len(seal) == 128:
            refuse("The host has not opened the secret of this match: its dice are unproven.")
        header = msgpack.unpackb(sections["head"][0])
        log = Log(header["match"], seal[128:])
        if seal[:32] != log.seeds[0]:
            refuse("The secret that was opened does not give the commitment that the file states.")
        for number, step in enumerate(steps, start=1):
            where = f"Step {number} of the log"
            log.check_step(number, step)
            if number == 1:
                check_signature(host, seal[64:128], "head", log.match.encode(), u64(1), log.head)
        if log.head != seal[32:64] or not steps:
            refuse("The steps of the log are not those that the stated head was made of.")
        where = "A stream of the file"
        streams = check_streams(sections["strm"], log)
        names = verify_report.names_of(names_in(sections, header), log.seats)
        how = log.parts.report(names)
    except (VerificationFailed, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - whatever a hostile file makes the decoder or a look-up raise, it means the same
        raise VerificationFailed(f"{where} is not in the form that it should have.") from None
    changes = sum(one.changes - 1 for one in streams)
    counted = f"{len(steps)} steps, {log.rolls} rolls, {log.orders} shuffled decks, {log.cards} cards"
    return [
        f"Everything holds: {counted}, {len(streams)} streams with {changes} changes.",
        f"The last head of match {log.match!r} is {log.head.hex()}, signed by the host {host.hex()}.",
        *verify_report.shown(*(sum(getattr(one, kind) for one in streams) for kind in ("dice", "cards", "unnumbered"))),
        *verify_report.noted(log.noted),
        *verify_report.unsigned(len(sections["name"])),
        *how,
    ]


def main(arguments: list[str]) -> int:
    """Check a file. Exit code 0: everything holds; 1: the first thing that does not is printed; 2: nothing to check."""
    try:
        name, key = arguments[0], bytes.fromhex("".join(arguments[1:]))
        print("\n".join(check(Path(name).read_bytes(), key)))
    except (IndexError, ValueError, OSError) as problem:
        wanted = "Name the one .replay file to check, and the host's key (64 digits) where you know it."
        why = f"The file cannot be read: {problem.strerror}." if isinstance(problem, OSError) else wanted
        print(why, file=sys.stderr)
        return 2
    except VerificationFailed as problem:
        print(problem)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
