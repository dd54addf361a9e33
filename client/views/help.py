"""F1: every key, and what it does."""

from __future__ import annotations

from client import theme
from client.ui import Ui

KEYS = (
    ("Click", "pick a group, a target, a place"),
    ("1 to 9", "take a choice of the list"),
    ("Enter", "done; accept what is proposed"),
    ("Esc", "one step back"),
    ("Space", "end the card, or go on"),
    ("Tab", "go through what can be picked"),
    ("Ctrl+Z", "take your last act back"),
    ("+ and -", "the next cell, angle or number that is asked for"),
    ("Wheel, + and -", "zoom"),
    ("Arrows, right drag", "move the table"),
    ("Home", "show the whole table"),
    ("R", "ruler: drag from place to place"),
    ("L", "line of sight: drag from place to place"),
    ("T, Shift+T", "write to the table; choose who hears you"),
    ("Ctrl + and Ctrl -", "larger and smaller text"),
    ("F3 and F4", "vote yes, vote no"),
    ("F5 and F6", "ask to pause or go on, to adjourn"),
    ("F7 and F8", "ask to end the match; concede"),
    ("F9", "play again where a bot plays for you"),
    ("H, or ?", "the rules, at the choice that you point at or make"),
    ("F2", "are the dice fair? each round, and what to compare"),
    ("F11", "table talk: offers, and words to one alone"),
    ("F10", "menu: leave the table, its code, who watches"),
    ("F1", "this page"),
)


def draw_help(ui: Ui) -> None:
    """A page in the middle of the window."""
    step = min(ui.px(25), (ui.size[1] - ui.px(84)) / len(KEYS))
    box = ui.window.middle(ui.px(620), ui.px(84) + step * len(KEYS))
    inside = ui.panel(box, "Keys and mouse")
    for row, (key, meaning) in zip(inside.rows(step, 0), KEYS, strict=False):
        ui.label(key, row.x, row.centre[1], bold=True, room=ui.px(190))
        ui.label(meaning, row.x + ui.px(200), row.centre[1], room=row.w - ui.px(200))
    ui.label("Any click closes this page.", inside.x, inside.y + ui.px(8), size=theme.SMALL, colour=theme.MUTED)
