"""What a command tells people when it cannot do its work: a sentence, no traceback."""

from __future__ import annotations


class PlainError(Exception):
    """Its text says what is wrong and what to do. `status`: 1 something does not hold, 2 a wrong call."""

    def __init__(self, text: str, status: int = 2) -> None:
        super().__init__(text)
        self.status = status
