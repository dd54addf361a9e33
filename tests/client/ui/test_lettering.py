"""Lines of text are kept from frame to frame, and out of sight for a while once they are gone."""

from __future__ import annotations

from collections.abc import Sequence

import arcade
import pytest

from client.ui.lettering import MOST_ASIDE, Key, Lettering
from tests.support.clients.windows.readable_app import ReadableApp


@pytest.fixture
def letters(app: ReadableApp) -> Lettering:
    app.switch_to()
    return Lettering()


def line(text: str) -> Key:
    return Key(text, 14, False, False, (255, 255, 255, 255), "left")


def drawn(app: ReadableApp, letters: Lettering, lines: Sequence[tuple[Key, int, int]]) -> bytes:
    """Return what a frame of these lines looks like."""
    app.clear(color=(0, 0, 0, 255))
    letters.begin()
    for put in lines:
        letters.put(*put)
    letters.draw()
    return arcade.get_image(0, 0, 300, 200).tobytes()


def test_a_line_that_is_gone_is_not_seen_and_looks_the_same_when_it_comes_back(
    app: ReadableApp, letters: Lettering
) -> None:
    empty = drawn(app, letters, [])
    first = drawn(app, letters, [(line("Iron Shells"), 20, 100)])
    (label,) = letters.current[line("Iron Shells")]
    assert first != empty
    assert drawn(app, letters, []) == empty
    elsewhere = drawn(app, letters, [(line("Iron Shells"), 60, 40)])
    assert letters.current[line("Iron Shells")] == [label]
    assert elsewhere not in (first, empty)
    assert drawn(app, letters, [(line("Iron Shells"), 20, 100)]) == first
    assert not letters.aside


def test_one_of_two_lines_alike_goes_and_the_other_stays(app: ReadableApp, letters: Lettering) -> None:
    twice = [(line("Move"), 20, 100), (line("Move"), 20, 40)]
    both = drawn(app, letters, twice)
    one = drawn(app, letters, twice[:1])
    assert one != both
    assert drawn(app, letters, twice) == both
    assert len(letters.current[line("Move")]) == 2


def test_those_that_were_seen_longest_ago_are_not_kept(app: ReadableApp, letters: Lettering) -> None:
    drawn(app, letters, [(line("the oldest"), 20, 100)])
    for begin in range(0, MOST_ASIDE + 100, 100):
        drawn(app, letters, [(line(str(number)), 20, 100) for number in range(begin, begin + 100)])
    drawn(app, letters, [])
    assert sum(map(len, letters.aside.values())) == MOST_ASIDE
    assert line("the oldest") not in letters.aside
    assert line(str(MOST_ASIDE + 99)) in letters.aside
