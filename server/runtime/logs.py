"""Logs: one JSON object a line, control characters escaped, no tokens and no hidden cards.

People and their addresses are written as pseudonyms: the same one for the same person in all logs of a host, and not
traceable without the host's key. docs/operating.md lists the events and their fields.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import threading
from collections.abc import Callable, MutableMapping
from hashlib import blake2b
from typing import Any, Final, Literal, TextIO, cast

import structlog
from structlog.typing import FilteringBoundLogger

Log = FilteringBoundLogger
Level = Literal["debug", "info", "warning", "error"]
PERSONAL: Final = ("who", "address")
"""Fields that name a person."""
PSEUDONYM_BYTES: Final = 6
MINUTE: Final = 60
MOST_PROBLEMS: Final = 1_000
"""Problems that are remembered, all forgotten where there are more."""
PEOPLE: Final = b"eschaton/log-v1/people"
"""Label under which the pseudonyms' key is derived from the host's key."""


def make_log(
    stream: TextIO | None = None,
    wall: Callable[[], int] | None = None,
    level: Level = "info",
    key: bytes | None = None,
) -> Log:
    """Make a log on `stream` (stderr by default). Bind what belongs to every line: `log.bind(match=id)`.

    `key`: 32 bytes, the key of the pseudonyms; left out, they are comparable within this log only.
    """
    processors: list[Any] = [structlog.processors.add_log_level, _pseudonyms(key or secrets.token_bytes(32))]
    if wall is not None:
        processors += [OncePerMinute("store", wall), _stamp(wall)]
    processors += [structlog.processors.format_exc_info, _render]
    wrapper = structlog.make_filtering_bound_logger(getattr(logging, level.upper()))
    logger = structlog.wrap_logger(
        structlog.WriteLogger(stream or sys.stderr), processors=processors, wrapper_class=wrapper, context_class=dict
    )
    return cast("Log", logger.bind())


class OncePerMinute:
    """Processor that drops lines of one event about a problem which had a line within the last minute. `more` of the
    next line: how many were dropped. `wall`: seconds."""

    def __init__(self, event: str, wall: Callable[[], int]) -> None:
        self._event = event
        self._wall = wall
        self._said: dict[object, tuple[int, int]] = {}
        """When each problem had its last line, and how many were dropped since."""

    def __call__(self, logger: Any, method: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if entry.get("event") != self._event:
            return entry
        problem, now = entry.get("problem"), self._wall()
        at, more = self._said.get(problem, (now - MINUTE, 0))
        if 0 <= now - at < MINUTE:
            self._said[problem] = at, more + 1
            raise structlog.DropEvent
        if len(self._said) >= MOST_PROBLEMS:
            self._said.clear()
        self._said[problem] = now, 0
        if more:
            entry["more"] = more
        return entry


def _pseudonyms(key: bytes) -> Callable[[Any, str, MutableMapping[str, Any]], MutableMapping[str, Any]]:
    def hide(logger: Any, method: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        for field in PERSONAL:
            if entry.get(field):
                digest = blake2b(str(entry[field]).encode(errors="replace"), key=key, digest_size=PSEUDONYM_BYTES)
                entry[field] = digest.hexdigest()
        return entry

    return hide


def _stamp(wall: Callable[[], int]) -> Callable[[Any, str, MutableMapping[str, Any]], MutableMapping[str, Any]]:
    def stamp(logger: Any, method: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        entry["at"] = wall()
        return entry

    return stamp


def _render(logger: Any, method: str, entry: MutableMapping[str, Any]) -> str:
    # ASCII only: escapes C0 and C1 controls, bidi marks and lone surrogates alike
    return json.dumps(entry, ensure_ascii=True, default=_unprintable)


def _unprintable(value: object) -> str:
    # objects of clients are named, never shown
    return f"<{type(value).__name__}>"


class BridgeHandler(logging.Handler):
    """A handler that passes the log records of libraries to our log, with tracebacks where `tracebacks` is set."""

    def __init__(self, log: Log, *, tracebacks: bool = False) -> None:
        super().__init__(logging.WARNING)
        self._log = log
        self._tracebacks = tracebacks

    def emit(self, record: logging.LogRecord) -> None:
        problem = record.exc_info[1] if record.exc_info and self._tracebacks else None
        traceback = {} if problem is None else {"exc_info": problem}
        self._log.warning("library", name=record.name, message=record.getMessage(), **traceback)


def capture_all(log: Log) -> None:
    """Send to the log all that this process would write on its error stream: library logs, warnings, exceptions of
    threads."""
    root = logging.getLogger()
    root.handlers[:] = [BridgeHandler(log, tracebacks=True)]
    logging.captureWarnings(capture=True)

    def ended(why: threading.ExceptHookArgs) -> None:
        name = why.thread.name if why.thread is not None else ""
        log.error("thread", name=name, exc_info=why.exc_value or True)

    threading.excepthook = ended


def library_logger(log: Log) -> logging.Logger:
    """Return a logger for libraries that take one; it passes nothing on to the root logger."""
    logger = logging.Logger("eschaton.library", logging.WARNING)
    logger.addHandler(BridgeHandler(log))
    return logger
