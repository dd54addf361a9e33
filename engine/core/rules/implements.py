"""The map from the rules of a ledger to the code that carries them, and means to switch one rule off for a while.

`make rule-proof` takes each rule out in turn, then plants errors in what carries it, and demands that the tests marked
with it fail. Nothing of this costs anything in play: a decorated function is the function itself, and is switched off,
or changed, by swapping its code.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any, Final, TypeVar

T = TypeVar("T")

MOST_IDS: Final = 3
SWITCHED_DUNDERS: Final = frozenset({"__init__", "__post_init__", "__call__"})

_carriers: dict[str, list[FunctionType]] = {}
_names: dict[str, list[str]] = {}
_disabled: set[str] = set()
_set_aside: dict[FunctionType, CodeType] = {}
_rules_now: object = object()
_change: Callable[[dict[str, Any]], dict[str, Any]] | None = None


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


def disabled_ids() -> frozenset[str]:
    """Return the rules that are switched off now: none in play."""
    return frozenset(_disabled)


def rules_now() -> object:
    """Return an object that stands for the rules as they are now: another one once a rule has been switched off, or on
    again.

    A cache of what rules have worked out keeps it with each result, and works that out anew where it is another one.
    """
    return _rules_now


@contextmanager
def disabled(ids: Iterable[str]) -> Iterator[None]:
    """Switch these rules off: inside the block, code that carries one raises RuleDisabled. A coroutine that has begun
    goes on."""
    global _rules_now
    added = set(ids) - _disabled
    switched = {function for rule in added for function in _carriers.get(rule, [])} - _set_aside.keys()
    for function in switched:
        _set_aside[function] = function.__code__
        function.__code__ = _refusal(function)
    _disabled.update(added)
    _rules_now = object()
    try:
        yield
    finally:
        _disabled.difference_update(added)
        _rules_now = object()
        for function in switched:
            function.__code__ = _set_aside.pop(function)


@contextmanager
def replaced(function: FunctionType, code: CodeType) -> Iterator[None]:
    """Run this code in place of the function's own inside the block."""
    global _rules_now
    before, function.__code__, _rules_now = function.__code__, code, object()
    try:
        yield
    finally:
        function.__code__, _rules_now = before, object()


@contextmanager
def documents_changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Iterator[None]:
    """Read TOML documents through `change` inside the block: it returns a changed copy of a document, or the document
    itself."""
    global _rules_now, _change
    _change, _rules_now = change, object()
    try:
        yield
    finally:
        _change, _rules_now = None, object()


def without_disabled(document: dict[str, Any]) -> dict[str, Any]:
    """Return a parsed TOML document without the entries of disabled rules, and changed as `documents_changed` says; in
    play the document itself."""
    for rule in sorted(_disabled):
        document = drop_rule(document, rule)
    return document if _change is None else _change(document)


def drop_rule(document: dict[str, Any], rule: str) -> dict[str, Any]:
    """Copy a parsed TOML document without each innermost table that names the rule by `rule` or `rules`.

    Raises ValueError if the document's root names it: a rule belongs to an entry, not to a file.
    """
    if _names_rule(document, rule):
        raise ValueError(f"{rule} is named at the root of a document: put it into the table that carries it")
    return {key: _without(value, rule) for key, value in document.items() if not _names_rule(value, rule)}


def rules_named(document: object) -> set[str]:
    """Return all rule ids that the tables of a parsed TOML document name."""
    if isinstance(document, list):
        return set().union(*map(rules_named, document))
    if not isinstance(document, dict):
        return set()
    listed = document.get("rules", [])
    own = [document.get("rule"), *(listed if isinstance(listed, list) else [])]
    return {rule for rule in own if isinstance(rule, str)}.union(*map(rules_named, document.values()))


def entries_of(document: object, rule: str) -> Iterator[dict[str, Any]]:
    """Yield the tables of a parsed TOML document that name the rule by `rule` or `rules`."""
    if isinstance(document, dict) and _names_rule(document, rule):
        yield document
    elif isinstance(document, dict | list):
        for value in document.values() if isinstance(document, dict) else document:
            yield from entries_of(value, rule)


def _without(value: Any, rule: str) -> Any:
    if isinstance(value, dict):
        return {key: _without(inner, rule) for key, inner in value.items() if not _names_rule(inner, rule)}
    if isinstance(value, list):
        return [_without(inner, rule) for inner in value if not _names_rule(inner, rule)]
    return value


def _names_rule(value: object, rule: str) -> bool:
    if not isinstance(value, dict):
        return False
    listed = value.get("rules", [])
    return value.get("rule") == rule or (isinstance(listed, list) and rule in listed)


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


# The swapped code runs with the globals of the function it replaces, hence the import within.
def _refuse(*_args: object, **_named: object) -> None:
    from engine.core.rules.errors import RuleDisabled

    raise RuleDisabled("the rule that this code carries is switched off")


async def _refuse_awaited(*_args: object, **_named: object) -> None:
    from engine.core.rules.errors import RuleDisabled

    raise RuleDisabled("the rule that this code carries is switched off")


_REFUSALS: Final = (_refuse.__code__, _refuse_awaited.__code__)


def _refusal(function: FunctionType) -> CodeType:
    """Make code that raises, shaped to fit this function: the same closure, and awaited if it was."""
    code = _REFUSALS[inspect.iscoroutinefunction(function)]
    return code.replace(co_name=function.__name__, co_freevars=function.__code__.co_freevars)
