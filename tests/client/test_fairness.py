"""The live check by itself: honest facts hold, and each way of bending them is named in plain words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from client.fairness import Fairness, Verdict
from client.fairness_texts import ENGLISH
from engine.core.audience import Seat
from engine.core.causes import Expiry
from engine.core.dice import MatchDice
from engine.core.match import Match
from protocol.from_server import Proof
from protocol.links import LinkChain
from protocol.proofs import AnyFact, Begun, Bound, Drawn, Rolled, Shuffled, Tipped
from protocol.scene import Dice
from protocol.text import text
from server.proving import facts_in
from tests.faults.test_forgeries import CHAINS, SECRET, Player
from tests.support.haggle import HAGGLE, Act
from tests.support.signing import HOST

Facts = list[AnyFact]


def seat_to_move(player: Player) -> int:
    player.open_rounds()
    return player.match.may_act()[0]


@cache
def told() -> tuple[AnyFact, ...]:
    """Two rounds that have ended and one that runs, as seat 0 is told them."""
    player = Player(SECRET)
    for act in ("gamble", "draw", "order", "gamble", "hidden_roll", "draw", "chain", "chain", "gamble"):
        player.act(seat_to_move(player), Act(act))
        while player.match.question is not None:
            player.do(Expiry(player.match.question.id))
            player.open_rounds()
    match = Match(HAGGLE, "m1", MatchDice(SECRET, "m1"))
    for data in player.log:
        match.replay(data)
    return tuple(one.fact for one in facts_in(match, player.log, HOST) if one.may_know(Seat(0)))


def honest() -> Facts:
    return list(told())


def followed(facts: Facts, seat: int = -1) -> Fairness:
    check = Fairness("m1", HOST.public, seat)
    check.take(Proof("m1", 0, tuple(facts)))
    return check


def change(facts: Facts, kind: type[AnyFact], bend: Callable[[Any], AnyFact], which: int = 0) -> None:
    place = [n for n, fact in enumerate(facts) if isinstance(fact, kind)][which]
    facts[place] = bend(facts[place])


def test_honest_facts_hold() -> None:
    facts = honest()
    check = followed(facts)
    rounds = [fact for fact in facts if isinstance(fact, Begun)]
    assert len(rounds) >= 2
    assert check.verdict is Verdict.CHECKED and check.broken is None
    assert check.rounds[1].verdict is Verdict.CHECKED
    assert check.rounds[check.round].verdict is Verdict.RUNNING


def test_facts_in_pages_give_the_same_and_a_gap_is_noticed() -> None:
    facts = honest()
    whole, paged = followed(facts), Fairness("m1", HOST.public)
    for first in range(0, len(facts), 3):
        assert paged.take(Proof("m1", first, tuple(facts[first : first + 3]), more=True))
    assert not paged.take(Proof("m1", len(facts) + 1, (facts[-1],)))
    assert [c.word for c in paged.rounds.values()] == [c.word for c in whole.rounds.values()]


def other_face(fact: AnyFact) -> AnyFact:
    assert isinstance(fact, Rolled)
    return replace(fact, faces=(fact.faces[0] % fact.sides + 1, *fact.faces[1:]))


BENT: dict[str, tuple[type[AnyFact], Callable[[Any], AnyFact], int]] = {
    "fair.roll_wrong": (Rolled, other_face, 0),
    "fair.roll_order": (Rolled, lambda f: replace(f, n=7), 0),
    "fair.seed_wrong": (Begun, lambda f: replace(f, seed=bytes(32)), 1),
    "fair.round_order": (Begun, lambda f: replace(f, round=5), 1),
    "fair.link_wrong": (Begun, lambda f: replace(f, links=(bytes(32), b"", b"")), 0),
    "fair.not_signed": (Begun, lambda f: replace(f, head=bytes(32)), 0),
    "fair.other_match": (Bound, lambda f: replace(f, match="m2"), 0),
    "fair.card_wrong": (Drawn, lambda f: replace(f, card="another"), 0),
    "fair.card_order": (Drawn, lambda f: replace(f, index=99), 0),
    "fair.deck_order": (Shuffled, lambda f: replace(f, epoch=4), 0),
}


@pytest.mark.parametrize("code", BENT)
def test_a_bent_fact_is_named(code: str) -> None:
    facts = honest()
    change(facts, *BENT[code])
    check = followed(facts)
    assert check.verdict is Verdict.WRONG
    assert check.why.k == code and code in ENGLISH


def test_a_withheld_seed_is_unproven_until_a_later_one_proves_it_too() -> None:
    facts = honest()
    begun = [fact for fact in facts if isinstance(fact, Begun)]
    change(facts, Begun, lambda f: replace(f, seed=b""), 1)
    until = facts.index(begun[2]) if len(begun) > 2 else len(facts)
    check = followed(facts[:until])
    assert check.verdict is Verdict.UNPROVEN and check.why.k == "fair.withheld"
    if len(begun) > 2:
        assert followed(facts).verdict is Verdict.CHECKED


def test_a_host_that_tells_nothing_is_unproven_as_soon_as_it_shows_dice() -> None:
    check = Fairness("m1", HOST.public)
    check.is_asking = True
    assert check.why.k == "fair.asking"
    check.shown(Dice(text("dice"), 0, 6, (1, 2), round=1, n=0))
    assert check.verdict is Verdict.UNPROVEN and check.why.k == "fair.no_proof"


def test_dice_that_are_shown_must_be_those_of_the_record() -> None:
    facts = honest()
    roll = next(fact for fact in facts if isinstance(fact, Rolled))
    check = followed(facts[: facts.index(roll) + 1])
    check.shown(Dice(text("dice"), roll.seat, roll.sides, roll.faces, round=roll.round, n=roll.n))
    assert check.rounds[roll.round].shown == {roll.n} and check.broken is None
    check.shown(Dice(text("dice"), roll.seat, roll.sides, (6, 6), round=roll.round, n=roll.n))
    assert check.why.k == "fair.shown_other"


def test_dice_that_the_record_never_gets_are_wrong_when_their_round_ends() -> None:
    facts = honest()
    ended = [n for n, fact in enumerate(facts) if isinstance(fact, Begun)][1]
    check = followed(facts[:ended])
    check.shown(Dice(text("dice"), 0, 6, (6, 6), round=check.round, n=40))
    assert check.verdict is Verdict.UNPROVEN and check.why.k == "fair.shown_unproven"
    check.take(Proof("m1", ended, tuple(facts[ended:])))
    assert check.why.k == "fair.shown_missing"


def test_a_host_with_less_than_it_had_told_takes_history_back() -> None:
    facts = honest()
    check = followed(facts)
    check.take(Proof("m1", len(facts) - 2, ()))
    assert check.why.k == "fair.shorter"


def test_ones_own_link_must_be_the_one_that_was_opened() -> None:
    facts = honest()
    second = [n for n, fact in enumerate(facts) if isinstance(fact, Begun)][1]
    begun = facts[second]
    assert isinstance(begun, Begun)
    told = begun.links[0]

    def ended(link: bytes, links: tuple[bytes, ...]) -> Fairness:
        check = followed(facts[:second], seat=0)
        check.opened(begun.round, link)
        check.take(Proof("m1", second, (replace(begun, links=links),)))
        return check

    assert ended(told, begun.links).broken is None
    assert ended(bytes(32), begun.links).why.k == "fair.link_replaced"
    without = (b"", *begun.links[1:])
    check = ended(told, without)
    assert check.rounds[begun.round].why == text("fair.left_out", round=begun.round)


def test_a_tip_that_comes_after_ones_link_is_open_is_named() -> None:
    facts = honest()
    second = [n for n, fact in enumerate(facts) if isinstance(fact, Begun)][1]
    begun = facts[second]
    assert isinstance(begun, Begun)
    check = followed(facts[:second], seat=0)
    check.opened(begun.round, begun.links[0])
    chain = LinkChain(b"late" * 8, "m1")
    links = (*begun.links[:2], chain.after(chain.tip) or b"")
    check.take(Proof("m1", second, (Tipped(2, chain.tip), replace(begun, links=links))))
    assert check.why.k == "fair.tip_late"
    assert set(CHAINS) == {0, 2}
