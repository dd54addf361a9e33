"""Heads: every byte of a step is bound, and what a viewer may not know leaves no trace but leaves of equal size."""

from __future__ import annotations

import hashlib

import msgpack
import pytest

from engine.core.dice import MatchDice
from engine.core.heads import first_head, next_head, proof_of
from protocol.leaves import Tree, card_leaf, root_of

DICE = MatchDice(bytes(32), "m")
MOVED = {"e": "moved", "unit": "tank", "hex": 7}
TOLD = {"e": "told", "words": "here"}
ANSWERS = {"e": "core.answers", "question": 3, "answers": [{"seat": 1, "reply": {"choice": "yes"}}]}


def step(*entries: object, hidden: dict[int, list[int]] | None = None, cause: str = "intent") -> bytes:
    data: bytes = msgpack.packb([5, {"c": cause}, entries, None, hidden or {}])
    return data


def head(data: bytes, hidden: dict[int, tuple[int, ...]]) -> bytes:
    return next_head(first_head("m"), 5, proof_of(data, 3, hidden, DICE.salts))


def test_a_secret_entry_changes_its_audiences_leaf_alone() -> None:
    quiet = proof_of(step(TOLD), 3, {}, DICE.salts)
    busy = proof_of(step(MOVED, TOLD, hidden={0: [1]}), 3, {0: (1,)}, DICE.salts)
    assert (busy.cause, busy.public, busy.asked) == (quiet.cause, quiet.public, quiet.asked)
    assert [one == other for one, other in zip(busy.leaves, quiet.leaves, strict=True)] == [True, False, True, True]
    nobody = proof_of(step(MOVED, TOLD, hidden={0: []}), 3, {0: ()}, DICE.salts)
    assert [one == other for one, other in zip(nobody.leaves, quiet.leaves, strict=True)] == [True, True, True, False]


def test_every_part_of_a_step_is_in_its_head() -> None:
    good = step(MOVED, TOLD, hidden={0: [1]})
    heads = {
        head(good, {0: (1,)}),
        head(step({**MOVED, "hex": 8}, TOLD, hidden={0: [1]}), {0: (1,)}),
        head(step(MOVED, {**TOLD, "words": "there"}, hidden={0: [1]}), {0: (1,)}),
        head(step(TOLD, MOVED, hidden={1: [1]}), {1: (1,)}),
        head(step(MOVED, TOLD, hidden={0: [2]}), {0: (2,)}),
        head(step(MOVED, TOLD), {}),
        head(step(MOVED, TOLD, hidden={0: [1]}, cause="expiry"), {0: (1,)}),
    }
    assert len(heads) == 7


def test_an_answer_of_few_options_is_never_hashed_without_salt() -> None:
    proof = proof_of(step(ANSWERS), 3, {}, DICE.salts)
    [told] = proof.public
    given = msgpack.packb(ANSWERS["answers"][0])  # type: ignore[index]
    assert given not in told
    assert hashlib.sha256(given).digest() not in told
    other = proof_of(step(ANSWERS), 3, {}, MatchDice(bytes(31) + b"x", "m").salts)
    assert other.public != proof.public
    assert len(other.public[0]) == len(told)


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
