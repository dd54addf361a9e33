"""The part of the foreign client that follows the facts of a match and adds to its dice, from docs/dice.md alone."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from hmac import digest
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

LINKS: Final = 4096

Message = dict[str, Any]


def joined(*parts: bytes) -> bytes:
    """Every part after its length in 4 bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def u64(number: int) -> bytes:
    """8 bytes, big-endian."""
    return number.to_bytes(8, "big")


def _hashed(*parts: bytes) -> bytes:
    return sha256(joined(*parts)).digest()


def faces(key: bytes, n: int, sides: int, count: int) -> list[int]:
    """Roll n of the round with this key."""
    found: list[int] = []
    below, block = 256 // sides * sides, 0
    while len(found) < count:
        data = digest(key, joined(b"eschaton/dice-v1/roll", u64(n), u64(block)), "sha256")
        found += [byte % sides + 1 for byte in data if byte < below]
        block += 1
    return found[:count]


class ForeignDice:
    """Follows the facts of one match of dice 2, and opens one chain. What does not hold is an AssertionError."""

    def __init__(
        self,
        match: str,
        host: bytes,
        seat: int,
        draw: Callable[[int], bytes],
        is_signed: Callable[[bytes, bytes, bytes], bool],
    ) -> None:
        self.seat = seat
        self.round = 0
        self.rolls: dict[tuple[int, int], Message] = {}
        """All open rolls told, by round and number."""
        self.checked: set[tuple[int, int]] = set()
        """Those that follow from the seed of their round and from all parts."""
        self.counted: list[int] = []
        """The rounds that this program's part is in."""
        self.opened: list[list[int]] = []
        """At a strict table: the seats whose parts are in each step that was put off."""
        self.cards = 0
        self._match, self._host, self._is_signed, self._draw = match, host, is_signed, draw
        self._count = 0
        self._is_live = False
        self._origin = b""
        self._holders: list[str] = []
        self._chains: dict[int, dict[str, Any]] = {}
        self._had: set[bytes] = set()
        self._absences: dict[int, tuple[int, int]] = {}
        self._called = self._rounds_called = 0
        """Calls, and those of them that were for rounds."""
        self._is_strict = False
        self._call: Message | None = None
        self._seed = b""
        self._mix = bytes(32)
        self._mixes: dict[tuple[int, int], bytes] = {}
        """The mix by which each roll was made."""
        self._decks: dict[str, Message] = {}
        self._chain: list[bytes] = []
        self._key = Ed25519PrivateKey.from_private_bytes(draw(32))
        self._has_said = False
        self._wanted: Message | None = None
        self._opened: dict[int, tuple[int, bytes]] = {}

    def connected(self) -> int:
        """A new connection: the tip is said on it again. Returns the number of facts known, to ask for those after."""
        self._is_live, self._has_said, self._wanted = False, False, None
        return self._count

    def hear(self, message: Message) -> list[Message]:
        """Take a `proof` or an `entropy_wanted`; returns what is to be said now."""
        if message["t"] == "entropy_wanted":
            self._wanted = message
        else:
            assert message["first"] <= self._count, "facts are missing"
            for fact in message.get("facts", [])[self._count - message["first"] :]:
                self._count += 1
                self._take(fact)
            self._is_live = self._is_live or not message.get("more", False)
        return [*self._tip(), *self._opening()] if self._is_live else []

    def _tip(self) -> list[Message]:
        if self._has_said or not self._origin or self.seat < 0:
            return []
        if not self._chain:
            chain = [self._draw(32)]
            for _ in range(LINKS):
                chain.append(_hashed(b"eschaton/dice-v2/link", self._match.encode(), self._origin, chain[-1]))
            self._chain = chain[::-1]
        self._has_said = True
        public = self._key.public_key().public_bytes_raw()
        return [{"t": "tip", "table": self._match, "tip": self._chain[0], "key": public}]

    def _opening(self) -> list[Message]:
        wanted, call = self._wanted, self._call
        if wanted is None or call is None or not self._is_mine(wanted, call):
            return []
        self._wanted = None
        round, version, head = call["round"], call["version"], call["head"]
        if self._opened.setdefault(round, (version, head)) != (version, head) or round < max(self._opened):
            return []
        words = self._opening_words(call, self._chain[round])
        part = {"round": round, "link": self._chain[round], "proof": self._key.sign(words)}
        return [{"t": "entropy", "table": self._match, **part}]

    def _is_mine(self, wanted: Message, call: Message) -> bool:
        names = ("round", "version", "head")
        chain = self._chains.get(self.seat, {})
        return (
            wanted["table"] == self._match
            and all(wanted[name] == call[name] for name in names)
            and self.seat in call["seats"]
            and chain.get("tip") == self._chain[0]
            and self._is_head(wanted)
        )

    def _opening_words(self, call: Message, link: bytes) -> bytes:
        numbers = u64(call["round"]), u64(call["version"])
        return joined(b"eschaton/dice-v2/open", self._match.encode(), *numbers, call["head"], link)

    def _is_head(self, fact: Message) -> bool:
        numbers = u64(fact.get("version", 1)), fact["head"]
        words = joined(b"eschaton/sign-v1/head", self._match.encode(), *numbers)
        return self._is_signed(self._host, words, fact["signature"])

    # Facts

    def _take(self, fact: Message) -> None:
        match fact["f"]:
            case "bound":
                assert (self._count, fact["match"]) == (1, self._match)
                assert (fact["dice"], fact["parts"]) == (2, True)
                assert self._is_head(fact)
                self._origin, self._seed = fact["head"], fact["commitment"]
                self._holders, self._is_strict = ["empty"] * fact["seats"], fact.get("strict", False)
            case "seat":
                self._holders[fact["seat"]] = fact["by"]
                if fact["by"] != "person":
                    self._end_chain(fact["seat"])
            case "tip":
                assert self._holders[fact["seat"]] == "person"
                assert not self._had & {fact["tip"], fact["key"]}
                self._end_chain(fact["seat"])
                self._had |= {fact["tip"], fact["key"]}
                start = {"since": self._called, "link": fact["tip"], "round": 0}
                self._chains[fact["seat"]] = {"tip": fact["tip"], "key": fact["key"], **start}
            case "call":
                is_deferred = fact.get("deferred", False)
                due = self._due(self.round if is_deferred else self.round + 1)
                due = [seat for seat in due if not is_deferred or seat != fact.get("actor", -1)]
                assert (fact["round"], list(fact["seats"])) == (self._called + 1, due)
                assert self._is_strict or not is_deferred
                assert self._is_head(fact)
                self._call, self._called = fact, fact["round"]
                self._rounds_called += not is_deferred
            case "round":
                self._begin(fact)
            case "opened":
                assert (self._is_strict, fact["call"]) == (True, self._called)
                self._take_parts(fact, self.round)
                self.opened.append([seat for seat, link in enumerate(fact["links"]) if link])
            case "roll":
                assert fact["round"] == self.round
                self.rolls[fact["round"], fact["n"]] = fact
                self._mixes[fact["round"], fact["n"]] = self._mix
            case "deck":
                self._decks[fact["deck"]] = fact
            case "card":
                self._check_card(fact)

    def _end_chain(self, seat: int) -> None:
        if self._chains.pop(seat, None) is not None:
            self._absent(seat, self._rounds_called)

    def _absent(self, seat: int, round: int) -> None:
        times, until = self._absences.get(seat, (0, 0))
        self._absences[seat] = times + 1, max(until, round + 2 ** min(times, 12))

    def _due(self, round: int) -> list[int]:
        first = max(1, self._called)
        out = {seat for seat, (_, until) in self._absences.items() if round <= until}
        return [seat for seat in sorted(self._chains) if self._chains[seat]["since"] < first and seat not in out]

    def _begin(self, fact: Message) -> None:
        assert fact["round"] == self.round + 1
        if self.round:
            self._open_seed(fact["seed"])
        self._take_parts(fact, fact["round"])
        self.round = fact["round"]
        if fact["links"][self.seat]:
            self.counted.append(self.round)

    def _take_parts(self, fact: Message, round: int) -> None:
        """Check the parts of the last call, and mix them in; whoever gave none is absent in this round."""
        call, links = self._call, fact["links"]
        assert call is not None
        assert fact["version"] == call["version"] + 1
        assert self._is_head(fact)
        for seat, (link, proof) in enumerate(zip(links, fact["proofs"], strict=True)):
            if link:
                self._check_link(call, seat, link, proof)
            elif seat in call["seats"]:
                self._absent(seat, round)
        self._call = None
        self._mix = _hashed(b"eschaton/dice-v2/mix", self._match.encode(), u64(self._called), self._mix, *links)

    def _check_link(self, call: Message, seat: int, link: bytes, proof: bytes) -> None:
        assert seat in call["seats"]
        chain, hashed = self._chains[seat], link
        assert self._is_signed(chain["key"], self._opening_words(call, link), proof)
        for _ in range(call["round"] - chain["round"]):
            hashed = _hashed(b"eschaton/dice-v2/link", self._match.encode(), self._origin, hashed)
        assert hashed == chain["link"]
        chain["link"], chain["round"] = link, call["round"]

    def _open_seed(self, seed: bytes) -> None:
        """The host has told the seed of the round that ends: it leads to the one before, and all rolls follow."""
        match, round = self._match.encode(), self.round
        assert _hashed(b"eschaton/dice-v1/chain", match, u64(round), seed) == self._seed
        self._seed = seed
        for (of, n), roll in self.rolls.items():
            if of == round:
                words = joined(b"eschaton/dice-v2/round", match, u64(round), self._mixes[of, n])
                key = digest(seed, words, "sha256")
                assert faces(key, n, roll["sides"], len(roll["faces"])) == list(roll["faces"])
                self.checked.add((of, n))

    def _check_card(self, fact: Message) -> None:
        deck, place, path = self._decks[fact["deck"]], fact["index"], list(fact["path"])
        assert fact["epoch"] == deck["epoch"]
        count = deck["cards"]
        found = _hashed(b"eschaton/dice-v1/card", u64(place), fact["salt"], fact["card"].encode())
        while count > 1:
            if place ^ 1 < count:
                other = path.pop(0)
                pair = (other, found) if place & 1 else (found, other)
                found = _hashed(b"eschaton/dice-v1/node", *pair)
            place, count = place // 2, (count + 1) // 2
        assert (found, path) == (deck["root"], [])
        self.cards += 1
