"""Drawing of the stack: what is being resolved, in boxes down the upper left of the board."""

from __future__ import annotations

from client.model.view_model import ViewModel
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect

MOST_BOXES = 4
MOST_LINES = 4
WIDTH = 260


def stack_boxes(ui: Ui, board: Rect, model: ViewModel) -> list[tuple[Rect, list[str]]]:
    """Return each item's box with its lines: the title, then the item's own."""
    y = board.top - ui.px(8)
    width = ui.px(WIDTH)
    boxes: list[tuple[Rect, list[str]]] = []
    for _, item in model.top.stack[:MOST_BOXES]:
        words = [model.texts.say(item.title), *(model.texts.say(line) for line in item.lines[:MOST_LINES])]
        height = sum(ui.lines_height(line, width - ui.px(16), size=theme.SMALL) for line in words) + ui.px(16)
        boxes.append((Rect(board.x + ui.px(8), y - height, width, height), words))
        y -= height + ui.px(6)
    return boxes


def draw_stack_box(ui: Ui, box: Rect, words: list[str]) -> None:
    """Draw one item of the stack."""
    ui.painter.box(box, theme.faded(theme.VEIL, 240), 1, theme.WARN, 5)
    inside = Rect(box.x + ui.px(8), box.y, box.w - ui.px(16), box.h - ui.px(7))
    for i, line in enumerate(words):
        inside = ui.lines(line, inside, size=theme.SMALL, bold=i == 0)
