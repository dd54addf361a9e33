"""The options of a table before the start, as a grid of buttons: each click takes the next value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil

from msgspec import convert

from client.text.phrases import phrase, yes_or_no
from client.text.texts import Texts
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.views.paces import next_bot_pace
from protocol.wire.choices import OptionChoice, OptionValue, SystemChoice
from protocol.wire.from_client import ChangeTable
from protocol.wire.from_server import TableView

PACES = (30, 60, 120, 300)
BANKS = (0, 300, 600, 1200, 2400)
REACTIONS = (0, 2, 3, 5, 10)
STAYING = (0, 50, 70, 80, 90)
ROW, GAP = 22, 2
BELOW = 82
"""Height left for the invite code and the button that starts: rows of options are lower where room is short."""


LIVE = ("time", "bank", "solo_clock", "strict")
"""Options without meaning by mail: no clock runs, and programs add nothing to dice."""
FREE = ("private", "staying", "ranked")
"""Options that are chosen at a ranked table, too; the others are fixed there."""


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
    cells: list[Callable[[Rect], None]] = [partial(draw, *option) for option in _options(table)]
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


def rule_options(system: SystemChoice, scenario: str) -> list[OptionChoice]:
    """Return the options that a scenario of a system has."""
    form_of = next((one.form_of for one in system.scenarios if one.id == scenario), "")
    return [o for o in system.options if not o.scenarios or scenario in o.scenarios or form_of in o.scenarios]


def next_value(option: OptionChoice, now: OptionValue) -> OptionValue:
    """Return the value that the next click takes; after the last one the first."""
    if option.kind == "flag":
        return not now
    values: list[int | str] = [one.id for one in option.values] or list(range(option.low, option.high + 1))
    return values[(values.index(now) + 1) % len(values)] if now in values else values[0]


def value_in_words(option: OptionChoice, value: OptionValue, texts: Texts) -> str:
    """Return a value of an option in words."""
    if option.kind == "flag":
        return yes_or_no(is_so=bool(value))
    return next((texts.say(one.name) for one in option.values if one.id == value), str(value))


def _options(table: TableView) -> tuple[tuple[str, str, dict[str, object]], ...]:
    """Return each option's id, its words, and the change that the next click makes."""
    bank = phrase("option.bank", minutes=table.bank // 60) if table.bank else phrase("option.bank.none")
    reactions = phrase("option.reactions", seconds=table.reaction_seconds)
    look, all_late = yes_or_no(is_so=table.seat_views), yes_or_no(is_so=table.all_views)
    heard = yes_or_no(is_so=table.watchers_heard)
    return (
        ("private", phrase("option.private", private=yes_or_no(is_so=table.private)), {"private": not table.private}),
        ("mail", phrase("option.mail", mail=yes_or_no(is_so=table.mail)), {"mail": not table.mail}),
        ("time", phrase("option.time", seconds=table.seconds), {"seconds": _next(PACES, table.seconds)}),
        ("bank", bank, {"bank": _next(BANKS, table.bank)}),
        ("reactions", reactions, {"reaction_seconds": _next(REACTIONS, table.reaction_seconds)}),
        (
            "solo_clock",
            phrase("option.solo_clock", solo=yes_or_no(is_so=table.solo_clock)),
            {"solo_clock": not table.solo_clock},
        ),
        (
            "bot_pace",
            phrase("option.bot_pace", seconds=f"{table.bot_pace / 1000:g}"),
            {"bot_pace": next_bot_pace(table.bot_pace)},
        ),
        ("late", phrase("option.late", late=yes_or_no(is_so=table.late)), {"late": not table.late}),
        ("seat_views", phrase("option.seat_views", allowed=look), {"seat_views": not table.seat_views}),
        ("all_views", phrase("option.all_views", allowed=all_late), {"all_views": not table.all_views}),
        (
            "watchers_heard",
            phrase("option.watchers_heard", heard=heard),
            {"watchers_heard": not table.watchers_heard},
        ),
        ("rated", phrase("option.rated", rated=yes_or_no(is_so=table.rated)), {"rated": not table.rated}),
        ("strict", phrase("option.strict", strict=yes_or_no(is_so=table.strict)), {"strict": not table.strict}),
        ("ranked", phrase("option.ranked", ranked=yes_or_no(is_so=table.ranked)), {"ranked": not table.ranked}),
        ("staying", _staying(table.staying), {"staying": _next(STAYING, table.staying)}),
    )


def _staying(percent: int) -> str:
    return phrase("option.staying", percent=percent) if percent else phrase("option.staying.any")


def _next(values: Sequence[int], now: int) -> int:
    return next((value for value in values if value > now), values[0])
