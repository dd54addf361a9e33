"""What the rules forbid is refused, even to somebody who knows the whole state."""

import pytest

from tests.support.forbidden import cheat
from tests.support.longrun import LongRun


def test_forbidden_acts() -> None:
    happened = cheat(3_000, seed=1)
    assert happened["kinds_of_refusal"] > 12 and happened["measured_moves"] > 50


@pytest.mark.long("forbidden")
def test_long_forbidden_acts() -> None:
    run = LongRun("forbidden", batches=50)
    for seed in run.left():
        run.keep(seed, cheat(20_000, seed))
    assert run.totals()["tries"] >= 1_000_000
