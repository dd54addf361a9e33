"""Chains of links, proofs of openings and the mix of all parts, held against docs/dice.md word by word."""

from __future__ import annotations

from hashlib import sha256

import pytest

from protocol.fairness.entropy_chain import LINKS, NO_MIX, EntropyChain, leads_to, mixed, opening_text
from protocol.ids import MatchId
from protocol.proof.dice import joined, u64

MATCH = MatchId("m")

SEED, ORIGIN = b"s" * 32, b"o" * 32
CHAIN = EntropyChain(SEED, MATCH, ORIGIN)


def before(link: bytes, match: str = "m", origin: bytes = ORIGIN) -> bytes:
    return sha256(joined(b"eschaton/dice-v2/link", match.encode(), origin, link)).digest()


def test_each_link_is_hashed_from_the_next_and_the_last_is_the_seed() -> None:
    assert CHAIN.link(LINKS) == SEED
    assert CHAIN.tip == before(CHAIN.link(1))
    for round in (1, 2, 77, LINKS - 1):
        assert CHAIN.link(round) == before(CHAIN.link(round + 1))


@pytest.mark.parametrize("round", [0, -1, LINKS + 1])
def test_there_is_no_link_beyond_the_chain(round: int) -> None:
    with pytest.raises(ValueError, match="no link"):
        CHAIN.link(round)


@pytest.mark.parametrize("last", [0, 1, 5, 9])
def test_a_link_leads_to_the_last_that_counted_in_as_many_steps_as_rounds_have_passed(last: int) -> None:
    known = CHAIN.link(last) if last else CHAIN.tip
    for round in range(last + 1, last + 4):
        assert [steps for steps in range(1, 9) if leads_to(MATCH, ORIGIN, CHAIN.link(round), known, steps)] == [
            round - last
        ]


@pytest.mark.parametrize("steps", [0, -1, LINKS + 1])
def test_no_number_of_steps_outside_the_chain_leads_anywhere(steps: int) -> None:
    assert not leads_to(MATCH, ORIGIN, CHAIN.tip, CHAIN.tip, steps)


def test_links_are_of_one_match_with_one_beginning() -> None:
    for match, origin in ((MatchId("other"), ORIGIN), (MATCH, bytes(32))):
        assert not leads_to(match, origin, CHAIN.link(1), CHAIN.tip, 1)
        assert EntropyChain(SEED, match, origin).tip != CHAIN.tip
    assert not leads_to(MATCH, ORIGIN, CHAIN.link(1) + b"\0", CHAIN.tip, 1)


def test_what_is_signed_names_match_round_call_and_link() -> None:
    expected = joined(b"eschaton/dice-v2/open", b"m", u64(3), u64(9), b"h" * 32, CHAIN.link(3))
    assert opening_text(MATCH, 3, 9, b"h" * 32, CHAIN.link(3)) == expected


def test_the_mix_holds_all_parts_of_all_rounds() -> None:
    first = mixed(NO_MIX, MATCH, 1, (b"", CHAIN.link(1)))
    assert first == sha256(joined(b"eschaton/dice-v2/mix", b"m", u64(1), bytes(32), b"", CHAIN.link(1))).digest()
    second = [mixed(a, MATCH, 2, links) for a in (first, NO_MIX) for links in ((b"", b""), (b"", b"x"), (b"x", b""))]
    assert len(set(second)) == 6
