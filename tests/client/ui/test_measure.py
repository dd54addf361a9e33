"""Width of text: wrapping and clipping."""

from __future__ import annotations

from client.ui import measure


def test_wrapping_breaks_what_is_too_long() -> None:
    lines = measure.wrap("a quick brown fox and aVeryLongWordThatDoesNotFitAnywhere", 14, 90)
    assert all(measure.width(line, 14) <= 90 for line in lines)
    assert "".join(lines).replace(" ", "").endswith("Anywhere")
    assert measure.width(measure.clip("a quick brown fox", 14, 60), 14) <= 60
