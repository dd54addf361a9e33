"""The hash chain: every byte of a step is bound, and hidden content shows only as leaves of equal size."""

from __future__ import annotations

import hashlib

import msgpack
import pytest

from engine.core.match.hash_chain import LOG, first_head, log_of, next_head, proof_of
from engine.core.rules.dice import MatchDice
from protocol.ids import MatchId
from protocol.proof.dice import joined, salt_secret, u64
from protocol.proof.leaves import Tree, card_leaf, leaf, root_of

MATCH = MatchId("m")

DICE = MatchDice(bytes(32), MATCH)
SALTS = salt_secret(bytes(32))
LOGS = range(1, LOG + 1)
MOVED = {"e": "moved", "unit": "tank", "hex": 7}
TOLD = {"e": "told", "words": "here"}
ANSWERS = {"e": "core.answers", "question": 3, "answers": [{"seat": 1, "reply": {"choice": "yes"}}]}


def step(*entries: object, hidden: dict[int, list[int]] | None = None, cause: str = "intent") -> bytes:
    data: bytes = msgpack.packb([5, {"c": cause}, entries, None, hidden or {}])
    return data


def head(data: bytes, hidden: dict[int, tuple[int, ...]], log: int) -> bytes:
    return next_head(first_head(MATCH), 5, proof_of(data, 3, hidden, DICE, log))


@pytest.mark.parametrize("log", LOGS)
def test_a_secret_entry_changes_its_audiences_leaf_alone(log: int) -> None:
    quiet = proof_of(step(TOLD), 3, {}, DICE, log)
    busy = proof_of(step(MOVED, TOLD, hidden={0: [1]}), 3, {0: (1,)}, DICE, log)
    assert (busy.cause, busy.public, busy.asked) == (quiet.cause, quiet.public, quiet.asked)
    assert [one == other for one, other in zip(busy.leaves, quiet.leaves, strict=True)] == [True, False, True, True]
    nobody = proof_of(step(MOVED, TOLD, hidden={0: []}), 3, {0: ()}, DICE, log)
    assert [one == other for one, other in zip(nobody.leaves, quiet.leaves, strict=True)] == [True, True, True, False]


@pytest.mark.parametrize("log", LOGS)
def test_every_part_of_a_step_is_in_its_head(log: int) -> None:
    good = step(MOVED, TOLD, hidden={0: [1]})
    heads = {
        head(good, {0: (1,)}, log),
        head(step({**MOVED, "hex": 8}, TOLD, hidden={0: [1]}), {0: (1,)}, log),
        head(step(MOVED, {**TOLD, "words": "there"}, hidden={0: [1]}), {0: (1,)}, log),
        head(step(TOLD, MOVED, hidden={1: [1]}), {1: (1,)}, log),
        head(step(MOVED, TOLD, hidden={0: [2]}), {0: (2,)}, log),
        head(step(MOVED, TOLD), {}, log),
        head(step(MOVED, TOLD, hidden={0: [1]}, cause="expiry"), {0: (1,)}, log),
    }
    assert len(heads) == 7


@pytest.mark.parametrize("log", LOGS)
def test_an_answer_of_few_options_is_never_hashed_without_salt(log: int) -> None:
    proof = proof_of(step(ANSWERS), 3, {}, DICE, log)
    [told] = proof.public
    given = msgpack.packb(ANSWERS["answers"][0])  # type: ignore[index]  # of a map of any values
    assert given not in told
    assert hashlib.sha256(given).digest() not in told
    other = proof_of(step(ANSWERS), 3, {}, MatchDice(bytes(31) + b"x", MATCH), log)
    assert other.public != proof.public
    assert len(other.public[0]) == len(told)


def test_leaves_of_the_second_layout_are_the_block_and_hashes_salted_by_it() -> None:
    """Compare with a plain computation by the definition in hash_chain.py."""
    key = b"".join(len(part).to_bytes(4, "big") + part for part in (b"eschaton/log-v2/block", SALTS, b"m", u64(5)))
    block = hashlib.shake_128(key).digest(5 * 32)
    pieces = [block[n : n + 32] for n in range(0, 160, 32)]
    proof = proof_of(step(MOVED, TOLD, hidden={0: [1]}), 3, {0: (1,)}, DICE, 2)
    told = joined(u64(0), msgpack.packb(MOVED))
    assert proof.cause == leaf(pieces[0], msgpack.packb({"c": "intent"}))
    assert proof.leaves == (pieces[1], leaf(pieces[2], told), pieces[3], pieces[4])
    # another step, another match or another secret has another block
    others = (
        DICE.pieces(6, 5),
        MatchDice(bytes(32), MatchId("n")).pieces(5, 5),
        MatchDice(bytes(31) + b"x", MATCH).pieces(5, 5),
    )
    assert len({piece for found in (pieces, *others) for piece in found}) == 20


def test_a_match_that_names_no_layout_has_the_first() -> None:
    started = {"e": "core.started", "match": "m"}
    assert [log_of(step(entry)) for entry in (started, started | {"log": 2})] == [1, 2]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 110])
def test_every_card_leads_to_the_root_from_its_place_only(count: int) -> None:
    leaves = [card_leaf(n, DICE.salt(str(n)), f"card-{n}") for n in range(count)]
    tree = Tree(leaves)
    for n, found in enumerate(leaves):
        path = tree.path(n)
        assert root_of(found, n, count, path) == tree.root
        assert root_of(found, n, count, (*path, bytes(32))) is None
        if count > 1:
            assert root_of(found, (n + 1) % count, count, path) != tree.root
            assert root_of(found, n, count, path[:-1]) is None
        assert root_of(card_leaf(n, bytes(16), f"card-{n}"), n, count, path) != tree.root
    with pytest.raises(IndexError):
        tree.path(count)
    assert len(Tree([]).root) == 32
