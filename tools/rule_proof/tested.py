"""Tests that are marked with rules: their files, their sources, and the carriers that they reach."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

import pytest

from tools.rule_proof import mutants, switches

REACHED: Final = "_rule_proof_reached"


def files_of(tests: str) -> list[str]:
    """Return the files among the tests that mark any rule."""
    place = Path(tests)
    files = [place] if place.is_file() else sorted(place.rglob("test_*.py"))
    return [str(path) for path in files if "mark.rule(" in path.read_text("utf-8")]


def by_rule(items: Iterable[pytest.Item]) -> dict[str, list[pytest.Item]]:
    """Return the tests that are marked with each rule."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        for rule in sorted({rule for mark in item.iter_markers("rule") for rule in mark.args}):
            tests.setdefault(rule, []).append(item)
    return tests


def source_of(item: pytest.Item) -> str:
    """Return the tree of a test's function, without docstrings and marks of rules."""
    assert isinstance(item, pytest.Function)
    function: Any = inspect.unwrap(item.obj)
    given = getattr(function, "hypothesis", None)
    return _bare(given.inner_test if given is not None else function)


@functools.cache
def _bare(function: Any) -> str:
    return mutants.bare(ast.parse(textwrap.dedent(inspect.getsource(function))))


def toml_key(rule: str) -> str:
    """Return the part that stands for a rule's entries among those that a test has reached."""
    return f"toml {rule}"


@contextmanager
def noting(functions: dict[FunctionType, str]) -> Iterator[set[str]]:
    """Gather within it the names of these functions as they are called, and the rules of documents read."""
    seen: set[str] = set()

    def read(document: dict[str, Any]) -> dict[str, Any]:
        seen.update(map(toml_key, switches.rules_named(document)))
        return document

    with ExitStack() as stack:
        stack.enter_context(switches.documents_changed(read))
        for function, name in functions.items():
            function.__globals__[REACHED] = seen.add
            stack.enter_context(switches.replaced(function, _telling(function, name)))
        yield seen
    for function in functions:
        function.__globals__.pop(REACHED, None)


@functools.cache
def _telling(function: FunctionType, name: str) -> CodeType:
    tree = mutants.tree_of(function)
    tree.body.insert(0, ast.Expr(ast.Call(ast.Name(REACHED, ast.Load()), [ast.Constant(name)], [])))
    return mutants.compiled(function, tree)
