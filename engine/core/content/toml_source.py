"""TOML text with the lines of its keys: every fault of its form at once, and the line of any key.

tomllib gives the values, and the reason where it gives up; it stops at the first fault and forgets places. tree-sitter
reads on past faults and keeps every place. It is asked only once something is wrong.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Final, NamedTuple

import tree_sitter
import tree_sitter_toml

MOST_DEPTH: Final = 8
"""The most tables and arrays inside one another, and the most parts of a key."""
MOST_FAULTS: Final = 40
"""The most faults of form that are reported of one text."""

Loc = tuple[str | int, ...]
"""A way through a document: keys, and the numbers of entries in arrays."""

_AT: Final = re.compile(r"^(.*?) \(at (?:line (\d+), column \d+|end of document)\)$")
_PART: Final = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY: Final = re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_DEPTH},}}+")
_OPENING: Final = ("table", "table_array_element")


class FormFault(NamedTuple):
    """A fault in the form of a text, at a line counted from 1."""

    line: int
    reason: str


class TomlSource:
    """A TOML text as far as it can be read. `values`, with floats as Decimal, lack only the keys on lines with faults;
    they are empty where a table's head is broken. `faults`: all faults of form, by line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.faults: tuple[FormFault, ...] = ()
        self.values: dict[str, Any] = {}
        long = _LONG_KEY.search(text)
        if long is not None:  # tomllib takes quadratic time for them
            line = text.count("\n", 0, long.start()) + 1
            self.faults = (FormFault(line, f"a key of more than {MOST_DEPTH} parts"),)
            return
        try:
            self.values = tomllib.loads(text, parse_float=Decimal)
        except RecursionError:
            self.faults = (FormFault(1, _too_deep()),)
        except ValueError as fault:
            self._read_past(fault)
        if _depth(self.values) > MOST_DEPTH:
            line = next((self.line_of((key,)) for key, value in self.values.items() if _depth(value) >= MOST_DEPTH), 1)
            self.values, self.faults = {}, (FormFault(line, _too_deep()),)

    def line_of(self, loc: Sequence[str | int]) -> int:
        """Return the line, from 1, of the innermost table, key or entry on the way `loc` that the text holds; 1 where
        it holds none."""
        for length in range(len(loc), 0, -1):
            line = self._places.get(tuple(loc[:length]))
            if line is not None:
                return line
        return 1

    def _read_past(self, first: ValueError) -> None:
        """Note every fault of form; keep what stands on other lines."""
        lines = self.text.splitlines() or [""]
        broken = [(node.start_point[0], _last_row(node)) for node in _broken(self._tree.root_node)]
        found: dict[int, str] = {}
        fault: ValueError | None = first
        values: dict[str, Any] = {}
        headless = False
        for _ in range(MOST_FAULTS):
            if fault is None:
                break
            row, reason = _complaint(fault, len(lines))
            if row in found:  # the line was left out, and the fault remains
                break
            found[row] = reason
            ranges = [(start, end) for start, end in broken if start <= row <= end] or [(row, row)]
            broken = [rows for rows in broken if rows not in ranges]
            for start, end in ranges:
                for at in range(start, min(end + 1, len(lines))):
                    headless = headless or lines[at].lstrip().startswith("[")
                    lines[at] = ""
            try:
                values, fault = tomllib.loads("\n".join(lines), parse_float=Decimal), None
            except RecursionError:
                found.setdefault(row + 1, _too_deep())
                break
            except ValueError as another:
                fault = another
        for start, _ in broken:
            found.setdefault(start, f"this is no TOML: {lines[start].strip()[:60]}")
        self.faults = tuple(FormFault(row + 1, reason) for row, reason in sorted(found.items())[:MOST_FAULTS])
        self.values = {} if headless or fault is not None else values

    @cached_property
    def _tree(self) -> tree_sitter.Tree:
        return tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language())).parse(self.text.encode())

    @cached_property
    def _places(self) -> dict[Loc, int]:
        known: dict[Loc, int] = {}
        counts: dict[Loc, int] = {}
        for node in self._tree.root_node.children:
            if node.type == "pair":
                _pair(node, (), known)
            elif node.type in _OPENING:
                head = next((child for child in node.named_children if _is_key(child)), None)
                if head is None:
                    continue
                here = _opened(counts, _parts(head), array=node.type == "table_array_element")
                line = node.start_point[0] + 1
                known.setdefault(here, line)
                if node.type == "table_array_element":
                    known.setdefault(here[:-1], line)
                for child in node.named_children:
                    if child.type == "pair":
                        _pair(child, here, known)
        return known


def _too_deep() -> str:
    return f"more than {MOST_DEPTH} tables or lists inside one another"


def _complaint(fault: ValueError, lines: int) -> tuple[int, str]:
    """Return the row, from 0, and reason of tomllib's complaint. A value that it cannot convert (a number of thousands
    of digits) has no place: row 0."""
    found = _AT.match(str(fault))
    if found is None:
        return 0, str(fault).partition(";")[0]
    return (int(found[2]) - 1 if found[2] else lines - 1), found[1]


def _broken(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Yield the outermost nodes that are no TOML."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            waiting += node.children


def _last_row(node: tree_sitter.Node) -> int:
    row, column = node.end_point
    return max(row - 1 if column == 0 else row, node.start_point[0])


def _is_key(node: tree_sitter.Node) -> bool:
    return node.type in ("bare_key", "quoted_key", "dotted_key")


def _parts(key: tree_sitter.Node) -> list[str]:
    """Return the parts of a key, outside in."""
    parts: list[str] = []
    waiting = [key]
    while waiting:
        node = waiting.pop()
        if node.type == "dotted_key":
            waiting += reversed([child for child in node.named_children if _is_key(child)])
        else:
            words = (node.text or b"").decode()
            parts.append(words[1:-1] if node.type == "quoted_key" else words)
    return parts


def _opened(counts: dict[Loc, int], names: Sequence[str], *, array: bool) -> Loc:
    """Return the way to the table that a head opens: the newest entry of every array on it."""
    loc: Loc = ()
    for place, name in enumerate(names):
        loc = (*loc, name)
        if array and place == len(names) - 1:
            counts[loc] = counts.get(loc, -1) + 1
        if loc in counts:
            loc = (*loc, counts[loc])
    return loc


def _pair(pair: tree_sitter.Node, table: Loc, known: dict[Loc, int]) -> None:
    """Note the line of a key, and of everything inside its value, in `known`."""
    waiting = [(pair, table)]
    while waiting:
        node, loc = waiting.pop()
        if node.type == "pair":
            key, value = node.named_children[0], node.named_children[-1]
            for part in _parts(key) if _is_key(key) else ():
                loc = (*loc, part)
                known.setdefault(loc, node.start_point[0] + 1)
            node = value
        if node.type == "inline_table":
            waiting += [(child, loc) for child in node.named_children if child.type == "pair"]
        elif node.type == "array" and len(loc) <= MOST_DEPTH:
            entries = [child for child in node.named_children if child.type != "comment"]
            for number, child in enumerate(entries):
                known.setdefault((*loc, number), child.start_point[0] + 1)
                waiting.append((child, (*loc, number)))


def _depth(values: object) -> int:
    """Return the number of tables and lists inside one another, counted to MOST_DEPTH + 1 at most."""
    level: list[object] = [values]
    for depth in range(MOST_DEPTH + 1):
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return depth + (1 if isinstance(values, dict | list) else 0)
    return MOST_DEPTH + 1
