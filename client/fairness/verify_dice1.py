"""Dice 1: all that is peculiar to matches whose event 0 names no scheme of the dice, beside
`client/fairness/verify.py`.

A seat's tip was good from the next round on. A link was right if one hash of it gave the one before it in the seat's
chain (the first one's being the tip), and the links of a round entered its keys as they stood (docs/dice.md).
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, NoReturn

Entry = dict[str, Any]
NOT_PROVEN = (
    "This match has the first scheme of dice: its host could ask programs for their parts at any time, and choose the "
    "dice of a round. That it did not is not proven."
)


class Links:
    """Chains of all seats, and the links of the round that runs. `refuse` raises what does not hold."""

    label = "dice-v1/round"
    entries = ("core.tip",)
    origin = b""

    def __init__(self, match: str, refuse: Callable[[str], NoReturn]) -> None:
        self.match, self.refuse = match.encode(), refuse
        self.last: dict[int, bytes] = {}
        self.links: list[bytes] = []

    @property
    def entropy(self) -> list[bytes]:
        """Last parts of the text from which keys and the orders of decks are made: the number of links, then all of
        them, that of a seat without one empty."""
        return [len(self.links).to_bytes(8, "big"), *self.links]

    def check_shape(self, number: int, cause: Entry, entries: list[Entry]) -> None:
        """Refuse a round that another cause than its own opens."""
        if cause["c"] != "round" and any(entry["e"] == "core.round" for entry in entries):
            self.refuse(f"Step {number} opens a round with other links than were given.")

    def check_tip(self, number: int, cause: Entry, entry: Entry) -> None:
        """Take a tip: the next link of this seat must hash to it."""
        self.last[entry["seat"]] = entry["tip"]

    def open(self, number: int, cause: Entry, links: list[bytes], proofs: list[bytes], head: bytes) -> None:
        """Begin a round with these links; nobody signed them."""
        self.links = links
        for seat, link in enumerate(links):
            if link and self._before(link) != self.last.get(seat):
                what = f"the link of seat {seat} does not follow the one that the seat was bound to"
                self.refuse(f"Step {number}: {what}.")
            self.last[seat] = link or self.last.get(seat, b"")

    def report(self, names: list[str]) -> list[str]:
        """Say what the scheme did not prove."""
        return [NOT_PROVEN]

    def _before(self, link: bytes) -> bytes:
        parts = (b"eschaton/dice-v1/link", self.match, link)
        return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
