"""Strict tables: the steps that are put off until other programs have added to their dice, beside
`client/fairness/verify.py`.

Each step that rolls is told first without its dice (cause `deferred`), then the parts for it (`opened`), then its
outcome, by the very same cause (docs/dice.md, "Strict tables").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

Entry = dict[str, Any]
PUT_OFF = ("intent", "answer", "expiry", "conceded")
ROLLS = {"core.dice", "core.order"}


class Deferrals:
    """Order of the steps that are put off. `refuse` raises what does not hold; `cause` is the one that waits."""

    def __init__(self, refuse: Callable[[str], NoReturn], *, strict: bool) -> None:
        self.refuse, self.strict = refuse, strict
        self.cause: Entry | None = None
        self.answers: list[Entry] = []
        self.is_open = False

    def check_step(self, number: int, cause: Entry, entries: list[Entry]) -> None:
        """Refuse a step that is not the next one of those that are put off, and dice that have no parts of their
        own."""
        kind, kinds = cause["c"], [entry["e"] for entry in entries]
        waiting = self.cause
        if waiting is None:
            fits = kind != "opened" and (kind != "deferred" or self._is_deferral(cause, entries))
        elif not self.is_open:
            fits = kind == "opened"
        else:
            # by their text: 1 and True are not the same bytes
            told, same = (cause, entries[: len(self.answers)]), (waiting, self.answers)
            fits = kind == "void" or repr(told) == repr(same)
        if not fits:
            self.refuse(f"Step {number} is not the next of a step that was put off, or puts one off wrongly.")
        rolls = bool(ROLLS & set(kinds))
        if self.strict and rolls and waiting is None and kind != "start" and kinds[0] != "core.round":
            self.refuse(f"Step {number} rolls dice that no program was called for.")
        if kind == "deferred":
            self.cause, self.answers, self.is_open = cause["cause"], entries[1:-1], False
        elif kind == "opened":
            self.is_open = True
        else:
            self.cause = None

    def actor(self, cause: Entry, entries: list[Entry]) -> int:
        """Return the seat whose act it is that a step puts off, -1 where it closes a question."""
        closes = any(entry["e"] == "core.answers" for entry in entries)
        return -1 if closes else int(cause["cause"].get("seat", -1))

    def _is_deferral(self, cause: Entry, entries: list[Entry]) -> bool:
        kinds = [entry["e"] for entry in entries]
        wanted = (["core.deferred", "core.call"], ["core.deferred", "core.answers", "core.call"])
        return self.strict and cause["cause"]["c"] in PUT_OFF and kinds in wanted
