"""Consoles: where a person's lines come from and the program's lines go: a terminal, or pipes where there is none.

A console reads in a thread of its own, one line whenever it is asked for the next, so that the program's answer stands
before the next question.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import Application

SIGN: Final = "> "
"""Sign before what a person types."""
SECONDS: Final = 2.0
"""Seconds for which the end of the reading thread is waited for."""


@dataclass(frozen=True)
class Typed:
    """News of a line that was typed."""

    words: str


@dataclass(frozen=True)
class InputEnded:
    """News that no more lines will come."""


Put = Callable[[Typed | InputEnded], object]


class Console(Protocol):
    """Input and output of lines. `is_typing`: a line is being written, into which nothing should be said."""

    @property
    def is_typing(self) -> bool: ...

    def start(self, put: Put) -> None: ...

    def ask(self) -> None: ...

    def say(self, words: str) -> None: ...

    def close(self) -> None: ...


class _Reading:
    """Reading of lines in a thread, each once it is asked for."""

    def __init__(self, read: Callable[[], str | None]) -> None:
        self._read = read
        self._asked = threading.Semaphore(0)
        self._put: Put = lambda news: None
        self._thread = threading.Thread(target=self._run, name="lines", daemon=True)

    def start(self, put: Put) -> None:
        self._put = put
        self._thread.start()

    def ask(self) -> None:
        self._asked.release()

    def join(self) -> None:
        """Wait for the thread, which has no more to read."""
        self._thread.join(SECONDS)

    def _run(self) -> None:
        while self._asked.acquire():
            words = self._read()
            self._put(InputEnded() if words is None else Typed(words))
            if words is None:
                return


class PipeConsole:
    """Console over streams that are no terminal. What was read is said again behind the sign, so that what comes out is
    a whole conversation."""

    def __init__(self, source: TextIO, out: TextIO) -> None:
        self._source = source
        self._out = out
        self._reading = _Reading(self._line)

    @property
    def is_typing(self) -> bool:
        return False

    def start(self, put: Put) -> None:
        """Read lines from now on."""
        self._reading.start(put)

    def ask(self) -> None:
        """Read the next line."""
        self._reading.ask()

    def say(self, words: str) -> None:
        """Write a line."""
        print(words, file=self._out, flush=True)

    def close(self) -> None:
        """Do nothing: the thread ends with the program."""

    def _line(self) -> str | None:
        line = self._source.readline()
        if not line:
            return None
        self.say(f"{SIGN}{line.rstrip()}")
        return line.strip()


class TerminalConsole:
    """Console in a terminal, by prompt-toolkit: the line can be edited, arrows go through earlier ones, Tab completes
    commands. Lines of the program stand above the line that is written; nothing else is drawn."""

    def __init__(self, commands: Callable[[], list[str]]) -> None:
        self._session = _line_editor(commands)
        self._reading = _Reading(self._line)
        self._open = ExitStack()

    @property
    def is_typing(self) -> bool:
        return _running_editor() is not None and bool(self._session.default_buffer.text)

    def start(self, put: Put) -> None:
        """Read lines from now on, and let what is printed stand above them."""
        from prompt_toolkit.patch_stdout import patch_stdout

        self._open.enter_context(patch_stdout(raw=True))
        self._reading.start(put)

    def ask(self) -> None:
        """Read the next line."""
        self._reading.ask()

    def say(self, words: str) -> None:
        """Write a line."""
        print(words, flush=True)

    def close(self) -> None:
        """End the reading, and leave the terminal as it was."""
        app = _running_editor()
        if app is not None and app.loop is not None:
            app.loop.call_soon_threadsafe(lambda: app.exit(exception=EOFError()))
            self._reading.join()
        self._open.close()

    def _line(self) -> str | None:
        try:
            return self._session.prompt(SIGN, handle_sigint=False).strip()
        except (EOFError, KeyboardInterrupt):
            return None


def _running_editor() -> Application[Any] | None:
    """Return the editor that reads a line now; a terminal that can do little has another than the session's own."""
    from prompt_toolkit.application.current import get_app_session

    app = get_app_session().app
    return app if app is not None and app.is_running else None


def _line_editor(commands: Callable[[], list[str]]) -> PromptSession[str]:
    """Return an editor of single lines without colours, menus and questions about the cursor."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.shortcuts import CompleteStyle

    os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
    return PromptSession(
        completer=WordCompleter(commands),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        color_depth=ColorDepth.DEPTH_1_BIT,
    )


def console_for(commands: Callable[[], list[str]]) -> Console:
    """Return the console for this process: an editor of lines where both ends are a terminal, which completes
    `commands`, else its streams."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return TerminalConsole(commands)
    return PipeConsole(sys.stdin, sys.stdout)
