"""The options of a table before the start, as a grid of buttons: each click is the next value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import convert

from client.layout import Rect
from client.phrases import phrase, yes_or_no
from client.ui import Act, Ui
from protocol.from_client import ChangeTable
from protocol.from_server import TableView

PACES = (30, 60, 120, 300)
BANKS = (0, 300, 600, 1200, 2400)
REACTIONS = (0, 2, 3, 5, 10)


def draw_options(ui: Ui, rect: Rect, table: TableView, owner: bool, say: Callable[[ChangeTable], None]) -> Rect:
    """From the top of `rect`; returns the room below. Only the owner can change them."""

    def change(**values: object) -> Act | None:
        message = convert(values, ChangeTable)
        return (lambda: say(message)) if owner else None

    timed = "" if not table.mail else phrase("option.untimed")
    bank = phrase("option.bank", minutes=table.bank // 60) if table.bank else phrase("option.bank.none")
    cells: tuple[tuple[str, str, Act | None, str], ...] = (
        (
            phrase("option.private.name"),
            phrase("option.private", private=yes_or_no(table.private)),
            change(private=not table.private),
            phrase("option.private.tip"),
        ),
        (
            phrase("option.mail.name"),
            phrase("option.mail", mail=yes_or_no(table.mail)),
            change(mail=not table.mail),
            phrase("option.mail.tip"),
        ),
        (
            phrase("option.time.name"),
            phrase("option.time", seconds=table.seconds),
            None if timed else change(seconds=_next(PACES, table.seconds)),
            timed or phrase("option.time.tip"),
        ),
        (
            phrase("option.bank.name"),
            bank,
            None if timed else change(bank=_next(BANKS, table.bank)),
            timed or phrase("option.bank.tip"),
        ),
        (
            phrase("option.reactions.name"),
            phrase("option.reactions", seconds=table.reaction_seconds),
            change(reaction_seconds=_next(REACTIONS, table.reaction_seconds)),
            phrase("option.reactions.tip"),
        ),
        (
            phrase("option.late.name"),
            phrase("option.late", late=yes_or_no(table.late)),
            change(late=not table.late),
            phrase("option.late.tip"),
        ),
        (
            phrase("option.seat_views.name"),
            phrase("option.seat_views", allowed=yes_or_no(table.seat_views)),
            change(seat_views=not table.seat_views),
            phrase("option.seat_views.tip"),
        ),
        (
            phrase("option.all_views.name"),
            phrase("option.all_views", allowed=yes_or_no(table.all_views)),
            change(all_views=not table.all_views),
            phrase("option.all_views.tip"),
        ),
    )
    for start in range(0, len(cells), 2):
        row, rect = rect.cut_top(ui.px(29), ui.px(4))
        for box, (name, words, act, tip) in zip(row.columns(2), cells[start : start + 2], strict=True):
            ui.button(box, words, act, left=True, name=name, tip=tip if owner or timed else phrase("option.owner"))
    return rect


def _next(values: Sequence[int], now: int) -> int:
    return next((value for value in values if value > now), values[0])
