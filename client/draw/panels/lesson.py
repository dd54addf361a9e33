"""Drawing of a lesson: the box with the words of its step, and the mark on what it points at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect

WIDE = 620
LEAST_HIGH = 30


@dataclass(frozen=True)
class LessonWords:
    """Words of the box: the lesson's name, how far it is, and what to do. `go_on`: its button, where the step ends
    so."""

    title: str
    done: int
    most: int
    words: str
    go_on: Act | None
    leave: Act


def draw_lesson_box(ui: Ui, board: Rect, lesson: LessonWords, others: Callable[[Rect], bool]) -> Rect:
    """Draw the box at the top of the board, or where that would cover what is pointed at (`others`), at its foot;
    return its place."""
    pad, button = ui.px(8), ui.px(124)
    width = min(ui.px(WIDE), board.w - 2 * pad)
    inner = width - 2 * pad - button - pad
    words = max(ui.lines_height(lesson.words, inner, size=theme.LARGE, bold=True), ui.px(LEAST_HIGH))
    height = words + ui.px(18) + 2 * pad
    x = board.centre[0] - width / 2
    top = Rect(x, board.top - height - pad, width, height)
    box = top if not others(top) else Rect(x, board.y + ui.px(76), width, height)
    ui.painter.box(box, theme.faded(theme.VEIL, 240), 2, theme.LESSON, 6)
    inside = box.inset(pad)
    buttons, text = inside.cut_right(button, pad)
    head, text = text.cut_top(ui.px(18))
    words_of_head = phrase("lesson.head", title=lesson.title, done=lesson.done, most=lesson.most)
    ui.line(words_of_head, head, size=theme.SMALL, colour=theme.LESSON)
    ui.lines(lesson.words, Rect(text.x, text.y - pad, text.w, text.h + pad), size=theme.LARGE, bold=True)
    leave, rest = buttons.cut_bottom(ui.px(24), ui.px(4))
    ui.button(leave, phrase("lesson.leave"), lesson.leave, tip=phrase("lesson.leave.tip"))
    if lesson.go_on is not None:
        ui.button(rest.cut_bottom(ui.px(26))[0], phrase("lesson.go_on"), lesson.go_on, primary=True)
    return box


def draw_lesson_chip(ui: Ui, board: Rect, take_up: Act) -> None:
    """Draw the button that takes a lesson up again which was left."""
    rect = Rect(board.x + ui.px(8), board.top - ui.px(34), ui.px(150), ui.px(26))
    ui.button(rect, phrase("lesson.take_up"), take_up, tip=phrase("lesson.take_up.tip"))


def draw_frame(ui: Ui, rect: Rect) -> Rect:
    """Draw the mark around what is to be looked at; return its outer edge."""
    gap = ui.px(4)
    around = Rect(rect.x - gap, rect.y - gap, rect.w + 2 * gap, rect.h + 2 * gap)
    left, low = max(around.x, 1), max(around.y, 1)
    frame = Rect(left, low, min(around.right, ui.size[0] - 1) - left, min(around.top, ui.size[1] - 1) - low)
    ui.painter.frame(frame, 4, theme.LESSON, 8)
    return frame


def draw_sign(ui: Ui, rect: Rect) -> None:
    """Draw the mark around what is to be clicked: a frame, and an arrow that points at it."""
    frame = draw_frame(ui, rect)
    x, size = frame.centre[0], ui.px(13)
    above = frame.top + 3 * size < ui.size[1]
    tip, way = (frame.top + 2, 1) if above else (frame.y - 2, -1)
    ui.painter.region([(x, tip), (x - size, tip + way * size), (x + size, tip + way * size)], theme.LESSON)
    shaft = [(x, tip + way * size), (x, tip + way * (size * 2.2))]
    ui.painter.stroke(shaft, size * 0.8, theme.LESSON)
