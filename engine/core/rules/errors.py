"""What can go wrong in a match. A refusal is normal; the rest are bugs or damage, and name themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from protocol.plain.text import Text


class Refusal(NamedTuple):
    """Why an intent cannot be done: a stable code and a text that says what to do."""

    code: str
    text: Text


def refusal(code: str) -> Refusal:
    """With the catalogue's text for this code: the entry named `refuse.` and the code."""
    return Refusal(code, Text(f"refuse.{code}"))


class IllegalIntent(Exception):
    """A player asked for what the rules or the moment forbid. Nothing has changed."""

    def __init__(self, code: str, text: Text | None = None) -> None:
        """`text` defaults to that of `refusal`."""
        super().__init__(code)
        self.refusal = refusal(code) if text is None else Refusal(code, text)


def is_legal(check: Callable[[], object]) -> bool:
    """Whether a check finds nothing to refuse; other errors are let through."""
    try:
        check()
    except IllegalIntent:
        return False
    return True


class RuleBug(Exception):
    """A rule raised, refused after its first effect, ran without end or yielded nonsense. The step was dropped."""


class RuleDiverged(Exception):
    """A waiting procedure, run again on its log, did not repeat it. The match must be parked, never guessed on."""


class LogDamaged(Exception):
    """A stored step cannot be read or does not follow the one before it."""
