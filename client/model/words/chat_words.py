"""Words of a line of chat: who speaks, and who hears it. Needs no window."""

from __future__ import annotations

from client.model.table.view_model import ChatEntry
from client.text.texts import Texts
from protocol.text import text
from protocol.wire.from_server import TableView


def chat_words(line: ChatEntry, view: TableView | None, texts: Texts) -> str:
    """Return a line of chat with its speaker, and with its recipient where it is for one seat or a side."""
    if line.to < 0 and not line.is_to_side:
        return f"{line.name}: {line.text}"
    hearer = next((seat.name for seat in (view.seats if view is not None else ()) if seat.seat == line.to), "")
    hearer = texts.say(text("talk.side")) if line.is_to_side else line.to_name or hearer
    to = texts.say(text("talk.to", name=hearer))
    return f"{line.name} {to}: {line.text}" if line.open else f"({line.name} {to}) {line.text}"
