"""Long work in threads: the interpreter changes hands sooner while it lasts, and as before afterwards."""

from __future__ import annotations

import asyncio
import sys

import pytest

from server.runtime.long_threads import SWITCH_SECONDS, in_thread


async def test_threads_change_hands_sooner_while_long_work_lasts() -> None:
    usual = sys.getswitchinterval()
    found = await asyncio.gather(*(in_thread(sys.getswitchinterval) for _ in range(3)))
    assert found == [pytest.approx(SWITCH_SECONDS)] * 3
    assert sys.getswitchinterval() == usual


async def test_the_usual_interval_is_back_after_a_failure() -> None:
    usual = sys.getswitchinterval()
    with pytest.raises(ZeroDivisionError):
        await in_thread(divmod, 1, 0)
    assert sys.getswitchinterval() == usual
