"""Actions that each seat may still expect, estimated from piles and row."""

from __future__ import annotations

from typing import Final

from engine.rulesets.action_cards.bots.bot_table import Reading

MOST_EVENTS: Final = 4
ROW: Final = 4
"""A row has at least so many cards."""
UNSEEN: Final = 0.5
"""Cards of each seat that are likely to come before mine in a row that is not laid yet."""


class ActionForecast:
    """Actions that each seat may still expect. `is_closing`: no row comes after this one."""

    def __init__(self, table: Reading) -> None:
        seats = [seat for seat in table.forces if seat in table.scores]
        deck = sum(table.forces[seat].cards for seat in seats) + min(len(table.forces), MOST_EVENTS)
        passes = table.deck / max(1, deck) + max(0, table.decks_left - 1)
        self._table = table
        self.left = {seat: passes * table.forces[seat].actions for seat in seats}
        for card in table.row.cards:
            if card.owner in self.left:
                self.left[card.owner] += {"waiting": card.pips, "current": table.row.left}.get(card.state, 0)
        self.is_closing = not table.decks_left or (table.decks_left == 1 and table.deck < max(ROW, len(seats)))

        self.before = self._before(table)

    def _before(self, table: Reading) -> dict[int, float]:
        """Count the actions of each other seat before this one acts again: by the row, and by averages where the row
        ends first."""
        found = dict.fromkeys(self.left, 0.0)
        for card in table.row.cards:
            if card.state != "waiting":
                continue
            if card.owner == table.seat:
                return found
            if card.owner in found:
                found[card.owner] += card.pips
        if not self.is_closing:
            for seat in found:
                found[seat] += UNSEEN * self.usual(seat)
        return found

    def usual(self, seat: int) -> float:
        """Return the average actions of a card of a seat."""
        force = self._table.forces[seat]
        return force.actions / max(1, force.cards)

    def of(self, seat: int) -> float:
        """Return the actions that a seat may still expect, this card's among them; at least one."""
        return max(1.0, self.left.get(seat, 0.0))
