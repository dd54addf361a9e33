"""The stack: what is being resolved, in boxes over the board where they hide no figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from client.model.table.view_model import ViewModel
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, up_to_grid
from protocol.ids import NodeId

MOST_BOXES: Final = 4
MOST_LINES: Final = 4
WIDTH: Final = 260
STEP: Final = 24
"""Pixels between two places that are tried."""
MARGIN: Final = 8
Box = tuple[Rect, list[str]]


class StackBoxes:
    """Boxes of the stack, each at its place from frame to frame as long as it hides nothing there."""

    def __init__(self) -> None:
        self._kept: dict[NodeId, tuple[float, float]] = {}

    def place(self, ui: Ui, board: Rect, model: ViewModel, bases: Sequence[Rect], names: Sequence[Rect]) -> list[Box]:
        """Return each item's box with its lines: the title, then the item's own. No box lies on one of `bases`, and
        none on one of `names` if there is other room; where there is little, the titles have to do."""
        kept, self._kept = self._kept, {}
        boxes: list[Box] = []
        for id, item in model.top.stack[:MOST_BOXES]:
            title = model.texts.say(item.title)
            lines = [title, *(model.texts.say(line) for line in item.lines[:MOST_LINES])]
            taken = [box for box, _ in boxes]
            found = self._fitting(ui, board, lines, [*bases, *taken], names, kept.get(id))
            self._kept[id] = found[0].x, found[0].top
            boxes.append(found)
        return boxes

    def _fitting(
        self,
        ui: Ui,
        board: Rect,
        lines: list[str],
        bases: Sequence[Rect],
        names: Sequence[Rect],
        kept: tuple[float, float] | None,
    ) -> Box:
        for words in (lines, lines[:1]):
            w, h = _size(ui, words, board)
            if kept is not None and _is_free(stays := Rect(kept[0], kept[1] - h, w, h), board, bases):
                return stays, words
            places = list(_places(board, w, h))
            for avoided in ([*bases, *names], bases):
                box = next((box for box in places if _is_free(box, board, avoided)), None)
                if box is not None:
                    return box, words
        places = list(_places(board, *_size(ui, lines[:1], board)))
        return min(places, key=lambda box: sum(box.overlaps(base) for base in bases)), lines[:1]


def _size(ui: Ui, words: list[str], board: Rect) -> tuple[float, float]:
    pad = ui.px(16)
    longest = max(ui.width(line, size=theme.SMALL, bold=i == 0) for i, line in enumerate(words))
    width = min(ui.px(WIDTH), up_to_grid(longest + pad + 2), board.w - 2 * MARGIN)
    height = sum(ui.lines_height(line, width - pad, size=theme.SMALL, bold=i == 0) for i, line in enumerate(words))
    return width, height + pad


def _places(board: Rect, w: float, h: float) -> Iterator[Rect]:
    """Yield places for a box: at the left and the right from the top down, at the foot, then everywhere."""
    left, right = board.x + MARGIN, max(board.right - MARGIN - w, board.x)
    top, foot = board.top - MARGIN - h, board.y + MARGIN
    downwards = [top - step for step in range(0, max(int(top - foot), 0) + 1, STEP)]
    across = [left + step for step in range(0, max(int(right - left), 0) + 1, STEP)]
    for x, y in ((left, y) for y in downwards):
        yield Rect(x, y, w, h)
    for x, y in ((right, y) for y in downwards):
        yield Rect(x, y, w, h)
    for x in across:
        yield Rect(x, foot, w, h)
    for y, x in product(downwards, across):
        yield Rect(x, y, w, h)


def _is_free(box: Rect, board: Rect, things: Sequence[Rect]) -> bool:
    inside = board.x <= box.x and box.right <= board.right and board.y <= box.y and box.top <= board.top
    return inside and not any(box.overlaps(thing) for thing in things)


def draw_stack_box(ui: Ui, box: Rect, words: list[str]) -> None:
    """Draw one item of the stack."""
    ui.painter.box(box, theme.faded(theme.VEIL, 240), 1, theme.WARN, 5)
    inside = Rect(box.x + ui.px(8), box.y, box.w - ui.px(16), box.h - ui.px(8))
    for i, line in enumerate(words):
        inside = ui.lines(line, inside, size=theme.SMALL, bold=i == 0)
