"""The tests that rule-proof runs on the sample: collected only when this file is named."""

import asyncio

import pytest

from tests.support.sample_rules.rules import (
    Counter,
    Refused,
    clamped,
    content,
    doubled,
    greatest,
    halved,
    largest,
    lower,
    lowest,
    spent,
    tripled,
)


@pytest.mark.rule("SA-GOOD-01")
def test_doubled() -> None:
    assert doubled(2) == 4


@pytest.mark.rule("SA-GOOD-02")
async def test_tripled_in_a_loop() -> None:
    await asyncio.sleep(0)
    assert await tripled(2) == 6


@pytest.mark.rule("SA-GOOD-03")
def test_count_has_a_limit() -> None:
    counter = Counter()
    counter.add(11)
    assert counter.count == 10


@pytest.mark.rule("SA-GOOD-06")
def test_no_more_is_spent_than_there_is() -> None:
    assert spent(3, 3) == 0
    with pytest.raises(Refused):
        spent(3, 4)


@pytest.mark.rule("SA-GOOD-07")
def test_half_of_an_odd_number_is_rounded_up() -> None:
    assert (halved(4), halved(5)) == (2, 3)


@pytest.mark.rule("SA-BAD-01")
def test_that_looks_away() -> None:
    assert Counter().count == 0


@pytest.mark.rule("SA-BAD-03")
def test_fist() -> None:
    assert content()["fist"]["dice"] == 1


@pytest.mark.rule("SA-BAD-04")
def test_that_calls_and_does_not_look() -> None:
    greatest([2, 7])
    with pytest.raises(ValueError, match="nothing"):
        greatest([])


@pytest.mark.rule("SA-BAD-05")
def test_that_calls_one_of_two() -> None:
    assert largest(1, 2) == 2


@pytest.mark.rule("SA-BAD-06")
def test_that_never_comes_to_the_bound() -> None:
    assert clamped(20) == 10


@pytest.mark.rule("SA-GOOD-04", "SA-GOOD-05")
def test_rifle() -> None:
    assert content()["rifle"]["dice"] == 4


@pytest.mark.rule("SA-BAD-08")
def test_that_looks_at_one_of_two_that_read_alike() -> None:
    lowest(1, 2)
    assert lower(2, 1) == 1


@pytest.mark.rule("SA-BAD-07")
def test_that_there_is_a_bow() -> None:
    assert "bow" in content()
