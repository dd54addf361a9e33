"""What the operator's commands open: a store to read, and the rules that are installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core.system import ContentProblem, System
from server.content import find_systems
from server.plain_errors import PlainError
from server.store.port import StoreError
from server.store.reader import Readable, SqliteReader

DATABASE = "eschaton.db"


def open_reader(data: Path) -> Readable:
    """The store of a data folder, to read. Raises PlainError."""
    try:
        return SqliteReader(data / DATABASE)
    except StoreError as problem:
        raise PlainError(str(problem), 1) from problem


def rules_installed() -> dict[str, System[Any]]:
    """The rule systems by name. Raises PlainError."""
    try:
        return find_systems()
    except ContentProblem as problem:
        raise PlainError("; ".join(problem.problems), 1) from problem
