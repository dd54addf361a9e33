"""dice-v1 against vectors and a slow second computation that shares nothing with it but SHA-256."""

from __future__ import annotations

import hmac
import json
from collections import Counter
from hashlib import sha256
from itertools import count, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from protocol.ids import MatchId
from protocol.proof import dice
from protocol.proof.leaves import Tree, leaf

MATCH = MatchId("m")
MATCH_MATCH_1 = MatchId("match/1")

SECRET = bytes(range(32))
VECTORS = json.loads((Path(__file__).parent / "dice_vectors.json").read_text())


def slow_hmac(key: bytes, message: bytes) -> bytes:
    """Compute HMAC by RFC 2104, word for word."""
    block = (sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = sha256(bytes(b ^ 0x36 for b in block) + message).digest()
    return sha256(bytes(b ^ 0x5C for b in block) + inner).digest()


def slow_joined(*parts: bytes | str | int) -> bytes:
    data = b""
    for part in parts:
        if isinstance(part, int):
            part = bytes(part >> shift & 255 for shift in range(56, -8, -8))
        elif isinstance(part, str):
            part = part.encode()
        data += bytes(len(part) >> shift & 255 for shift in (24, 16, 8, 0)) + part
    return data


def slow_mac(key: bytes, tag: str, *parts: bytes | str | int) -> bytes:
    return slow_hmac(key, slow_joined(f"eschaton/dice-v1/{tag}", *parts))


def slow_seed(secret: bytes, match: MatchId, round: int) -> bytes:
    seed = secret
    for number in range(4096, round, -1):
        seed = sha256(slow_joined("eschaton/dice-v1/chain", match, number, seed)).digest()
    return seed


def slow_key(secret: bytes, match: MatchId, round: int, links: list[bytes]) -> bytes:
    return slow_mac(slow_seed(secret, match, max(round, 1)), "round", match, round, len(links), *links)


def slow_faces(key: bytes, n: int, sides: int, wanted: int) -> list[int]:
    stream = (byte for block in count() for byte in slow_mac(key, "roll", n, block))
    good = (byte for byte in stream if byte < 256 - 256 % sides)
    return [next(good) % sides + 1 for _ in range(wanted)]


def slow_permutation(key: bytes, size: int) -> list[int]:
    data = (byte for block in count() for byte in slow_mac(key, "cards", block))
    places = list(range(size))
    for k in range(size, 1, -1):
        while (number := next(data) * 256 + next(data)) >= 65_536 - 65_536 % k:
            pass
        places[k - 1], places[number % k] = places[number % k], places[k - 1]
    return places


def slow_vectors() -> list[dict[str, object]]:
    """Compute the content of dice_vectors.json."""
    found: list[dict[str, object]] = []
    links = [b"one", b"", b"three" * 7]
    for round, sides, wanted, n in ((1, 6, 8, 0), (1, 6, 8, 1), (0, 10, 3, 0), (7, 20, 40, 300), (4096, 256, 33, 2)):
        key = slow_key(SECRET, MATCH_MATCH_1, round, links)
        face = slow_faces(key, n, sides, wanted)
        place = {"match": "match/1", "round": round, "links": [link.hex() for link in links], "key": key.hex()}
        found.append({"kind": "faces", **place, "n": n, "sides": sides, "faces": face})
    for deck, epoch, size in (("action", 1, 54), ("action", 2, 54), ("events", 1, 1), ("big", 1, 700)):
        key = slow_mac(slow_mac(SECRET, "decks"), "epoch", "match/1", deck, epoch, 3, *links)
        place = {"match": "match/1", "deck": deck, "epoch": epoch, "links": [link.hex() for link in links]}
        found.append({"kind": "deck", **place, "order": slow_permutation(key, size)})
    key = slow_mac(slow_key(SECRET, MATCH_MATCH_1, 3, []), "order", 5)
    found.append({"kind": "order", "match": "match/1", "round": 3, "n": 5, "order": slow_permutation(key, 12)})
    return found


def test_the_vectors_are_what_the_slow_computation_gives() -> None:
    assert slow_vectors() == VECTORS
    assert len(VECTORS) == 10


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["kind"] == "faces"])
def test_faces(vector: dict[str, Any]) -> None:
    seed = dice.SeedChain(SECRET, vector["match"]).seed(vector["round"])
    key = dice.round_key(seed, vector["match"], vector["round"], tuple(bytes.fromhex(link) for link in vector["links"]))
    assert key.hex() == vector["key"]
    faces = dice.faces(key, vector["n"], vector["sides"], len(vector["faces"]))
    assert list(faces) == vector["faces"]


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["kind"] == "deck"])
def test_decks(vector: dict[str, Any]) -> None:
    links = tuple(bytes.fromhex(link) for link in vector["links"])
    place = (dice.deck_secret(SECRET), vector["match"], vector["deck"], vector["epoch"])
    assert list(dice.order(*place, links, len(vector["order"]))) == vector["order"]


def test_an_order_as_a_roll() -> None:
    vector = VECTORS[-1]
    key = dice.round_key(dice.SeedChain(SECRET, MATCH_MATCH_1).seed(3), MATCH_MATCH_1, 3, ())
    assert list(dice.shuffled(key, 5, 12)) == vector["order"]


def test_the_chain_leads_back_to_the_commitment() -> None:
    chain = dice.SeedChain(SECRET, MATCH)
    assert chain.commitment == slow_seed(SECRET, MATCH, 0)
    assert chain.seed(4096) == SECRET
    seed = SECRET
    for number in range(dice.ROUNDS, 0, -1):
        assert chain.seed(number) == seed
        seed = dice.seed_before(seed, MATCH, number)
    assert chain.commitment == seed
    assert chain.seed(0) == chain.seed(1) != chain.commitment
    for beyond in (-1, 4097):
        with pytest.raises(ValueError, match="no round"):
            chain.seed(beyond)


def test_all_that_is_derived_differs() -> None:
    other = dice.SeedChain(SECRET, MatchId("m2"))
    one = dice.SeedChain(SECRET, MatchId("m1"))
    derived = {
        one.commitment,
        other.commitment,
        one.seed(1),
        one.seed(2),
        dice.deck_secret(SECRET),
        dice.hidden_secret(SECRET),
        dice.salt(SECRET, MATCH, "ab"),
        dice.salt(SECRET, MatchId("ma"), "b"),
        dice.round_key(SECRET, MATCH, 1, ()),
        dice.round_key(SECRET, MATCH, 1, (b"",)),
        dice.round_key(SECRET, MATCH, 1, (b"", b"x")),
        dice.round_key(SECRET, MATCH, 1, (b"x", b"")),
        dice.round_key(SECRET, MATCH, 2, ()),
        dice.round_key(SECRET, MATCH, 1, bytes(32)),
        dice.round_key(SECRET, MATCH, 2, bytes(32)),
    }
    assert len(derived) == 15
    assert len(dice.salt(SECRET, MATCH, "x")) == 16


@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**32), st.integers(1, 256), st.integers(0, 60))
def test_faces_equal_the_slow_ones(key: bytes, n: int, sides: int, wanted: int) -> None:
    assert list(dice.faces(key, n, sides, wanted)) == slow_faces(key, n, sides, wanted)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 200))
def test_a_shuffle_is_a_permutation_and_equals_the_slow_one(key: bytes, size: int) -> None:
    found = dice.shuffled(key, 0, size)
    assert sorted(found) == list(range(size))
    assert list(found) == slow_permutation(slow_mac(key, "order", 0), size)


def test_impossible_dice_are_refused() -> None:
    for sides, wanted in ((0, 1), (257, 1), (6, -1), (6, 10**6)):
        with pytest.raises(ValueError, match="cannot roll"):
            dice.faces(SECRET, 0, sides, wanted)
    for size in (-1, 65_537):
        with pytest.raises(ValueError, match="cannot shuffle"):
            dice.shuffled(SECRET, 0, size)
    assert len(set(dice.shuffled(SECRET, 0, 65_536))) == 65_536


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = counts.total() / cells
    return sum((n - expected) ** 2 for n in counts.values()) / expected + (cells - len(counts)) * expected


@pytest.mark.parametrize(("sides", "most"), [(6, 20.5), (10, 27.9), (20, 43.8)])
def test_faces_are_even(sides: int, most: float) -> None:
    """Chi-square of 60,000 fixed dice, against its 99.9th percentile."""
    counts = Counter[object](face for n in range(600) for face in dice.faces(SECRET, n, sides, 100))
    assert chi_square(counts, sides) < most


def test_shuffles_are_even() -> None:
    counts = Counter[object](dice.shuffled(SECRET, n, 4) for n in range(6000))
    assert counts.keys() <= set(permutations(range(4)))
    assert chi_square(counts, 24) < 49.7


@pytest.mark.parametrize("size", [0, 1, 32, 64, 65, 200])
def test_what_is_spelled_out_for_speed_is_the_plain_thing(size: int) -> None:
    """HMAC and salts against the standard library, for keys and contents of all kinds of lengths."""
    key, data = bytes(range(size)), bytes(size)
    assert dice.mac(key, data) == hmac.digest(key, data, "sha256")
    plain = dice.joined(b"eschaton/dice-v1/salt", b"match", b"step/1/cause")
    kept = dice.Salts(key, MatchId("match"))
    names = (b"cause", b"seat/0", b"nobody", b"answer/11")
    assert kept.all(b"step/1/", names) == [
        dice.salt(key, MatchId("match"), f"step/1/{name.decode()}") for name in names
    ]
    assert kept.one("step/1/cause") == hmac.digest(key, plain, "sha256")[:16]
    assert leaf(key, data) == sha256(dice.joined(b"eschaton/log-v1/leaf", key, data)).digest()
    assert Tree([key, data]).root == sha256(dice.joined(b"eschaton/dice-v1/node", key, data)).digest()
