"""Lines of tests for whoever runs them."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def tell(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a line that is seen whether the test passes or not."""
    subject = request.path.stem.removeprefix("test_")

    def say(line: str) -> None:
        with capsys.disabled():
            print(f"\n  {subject}: {line}", end="", flush=True)

    return say
