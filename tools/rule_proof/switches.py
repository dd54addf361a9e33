"""Rules switched off, code run in place of a function's own, and documents read otherwise: each for a while."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any, Final

from engine.core.rules.implements import Reading, carriers, rules_changed

_disabled: set[str] = set()
_set_aside: dict[FunctionType, CodeType] = {}
_change: Reading | None = None


def disabled_ids() -> frozenset[str]:
    """Return the rules that are switched off now."""
    return frozenset(_disabled)


@contextmanager
def disabled(ids: Iterable[str]) -> Iterator[None]:
    """Switch these rules off: inside the block, code that carries one raises RuleDisabled. A coroutine that has begun
    goes on."""
    added = set(ids) - _disabled
    switched = {function for rule in added for function in carriers().get(rule, [])} - _set_aside.keys()
    for function in switched:
        _set_aside[function] = function.__code__
        function.__code__ = _refusal(function)
    _disabled.update(added)
    _changed()
    try:
        yield
    finally:
        _disabled.difference_update(added)
        _changed()
        for function in switched:
            function.__code__ = _set_aside.pop(function)


@contextmanager
def replaced(function: FunctionType, code: CodeType) -> Iterator[None]:
    """Run this code in place of the function's own inside the block."""
    before, function.__code__ = function.__code__, code
    _changed()
    try:
        yield
    finally:
        function.__code__ = before
        _changed()


@contextmanager
def documents_changed(change: Reading) -> Iterator[None]:
    """Read TOML documents through `change` inside the block."""
    global _change
    _change = change
    _changed()
    try:
        yield
    finally:
        _change = None
        _changed()


def _changed() -> None:
    rules_changed(_read if _disabled or _change is not None else None)


def _read(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document without the entries of disabled rules, and changed as `documents_changed` says."""
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
