"""A window in which nothing changes draws nothing and leaves the computer alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.test_real_window import seen_on
from tests.support.clients.programs import Program
from tests.support.clients.windows.screen import Screen

MOST_SHARE = 0.02
"""Of one core, over ten seconds."""
SOON_SHARE = 0.05
"""Of one core, over a second, in which a pause of the machine counts for more."""


@pytest.mark.parametrize(
    ("seconds", "most"), [(1.0, SOON_SHARE), pytest.param(10.0, MOST_SHARE, marks=pytest.mark.long("client"))]
)
async def test_a_quiet_window_draws_no_frame_and_uses_no_core(tmp_path: Path, seconds: float, most: float) -> None:
    async with Screen() as screen:
        words = ("tests.support.clients.windows.quiet_window", str(tmp_path), str(seconds))
        window = Program(tmp_path, "window", *words, settings=seen_on(screen.name))
        await window.start()
        try:
            quiet, hover = await window.said(), await window.said()
        finally:
            await window.end()
    assert isinstance(quiet["cpu"], float)
    assert quiet["before"]
    assert quiet["drawn"] == 0
    assert quiet["cpu"] < most * seconds
    assert hover["drawn"] == 1
