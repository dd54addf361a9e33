"""Refusals of the server itself: a stable code, and a text that says what to do."""

from __future__ import annotations

from typing import Self

from protocol.errors import RefusedError
from protocol.text import Text
from protocol.wire.from_server import Problem


class Refused(RefusedError):
    """A refused request of a person; nothing has changed. Its text is the catalogue entry `problem.` and the code."""

    def __init__(self, code: str, **arguments: str | int | Text) -> None:
        super().__init__(code)
        self.code = code
        self.text = Text(f"problem.{code}", dict(arguments))

    @classmethod
    def saying(cls, code: str, text: Text) -> Self:
        """Make a refusal with a text of its own, such as the rules give."""
        refused = cls(code)
        refused.text = text
        return refused

    def problem(self, *, fatal: bool = False) -> Problem:
        """Return the refusal as a message."""
        return Problem(self.code, self.text, fatal)
