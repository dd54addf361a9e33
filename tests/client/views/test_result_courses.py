"""Series of a result: as plots in the window, chosen by mouse and by number, and in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys

from client.draw.panels.plot import LINES, step_for
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.model.words.series_words import MOST_ROUNDS, course_lines, courses_of
from client.text.texts import Texts
from client.views.result_screen import ResultScreen
from protocol.scene.nodes import Result, SeatResult, Series
from protocol.text import Text
from protocol.wire.from_server import Catalogue
from tests.support.clients.sessions import at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

SEATS = (SeatResult(0, won=True), SeatResult(1, won=False))
TEXTS = Texts([Catalogue("test", "en", "v", {"points": "Points", "luck": "Luck"})])


def model() -> ViewModel:
    return ViewModel(Tabletop({}), TEXTS)


def result(*series: Series) -> Result:
    return Result(Text("over"), SEATS, series=series)


def test_a_series_is_chosen_by_button_and_by_number_and_each_round_is_told(
    app: ReadableApp, tmp_path: Path, hand: Hand
) -> None:
    at_table(app, tmp_path, finished=True)
    assert isinstance(app.front, ResultScreen)
    assert app.front.course == -1
    hand.click_on("Luck")
    assert app.front.course == 2
    app.build()
    tips = [spot.tip for spot in app.ui.hotspots if spot.label == "Round 2"]
    assert len(tips) == 1
    assert tips[0].splitlines()[2].endswith(": 0.1")
    hand.press(keys.KEY_1)
    assert app.front.course == -1
    assert "Round 2" not in app.labels()


def test_series_are_told_in_words() -> None:
    told = result(Series(Text("points"), ((0, 3), (1, 2)), 1), Series(Text("luck"), ((-125, 50), (0, 4)), 0, 100))
    assert list(course_lines(model(), told)) == [
        "Points, rounds 1 to 2:",
        "Seat 1: 0; 3",
        "Seat 2: 1; 2",
        "Luck, rounds 0 to 1:",
        "Seat 1: -1.25; 0.5",
        "Seat 2: 0; 0.04",
    ]


def test_what_no_honest_server_sends_is_cut_or_left_out() -> None:
    long, short = (1,) * (MOST_ROUNDS + 9), (1,) * (MOST_ROUNDS + 5)
    odd = (
        Series(Text("points"), ()),
        Series(Text("points"), ((), ())),
        Series(Text("luck"), (long, short, long), 0, 0),
        Series(Text("points"), ((5,),), -3),
    )
    wide, narrow = courses_of(model(), result(*odd))
    assert (wide.length, sorted(wide.rows), wide.rows[0][0]) == (MOST_ROUNDS, [0, 1], 1)
    assert narrow.rows == {0: (5,)}
    assert len(courses_of(model(), result(*(odd[2:] * 20)))) < 20


@pytest.mark.parametrize(
    ("span", "least", "step"),
    [(0, 1, 1), (4, 1, 1), (5, 1, 2), (17, 1, 5), (1885, 1, 500), (1.2, 0.5, 0.5), (9e18, 1, 5e18)],
)
def test_lines_of_a_plot_lie_at_round_distances(span: float, least: float, step: float) -> None:
    assert step_for(span, least) == step
    assert step * LINES >= span
