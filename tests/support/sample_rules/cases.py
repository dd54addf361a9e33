"""The tests that rule-proof runs on the sample: collected only when this file is named."""

import asyncio

import pytest

from tests.support.sample_rules.rules import Counter, content, doubled, tripled


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


@pytest.mark.rule("SA-BAD-01")
def test_that_looks_away() -> None:
    assert Counter().count == 0


@pytest.mark.rule("SA-BAD-03")
def test_fist() -> None:
    assert content()["fist"]["dice"] == 1


@pytest.mark.rule("SA-GOOD-04", "SA-GOOD-05")
def test_rifle() -> None:
    assert content()["rifle"]["dice"] == 4
