"""The options of a table before the start, as a grid of buttons: each click is the next value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import convert

from client.layout import Rect
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

    timed = "" if not table.mail else "No clock runs in play by mail."
    bank = f"Bank: {table.bank // 60} min" if table.bank else "Bank: none"
    cells: tuple[tuple[str, str, Act | None, str], ...] = (
        ("Private", f"Private: {_yes(table.private)}", change(private=not table.private), "Only with the code."),
        ("By mail", f"By mail: {_yes(table.mail)}", change(mail=not table.mail), "No clock at all, for days."),
        (
            "Time",
            f"Time: {table.seconds} s",
            None if timed else change(seconds=_next(PACES, table.seconds)),
            timed or "For each decision.",
        ),
        (
            "Bank",
            bank,
            None if timed else change(bank=_next(BANKS, table.bank)),
            timed or "In reserve, each seat for the whole match.",
        ),
        (
            "Reactions",
            f"Reactions: {table.reaction_seconds} s",
            change(reaction_seconds=_next(REACTIONS, table.reaction_seconds)),
            "Secret answers take at least so long; with 0 it shows who needs time.",
        ),
        (
            "Late players",
            f"Late players: {_yes(table.late)}",
            change(late=not table.late),
            "Whether someone may take a bot's seat in the match.",
        ),
        (
            "Look into seats",
            f"Look into seats: {_yes(table.seat_views)}",
            change(seat_views=not table.seat_views),
            "Whether spectators may ask players to see what they see. Each player decides for himself.",
        ),
        (
            "All cards, late",
            f"All cards, late: {_yes(table.all_views)}",
            change(all_views=not table.all_views),
            "Whether spectators may see everything, two minutes and a whole round late.",
        ),
    )
    for start in range(0, len(cells), 2):
        row, rect = rect.cut_top(ui.px(29), ui.px(4))
        for box, (name, words, act, tip) in zip(row.columns(2), cells[start : start + 2], strict=True):
            ui.button(box, words, act, left=True, name=name, tip=tip if owner or timed else "The owner chooses.")
    return rect


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _next(values: Sequence[int], now: int) -> int:
    return next((value for value in values if value > now), values[0])
