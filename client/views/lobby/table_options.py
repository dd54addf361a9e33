"""The options of a table before the start, as a grid of buttons: each click takes the next value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import convert

from client.model.lobby.table_options import FREE, LIVE, next_value, rule_options, table_options, value_in_words
from client.text.phrases import phrase
from client.text.texts import Texts
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.scrolled_rows import ScrolledRows, draw_bar
from protocol.wire.choices import OptionChoice, SystemChoice
from protocol.wire.from_client import ChangeTable
from protocol.wire.from_server import TableView

ROW, GAP = 24, 4
Cell = Callable[[Rect], None]
"""Draws one option in its place."""


def draw_options(
    ui: Ui,
    rect: Rect,
    table: TableView,
    say: Callable[[ChangeTable], None],
    system: SystemChoice | None,
    texts: Texts,
    *,
    owner: bool,
    scrolled: ScrolledRows,
    last: Sequence[Cell] = (),
) -> Rect:
    """Draw the options of a table from the top of `rect`, `last` in cells after them, and below them those of the rules
    that its scenario has; at a ranked table, where the usual values hold, none of these. Return the room below. Rows
    are lower where room is short, and `scrolled` where they would be lower than their words. Only the owner can change
    them."""
    draw = partial(_draw_option, ui, table, say, owner)
    cells: list[Cell] = [*(partial(draw, *option) for option in table_options(table)), *last]
    options = [] if system is None or table.ranked else rule_options(system, table.scenario)
    rules: list[Cell] = [partial(_draw_rule_option, ui, table, texts, say, owner, option) for option in options]
    rows = [part[start : start + 2] for part in (cells, rules) for start in range(0, len(part), 2)]
    height = min(ui.px(ROW), rect.h / len(rows) - ui.px(GAP))
    least = ui.line_height(theme.BODY)
    if height < least:
        _draw_scrolled(ui, rect, rows, scrolled, least)
        return rect.cut_bottom(0)[0]
    for cells_of_row in rows:
        row, rect = rect.cut_top(height, ui.px(GAP))
        for box, cell in zip(row.columns(2), cells_of_row, strict=False):
            cell(box)
    return rect


def _draw_scrolled(ui: Ui, rect: Rect, rows: Sequence[Sequence[Cell]], scrolled: ScrolledRows, height: float) -> None:
    """Draw the rows that fit, beside a bar that tells which they are."""
    bar, room = rect.cut_right(ui.px(4), ui.px(4))
    shown = list(scrolled.fitting(ui, room, rows, height, ui.px(GAP)))
    for row, cells in shown:
        for box, cell in zip(row.columns(2), cells, strict=False):
            cell(box)
    draw_bar(ui, bar, scrolled.first, len(shown), len(rows))


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


def _draw_rule_option(
    ui: Ui,
    table: TableView,
    texts: Texts,
    say: Callable[[ChangeTable], None],
    owner: bool,  # noqa: FBT001 - bound by a partial alone
    option: OptionChoice,
    box: Rect,
) -> None:
    name, value = texts.say(option.name), table.options.get(option.key, option.default)
    act = partial(say, ChangeTable(options={option.key: next_value(option, value)})) if owner else None
    words = phrase("option.rule", name=name, value=value_in_words(option, value, texts))
    ui.button(box, words, act, left=True, name=name, tip=texts.say(option.hint))
