"""Dice of a match: derived, and the same for the same question in whatever order it is asked."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.core.rules.dice import MatchDice, Pool, Roll, card_salt, tree_of
from protocol.fairness.entropy_chain import NO_MIX
from protocol.ids import MatchId
from protocol.proof.dice import SeedChain, dice_secret, salt, salt_secret
from protocol.proof.leaves import card_leaf, root_of
from protocol.scene.nodes import RollId

MATCH = MatchId("m1")

SECRET = bytes(range(32))
CARDS = tuple(f"card{n}" for n in range(7))


def dice(secret: bytes = SECRET, match: MatchId = MATCH) -> MatchDice:
    return MatchDice(secret, match)


def test_a_roll_is_named_by_its_number_and_has_a_sum() -> None:
    roll = Roll((6, 2, 3), 4, 1, hidden=True)
    assert roll.id == RollId(4, 1, hidden=True)
    assert roll.total == 11
    assert Roll((), 4, 1).id == RollId(4, 1)


@given(st.integers(1, 60), st.integers(0, 50), st.integers(0, 30), st.integers(1, 100))
def test_every_face_is_one_of_the_dies(round: int, n: int, count: int, sides: int) -> None:
    for hidden in (False, True):
        faces = dice().faces(round, NO_MIX, n, Pool(count, sides), hidden=hidden)
        assert len(faces) == count
        assert all(1 <= face <= sides for face in faces)


def test_a_roll_is_the_same_whatever_was_rolled_before_it() -> None:
    one, other = dice(), dice()
    places = [(round, n, hidden) for round in (1, 2) for n in (0, 1) for hidden in (False, True)]
    rolled = {place: one.faces(place[0], NO_MIX, place[1], Pool(12), hidden=place[2]) for place in places}
    for round, n, hidden in reversed(places):
        assert other.faces(round, NO_MIX, n, Pool(12), hidden=hidden) == rolled[round, n, hidden]
    assert len(set(rolled.values())) == len(places)


def test_secret_match_and_entropy_each_make_other_dice() -> None:
    rolled = {
        source.faces(1, entropy, 0, Pool(20), hidden=False)
        for source, entropy in (
            (dice(), NO_MIX),
            (dice(bytes(32)), NO_MIX),
            (dice(match=MatchId("m2")), NO_MIX),
            (dice(), b"m" * 32),
        )
    }
    assert len(rolled) == 4


@given(st.integers(0, 40))
def test_orders_and_decks_are_permutations(size: int) -> None:
    source = dice()
    assert sorted(source.order(1, NO_MIX, 0, size)) == list(range(size))
    assert sorted(source.deck("fruit", 0, NO_MIX, size)) == list(range(size))


def test_each_epoch_of_each_deck_has_an_order_of_its_own_and_keeps_it() -> None:
    source = dice()
    places = [(name, epoch) for name in ("fruit", "fate") for epoch in (0, 1)]
    orders = {place: source.deck(*place, NO_MIX, 20) for place in places}
    assert len(set(orders.values())) == 4
    for place in reversed(places):
        assert source.deck(*place, NO_MIX, 20) == orders[place]


def test_the_tree_of_an_epoch_holds_its_cards_from_the_top() -> None:
    source = dice()
    other = source.tree("fruit", 1, NO_MIX, CARDS)
    tree = source.tree("fruit", 0, NO_MIX, CARDS)
    assert tree.root == tree_of(dice(), "fruit", 0, NO_MIX, CARDS).root
    assert tree.root != other.root
    assert tree.root != source.tree("fruit", 0, NO_MIX, CARDS[1:]).root
    for place, card in enumerate(source.deck("fruit", 0, NO_MIX, len(CARDS))):
        found = card_leaf(place, card_salt(source, "fruit", 0, place), CARDS[card])
        assert root_of(found, place, len(CARDS), tree.path(place)) == tree.root


def test_salts_are_those_of_their_labels() -> None:
    source = dice()
    assert source.salt("deck/fruit/2/5") == salt(salt_secret(SECRET), MATCH, "deck/fruit/2/5")
    assert card_salt(source, "fruit", 2, 5) == source.salt("deck/fruit/2/5")
    told = [source.salt("step/3/cause"), source.salt("step/3/nobody")]
    assert source.salts(b"step/3/", [b"cause", b"nobody"]) == told
    assert [len(piece) for piece in source.pieces(3, 5)] == [32] * 5


def test_the_commitment_binds_the_seeds_that_are_told() -> None:
    chain = SeedChain(dice_secret(SECRET), MATCH)
    assert dice().commitment == chain.commitment
    assert dice().seed(3) == chain.seed(3)


@pytest.mark.parametrize("pool", [Pool(2), Pool(2, 6)])
def test_dice_have_six_sides_unless_others_are_named(pool: Pool) -> None:
    assert pool == Pool(2, 6)
