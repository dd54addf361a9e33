"""Drawing of a plot: a number of each seat, round by round, with its names and last values at the right."""

from __future__ import annotations

from typing import Final

from client.draw.emblem import draw_emblem
from client.model.table.view_model import ViewModel
from client.model.words.series_words import ShownSeries, number_words
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid, up_to_grid

LEGEND: Final = 0.3
"""Share of the width that the names have."""
LINES: Final = 4
"""Lines across the plot, beside the lowest."""
STEPS: Final = (1, 2, 5)


def step_for(span: float, least: float) -> float:
    """Return a round distance of lines, of which `LINES` reach over `span`; `least`: the smallest that may be."""
    step, place = least, 0
    while step * LINES < span:
        place += 1
        step = least * STEPS[place % 3] * 10 ** (place // 3)
    return step


def draw_plot(ui: Ui, rect: Rect, model: ViewModel, course: ShownSeries) -> None:
    """Draw a series; each round can be pointed at for all its numbers."""
    names, area = rect.cut_right(on_grid(rect.w * LEGEND), ui.px(16))
    _draw_legend(ui, names, model, course)
    numbers = [number for row in course.rows.values() for number in row]
    is_whole = all(number == int(number) for number in numbers)
    step = step_for(max(*numbers, 0) - min(*numbers, 0), 1 if is_whole else 0.5)
    low = step * (min(*numbers, 0) // step)
    most = step * -(-max(*numbers, low + step) // step)
    foot, area = area.cut_bottom(ui.px(20), ui.px(4))
    count = round((most - low) / step) + 1
    marks = [low + step * place for place in range(count)]
    margin = up_to_grid(max(ui.width(number_words(mark), size=theme.SMALL) for mark in marks)) + ui.px(8)
    _, area = area.cut_left(margin)
    area = area.inset(ui.px(8))

    def height(number: float) -> float:
        return area.y + area.h * (number - low) / (most - low)

    for mark in marks:
        y = height(mark)
        ui.painter.stroke([(area.x, y), (area.right, y)], 2 if mark == 0 else 1, theme.PANEL_EDGE)
        ui.label(number_words(mark), area.x - ui.px(8), y, size=theme.SMALL, colour=theme.MUTED, anchor="right")
    across = [area.x + area.w * (place / max(course.length - 1, 1)) for place in range(course.length)]
    _draw_rounds(ui, foot, across, course)
    for seat, row in course.rows.items():
        colour = model.top.colour_of(seat)
        spots = [(x, height(number)) for x, number in zip(across, row, strict=True)]
        if len(spots) > 1:
            ui.painter.cased(spots, ui.px(3), theme.seat_colour(colour))
        draw_emblem(ui.painter, colour, *spots[-1], ui.px(8))
    _tag_rounds(ui, area, across, model, course)


def _draw_legend(ui: Ui, rect: Rect, model: ViewModel, course: ShownSeries) -> None:
    """Draw the seats, the greatest last value first."""
    order = sorted(course.rows.items(), key=lambda one: -one[1][-1])
    for (seat, row), line in zip(order, rect.share(len(order), ui.px(28)), strict=False):
        r = ui.px(8)
        draw_emblem(ui.painter, model.top.colour_of(seat), line.x + r, line.centre[1], r)
        value = number_words(row[-1])
        ui.label(value, line.right, line.centre[1], bold=True, anchor="right")
        _, place = line.cut_left(2 * r, ui.px(8))
        room = place.w - ui.width(value, bold=True) - ui.px(8)
        ui.label(model.seat_name(seat), place.x, line.centre[1], room=room)


def _draw_rounds(ui: Ui, foot: Rect, across: list[float], course: ShownSeries) -> None:
    """Draw the numbers of the rounds, as many as have room."""
    room = ui.width(str(course.first + course.length), size=theme.SMALL) + ui.px(12)
    each = max(-(-int(room * course.length) // max(int(foot.w), 1)), 1)
    for place in range(0, course.length, each):
        number = str(course.first + place)
        ui.label(number, across[place], foot.centre[1], size=theme.SMALL, colour=theme.MUTED, anchor="center")


def _tag_rounds(ui: Ui, area: Rect, across: list[float], model: ViewModel, course: ShownSeries) -> None:
    """Let each round be pointed at."""
    wide = area.w / max(course.length - 1, 1)
    for place, x in enumerate(across):
        told = [f"{model.seat_name(seat)}: {number_words(row[place])}" for seat, row in course.rows.items()]
        words = phrase("series.round", number=course.first + place)
        left, right = on_grid(max(x - wide / 2, area.x)), on_grid(min(x + wide / 2, area.right))
        ui.tag(Rect(left, area.y, right - left, area.h), words, "\n".join([words, *told]))
