"""Root of every exception that this project defines, in all rooms, and the exceptions of the protocol.

EschatonError
|-- RefusedError (asked for something that may not be; nothing changed)
|-- FaultError (a program of ours erred)
`-- DamageError (bytes that cannot be read or trusted)
    |-- BadFrame      a frame that holds no message
    |-- BadReplay     a file that is no replay
    `-- Unfair        a fact that contradicts what a host has told or signed before

Each room draws its own tree below the three branches, at the top of one module (engine/core/rules/errors.py,
server/runtime/errors.py, client/errors.py). What is none of the three, such as a connection that is lost or a store out
of reach, derives from the root itself.
"""

from __future__ import annotations

from protocol.text import Text, text


class EschatonError(Exception):
    """Any exception that this project raises by its own name."""


class RefusedError(EschatonError):
    """A request for something that may not be done. Nothing has changed, and asking for something else may succeed.

    Its subclasses carry a stable code or a text that tells the person who asked what to do.
    """


class FaultError(EschatonError):
    """A mistake in a program of ours, never in what was asked. What was under way is dropped and must be logged."""


class DamageError(EschatonError):
    """Bytes that cannot be read, or that contradict themselves or their proof. Nothing of them may be used."""


class BadFrame(DamageError):
    """A frame that cannot be taken. `code` is stable, `text` names the place and never echoes what was sent.

    `fatal`: the connection must be closed after saying so. `intent` and `detail` are the ids of the intent or detail
    request in the frame where they could be read, so that the answer reaches it.
    """

    def __init__(
        self, code: str, text: Text, *, fatal: bool, intent: bytes | None = None, detail: int | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.text = text
        self.fatal = fatal
        self.intent = intent
        self.detail = detail


class BadReplay(DamageError):
    """A file that is no replay. `code` is stable, `text` says what to do."""

    def __init__(self, code: str, text: Text) -> None:
        super().__init__(code)
        self.code = code
        self.text = text


class Unfair(DamageError):
    """A fact that contradicts another, or the record that they make. `why` says so in plain words.

    `key`: that of the text without its prefix `fair.`.
    """

    def __init__(self, key: str, **arguments: int | str) -> None:
        super().__init__(key)
        self.why: Text = text(f"fair.{key}", **arguments)
