"""Drawing of the log and the chat: the newest line at the bottom, older ones above as far as there is room."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.model.view_model import ChatEntry, ViewModel
from client.text.phrases import phrase
from client.text.texts import Texts
from client.ui import measure, theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect
from client.ui.theme import Colour
from protocol.text import text
from protocol.wire.from_server import TableView

Entry = tuple[str, Colour, str]


def log_entries(model: ViewModel) -> list[Entry]:
    """Return the words, the seat's colour and the rule of each line of the log."""
    return [
        (line.text, theme.seat_colour(model.top.colour_of(line.seat)) if line.seat >= 0 else theme.MUTED, line.rule)
        for line in model.log
    ]


def chat_entries(model: ViewModel) -> list[Entry]:
    return [
        (chat_words(line, model.view, model.texts), theme.seat_colour(model.top.colour_of(line.seat)), "")
        for line in model.chat
    ]


def chat_words(line: ChatEntry, view: TableView | None, texts: Texts) -> str:
    """Return a line of chat with its speaker, and with its recipient where it is for one seat."""
    if line.to < 0:
        return f"{line.name}: {line.text}"
    hearer = next((seat.name for seat in (view.seats if view is not None else ()) if seat.seat == line.to), "")
    to = texts.say(text("talk.to", name=hearer))
    return f"{line.name} {to}: {line.text}" if line.open else f"({line.name} {to}) {line.text}"


def draw_entries(
    ui: Ui,
    rect: Rect,
    entries: Sequence[Entry],
    back: int = 0,
    of_rule: Callable[[str], Act | None] = lambda rule: None,
) -> bool:
    """Draw entries from the bottom up, the last `back` of them scrolled out of sight; return True if the first of all
    is in sight.

    A rule id is drawn behind its line; a click on such a line calls what `of_rule` gives.
    """
    px = ui.px(theme.SMALL)
    step = round(px * 1.36)
    y = rect.y + step / 2
    indent = ui.px(10)
    for words, colour, rule in reversed(entries[: len(entries) - back if back else None]):
        line_words = f"{words}  [{rule}]" if rule else words
        lines = measure.wrap(line_words, px, max(int(rect.w - indent), 20))
        if y + step * (len(lines) - 0.5) > rect.top:
            lines = lines[-max(int((rect.top - y + step / 2) // step), 0) :] if y + step / 2 <= rect.top else ()
        if not lines:
            return False
        for line in reversed(lines):
            ui.label(line, rect.x + indent, y, size=theme.SMALL)
            y += step
        bottom = y - step * (len(lines) + 0.5)
        act = of_rule(rule) if rule else None
        if act is not None:
            box = Rect(rect.x, bottom + 2, rect.w, step * len(lines) - 3)
            ui.tag(box, phrase("log.rule", rule=rule), tip=phrase("log.rule", rule=rule), act=act)
        ui.painter.rect(Rect(rect.x, bottom + 2, 3, step * len(lines) - 3), colour)
    return True
