"""Receipts that a program has kept at a strict table agree with the replay of an honest host."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from client.fairness.receipts import read, receipt_files
from client.fairness.receipts_check import check_receipts
from protocol.proof.facts import AnyFact
from tests.support.fairness.dice_marks import seen
from tests.support.fairness.entropy_match import MATCH, EntropyMatch
from tests.support.fairness.sealing import sealed


def played(*, strict: bool) -> EntropyMatch:
    """Return a match with every kind of fact that there is at such a table."""
    match = EntropyMatch(("person",) * 3, strict=strict)
    for act in ("gamble", "draw", "order", "chain"):
        match.play(act)
    match.play("auction", missing=(1,))
    match.give_up()
    match.play("chain")
    return match


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("seat", [0, 1, 2, -1])
def test_what_a_program_was_told_by_an_honest_host_agrees_with_the_replay(
    seat: int, strict: bool, tmp_path: Path
) -> None:
    match = played(strict=strict)
    facts = match.facts(seat)
    seen(match, seat, receipts=tmp_path / "own")
    [kept] = map(read, receipt_files(MATCH, tmp_path))
    signed = [fact for fact in facts if hasattr(fact, "signature")]
    [found] = check_receipts(sealed(match.replay()), [kept])
    assert f"{len(signed)} signed heads, 0 acts, {len(facts)} facts" in found


def test_every_kind_of_fact_is_among_those_that_were_compared() -> None:
    kinds = {type(fact) for fact in played(strict=True).facts(0)}
    assert kinds == set(get_args(AnyFact))
