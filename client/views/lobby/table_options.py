"""The options of a table before the start, as a grid of buttons: each click takes the next value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil

from msgspec import convert

from client.model.table_options import FREE, LIVE, next_value, rule_options, table_options, value_in_words
from client.text.phrases import phrase
from client.text.texts import Texts
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.wire.choices import SystemChoice
from protocol.wire.from_client import ChangeTable
from protocol.wire.from_server import TableView

ROW, GAP = 22, 2
BELOW = 82
"""Height left for the invite code and the button that starts: rows of options are lower where room is short."""


def draw_options(
    ui: Ui,
    rect: Rect,
    table: TableView,
    say: Callable[[ChangeTable], None],
    *,
    owner: bool,
    last: Sequence[Callable[[Rect], None]] = (),
) -> Rect:
    """Draw the options from the top of `rect`, and `last` in cells after them; return the room below. Only the owner
    can change them."""
    draw = partial(_draw_option, ui, table, say, owner)
    cells: list[Callable[[Rect], None]] = [partial(draw, *option) for option in table_options(table)]
    cells += last
    height = min(ui.px(ROW), (rect.h - ui.px(BELOW)) / ceil(len(cells) / 2) - ui.px(GAP))
    for start in range(0, len(cells), 2):
        row, rect = rect.cut_top(height, ui.px(GAP))
        for box, cell in zip(row.columns(2), cells[start : start + 2], strict=False):
            cell(box)
    return rect


def _draw_option(
    ui: Ui,
    table: TableView,
    say: Callable[[ChangeTable], None],
    owner: bool,  # noqa: FBT001 - bound by a partial alone
    id: str,
    words: str,
    change: dict[str, object],
    box: Rect,
) -> None:
    is_idle, is_fixed = table.mail and id in LIVE, table.ranked and id not in FREE
    act = None if is_idle or is_fixed or not owner else partial(say, convert(change, ChangeTable))
    tip = phrase(f"option.{id}.tip" if owner else "option.owner")
    if is_fixed or is_idle:
        tip = phrase("option.fixed" if is_fixed else "option.not_by_mail")
    ui.button(box, words, act, left=True, name=phrase(f"option.{id}.name"), tip=tip)


def draw_rule_options(
    ui: Ui,
    rect: Rect,
    table: TableView,
    system: SystemChoice | None,
    texts: Texts,
    say: Callable[[ChangeTable], None],
    *,
    owner: bool,
) -> Rect:
    """Draw the options of the rules that this scenario has, as `draw_options` draws those of the table; at a ranked
    table none, since the usual values hold there."""
    options = [] if system is None or table.ranked else rule_options(system, table.scenario)
    for start in range(0, len(options), 2):
        row, rect = rect.cut_top(ui.px(ROW), ui.px(GAP))
        for box, option in zip(row.columns(2), options[start : start + 2], strict=False):
            name, value = texts.say(option.name), table.options.get(option.key, option.default)
            act = partial(say, ChangeTable(options={option.key: next_value(option, value)})) if owner else None
            words = phrase("option.rule", name=name, value=value_in_words(option, value, texts))
            ui.button(box, words, act, left=True, name=name, tip=texts.say(option.hint))
    return rect
