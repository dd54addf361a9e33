"""Facts of a match, each checked by the record that those before it make."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from protocol.errors import Unfair
from protocol.fairness.entropy_chain import NO_MIX
from protocol.fairness.entropy_check import EntropyCheck
from protocol.fairness.round_parts import Presence
from protocol.proof.facts import AnyFact, Begun, Bound, Called, GivenUp, Held, Rolled, Tipped
from server.runtime.signing import HostKey
from tests.support.chosen_dice.host import ANN, FRIEND, MATCH, Host, mixed_with
from tests.support.chosen_dice.table import AtTable, at_table
from tests.support.fairness.signing import HOST


def signed(fact: AnyFact, key: HostKey = HOST) -> AnyFact:
    """Return the fact with the host's signature of what it says now."""
    assert isinstance(fact, Bound | Called | Begun)
    version = 1 if isinstance(fact, Bound) else fact.version
    return replace(fact, signature=key.sign_head(MATCH, version, fact.head))


def after(facts: list[AnyFact]) -> EntropyCheck:
    follower = EntropyCheck(MATCH, HOST.public)
    for fact in facts:
        follower.take(fact)
    return follower


def facts_of(table: AtTable) -> list[AnyFact]:
    return list(table.host.facts)


def place(facts: list[AnyFact], kind: type[AnyFact], number: int = 1) -> int:
    """Return the place of the fact of this kind, counted from 1."""
    return [n for n, fact in enumerate(facts) if isinstance(fact, kind)][number - 1]


def test_a_whole_record_is_followed_to_the_byte() -> None:
    table = at_table(3)
    follower = after(facts_of(table))
    record = table.host.match.record
    assert (follower.round, follower.participation, follower.entropy) == (3, record.participation, record.mix)
    assert follower.origin == table.host.origin
    assert follower.has_parts
    mix = NO_MIX
    for round in range(1, 4):
        links = {ANN: table.ann.parts_given[round - 1].link, FRIEND: table.friend.link(round)}
        mix = mixed_with(mix, round, links)
        assert follower.rounds[round].mix == mix
        assert follower.rounds[round].presence == (Presence.IN, Presence.NONE, Presence.IN, Presence.BOT)
        assert follower.rounds[round].counted == {ANN: (table.ann.tip.tip, 0), FRIEND: (table.friend.tip.tip, 0)}


def test_who_is_missing_and_who_sits_out_is_said_of_each_round() -> None:
    table = at_table(1)
    table.host.play(lambda wanted: {FRIEND: table.friend.part(wanted)})
    table.play(2)
    follower = after(facts_of(table))
    found = [follower.rounds[round].presence[ANN] for round in range(1, 5)]
    assert found == [Presence.IN, Presence.MISSING, Presence.OUT, Presence.IN]
    assert follower.rounds[2].missing == (ANN,)
    assert follower.rounds[2].choices == 1


def test_chains_that_end_and_acts_that_are_given_up_are_choices() -> None:
    table = at_table(1)
    table.host.hold(FRIEND, "bot")
    table.call()
    table.host.void({})
    table.play(2)
    follower = after(facts_of(table))
    assert [follower.rounds[round].ended for round in (1, 2, 3)] == [(), (FRIEND,), ()]
    assert [(follower.rounds[r].voids_before, follower.rounds[r].voids) for r in (1, 2, 3, 4)] == [
        (0, 0),
        (0, 1),
        (1, 0),
        (0, 0),
    ]


Change = Callable[[AnyFact], AnyFact]


@pytest.mark.parametrize(
    ("kind", "change", "why"),
    [
        (Bound, lambda fact: replace(fact, match="other"), "other_match"),
        (Bound, lambda fact: replace(fact, commitment=b"short"), "other_match"),
        (Bound, lambda fact: replace(fact, seats=0), "other_match"),
        (Bound, lambda fact: replace(fact, seats=65), "other_match"),
        (Bound, lambda fact: replace(fact, dice=3), "unknown_dice"),
        (Bound, lambda fact: replace(fact, head=bytes(32)), "not_signed"),
        (Bound, lambda fact: signed(fact, HostKey(bytes(32))), "not_signed"),
        (Held, lambda fact: replace(fact, seat=4), "holder_wrong"),
        (Held, lambda fact: replace(fact, seat=-1), "holder_wrong"),
        (Held, lambda fact: replace(fact, by="nobody"), "holder_wrong"),
        (Held, lambda fact: replace(fact, person=b"short"), "holder_wrong"),
        (Held, lambda fact: replace(fact, by="bot", person=bytes(16)), "holder_wrong"),
        (Tipped, lambda fact: replace(fact, seat=3), "tip_wrong"),
        (Tipped, lambda fact: replace(fact, key=fact.tip[:31]), "tip_wrong"),
        (Called, lambda fact: signed(replace(fact, round=2)), "call_wrong"),
        (Called, lambda fact: signed(replace(fact, seats=(ANN,))), "call_wrong"),
        (Called, lambda fact: replace(fact, head=bytes(32)), "not_signed"),
        (Begun, lambda fact: signed(replace(fact, round=2)), "round_order"),
        (Begun, lambda fact: signed(replace(fact, version=fact.version + 1)), "opening_wrong"),
        (Begun, lambda fact: signed(replace(fact, links=fact.links[1:])), "opening_wrong"),
        (Begun, lambda fact: signed(replace(fact, proofs=())), "opening_wrong"),
        (Begun, lambda fact: signed(replace(fact, links=fact.links[::-1])), "link_wrong"),
        (Begun, lambda fact: signed(replace(fact, proofs=fact.proofs[::-1])), "proof_wrong"),
        (Begun, lambda fact: signed(replace(fact, proofs=(fact.proofs[2], b"", fact.proofs[0], b""))), "proof_wrong"),
        (Begun, lambda fact: replace(fact, head=bytes(32)), "not_signed"),
    ],
)
def test_a_fact_that_does_not_fit_is_unfair(kind: type[AnyFact], change: Change, why: str) -> None:
    facts = facts_of(at_table(2))
    at = place(facts, kind)
    follower = after(facts[:at])
    with pytest.raises(Unfair, match=why):
        follower.take(change(facts[at]))


def test_a_part_needs_both_link_and_proof() -> None:
    facts = facts_of(at_table(1))
    at = place(facts, Begun)
    begun = facts[at]
    assert isinstance(begun, Begun)
    for empty, why in (("links", "link_wrong"), ("proofs", "proof_wrong")):
        with pytest.raises(Unfair, match=why):
            after(facts[:at]).take(signed(replace(begun, **{empty: (b"", *getattr(begun, empty)[1:])})))


def test_one_step_has_one_head() -> None:
    follower = after(facts_of(at_table(1)))
    call = follower.heads[max(follower.heads) - 1]
    follower.know(max(follower.heads) - 1, call)
    with pytest.raises(Unfair, match="two_heads"):
        follower.know(max(follower.heads) - 1, bytes(32))


def test_a_table_without_parts_has_rounds_without_any() -> None:
    host = Host.begun()
    bound = host.facts[0]
    assert isinstance(bound, Bound)
    facts = [signed(replace(bound, parts=False)), *host.facts[1:]]
    head, seats = bytes(32), len(host.match.record.participation.holders)
    begun = signed(Begun(1, (), b"", 5, head, b""))
    assert after([*facts, begun]).rounds[1].mix == mixed_with(NO_MIX, 1, {})
    other = replace(begun, links=(b"x" * 32,) * seats)
    for wrong in (Tipped(ANN, b"t" * 32, b"k" * 32), signed(Called(1, (), 4, head, b"")), other):
        with pytest.raises(Unfair):
            after(facts).take(wrong)


def test_a_match_of_dice_1_is_followed_and_has_no_parts() -> None:
    bound = at_table().host.facts[0]
    assert isinstance(bound, Bound)
    facts = [signed(replace(bound, dice=1, parts=False)), Tipped(0, b"t" * 32)]
    follower = after([*facts, signed(Begun(1, (b"x" * 32, b"", b"", b""), b"", 5, bytes(32), b""))])
    assert not follower.has_parts
    assert follower.entropy == (b"x" * 32, b"", b"", b"")


def test_facts_that_say_nothing_of_entropy_change_nothing() -> None:
    follower = after(facts_of(at_table(1)))
    before = follower.participation, follower.rounds[1].choices
    follower.take(Rolled(1, 0, 0, 6, (6,)))
    assert (follower.participation, follower.rounds[1].choices) == before
    follower.take(GivenUp(9))
    assert follower.rounds[1].choices == 1
