"""Refusals of the server itself: a stable code, and a text that says what to do."""

from __future__ import annotations

from protocol.errors import RefusedError
from protocol.text import Text
from protocol.wire.from_server import Problem


class Refused(RefusedError):
    """A refused request of a person; nothing has changed. Its text is the catalogue entry `problem.` and the code."""

    def __init__(self, code: str, **arguments: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.text = Text(f"problem.{code}", dict(arguments))

    def problem(self, *, fatal: bool = False) -> Problem:
        """Return the refusal as a message."""
        return Problem(self.code, self.text, fatal)
