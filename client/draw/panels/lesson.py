"""Drawing of a lesson: the box with the words of its step, and the mark on what it points at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect

Arrow = tuple[list[tuple[float, float]], list[tuple[float, float]]]
"""Corners of the head, its tip first, and both ends of the shaft."""
HIGH: Final = 80
"""Pixels of the box with two lines of words."""


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


def box_height(ui: Ui) -> float:
    """Return the height of the strip that a box of two lines of words needs, in pixels."""
    return ui.px(HIGH)


def draw_lesson_box(ui: Ui, strip: Rect, lesson: LessonWords) -> Rect:
    """Draw the box in a strip, lower than that where its words need more lines; return its place."""
    pad, button = ui.px(8), ui.px(124)
    inner = strip.w - 5 * pad - button
    words = ui.lines_height(lesson.words, inner, size=theme.LARGE, bold=True)
    height = max(words + ui.px(20) + 2 * pad, strip.h - pad)
    box = Rect(strip.x + pad, strip.top - pad / 2 - height, strip.w - 2 * pad, height)
    ui.painter.box(box, theme.faded(theme.VEIL, 240), 2, theme.LESSON, 6)
    inside = box.inset(pad)
    buttons, text = inside.cut_right(button, pad)
    head, text = text.cut_top(ui.px(20))
    words_of_head = phrase("lesson.head", title=lesson.title, done=lesson.done, most=lesson.most)
    if lesson.done == lesson.most:
        words_of_head = phrase("lesson.head.done", title=lesson.title)
    ui.line(words_of_head, head, size=theme.SMALL, colour=theme.WARN)
    ui.lines(lesson.words, Rect(text.x, text.y - pad, text.w, text.h + pad), size=theme.LARGE, bold=True)
    leave, rest = buttons.cut_bottom(ui.px(24), ui.px(4))
    ui.button(leave, phrase("lesson.leave"), lesson.leave, tip=phrase("lesson.leave.tip"))
    if lesson.go_on is not None:
        ui.button(rest.cut_bottom(ui.px(28))[0], phrase("lesson.go_on"), lesson.go_on, primary=True)
    return box


def draw_lesson_chip(ui: Ui, board: Rect, take_up: Act) -> None:
    """Draw the button that takes a lesson up again which was left."""
    rect = Rect(board.x + ui.px(8), board.top - ui.px(36), ui.px(152), ui.px(28))
    ui.button(rect, phrase("lesson.take_up"), take_up, tip=phrase("lesson.take_up.tip"))


def draw_frame(ui: Ui, rect: Rect) -> Rect:
    """Draw the mark around what is to be looked at; return its outer edge."""
    gap = ui.px(4)
    around = Rect(rect.x - gap, rect.y - gap, rect.w + 2 * gap, rect.h + 2 * gap)
    left, low = max(around.x, 1), max(around.y, 1)
    frame = Rect(left, low, min(around.right, ui.size[0] - 1) - left, min(around.top, ui.size[1] - 1) - low)
    ui.painter.frame(frame, 6, theme.CASING, 8)
    ui.painter.frame(frame.inset(1), 4, theme.LESSON, 8)
    return frame


def draw_sign(ui: Ui, rect: Rect, board: Rect, taken: Sequence[Rect]) -> None:
    """Draw the mark around what is to be clicked: a frame, and an arrow that points at it from the first side where it
    covers nothing that is `taken` and does not leave the board."""
    frame, size = draw_frame(ui, rect), ui.px(13)
    sides = [_arrow(frame, way, size) for way in ((-1, 0), (1, 0), (0, 1), (0, -1))]
    free = (arrow for arrow in sides if _is_free(arrow, board, taken))
    (tip, *wings), shaft = next(free, sides[0])
    ui.painter.stroke([tip, *wings], 3, theme.CASING, closed=True)
    ui.painter.stroke(shaft, size * 0.8 + 3, theme.CASING)
    ui.painter.region([tip, *wings], theme.LESSON)
    ui.painter.stroke(shaft, size * 0.8, theme.LESSON)


def _arrow(frame: Rect, way: tuple[int, int], size: float) -> Arrow:
    """Return the head and the shaft of an arrow that stands on this side of a frame."""
    (x, y), (right, up) = frame.centre, way
    x, y = x + right * (frame.w / 2 + 2), y + up * (frame.h / 2 + 2)
    neck = (x + right * size, y + up * size)
    head = [(x, y), (neck[0] - up * size, neck[1] - right * size), (neck[0] + up * size, neck[1] + right * size)]
    return head, [neck, (x + right * size * 2.2, y + up * size * 2.2)]


def _is_free(arrow: Arrow, board: Rect, taken: Sequence[Rect]) -> bool:
    xs, ys = zip(*arrow[0], *arrow[1], strict=True)
    box = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    inside = board.contains(box.x, box.y) and board.contains(box.right, box.top)
    return inside and not any(box.overlaps(rect) for rect in taken)
