"""Checks a .replay file without the host and without the program that made it: `python -m client.verify FILE [KEY]`.

Only the standard library, msgpack and one signature library are used, nothing of the rest of Eschaton, so that it can
be read in one sitting and does not share its mistakes. It proves that

1. the host with this key (KEY: its public key in hex, as your own program knows it) signed the file as it is;
2. the secret M that the host opened at the end is the one it was bound to before the first roll (s_0 of event 0), and
   the steps of the log are those that the host's signed heads were made of;
3. every roll and every shuffle follows from M and the links of the seats, numbered without gap or repeat;
4. every card drawn is the one that the order of its deck gives, and lay under the root told when it was shuffled;
5. every change in the streams leads to the picture with the stated hash.

It does not prove that the rules were kept (`eschaton-server check FILE` plays the match again), nor that the host did
not look at hidden cards. Layouts: protocol/replay.py, protocol/dice.py, protocol/leaves.py and engine/core/heads.py.
"""

from __future__ import annotations

import hmac
import sys
from collections import namedtuple
from collections.abc import Iterable, Iterator
from hashlib import blake2b, sha256, shake_128
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MAGIC = b"eschaton replay\n\0\0\0\x01"
MOST_BYTES = 8 * 1024 * 1024
ROUNDS = 4096
Entry = dict[str, Any]
CHECKED_ENTRIES = {"core.started", "core.round", "core.dice", "core.order", "core.deck", "core.card"}
OTHER_CORE_ENTRIES = {"core.answers", "core.settings", "core.undone", "core.voided"}


class DoesNotHold(Exception):
    """The first thing that does not hold, as a sentence."""


def refuse(sentence: str) -> NoReturn:
    raise DoesNotHold(sentence)


def read_sections(data: bytes) -> dict[str, list[bytes]]:
    """Magic, version, then sections of name (4), length (4), content; at the end the host's signature and a SHA-256."""
    if len(data) > MOST_BYTES or not data.startswith(MAGIC):
        refuse(f"This is not a replay file of this format, or larger than {MOST_BYTES} bytes.")
    if data[-40:-32] != b"hash\0\0\0\x20" or data[-32:] != sha256(data[:-40]).digest():
        refuse("The file has been changed since it was saved, or ends too early: its SHA-256 does not fit.")
    if data[-144:-136] != b"sign\0\0\0\x60":
        refuse("The file is not signed.")
    found = {"head": [], "seal": [], "tlog": [], "strm": [], "text": [], "sign": [data[-136:-104]]}
    check_signature(found["sign"][0], data[-104:-40], "replay", sha256(data[:-144]).digest())
    place = len(MAGIC)
    while place < len(data) - 144:
        start = place + 8
        name, place = data[place : place + 4].decode(), start + int.from_bytes(data[place + 4 : start], "big")
        found[name].append(data[start:place])
    if place != len(data) - 144 or [len(found[name]) for name in ("head", "seal", "tlog", "sign")] != [1] * 4:
        refuse("The file lacks a part, or has one twice.")
    return found


def check_signature(key: bytes, signature: bytes, kind: str, *parts: bytes) -> None:
    """Ed25519 (RFC 8032) of the host over what it says."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, joined(b"eschaton/sign-v1/" + kind.encode(), *parts))
    except (InvalidSignature, ValueError):
        refuse(f"This is not what the host has signed: {kind}.")


def records(content: bytes) -> Iterator[bytes]:
    """Length (4) and bytes, again and again."""
    place = 0
    while place < len(content):
        start = place + 4
        place = start + int.from_bytes(content[place:start], "big")
        yield content[start:place]


def joined(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def digest(tag: str, *parts: bytes) -> bytes:
    return sha256(joined(b"eschaton/" + tag.encode(), *parts)).digest()


def mac(key: bytes, tag: str, *parts: bytes) -> bytes:
    return hmac.digest(key, joined(b"eschaton/dice-v1/" + tag.encode(), *parts), "sha256")


def seed_chain(secret: bytes, match: str) -> list[bytes]:
    """s_0 to s_4096 = secret."""
    seeds = [secret]
    for number in range(ROUNDS, 0, -1):
        seeds.append(digest("dice-v1/chain", match.encode(), u64(number), seeds[-1]))
    return seeds[::-1]


def stream(key: bytes, tag: str, *place: bytes) -> Iterator[int]:
    """Bytes of the HMAC over block 0, 1, 2, ..."""
    for block in count():
        yield from mac(key, tag, *place, u64(block))


def faces(key: bytes, n: int, sides: int, wanted: int) -> list[int]:
    """Bytes below the largest multiple of `sides` count, others are skipped."""
    if not 1 <= sides <= 256:
        refuse(f"A die of {sides} sides was rolled.")
    good = (byte for byte in stream(key, "roll", u64(n)) if byte < 256 - 256 % sides)
    return [next(good) % sides + 1 for _ in range(wanted)]


def permutation(key: bytes, size: int) -> list[int]:
    """Fisher-Yates from the last place down, on numbers of two bytes, with the same rejection."""
    data = stream(key, "cards")
    numbers = (high << 8 | next(data) for high in data)
    places = list(range(size))
    for last in range(size - 1, 0, -1):
        other = next(number for number in numbers if number < 65_536 - 65_536 % (last + 1)) % (last + 1)
        places[last], places[other] = places[other], places[last]
    return places


def tree(row: list[bytes]) -> list[list[bytes]]:
    """All rows up to the root: two make one above, the last of an odd row moves up as it is."""
    rows = [row or [digest("dice-v1/node")]]
    while len(row := rows[-1]) > 1:
        above = [digest("dice-v1/node", *row[i : i + 2]) for i in range(0, len(row) - 1, 2)]
        rows.append(above + row[len(row) & ~1 :])
    return rows


# an epoch of a deck: its cards from the top, their salts, the rows of the tree over both, how many have been drawn
Deck = namedtuple("Deck", "epoch cards salts rows drawn")


class Log:
    """Goes through the steps, with the counters that the host must have had."""

    def __init__(self, match: str, secret: bytes) -> None:
        self.match = match
        self.salt_secret = mac(secret, "salts")
        secret = mac(secret, "dice")
        self.seeds = seed_chain(secret, match)
        self.hidden_seeds = seed_chain(mac(secret, "hidden"), match)
        self.deck_secret = mac(secret, "decks")
        self.links: list[bytes] = []
        self.tips: dict[int, bytes] = {}
        self.next_roll = {"open": 0, "hidden": 0}
        self.decks: dict[str, Deck] = {}
        self.decks_at_rest: dict[str, Deck] = {}
        self.round = self.seats = self.log = self.rolls = self.orders = self.cards = 0
        self.voided: list[int] = []
        self.head = digest("log-v1/match", match.encode())

    def salt(self, label: str) -> bytes:
        return mac(self.salt_secret, "salt", self.match.encode(), label.encode())[:16]

    def leaf(self, label: str, content: bytes) -> bytes:
        return digest("log-v1/leaf", self.salt(label), content)

    def add_to_head(self, number: int, cause: Entry, entries: list[Entry], asked: Any, hidden: dict[int, Any]) -> None:
        """The head after a step: over the one before, the cause's leaf, what is public, a leaf for each audience."""
        public, secret = b"", [b""] * (self.seats + 1)
        for place, entry in enumerate(entries):
            for seat in hidden.get(place, []) or ([self.seats] if place in hidden else []):
                secret[seat] += joined(u64(place), msgpack.packb(entry))
            told = msgpack.packb(entry)
            if entry["e"] == "core.answers":
                given = [self.leaf(f"step/{number}/answer/{a['seat']}", msgpack.packb(a)) for a in entry["answers"]]
                told = joined(b"core.answers", u64(entry["question"]), *given)
            public += joined(told) if place not in hidden else b""
        first, *leaves = self.leaves(number, [msgpack.packb(cause), *secret])
        self.head = digest("log-v1/step", self.head, u64(number), first, public + joined(msgpack.packb(asked)), *leaves)

    def leaves(self, number: int, contents: list[bytes]) -> list[bytes]:
        """In log-v2 one block salts them all, and a leaf without content is its piece of the block."""
        if self.log == 1:
            names = ["cause", *[f"seat/{seat}" for seat in range(self.seats)], "nobody"]
            return [self.leaf(f"step/{number}/{names[n]}", content) for n, content in enumerate(contents)]
        key = joined(b"eschaton/log-v2/block", self.salt_secret, self.match.encode(), u64(number))
        block = shake_128(key).digest(32 * len(contents))
        salts = [block[place : place + 32] for place in range(0, len(block), 32)]
        return [digest("log-v1/leaf", salts[n], content) if content else salts[n] for n, content in enumerate(contents)]

    def check_step(self, number: int, data: bytes) -> None:
        version, cause, entries, asked, hidden = step = msgpack.unpackb(data, strict_map_key=False)
        if version != number or msgpack.packb(step) != data:
            refuse(f"Step {number} of the log is missing.")
        if (number == 1) != (cause["c"] == "start"):
            refuse(f"Step {number} does not begin the match where it should.")
        if cause["c"] == "void":
            self.decks = dict(self.decks_at_rest)
            self.voided.append(number)
        for place, entry in enumerate(entries):
            if (number == 1 and place == 0) != (entry["e"] == "core.started"):
                refuse(f"Step {number} has no beginning, or a second one.")
            if entry["e"] in ("core.dice", "core.card") and entry.get("to", {}).get("seats") != hidden.get(place):
                refuse(f"Step {number} tells a roll or a card to others than it says.")
            if (kind := entry["e"]) == "core.tip":
                self.tips[entry["seat"]] = entry["tip"]
            elif kind in CHECKED_ENTRIES:
                getattr(self, "check_" + kind.removeprefix("core."))(number, cause, entry)
            elif kind.startswith("core.") and kind not in OTHER_CORE_ENTRIES:
                refuse(f"Step {number} has an entry that this checker does not know: {kind!r}.")
        self.add_to_head(number, cause, entries, asked, hidden)
        # what the host gives up later begins at the last moment when nothing was being resolved
        if asked is None and cause["c"] not in ("aside", "tip", "table"):
            self.decks_at_rest = dict(self.decks)

    def check_started(self, number: int, cause: Entry, entry: Entry) -> None:
        if entry["match"] != self.match:
            refuse("The log is that of another match than the file names.")
        if entry["commitment"] != self.seeds[0]:
            refuse("The secret that was opened is not the one that the host was bound to when the match began.")
        self.seats, self.log = entry["seats"], entry.get("log", 1)
        if self.log not in (1, 2):
            refuse("The log is of a layout that this checker does not know.")

    def check_round(self, number: int, cause: Entry, entry: Entry) -> None:
        if entry.get("seed", b"") != (self.seeds[self.round] if self.round else b""):
            refuse(f"Step {number} tells a wrong seed of round {self.round}.")
        self.round, self.links = self.round + 1, list(entry.get("links", []))
        self.next_roll = {"open": 0, "hidden": 0}
        if entry["round"] != self.round or self.round > ROUNDS:
            refuse(f"Step {number} opens round {entry['round']} where round {self.round} is next.")
        if cause["c"] != "round" or list(cause.get("links", [])) != self.links:
            refuse(f"Step {number} opens a round with other links than were given.")
        for seat, link in enumerate(self.links):
            if link and digest("dice-v1/link", self.match.encode(), link) != self.tips.get(seat):
                refuse(f"Step {number}: the link of seat {seat} does not follow the one that the seat was bound to.")
            self.tips[seat] = link or self.tips.get(seat, b"")

    def round_key(self, hidden: bool) -> bytes:
        seed = (self.hidden_seeds if hidden else self.seeds)[max(self.round, 1)]
        return mac(seed, "round", self.match.encode(), u64(self.round), u64(len(self.links)), *self.links)

    def count_roll(self, number: int, entry: Entry, chain: str) -> None:
        if entry["round"] != self.round or entry["n"] != self.next_roll[chain]:
            what = f"roll {entry['n']} of round {entry['round']} is out of order"
            refuse(f"Step {number}: {what}; roll {self.next_roll[chain]} of round {self.round} is next.")
        self.next_roll[chain] += 1
        self.rolls += 1

    def check_dice(self, number: int, cause: Entry, entry: Entry) -> None:
        hidden = entry.get("to", {}).get("seats") is not None
        self.count_roll(number, entry, "hidden" if hidden else "open")
        fair = faces(self.round_key(hidden), entry["n"], entry["sides"], len(entry["faces"]))
        if list(entry["faces"]) != fair:
            what = f"Step {number}: roll {entry['n']} of round {self.round} (for {entry['purpose']!r})"
            refuse(f"{what} is {list(entry['faces'])} in the log, but the secret gives {fair}.")

    def check_order(self, number: int, cause: Entry, entry: Entry) -> None:
        self.count_roll(number, entry, "open")
        if entry["order"] != permutation(mac(self.round_key(False), "order", u64(entry["n"])), len(entry["order"])):
            refuse(f"Step {number}: the order for {entry['purpose']!r} is not the one that the secret gives.")

    def check_deck(self, number: int, cause: Entry, entry: Entry) -> None:
        name, cards = entry["deck"], list(entry["cards"])
        epoch = self.decks[name].epoch + 1 if name in self.decks else 0
        if entry["epoch"] != epoch or entry["round"] != self.round:
            refuse(f"Step {number}: deck {name!r} was shuffled for the wrong time or in the wrong round.")
        if cards != sorted(cards):
            refuse(f"Step {number}: the cards of deck {name!r} were not sorted before they were shuffled.")
        place = (self.match.encode(), name.encode(), u64(epoch), u64(len(self.links)), *self.links)
        cards = [cards[n] for n in permutation(mac(self.deck_secret, "epoch", *place), len(cards))]
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
    """The value with the keys of all maps sorted by bytes."""
    if isinstance(value, dict):
        return {key: canonical(value[key]) for key in sorted(value, key=str.encode)}
    return [canonical(item) for item in value] if isinstance(value, list) else value


def merged(before: Any, patch: Entry) -> Entry:
    """A merge patch (RFC 7386): null deletes, maps are merged, anything else is replaced."""
    old = before if isinstance(before, dict) else {}
    new = {key: merged(old.get(key), value) if isinstance(value, dict) else value for key, value in patch.items()}
    return {key: value for key, value in {**old, **new}.items() if value is not None}


def check_stream(name: str, frames: Iterable[Entry], public: int | None) -> int:
    """Returns the last number. `public`: that of the public stream, for a private one."""
    nodes: dict[str, Entry] = {}
    hashes: dict[str, int] = {}
    n, part = -1, "public" if public is None else "private"
    for frame in frames:
        if frame["t"] == "snapshot":
            nodes, hashes, n, patch = {}, {}, frame["n"], frame["nodes"]
        elif frame["t"] != "delta" or n < 0 or frame["n"] != n + 1:
            refuse(f"The stream {name!r} has a gap after number {n}.")
        else:
            n, patch = frame["n"], frame["patch"]
        for id, change in patch.items():
            node, _ = nodes.pop(id, None), hashes.pop(id, None)
            if change is not None:
                nodes[id] = merged(node, change)
                data = msgpack.packb([id, canonical(nodes[id])])
                hashes[id] = int.from_bytes(blake2b(data, digest_size=8).digest(), "big")
        if sum(hashes.values()) % 2**64 != frame["hash"]:
            refuse(f"In the stream {name!r}, number {n} does not lead to the picture that it states.")
        if frame["part"] != part or frame.get("after", 0) > (public or 0):
            refuse(f"In the stream {name!r}, number {n} belongs to another picture.")
    return n


def check_streams(sections: list[bytes]) -> str:
    pairs = [list(records(section)) for section in sections]
    streams = {name.decode("ascii"): map(msgpack.unpackb, frames) for name, *frames in pairs}
    if "public" not in streams or len(streams) != len(sections):
        refuse("The file lacks the public stream, or has a stream twice.")
    public = check_stream("public", streams.pop("public"), None)
    for audience, frames in streams.items():
        check_stream(audience, frames, public)
    return f"{len(pairs)} streams with {sum(len(pair) - 2 for pair in pairs)} changes"


def check(data: bytes, key: bytes = b"") -> list[str]:
    """What was found, in sentences; `key`: the host's, where it is known. Raises DoesNotHold with the first fault."""
    where = "The file"
    try:
        sections = read_sections(data)
        steps = list(records(sections["tlog"][0]))
        seal, host = sections["seal"][0], sections["sign"][0]
        if key not in (b"", host):
            refuse("The file was signed by another host than the one you know.")
        if len(seal) == 128:
            refuse("The host has not opened the secret of this match: its dice are unproven.")
        log = Log(msgpack.unpackb(sections["head"][0])["match"], seal[128:])
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
        streams = check_streams(sections["strm"])
    except (DoesNotHold, MemoryError):
        raise
    # Whatever a hostile file makes the decoder or a look-up raise, it means the same.
    except Exception:
        raise DoesNotHold(f"{where} is not in the form that it should have.") from None
    counted = f"{len(steps)} steps, {log.rolls} rolls, {log.orders} shuffled decks, {log.cards} cards"
    signed = f"The last head of match {log.match!r} is {log.head.hex()}, signed by the host {host.hex()}."
    given_up = [f"At step {step} the host gave up what was being resolved, after an error." for step in log.voided]
    return [f"Everything holds: {counted}, {streams}.", signed, *given_up]


def main(arguments: list[str]) -> int:
    """Exit code 0: everything holds; 1: the first thing that does not is printed; 2: nothing to check."""
    try:
        name, key = arguments[0], bytes.fromhex("".join(arguments[1:]))
        print("\n".join(check(Path(name).read_bytes(), key)))
    except (IndexError, ValueError):
        print("Name the one .replay file to check, and the host's key (64 digits) where you know it.", file=sys.stderr)
        return 2
    except OSError as problem:
        print(f"The file cannot be read: {problem.strerror}.", file=sys.stderr)
        return 2
    except DoesNotHold as problem:
        print(problem)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
