"""Acts that the rules forbid are refused, even with knowledge of the whole state."""

from functools import partial

import pytest

from tests.support.faults.hostile.forbidden import cheat
from tests.support.runs.longrun import LongRun


def test_forbidden_acts() -> None:
    happened = cheat(3_000, seed=1)
    assert happened["kinds_of_refusal"] > 12
    assert happened["measured_moves"] > 50


@pytest.mark.long("forbidden")
def test_long_forbidden_acts() -> None:
    total = LongRun("forbidden", batches=50).complete(partial(cheat, 20_000))
    assert total["tries"] >= 1_000_000
