"""The live check by itself: honest facts hold, and each way of bending them is named in plain words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from client.fairness.dice_round_check import LiveDiceCheck, Verdict
from client.text.fairness_sentences import ENGLISH
from engine.core.rules.dice import MatchDice
from protocol.ids import MatchId, TableId
from protocol.proof.dice import faces, round_key
from protocol.proof.facts import AnyFact, Begun, Bound, Called, Drawn, Held, Rolled, Shuffled, Tipped
from protocol.proof.signed_texts import head_text
from protocol.scene.nodes import Dice
from protocol.text import text
from protocol.wire.from_server import Proof
from tests.support.clients.dice.contributing import SECRET
from tests.support.fairness.entropy_match import EntropyMatch
from tests.support.fairness.signing import HOST

MATCH = MatchId("m1")
TABLE = TableId("m1")

Facts = list[AnyFact]


@cache
def told() -> tuple[AnyFact, ...]:
    """Return the facts of two rounds that have ended and one that runs, as seat 0 is told them."""
    match = EntropyMatch()
    for act in ("gamble", "draw", "order", "gamble", "hidden_roll", "draw", "chain", "chain", "gamble"):
        match.play(act)
    return tuple(match.facts(0))


def honest() -> Facts:
    return list(told())


@cache
def without_parts() -> tuple[AnyFact, ...]:
    match = EntropyMatch(parts=False)
    for act in ("gamble", "chain", "gamble"):
        match.play(act)
    return tuple(match.facts())


def of_dice_1() -> Facts:
    """Return the facts of a match that began before: without proofs, and with the dice of that scheme."""
    dice = MatchDice(SECRET, MATCH)

    def old(fact: AnyFact) -> AnyFact:
        match fact:
            case Bound():
                return replace(fact, dice=1)
            case Rolled():
                key = round_key(dice.seed(max(fact.round, 1)), MATCH, fact.round, ())
                return replace(fact, faces=faces(key, fact.n, fact.sides, len(fact.faces)))
        return fact

    return [old(fact) for fact in without_parts()]


def followed(facts: Facts, seat: int = -1) -> LiveDiceCheck:
    check = LiveDiceCheck(MATCH, HOST.public, seat)
    check.take(Proof(TABLE, 0, tuple(facts)))
    return check


def shown(roll: AnyFact) -> Dice:
    """Return the dice of a roll as a cue shows them."""
    assert isinstance(roll, Rolled)
    return Dice(text("dice"), roll.seat, roll.sides, roll.faces, round=roll.round, n=roll.n)


def change(facts: Facts, kind: type[AnyFact], bend: Callable[[Any], AnyFact], which: int = 0) -> None:
    place = [n for n, fact in enumerate(facts) if isinstance(fact, kind)][which]
    facts[place] = bend(facts[place])


def test_honest_facts_hold() -> None:
    facts = honest()
    check = followed(facts)
    rounds = [fact for fact in facts if isinstance(fact, Begun)]
    assert len(rounds) >= 2
    assert check.verdict is Verdict.CHECKED
    assert check.broken is None
    assert check.rounds[1].verdict is Verdict.CHECKED
    assert check.rounds[check.round].verdict is Verdict.RUNNING


def test_facts_in_pages_give_the_same_and_a_gap_is_noticed() -> None:
    facts = honest()
    whole, paged = followed(facts), LiveDiceCheck(MATCH, HOST.public)
    for first in range(0, len(facts), 3):
        assert paged.take(Proof(TABLE, first, tuple(facts[first : first + 3]), more=True))
    assert not paged.take(Proof(TABLE, len(facts) + 1, (facts[-1],)))
    assert [c.word for c in paged.rounds.values()] == [c.word for c in whole.rounds.values()]


def other_face(fact: AnyFact) -> AnyFact:
    assert isinstance(fact, Rolled)
    return replace(fact, faces=(fact.faces[0] % fact.sides + 1, *fact.faces[1:]))


def signed_again(fact: Begun | Called) -> Begun | Called:
    """Return a fact with the host's own signature of whatever it says now."""
    return replace(fact, signature=HOST.sign(head_text(MATCH, fact.version, fact.head)))


BENT: dict[str, tuple[type[AnyFact], Callable[[Any], AnyFact], int]] = {
    "fair.roll_wrong": (Rolled, other_face, 0),
    "fair.roll_order": (Rolled, lambda f: replace(f, n=7), 0),
    "fair.seed_wrong": (Begun, lambda f: replace(f, seed=bytes(32)), 1),
    "fair.round_order": (Begun, lambda f: replace(f, round=5), 1),
    "fair.link_wrong": (Begun, lambda f: replace(f, links=(bytes(32), b"", b"")), 0),
    "fair.proof_wrong": (Begun, lambda f: replace(f, proofs=(bytes(64), *f.proofs[1:])), 1),
    "fair.opening_wrong": (Begun, lambda f: signed_again(replace(f, version=f.version + 1)), 1),
    "fair.call_wrong": (Called, lambda f: replace(f, seats=(0,)), 1),
    "fair.tip_wrong": (Tipped, lambda f: replace(f, seat=1), 0),
    "fair.holder_wrong": (Held, lambda f: replace(f, by="dragon"), 0),
    "fair.unknown_dice": (Bound, lambda f: replace(f, dice=3), 0),
    "fair.not_signed": (Begun, lambda f: replace(f, head=bytes(32)), 0),
    "fair.other_match": (Bound, lambda f: replace(f, match="m2"), 0),
    "fair.no_beginning": (Held, lambda f: honest()[0], 0),
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
    assert check.why.k == code
    assert code in ENGLISH


def test_a_withheld_seed_is_unproven_until_a_later_one_proves_it_too() -> None:
    facts = honest()
    begun = [fact for fact in facts if isinstance(fact, Begun)]
    change(facts, Begun, lambda f: replace(f, seed=b""), 1)
    until = facts.index(begun[2]) if len(begun) > 2 else len(facts)
    check = followed(facts[:until])
    assert check.verdict is Verdict.UNPROVEN
    assert check.why.k == "fair.withheld"
    if len(begun) > 2:
        assert followed(facts).verdict is Verdict.CHECKED


def test_a_host_that_tells_nothing_is_unproven_as_soon_as_it_shows_dice() -> None:
    check = LiveDiceCheck(MATCH, HOST.public)
    check.is_asking = True
    assert check.why.k == "fair.asking"
    check.note_dice(Dice(text("dice"), 0, 6, (1, 2), round=1, n=0))
    assert check.verdict is Verdict.UNPROVEN
    assert check.why.k == "fair.no_proof"


def test_dice_that_are_shown_must_be_those_of_the_record() -> None:
    facts = honest()
    roll = next(fact for fact in facts if isinstance(fact, Rolled))
    check = followed(facts[: facts.index(roll) + 1])
    check.note_dice(shown(roll))
    assert check.rounds[roll.round].shown == {roll.n}
    assert check.broken is None
    check.note_dice(replace(shown(roll), faces=tuple(7 - face for face in roll.faces)))
    assert check.why.k == "fair.shown_other"


def test_dice_that_the_record_never_gets_are_wrong_when_their_round_ends() -> None:
    facts = honest()
    ended = [n for n, fact in enumerate(facts) if isinstance(fact, Begun)][1]
    check = followed(facts[:ended])
    check.note_dice(Dice(text("dice"), 0, 6, (6, 6), round=check.round, n=40))
    assert check.verdict is Verdict.UNPROVEN
    assert check.why.k == "fair.shown_unproven"
    check.take(Proof(TABLE, ended, tuple(facts[ended:])))
    assert check.why.k == "fair.shown_missing"


def test_dice_may_be_seen_before_the_facts_of_their_round() -> None:
    facts = honest()
    begun = [n for n, fact in enumerate(facts) if isinstance(fact, Begun)][1]
    roll = next(fact for fact in facts[begun:] if isinstance(fact, Rolled))
    check = followed(facts[:begun])
    check.note_dice(shown(roll))
    check.take(Proof(TABLE, begun, tuple(facts[begun:])))
    assert (check.verdict, check.broken) == (Verdict.CHECKED, None)
    assert check.rounds[roll.round].shown == {roll.n}


@pytest.mark.parametrize("is_silent", [False, True])
def test_dice_that_were_shown_are_unproven_while_a_host_leaves_facts_out_or_is_silent(is_silent: bool) -> None:
    facts = honest()
    last = facts.index([fact for fact in facts if isinstance(fact, Rolled)][-1])
    check = followed(facts[:last])
    verdicts = [check.verdict]
    if is_silent:
        check.lost()
    else:
        check.take(Proof(TABLE, last + 1, ()))
    check.note_dice(shown(facts[last]))
    verdicts.append(check.verdict)
    check.take(Proof(TABLE, last, tuple(facts[last:])))
    verdicts.append(check.verdict)
    assert verdicts == [Verdict.CHECKED, Verdict.UNPROVEN, Verdict.CHECKED]


def test_a_host_with_less_than_it_had_told_takes_history_back() -> None:
    facts = honest()
    check = followed(facts)
    check.take(Proof(TABLE, len(facts) - 2, ()))
    assert check.why.k == "fair.shorter"


def test_a_part_in_place_of_another_seats_and_one_of_another_round_are_named() -> None:
    first = next(fact for fact in honest() if isinstance(fact, Begun))
    bends: tuple[Callable[[Begun], Begun], ...] = (
        lambda f: replace(f, links=f.links[::-1], proofs=f.proofs[::-1]),
        lambda f: replace(f, links=first.links, proofs=first.proofs),
    )
    for bend in bends:
        facts = honest()
        change(facts, Begun, bend, 1)
        assert followed(facts).why.k == "fair.link_wrong"


def test_two_heads_that_the_host_has_signed_for_one_step_are_named() -> None:
    facts = honest()
    check = followed(facts)
    begun = next(fact for fact in facts if isinstance(fact, Begun))
    check.note_head(begun.version, bytes(32), fits=True)
    assert check.why.k == "fair.two_heads"
    check = followed(facts)
    check.note_head(begun.version, begun.head, fits=False)
    assert check.why.k == "fair.not_signed"


def test_dice_without_a_number_are_wrong_as_soon_as_the_match_is_known_to_be_of_dice_2() -> None:
    unnumbered = Dice(text("dice"), 0, 6, (1, 2))
    check = followed(honest())
    check.note_dice(replace(unnumbered, hidden=True, round=1))
    check.note_dice(replace(unnumbered, faces=()))
    assert check.broken is None
    check.note_dice(unnumbered)
    assert check.verdict is Verdict.WRONG
    assert check.why.k == "fair.shown_unnumbered"
    early = LiveDiceCheck(MATCH, HOST.public)
    early.note_dice(unnumbered)
    assert early.verdict is Verdict.UNPROVEN
    early.take(Proof(TABLE, 0, tuple(honest()[:1])))
    assert early.why.k == "fair.shown_unnumbered"


def test_a_match_of_dice_1_reads_unproven_and_its_dice_may_lack_numbers() -> None:
    facts = of_dice_1()
    roll = next(fact for fact in facts if isinstance(fact, Rolled))
    check = followed(facts[: facts.index(roll) + 1])
    check.note_dice(Dice(text("dice"), roll.seat, roll.sides, roll.faces))
    assert check.broken is None
    assert check.rounds[roll.round].shown == {roll.n}
    for known in (check, followed(facts)):
        assert known.verdict is Verdict.UNPROVEN
        assert known.why.k == "fair.before_dice_2"
    assert followed(facts).rounds[1].why == text("fair.before_dice_2")
    change(facts, Rolled, other_face)
    assert followed(facts).why.k == "fair.roll_wrong"


def test_a_table_without_parts_is_checked_and_may_have_none() -> None:
    facts = list(without_parts())
    assert followed(facts).verdict is Verdict.CHECKED
    change(facts, Begun, lambda f: replace(f, links=(bytes(32),) * 3, proofs=(bytes(64),) * 3), 0)
    assert followed(facts).why.k == "fair.opening_wrong"


def test_the_chains_of_ones_own_seat_are_known_with_the_round_that_ran() -> None:
    match = EntropyMatch()
    match.play("gamble")
    first = match.programs[0].chain.tip
    again = match.tip(0).chain.tip
    match.round()
    assert followed(match.facts(0), 0).chains == [(first, 0), (again, 1)]
    assert followed(match.facts(), -1).chains == []
