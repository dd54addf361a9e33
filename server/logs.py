"""Logs: one JSON object a line, control characters escaped, no tokens and no hidden cards."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, MutableMapping
from typing import Any, TextIO, cast

import structlog
from structlog.typing import FilteringBoundLogger

Log = FilteringBoundLogger


def make_log(stream: TextIO | None = None, wall: Callable[[], int] | None = None) -> Log:
    """A log on `stream` (stderr by default). Bind what belongs to every line: `log.bind(table=id)`."""
    processors: list[Any] = [structlog.processors.add_log_level]
    if wall is not None:
        processors.append(_stamp(wall))
    processors += [structlog.processors.format_exc_info, _render]
    wrapper = structlog.make_filtering_bound_logger(logging.INFO)
    logger = structlog.wrap_logger(
        structlog.WriteLogger(stream or sys.stderr), processors=processors, wrapper_class=wrapper, context_class=dict
    )
    return cast("Log", logger.bind())


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
    """Hands what libraries log to our log, without their tracebacks."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        self._log.warning("library", name=record.name, message=record.getMessage())


def library_logger(log: Log) -> logging.Logger:
    """A logger for libraries that want one; it is nobody else's child."""
    logger = logging.Logger("eschaton.library", logging.WARNING)
    logger.addHandler(BridgeHandler(log))
    return logger
