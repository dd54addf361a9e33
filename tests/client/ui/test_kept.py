"""Results and drawn parts stay while what they are made of does, and are made anew once it differs."""

from __future__ import annotations

from functools import partial

from client.ui import theme
from client.ui.frame import Ui
from client.ui.kept import MOST_KEPT, Kept
from client.ui.layout import Rect
from tests.support.clients.windows.readable_app import ReadableApp

BOX = Rect(20, 20, 200, 40)


def test_a_result_is_made_anew_where_what_it_is_made_of_differs() -> None:
    kept, made = Kept(), list[str]()

    def make(given: str) -> str:
        made.append(given)
        return given

    for given in ("a", "a", "b", "a"):
        assert kept.one("name", given, partial(make, given)) == given
    assert made == ["a", "b", "a"]
    kept.forget()
    kept.one("name", "a", partial(make, "again"))
    assert made[-1] == "again"


def test_of_many_things_those_that_differ_are_made_anew() -> None:
    kept, made = Kept(), list[int]()

    def double(number: int) -> int:
        made.append(number)
        return 2 * number

    assert kept.each("all", {"a": 1, "b": 2}, "x", double) == {"a": 2, "b": 4}
    assert list(kept.each("all", {"b": 2, "c": 3, "a": 7}, "x", double)) == ["b", "c", "a"]
    assert made == [1, 2, 3, 7]
    assert kept.each("all", {"b": 2}, "y", double) == {"b": 4}
    assert made[-1] == 2


def test_a_bounded_number_of_results_is_kept() -> None:
    kept, made = Kept(), list[int]()
    for number in (*range(MOST_KEPT + 1), 0):
        kept.one(number, "", partial(made.append, number))
    assert made == [*range(MOST_KEPT + 1), 0]


def draw(app: ReadableApp, given: str, times: list[str], mouse: tuple[float, float] = (-1, -1)) -> list[object]:
    """Draw a frame of one part; return what is seen and can be clicked."""
    ui: Ui = app.ui
    ui.mouse = mouse

    def part() -> str:
        times.append(given)
        ui.button(BOX, given, lambda: None, listed=True)
        ui.scrolls(BOX, lambda steps: None)
        ui.on("marks")
        ui.painter.disc(5, 5, 3, theme.WARN)
        return f"drawn {given}"

    ui.begin((400, 300))
    assert ui.part("part", given, part, under=BOX) == f"drawn {given}"
    assert ui.layer == "marks"
    ui.on("panels")
    ui.button(Rect(20, 80, 200, 40), "below", lambda: None, listed=True)
    numbers = [spot.number for spot in ui.hotspots]
    ui.hotspots[0].number = 7
    ui.end()
    layers = [([key for key, _ in layer.painter.shapes], layer.letters.lines) for layer in ui.layers.values()]
    return [layers, [(spot.label, spot.rect) for spot in ui.hotspots], numbers, [rect for rect, _ in ui.wheels]]


def test_a_part_that_is_taken_over_is_as_it_was_drawn(app: ReadableApp) -> None:
    times: list[str] = []
    first = draw(app, "a", times)
    assert draw(app, "a", times) == first
    assert times == ["a"]
    assert draw(app, "b", times) != first
    assert draw(app, "a", times) == first
    assert times == ["a", "b", "a"]


def test_a_part_under_the_mouse_and_after_another_theme_is_drawn_anew(app: ReadableApp) -> None:
    times: list[str] = []
    first = draw(app, "a", times)
    lit = draw(app, "a", times, (30, 30))
    assert lit != first
    assert draw(app, "a", times) == first
    assert times == ["a", "a"]
    theme.choose("light", "")
    assert draw(app, "a", times) != first
    assert times == ["a", "a", "a"]
