"""Checks a .replay file without the host and without the program that made it: `python -m client.verify FILE`.

Only the standard library and msgpack are used, and nothing of the rest of Eschaton, so that it can be read in one
sitting and does not share its mistakes. It proves that

1. the file is as it was saved (SHA-256 over all of it) and the log is one chain that ends in the head it states;
2. the secret S that the host opened at the end is the one it was bound to before the first roll (s_0 of event 0);
3. every roll and every shuffle follows from S and the links of the seats, numbered without gap or repeat;
4. every card drawn is the one that the order of its deck gives;
5. every change in the streams leads to the picture with the stated hash.

It does not prove that the rules were kept (`eschaton-server check FILE` plays the match again), nor that the host did
not look at hidden cards. Layouts: protocol/replay.py and protocol/dice.py; a step of the log is the msgpack of
[version, cause, entries, asked], where a cause is a map tagged "c" and an entry a map tagged "e".
"""

from __future__ import annotations

import hmac
import sys
from collections.abc import Iterator
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import msgpack  # type: ignore[import-untyped]

MAGIC = b"eschaton replay\n"
VERSION = 1
MOST_BYTES = 8 * 1024 * 1024
ROUNDS = 4096
ORDER_OF_SECTIONS = [b"head", b"seal", b"tlog", b"strm", b"text", b"hash"]
Entry = dict[str, Any]
OTHER_CORE_ENTRIES = {"core.answers", "core.settings", "core.undone", "core.voided"}


class DoesNotHold(Exception):
    """The first thing that does not hold, as a sentence."""


def refuse(sentence: str) -> NoReturn:
    raise DoesNotHold(sentence)


# 1. The file


def read_sections(data: bytes) -> dict[bytes, list[bytes]]:
    """Magic, version, then sections of name (4), length (4), content; the last is SHA-256 over all before it."""
    if len(data) > MOST_BYTES or not data.startswith(MAGIC):
        refuse(f"This is not a replay file, or larger than {MOST_BYTES} bytes.")
    place = len(MAGIC) + 4
    if data[len(MAGIC) : place] != VERSION.to_bytes(4, "big"):
        refuse("The file has another format than this checker knows.")
    found: dict[bytes, list[bytes]] = {name: [] for name in ORDER_OF_SECTIONS}
    last = 0
    while not found[b"hash"]:
        start = place + 8
        name, end = data[place : place + 4], start + int.from_bytes(data[place + 4 : start], "big")
        if start > len(data) or end > len(data):
            refuse("The file ends too early.")
        if name not in found or ORDER_OF_SECTIONS.index(name) < last:
            refuse(f"The file has a part that does not belong there, at byte {place}.")
        last = ORDER_OF_SECTIONS.index(name)
        if name == b"hash" and data[start:end] != sha256(data[:place]).digest():
            refuse("The file has been changed since it was saved: its SHA-256 does not fit.")
        found[name].append(data[start:end])
        place = end
    if place != len(data):
        refuse("The file has something after its end.")
    if [len(found[name]) for name in ORDER_OF_SECTIONS[:3]] != [1, 1, 1]:
        refuse("The file lacks a part, or has one twice.")
    return found


def records(content: bytes) -> Iterator[bytes]:
    """Length (4) and bytes, again and again."""
    place = 0
    while place < len(content):
        start = place + 4
        place = start + int.from_bytes(content[place:start], "big")
        if place > len(content):
            refuse("A part of the file ends in the middle of a record.")
        yield content[start:place]


def check_heads(match: str, log: list[bytes], stated: bytes) -> None:
    """Each head is SHA-256 over the head before it and the step as stored."""
    head = sha256(b"eschaton/match" + match.encode()).digest()
    for step in log:
        head = sha256(head + step).digest()
    if head != stated:
        refuse("The steps of the log are not those that the stated head was made of.")


# 2. Dice and decks, from the secret


def joined(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def mac(key: bytes, tag: str, *parts: bytes) -> bytes:
    return hmac.digest(key, joined(b"eschaton/dice-v1/" + tag.encode(), *parts), "sha256")


def seed_chain(secret: bytes, match: str) -> list[bytes]:
    """s_0 to s_4096 = secret."""
    seeds = [secret]
    for number in range(ROUNDS, 0, -1):
        inner = joined(b"eschaton/dice-v1/chain", match.encode(), u64(number), seeds[-1])
        seeds.append(sha256(inner).digest())
    return seeds[::-1]


def stream(key: bytes, tag: str, *place: bytes) -> Iterator[int]:
    """Bytes of the HMAC over block 0, 1, 2, ..."""
    block = 0
    while True:
        yield from mac(key, tag, *place, u64(block))
        block += 1


def faces(key: bytes, n: int, sides: int, count: int) -> list[int]:
    """Bytes below the largest multiple of `sides` count, others are skipped."""
    if not 1 <= sides <= 256:
        refuse(f"A die of {sides} sides was rolled.")
    good = (byte for byte in stream(key, "roll", u64(n)) if byte < 256 - 256 % sides)
    return [next(good) % sides + 1 for _ in range(count)]


def permutation(key: bytes, size: int) -> list[int]:
    """Fisher-Yates from the last place down, on numbers of two bytes, with the same rejection."""
    data = stream(key, "cards")
    places = list(range(size))
    for last in range(size - 1, 0, -1):
        number = next(data) << 8 | next(data)
        while number >= 65_536 - 65_536 % (last + 1):
            number = next(data) << 8 | next(data)
        other = number % (last + 1)
        places[last], places[other] = places[other], places[last]
    return places


class Deck(NamedTuple):
    """An epoch of a deck: its cards, their order, and how many have been drawn."""

    epoch: int
    cards: list[str]
    order: list[int]
    drawn: int = 0


class Log:
    """Goes through the steps, with the counters that the host must have had."""

    def __init__(self, match: str, secret: bytes) -> None:
        self.match = match
        self.seeds = seed_chain(secret, match)
        self.hidden_seeds = seed_chain(mac(secret, "hidden"), match)
        self.deck_secret = mac(secret, "decks")
        self.round = 0
        self.links: list[bytes] = []
        self.next_roll = {"open": 0, "hidden": 0}
        self.decks: dict[str, Deck] = {}
        self.decks_at_rest: dict[str, Deck] = {}
        self.rolls = self.orders = self.cards = 0
        self.voided: list[int] = []

    def check_step(self, number: int, data: bytes) -> None:
        version, cause, entries, asked = msgpack.unpackb(data, strict_map_key=False)
        if version != number:
            refuse(f"Step {number} of the log is missing.")
        if (number == 1) != (cause["c"] == "start"):
            refuse(f"Step {number} does not begin the match where it should.")
        if cause["c"] == "void":
            self.decks = dict(self.decks_at_rest)
            self.voided.append(number)
        for place, entry in enumerate(entries):
            if (number == 1 and place == 0) != (entry["e"] == "core.started"):
                refuse(f"Step {number} has no beginning, or a second one.")
            self.check_entry(number, cause, entry)
        # what the host gives up later begins at the last moment when nothing was being resolved
        if asked is None and cause["c"] not in ("aside", "table"):
            self.decks_at_rest = dict(self.decks)

    def check_entry(self, number: int, cause: Entry, entry: Entry) -> None:
        checks = {
            "core.started": self.check_beginning,
            "core.round": self.check_round,
            "core.dice": self.check_dice,
            "core.order": self.check_order,
            "core.deck": self.check_deck,
            "core.card": self.check_card,
        }
        kind = entry["e"]
        if kind in checks:
            checks[kind](number, cause, entry)
        elif kind.startswith("core.") and kind not in OTHER_CORE_ENTRIES:
            refuse(f"Step {number} has an entry that this checker does not know: {kind!r}.")

    def check_beginning(self, number: int, cause: Entry, entry: Entry) -> None:
        if entry["match"] != self.match:
            refuse("The log is that of another match than the file names.")
        if entry["commitment"] != self.seeds[0]:
            refuse("The secret that was opened is not the one that the host was bound to when the match began.")

    def check_round(self, number: int, cause: Entry, entry: Entry) -> None:
        self.round, self.links = self.round + 1, list(entry.get("links", []))
        self.next_roll = {"open": 0, "hidden": 0}
        if entry["round"] != self.round or self.round > ROUNDS:
            refuse(f"Step {number} opens round {entry['round']} where round {self.round} is next.")
        if cause["c"] != "round" or list(cause.get("links", [])) != self.links:
            refuse(f"Step {number} opens a round with other links than were given.")

    def key(self, hidden: bool) -> bytes:
        """The key of the round: fixed by the secret and by the links that the seats opened at its start."""
        seed = (self.hidden_seeds if hidden else self.seeds)[max(self.round, 1)]
        return mac(seed, "round", self.match.encode(), u64(self.round), u64(len(self.links)), *self.links)

    def count_roll(self, number: int, entry: Entry, chain: str) -> None:
        if entry["round"] != self.round or entry["n"] != self.next_roll[chain]:
            due = f"roll {self.next_roll[chain]} of round {self.round} is next"
            refuse(f"Step {number}: roll {entry['n']} of round {entry['round']} is out of order; {due}.")
        self.next_roll[chain] += 1
        self.rolls += 1

    def check_dice(self, number: int, cause: Entry, entry: Entry) -> None:
        hidden = entry.get("to", {}).get("seats") is not None
        self.count_roll(number, entry, "hidden" if hidden else "open")
        fair = faces(self.key(hidden), entry["n"], entry["sides"], len(entry["faces"]))
        if list(entry["faces"]) != fair:
            what = f"Step {number}: roll {entry['n']} of round {self.round} (for {entry['purpose']!r})"
            refuse(f"{what} is {list(entry['faces'])} in the log, but the secret gives {fair}.")

    def check_order(self, number: int, cause: Entry, entry: Entry) -> None:
        self.count_roll(number, entry, "open")
        key = mac(self.key(hidden=False), "order", u64(entry["n"]))
        if list(entry["order"]) != permutation(key, len(entry["order"])):
            refuse(f"Step {number}: the order for {entry['purpose']!r} is not the one that the secret gives.")

    def check_deck(self, number: int, cause: Entry, entry: Entry) -> None:
        name, cards = entry["deck"], list(entry["cards"])
        before = self.decks.get(name)
        epoch = before.epoch + 1 if before else 0
        if entry["epoch"] != epoch or entry["round"] != self.round:
            refuse(f"Step {number}: deck {name!r} was shuffled for the wrong time or in the wrong round.")
        if cards != sorted(cards):
            refuse(f"Step {number}: the cards of deck {name!r} were not sorted before they were shuffled.")
        place = (self.match.encode(), name.encode(), u64(epoch), u64(len(self.links)), *self.links)
        self.decks[name] = Deck(epoch, cards, permutation(mac(self.deck_secret, "epoch", *place), len(cards)))
        self.orders += 1

    def check_card(self, number: int, cause: Entry, entry: Entry) -> None:
        name, index = entry["deck"], entry["index"]
        deck = self.decks.get(name)
        if deck is None or entry["epoch"] != deck.epoch or index != deck.drawn or index >= len(deck.cards):
            refuse(f"Step {number}: card {index} of deck {name!r} was drawn, which was not the next one.")
        fair = deck.cards[deck.order[index]]
        if entry["card"] != fair:
            refuse(f"Step {number}: {entry['card']!r} was drawn from deck {name!r}, but {fair!r} lay on top.")
        self.decks[name] = deck._replace(drawn=index + 1)
        self.cards += 1


# 3. The streams


def canonical(value: Any) -> Any:
    """The value with the keys of all maps sorted by bytes; only words, whole numbers, yes and no may be in it."""
    if isinstance(value, dict):
        return {key: canonical(value[key]) for key in sorted(value, key=str.encode)}
    if isinstance(value, list):
        return [canonical(item) for item in value]
    return value if isinstance(value, str | int) else refuse("A picture holds something that has no place in it.")


def merged(before: Any, patch: Entry) -> Entry:
    """A merge patch (RFC 7386): null deletes, maps are merged, anything else is replaced."""
    result = dict(before) if isinstance(before, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value) if isinstance(value, dict) else value
    return result


class Picture:
    """The nodes of one part of the scene and the sum of their hashes."""

    def __init__(self) -> None:
        self.nodes: dict[str, Entry] = {}
        self.hashes: dict[str, int] = {}

    def apply(self, patch: Entry) -> None:
        for id, change in patch.items():
            self.hashes.pop(id, None)
            node = self.nodes.pop(id, None)
            if change is not None:
                self.nodes[id] = merged(node, change)
                data = msgpack.packb([id, canonical(self.nodes[id])])
                self.hashes[id] = int.from_bytes(blake2b(data, digest_size=8).digest(), "big")

    @property
    def hash(self) -> int:
        return sum(self.hashes.values()) % 2**64


def check_stream(name: str, frames: list[Entry], public: int | None) -> int:
    """Returns the last number. `public`: that of the public stream, for a private one."""
    picture, n = Picture(), -1
    for frame in frames:
        if frame["t"] == "snapshot":
            picture, n = Picture(), frame["n"]
            picture.apply(frame["nodes"])
        elif frame["t"] != "delta" or n < 0 or frame["n"] != n + 1:
            refuse(f"The stream {name!r} has a gap after number {n}.")
        else:
            n = frame["n"]
            picture.apply(frame["patch"])
        if picture.hash != frame["hash"]:
            refuse(f"In the stream {name!r}, number {n} does not lead to the picture that it states.")
        part = "public" if public is None else "private"
        if frame["part"] != part or frame.get("after", 0) > (public or 0):
            refuse(f"In the stream {name!r}, number {n} belongs to another picture.")
    return n


def check_streams(sections: list[bytes]) -> tuple[int, int]:
    """How many streams there are, and how many changes they hold."""
    streams: dict[str, list[Entry]] = {}
    for section in sections:
        name, *frames = records(section)
        streams[name.decode("ascii")] = [msgpack.unpackb(frame) for frame in frames]
    if "public" not in streams or len(streams) != len(sections):
        refuse("The file lacks the public stream, or has a stream twice.")
    public = check_stream("public", streams["public"], None)
    for audience in sorted(streams.keys() - {"public"}):
        check_stream(audience, streams[audience], public)
    return len(streams), sum(len(frames) - 1 for frames in streams.values())


def check(data: bytes) -> list[str]:
    """What was found, in sentences. Raises DoesNotHold with the first thing that does not."""
    where = "The file"
    try:
        sections = read_sections(data)
        match = msgpack.unpackb(sections[b"head"][0])["match"]
        steps = list(records(sections[b"tlog"][0]))
        seal = sections[b"seal"][0]
        where = "The seal of the file"
        check_heads(match, steps, seal[32:64])
        if len(seal) == 64:
            refuse("The host has not opened the secret of this match: its dice are unproven.")
        if len(seal) != 96 or not steps:
            refuse("The file has no secret, or no log.")
        log = Log(match, seal[64:])
        if seal[:32] != log.seeds[0]:
            refuse("The secret that was opened does not give the commitment that the file states.")
        for number, step in enumerate(steps, start=1):
            where = f"Step {number} of the log"
            log.check_step(number, step)
        where = "A stream of the file"
        streams, changes = check_streams(sections[b"strm"])
    except DoesNotHold:
        raise
    # Whatever a hostile file makes the decoder or a look-up raise, it means the same.
    except Exception:
        raise DoesNotHold(f"{where} is not in the form that it should have.") from None
    counted = f"{len(steps)} steps, {log.rolls} rolls, {log.orders} shuffled decks, {log.cards} cards"
    found = [f"Everything holds: {counted}, {streams} streams with {changes} changes."]
    found.append(f"The last head of match {match!r} is {seal[32:64].hex()}.")
    return found + [f"At step {step} the host gave up what was being resolved, after an error." for step in log.voided]


def main(arguments: list[str]) -> int:
    """Exit code 0: everything holds; 1: the first thing that does not is printed; 2: no file to read."""
    if len(arguments) != 1:
        print("Name the one .replay file to check.", file=sys.stderr)
        return 2
    try:
        print("\n".join(check(Path(arguments[0]).read_bytes())))
    except OSError as problem:
        print(f"The file cannot be read: {problem.strerror}.", file=sys.stderr)
        return 2
    except DoesNotHold as problem:
        print(problem)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
