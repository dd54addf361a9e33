"""The map from the rules of a ledger to the code that carries them.

`make rule-proof` takes each rule out in turn, then plants errors in what carries it, and demands that the tests marked
with it fail (tools/rule_proof). Nothing of this costs anything in play: a decorated function is the function itself,
and is switched off, or changed, by swapping its code.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, Final, TypeVar

T = TypeVar("T")

MOST_IDS: Final = 3
SWITCHED_DUNDERS: Final = frozenset({"__init__", "__post_init__", "__call__"})

Reading = Callable[[dict[str, Any]], dict[str, Any]]
"""A changed copy of a TOML document, or the document itself."""


class _Rules:
    """The rules as they are: `now` is another object once they have changed."""

    def __init__(self) -> None:
        self.now = object()


RULES: Final = _Rules()
"""A cache of what rules have worked out keeps `RULES.now` with its results, and works them out anew where that is
another object."""
_carriers: dict[str, list[FunctionType]] = {}
_names: dict[str, list[str]] = {}
_reading: Reading | None = None


def implements(*ids: str) -> Callable[[T], T]:
    """Mark a function, coroutine function, method or class as the carrier of one to three rules.

    Of a class, its own methods are marked, so that instances made before a rule is switched off obey it too. Stands
    next to the `def`, below `@property`, `@staticmethod` and the like. Raises TypeError otherwise.
    """
    if not 1 <= len(ids) <= MOST_IDS:
        raise TypeError(f"implements() takes 1 to {MOST_IDS} rule ids, not {len(ids)}")

    def mark(target: T) -> T:
        functions = _functions_of(target)
        if not functions:
            raise TypeError(f"{target!r} holds no function that could be switched off: mark what makes or reads it")
        for rule in ids:
            _carriers.setdefault(rule, []).extend(functions)
            _names.setdefault(rule, []).append(f"{functions[0].__module__}.{getattr(target, '__qualname__', target)}")
        return target

    return mark


def implemented() -> Mapping[str, list[str]]:
    """Return the dotted names of the carriers by rule id, of all modules imported so far."""
    return _names


def carriers() -> Mapping[str, list[FunctionType]]:
    """Return the functions that carry each rule, by rule id, of all modules imported so far."""
    return _carriers


def rules_changed(reading: Reading | None) -> None:
    """Note that rules are others from now on, and how TOML documents are read (None: as they stand); never in play."""
    global _reading
    RULES.now, _reading = object(), reading


def document_now(document: dict[str, Any]) -> dict[str, Any]:
    """Return a parsed TOML document as it is read now; in play the document itself."""
    return document if _reading is None else _reading(document)


def _functions_of(target: object) -> list[FunctionType]:
    if isinstance(target, FunctionType):
        return [target]
    if not inspect.isclass(target):
        return []
    own = {name: _plain(member) for name, member in vars(target).items()}
    return [
        member
        for name, member in own.items()
        if isinstance(member, FunctionType) and (name in SWITCHED_DUNDERS or not name.startswith("__"))
    ]


def _plain(member: object) -> object:
    if isinstance(member, staticmethod | classmethod):
        return member.__func__
    return member.fget if isinstance(member, property) else member
