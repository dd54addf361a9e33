"""Words of the order of play: who is on, who is next, and what is counted. Needs no window."""

from __future__ import annotations

from client.model.table.view_model import ViewModel
from client.text.phrases import phrase


def turn_words(model: ViewModel) -> list[str]:
    """Return who is on, and whose card comes next where cards lay down the order."""
    top = model.top
    if top.result is not None:
        return []
    on = ", ".join(model.seat_name(seat) for seat in (top.waits.seats if top.waits is not None else ()))
    words = [phrase("order.on", who=on)] if on else []
    if top.row is None:
        following = [model.seat_name(seat) for seat, node in top.seats.items() if node.next]
        return [*words, *(phrase("order.next", who=who) for who in following)]
    coming = next((card for card in top.row.cards if card.state == "waiting"), None)
    if coming is None:
        return [*words, phrase("order.last")] if top.row.cards else words
    who = model.seat_name(coming.owner) if coming.owner >= 0 else model.texts.say(coming.name)
    return [*words, phrase("order.next", who=who)]


def count_words(model: ViewModel) -> list[str]:
    """Return the numbers of the table, those that have an end first, and how many cards lie in each of its piles."""
    say = model.texts.say
    counters = sorted(model.top.counters.values(), key=lambda counter: not counter.most)
    return [
        *(f"{say(one.name)} {one.value}" + (f"/{one.most}" if one.most else "") for one in counters),
        *(f"{say(pile.name)} {pile.count}" for pile in model.top.piles.values()),
    ]
