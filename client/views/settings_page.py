"""Page of all settings in one list, over any screen: name, one line of help, the present value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.views.settings import PersonalSetting

WIDE, ROW, GAP, VALUE = 700, 48, 4, 232
"""Width in pixels of the page, height of a row, room between two rows, width of a value."""
CREDITS = 20
"""Height in pixels of the line of whose icons and fonts these are."""
TWO_LINES = 38
"""Height in pixels from which a row has its line of help, else its tooltip alone."""


class SettingsPage:
    """Page of settings, as `settings` gives them at each drawing, or of those of sounds alone, as `sounds` does."""

    def __init__(self) -> None:
        self.is_open = False
        self.settings: Callable[[], Sequence[PersonalSetting]] = tuple
        self.sounds: Callable[[], Sequence[PersonalSetting]] = tuple
        self._has_sounds = False

    def toggle(self) -> None:
        """Open or close the page."""
        self.is_open, self._has_sounds = not self.is_open, False

    def show_sounds(self) -> None:
        """Show the settings of sounds, or all others again."""
        self._has_sounds = not self._has_sounds

    def draw(self, ui: Ui) -> None:
        """Draw a row for each setting; a click on its value, or its number, takes the next one."""
        settings = self.sounds() if self._has_sounds else self.settings()
        height = ui.px(100 + CREDITS) + len(settings) * ui.px(ROW + GAP)
        title = phrase("settings.sounds" if self._has_sounds else "settings.title")
        inside = ui.popup(ui.px(WIDE), height, title)
        foot, inside = inside.cut_bottom(ui.px(32), ui.px(8))
        if self._has_sounds:
            all_others, foot = foot.columns(2)
            ui.button(all_others, phrase("settings.all"), self.show_sounds)
        ui.button(foot, phrase("settings.close"), self.toggle, primary=True, key=ui.keys.shown("back"))
        by_whom, inside = inside.cut_bottom(ui.px(CREDITS), ui.px(4))
        ui.line(phrase("settings.credits"), by_whom, size=theme.SMALL, colour=theme.MUTED)
        for row, setting in zip(inside.share(len(settings), ui.px(ROW), ui.px(GAP)), settings, strict=False):
            self._draw_row(ui, row, setting)

    def _draw_row(self, ui: Ui, row: Rect, setting: PersonalSetting) -> None:
        button, words = row.cut_right(min(ui.px(VALUE), on_grid(row.w * 0.42)), ui.px(8))
        key = ui.keys.shown(setting.action) if setting.action else ""
        name = phrase("settings.with_key", name=setting.name, pressed=key) if key else setting.name
        if row.h >= ui.px(TWO_LINES):
            head, below = words.cut_top(on_grid(row.h * 0.48))
            ui.line(name, head, bold=True)
            ui.line(setting.about, below, size=theme.SMALL, colour=theme.MUTED)
        else:
            ui.line(name, words, bold=True)
        act, about = setting.change, setting.about
        ui.button(button, setting.value, act, name=setting.name, tip=about, left=True, listed=act is not None)
