"""Mutants of a rule's carriers: functions with one error planted, and TOML entries with one number changed."""

from __future__ import annotations

import ast
import copy
import functools
import hashlib
import inspect
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

from engine.core.rules import implements
from tools.rule_proof import switches
from tools.rule_proof.operators import Function, errors_in

SEED: Final = "rule-proof 1"
MOST_OF_FUNCTION: Final = 4
MOST_OF_ENTRY: Final = 6
TEXT_CHARACTERS: Final = 120


@dataclass(frozen=True)
class Mutant:
    """One error. `operator` and `text` name it within its rule; `planted` is a context in which it is in place."""

    operator: str
    text: str
    planted: Callable[[], AbstractContextManager[None]]

    @property
    def name(self) -> str:
        """The name for results and equivalents, on one line; long expressions end with a digest of the whole."""
        text = " ".join(self.text.split())
        if len(text) > TEXT_CHARACTERS:
            text = f"{text[:TEXT_CHARACTERS]}... {hashlib.sha256(text.encode()).hexdigest()[:8]}"
        return f"{self.operator}: {text}"


@dataclass(frozen=True)
class Carrier:
    """One function or TOML entry that carries a rule. `source`: its text, without the parts that do not matter to a
    proof."""

    name: str
    source: str
    mutants: tuple[Mutant, ...]
    most: int
    functions: tuple[FunctionType, ...] = ()  # one, or none of an entry


def carriers_of(rule: str, folders: Iterable[Path]) -> list[Carrier]:
    """Return all carriers of the rule, each with its mutants in the order in which they are drawn for it."""
    functions = [_of_function(rule, function) for function in implements.carriers().get(rule, ())]
    entries = [_of_entry(rule, entry) for path in _documents(tuple(folders)) for entry in _entries(path, rule)]
    return _told_apart([*functions, *entries])


def _told_apart(carriers: list[Carrier]) -> list[Carrier]:
    """Return the carriers with each mutant that another carrier has too named after its own carrier."""
    names = Counter(mutant.name for carrier in carriers for mutant in carrier.mutants)

    def told(carrier: Carrier, mutant: Mutant) -> Mutant:
        own = f"{mutant.text} of {carrier.name.rpartition('.')[2]}"
        return replace(mutant, text=own) if names[mutant.name] > 1 else mutant

    return [replace(one, mutants=tuple(told(one, mutant) for mutant in one.mutants)) for one in carriers]


def drawn(rule: str, mutants: Iterable[Mutant]) -> tuple[Mutant, ...]:
    """Return the mutants in a random order that changes elsewhere do not alter; equal ones once."""
    named = {mutant.name: mutant for mutant in mutants}
    return tuple(named[name] for name in sorted(named, key=lambda name: _digest(SEED, rule, name)))


def bare(node: ast.AST) -> str:
    """Return the text of a function without docstrings, comments, layout and the marks of rules."""
    node = copy.deepcopy(node)
    for one in ast.walk(node):
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            one.decorator_list = [mark for mark in one.decorator_list if not _marks_rules(mark)]
            if ast.get_docstring(one, clean=False) is not None:
                one.body = one.body[1:] or [ast.Pass()]
    return ast.unparse(node)


def tree_of(function: FunctionType) -> Function:
    """Return the syntax tree of a function, which may be changed. Raises LookupError where its source is not found."""
    path, name = inspect.getsourcefile(function), function.__name__
    assert path is not None
    for node in ast.walk(_module(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            first = min((one.lineno for one in node.decorator_list), default=node.lineno)
            if first == function.__code__.co_firstlineno:
                return copy.deepcopy(node)
    raise LookupError(f"{path} holds no source of {function.__qualname__}")


def compiled(function: FunctionType, tree: Function) -> CodeType:
    """Compile a changed tree to replace the function's own code. Closures are not among carriers."""
    tree.decorator_list = []
    future = ast.ImportFrom("__future__", [ast.alias("annotations")], 0)
    module = ast.fix_missing_locations(ast.Module([future, tree], []))
    holder = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
    # a lambda among the defaults is compiled before it
    code = next(one for one in holder.co_consts if isinstance(one, CodeType) and one.co_name == tree.name)
    return code.replace(co_qualname=function.__code__.co_qualname)


def _of_function(rule: str, function: FunctionType) -> Carrier:
    tree = tree_of(function)
    names: dict[str, int] = {}
    mutants = []
    for place, error in enumerate(errors_in(tree)):
        count = names[f"{error.operator} {error.text}"] = names.get(f"{error.operator} {error.text}", 0) + 1
        text = error.text if count == 1 else f"{error.text} #{count}"
        mutants.append(Mutant(error.operator, text, functools.partial(_planted, function, place)))
    name = f"{function.__module__}.{function.__qualname__}"
    return Carrier(name, bare(tree), drawn(rule, mutants), MOST_OF_FUNCTION, (function,))


def _planted(function: FunctionType, place: int) -> AbstractContextManager[None]:
    tree = tree_of(function)
    list(errors_in(tree))[place].plant()
    return switches.replaced(function, compiled(function, tree))


def _of_entry(rule: str, entry: tuple[str, dict[str, Any]]) -> Carrier:
    name, table = entry
    mutants = [
        Mutant(
            "number changed",
            f"{name}: {'.'.join(map(str, at))} = {value}",
            functools.partial(_changed, rule, table, at),
        )
        for at, value in _numbers(table)
    ]
    return Carrier(name, repr(table), drawn(rule, mutants), MOST_OF_ENTRY)


def _changed(rule: str, table: dict[str, Any], at: tuple[str | int, ...]) -> AbstractContextManager[None]:
    def change(document: dict[str, Any]) -> dict[str, Any]:
        if table not in switches.entries_of(document, rule):
            return document
        document = copy.deepcopy(document)
        inner: Any = next(entry for entry in switches.entries_of(document, rule) if entry == table)
        for key in at[:-1]:
            inner = inner[key]
        inner[at[-1]] += 1
        return document

    return switches.documents_changed(change)


def _numbers(value: object, at: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], int | Decimal]]:
    """Yield the numbers of a table with their paths, without those of lists, which are places on a map and no rule."""
    if isinstance(value, int | Decimal) and not isinstance(value, bool) and at and isinstance(at[-1], str):
        yield at, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(inner, (*at, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _numbers(inner, (*at, place))


@functools.cache
def _documents(folders: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(sorted(path for folder in folders for path in folder.rglob("*.toml")))


@functools.cache
def _parsed(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)  # as content is read: entries are compared


def _entries(path: Path, rule: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the entries of a document that name the rule, each with the name of the file and of the entry."""
    for entry in switches.entries_of(_parsed(path), rule):
        own = next((str(entry[key]) for key in ("id", "name") if isinstance(entry.get(key), str)), "")
        yield f"{path.stem} {own}".strip(), entry


@functools.cache
def _module(path: str) -> ast.Module:
    return ast.parse(Path(path).read_text("utf-8"))


def _marks_rules(mark: ast.expr) -> bool:
    return isinstance(mark, ast.Call) and ast.unparse(mark.func) in ("implements", "pytest.mark.rule")


def _digest(*words: str) -> str:
    return hashlib.sha256("\n".join(words).encode()).hexdigest()
