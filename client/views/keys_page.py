"""Pages of the keys: those that hold where one is (F1), and all of them, to be changed (Ctrl+K)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from client.input.key_table import ACTIONS, KeyPress, words_of_chord
from client.text.phrases import named, phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.ui.scrolled_rows import ScrolledRows

LINE = 20
KEYS_WIDTH = 220
NOT_NAMED = frozenset("0123456789")


class HelpPage:
    """Page of the keys that hold where one is; the wheel and a key turn it where it has more than fit."""

    def __init__(self) -> None:
        self._first = 0

    def draw(self, ui: Ui, places: Sequence[str]) -> None:
        """Draw the keys that hold everywhere and at these places."""
        actions = ui.keys.holding(places)
        step = ui.px(LINE)
        fitting = min(len(actions), int((ui.size[1] - ui.px(100)) // step))
        self._first = min(max(self._first, 0), len(actions) - fitting)
        inside = ui.popup(min(ui.px(820), ui.size[0]), ui.px(84) + step * fitting, phrase("keys.here"))
        ui.scrolls(inside, self._turn)
        shown = actions[self._first : self._first + fitting]
        for row, action in zip(inside.rows(step, 0), shown, strict=False):
            keys, words = row.cut_left(ui.px(KEYS_WIDTH), ui.px(8))
            ui.line(ui.keys.shown(action), keys, bold=True)
            ui.line(phrase(f"help.{action}"), words)
        close = phrase("keys.here.close", pressed=ui.keys.shown("settings"))
        if fitting < len(actions):
            last, of, turn = self._first + fitting, len(actions), ui.keys.shown("turn")
            close = phrase("keys.here.more", first=self._first + 1, last=last, of=of, turn=turn, close=close)
        foot = inside.cut_bottom(ui.px(20))[0]
        ui.line(close, foot, size=theme.SMALL, colour=theme.MUTED)

    def _turn(self, steps: int) -> None:
        self._first -= steps


class KeysPage:
    """Page on which keys are changed. `changed` is called after each change; the keys are those of the window."""

    def __init__(self) -> None:
        self.is_open = False
        self.changed: Callable[[], object] = lambda: None
        self._asked: tuple[str, int] | None = None
        self._note = ""
        self._rows = ScrolledRows()

    @property
    def is_asking(self) -> bool:
        """True while the next key that is pressed becomes an action's."""
        return self.is_open and self._asked is not None

    def toggle(self) -> None:
        """Open the page at its top, or close it."""
        self.is_open, self._asked, self._note = not self.is_open, None, ""
        self._rows.first = 0

    def draw(self, ui: Ui) -> None:
        """Draw each action with a button for each of its keys."""
        actions = [action for action in ACTIONS.values() if not action.fixed]
        inside = ui.popup(ui.px(900), ui.size[1] * 0.92, phrase("keys.title"))
        foot, inside = inside.cut_bottom(ui.px(36), ui.px(8))
        reset, close = foot.columns(2)
        ui.button(reset, phrase("keys.reset"), partial(self._reset, ui))
        ui.button(close, phrase("keys.close"), self.toggle, primary=True, key=ui.keys.shown("back"))
        head, inside = inside.cut_top(ui.px(40), ui.px(4))
        ui.lines(self._words(ui), head, colour=theme.WARN if self._note or self._asked else theme.MUTED, most=2)
        for row, action in self._rows.fitting(ui, inside, actions, ui.px(28), ui.px(4)):
            buttons, words = row.cut_right(on_grid(row.w * 0.46), ui.px(8))
            place, words = words.cut_left(ui.px(104), ui.px(8))
            ui.line(named("key_place", action.on[0]), place, size=theme.SMALL, colour=theme.MUTED)
            ui.line(phrase(f"help.{action.id}"), words)
            for number, box in enumerate(buttons.columns(4, ui.px(4))[: len(action.keys)]):
                self._key(ui, box, action.id, number)

    def _key(self, ui: Ui, box: Rect, action: str, number: int) -> None:
        key = ui.keys.shown(action, number)
        asked = self._asked == (action, number)
        name = f"{phrase(f'help.{action}')}: {key}"
        ui.button(box, "…" if asked else key, partial(self._ask, action, number), chosen=asked, name=name, tip=name)

    def catch(self, press: KeyPress) -> bool:
        """Take the new key, if one is waited for."""
        if self._asked is None:
            return False
        (action, number), self._asked = self._asked, None
        if press.means("back"):
            return True
        self._note = self._why_not(press, action, number)
        if not self._note:
            press.table.change(action, number, press.chord)
            self.changed()
        return True

    def _why_not(self, press: KeyPress, action: str, number: int) -> str:
        """Return in words why a key cannot be this action's, "" if it can."""
        if press.chord in NOT_NAMED:
            return phrase("keys.fixed", pressed=words_of_chord(press.chord))
        if len(press.chord) == 1 and press.chord.isalpha() and not ACTIONS[action].bare:
            return phrase("keys.letter")
        if press.table.keys_of(action)[number] == press.chord:
            return ""
        rival = next(iter(press.table.conflicts(action, press.chord)), "")
        return phrase("keys.taken", pressed=words_of_chord(press.chord), words=phrase(f"help.{rival}")) if rival else ""

    def _words(self, ui: Ui) -> str:
        back = ui.keys.shown("back")
        if self._asked is not None:
            return phrase("keys.asked", words=phrase(f"help.{self._asked[0]}"), back=back)
        return self._note or phrase("keys.about", back=back)

    def _ask(self, action: str, number: int) -> None:
        self._asked, self._note = (action, number), ""

    def _reset(self, ui: Ui) -> None:
        self._asked, self._note = None, ""
        ui.keys.reset()
        self.changed()
