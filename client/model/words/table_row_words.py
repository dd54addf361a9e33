"""Words of a table in the lobby's lists. Needs no window."""

from __future__ import annotations

from client.text.days import time_of
from client.text.phrases import named, phrase
from client.text.texts import Texts
from protocol.wire.table_lists import TableRow


def row_note(row: TableRow) -> str:
    """Return the words beside a table's name: that it rests, that it is the viewer's turn, or who it waits for."""
    waits = phrase("lobby.waits", names=", ".join(row.waits)) if row.waits else ""
    kept = phrase("lobby.kept") if row.kept else waits
    if row.rest:
        return named("lobby.rest", row.rest)
    return phrase("lobby.your_turn") if row.turn else kept


def row_words(row: TableRow, texts: Texts) -> str:
    """Return the words below a table's name: its scenario, and its result or its seats."""
    scenario = texts.say(row.scenario)
    if row.state == "finished":
        return f"{scenario}: {texts.say(row.result)}" if row.result is not None else scenario
    private = phrase("lobby.private") if row.private else ""
    private += phrase("lobby.guarded") if row.guarded else ""
    private += phrase("lobby.ranked") if row.ranked else ""
    unclocked = phrase("lobby.by_mail") if row.mail else phrase("lobby.no_clock") if row.lesson else ""
    asleep = f", {named('lobby.rest', row.rest)}" if row.rest else unclocked
    words = phrase("lobby.row", scenario=scenario, taken=row.taken, seats=row.seats, private=private, asleep=asleep)
    words += phrase("lobby.delayed_view") if row.delayed_view else ""
    return words + (phrase("lobby.begins", when=time_of(row.begins)) if row.begins else "")
