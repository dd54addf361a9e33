"""Names of keys as the table of keys has them, from the toolkit's numbers."""

from __future__ import annotations

from typing import Final

from arcade import key as keys

HELD: Final = (
    ("ctrl", keys.MOD_CTRL | keys.MOD_COMMAND),
    ("alt", keys.MOD_ALT | keys.MOD_OPTION),
    ("shift", keys.MOD_SHIFT),
)
NAMES: Final = {
    keys.ENTER: "enter",
    keys.NUM_ENTER: "enter",
    keys.ESCAPE: "esc",
    keys.SPACE: "space",
    keys.TAB: "tab",
    23 << 32: "tab",  # an X server calls Shift+Tab another key, which the toolkit knows by its place only
    keys.BACKSPACE: "backspace",
    keys.DELETE: "delete",
    keys.INSERT: "insert",
    keys.PAGEUP: "page_up",
    keys.PAGEDOWN: "page_down",
    keys.HOME: "home",
    keys.END: "end",
    keys.LEFT: "left",
    keys.RIGHT: "right",
    keys.UP: "up",
    keys.DOWN: "down",
    keys.PLUS: "+",
    keys.EQUAL: "+",
    keys.NUM_ADD: "+",
    keys.NUM_SUBTRACT: "-",
    **{keys.F1 + number: f"f{number + 1}" for number in range(12)},
    **{keys.NUM_0 + number: str(number) for number in range(10)},
}
"""Names of keys that are not signs; + and = are one key, whatever the keyboard needs for it."""


def chord_of(symbol: int, modifiers: int) -> str:
    """Return the name of a key with those that are held ("ctrl+shift+t"); "" for a key without a name.

    Shift counts with letters and named keys only: with other signs it may be what the keyboard needs for them.
    """
    name = NAMES.get(symbol) or (chr(symbol).lower() if keys.SPACE < symbol < 0x7F else "")
    if not name:
        return ""
    is_sign = len(name) == 1 and not name.isalpha()
    held = [word for word, bits in HELD if modifiers & bits and not (is_sign and word == "shift")]
    return "+".join([*held, name])
