"""Keys and mouse of the text field that has the focus: caret, selection and clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arcade import key as keys

from client.ui.hotspots import Hotspot

if TYPE_CHECKING:
    from client.app.window import App
    from client.ui.text_input import TextInput

COPY, CUT, PASTE, ALL = "ctrl+c", "ctrl+x", "ctrl+v", "ctrl+a"
RUB_OUT_WORD: Final = {"ctrl+backspace": False, "ctrl+delete": True}


class FieldKeys:
    """Editing of the field with the focus."""

    def __init__(self, app: App) -> None:
        self.app = app

    def chord(self, field: TextInput, chord: str) -> bool:
        """Take a key of the clipboard or one that works on words; return False for any other."""
        if chord in (COPY, CUT):
            if field.selected and self.app.copy(field.selected) and chord == CUT:
                field.rub_out()
        elif chord == PASTE:
            field.type(self.app.clipboard())
        elif chord == ALL:
            field.select_all()
        elif chord in RUB_OUT_WORD:
            field.rub_out(forwards=RUB_OUT_WORD[chord], word=True)
        else:
            return False
        return True

    def motion(self, field: TextInput, motion: int, *, select: bool) -> None:
        """Take a key that moves the caret or rubs out; with `select` the text that the caret passes is selected."""
        match motion:
            case keys.MOTION_BACKSPACE:
                field.rub_out()
            case keys.MOTION_DELETE:
                field.rub_out(forwards=True)
            case keys.MOTION_LEFT | keys.MOTION_RIGHT:
                by = 1 if motion == keys.MOTION_RIGHT else -1
                if select:
                    field.go(field.caret + by, select=True)
                else:
                    field.step(by)
            case keys.MOTION_NEXT_WORD | keys.MOTION_PREVIOUS_WORD:
                field.go(field.word(forwards=motion == keys.MOTION_NEXT_WORD), select=select)
            case keys.MOTION_BEGINNING_OF_LINE | keys.MOTION_BEGINNING_OF_FILE:
                field.go(0, select=select)
            case keys.MOTION_END_OF_LINE | keys.MOTION_END_OF_FILE:
                field.go(len(field.text), select=select)
            case _:
                pass

    def point(self, spot: Hotspot, x: float, *, select: bool) -> None:
        """Put the caret where the mouse is; with `select` the text up to there is selected."""
        ui = self.app.ui
        if spot.input is not None:
            place = spot.input.place_at(x - spot.rect.x - ui.px(8), ui.width)
            spot.input.go(place, select=select)
