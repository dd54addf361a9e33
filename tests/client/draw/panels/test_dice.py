"""The panel of rolls: what a roll needs and how many dice count, or the sum of dice that are added."""

from __future__ import annotations

import pytest

from client.draw.die import draw_die
from client.model.words.dice_words import sums
from client.ui import theme
from client.ui.layout import Rect
from protocol.scene.nodes import Dice
from protocol.text import text
from tests.support.clients.windows.readable_app import ReadableApp


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (4, 6, ["Needs 4 or more", "2 of 3"]),
        (1, 2, ["Counts: 2 or less", "1 of 3"]),
        (1, 1, ["Counts: only a 1", "1 of 3"]),
        (2, 4, ["Counts: 2 to 4", "1 of 3"]),
        (0, 0, ["Total 11"]),
    ],
)
def test_a_roll_says_what_counts_or_its_sum(low: int, high: int, told: list[str]) -> None:
    dice = Dice(text("roll"), -1, 6, (1, 4, 6), total=11, low=low, high=high)
    assert list(sums(dice)) == told


def test_reasons_say_how_many_count() -> None:
    dice = Dice(text("roll"), -1, 6, (1, 4, 6), reasons=(text("hits"),), low=4, high=6)
    assert list(sums(dice)) == ["Needs 4 or more"]


def test_a_single_die_has_no_sum() -> None:
    assert list(sums(Dice(text("roll"), -1, 6, (5,), total=5))) == []


def test_each_kind_of_die_has_its_outline_and_a_cube_has_pips(app: ReadableApp) -> None:
    outlines = set()
    for sides in (4, 6, 8, 10, 12, 20):
        app.ui.begin((200, 200))
        draw_die(app.ui, Rect(80, 80, 40, 40), 4, sides, theme.WARN, is_pale=False)
        shapes, words = list(dict(app.ui.painter.shapes)), [key.text for key, _, _ in app.ui.letters.lines]
        app.ui.end()
        outlines.add(next(spots for kind, spots, _, colour in shapes if (kind, colour) == ("closed", theme.WARN)))
        pips = sum(colour == theme.INK for _, _, _, colour in shapes)
        assert (pips, words) == ((4, []) if sides == 6 else (0, ["4"]))
    assert len(outlines) == 6
