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
_HEAD: Final = re.compile(
    rf"[ \t]*(?:(?P<open>\[{{1,2}})[ \t]*|(?=(?!true|false|inf|nan)[a-z][^\"',]*\]))"
    rf"(?P<key>{_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*(?P<close>\]{{0,2}})[ \t]*(?:#.*)?"
)
"""A table's head, whether its brackets fit or not; a word with brackets at its end alone is one too."""
_PAIR: Final = re.compile(rf"[ \t]*{_PART}(?:[ \t]*\.[ \t]*{_PART})*[ \t]*=")
_OPENING: Final = ("table", "table_array_element")


class FormFault(NamedTuple):
    """A fault in the form of a text, at a line counted from 1."""

    line: int
    reason: str


class TomlSource:
    """A TOML text as far as it can be read. `values`, with floats as Decimal, lack only the keys on lines with faults;
    they are empty where a table's head cannot be told. `faults`: all faults of form, by line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.faults: tuple[FormFault, ...] = ()
        self.values: dict[str, Any] = {}
        self._readable = text
        """The text without what is no TOML, on the same lines."""
        self._mended: frozenset[int] = frozenset()
        """Lines with faults of which nothing was lost."""
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

    @property
    def torn(self) -> frozenset[Loc]:
        """The ways to the tables that lack keys because their lines could not be read."""
        lost = [fault.line for fault in self.faults if fault.line not in self._mended]
        return frozenset(map(self._table_at, lost))

    def _table_at(self, line: int) -> Loc:
        """Return the way to the table whose head is the last one above a line, or on it."""
        heads = [(at, loc) for loc, at in self._heads.items() if at <= line]
        return max(heads, key=lambda head: head[0])[1] if heads else ()

    def _read_past(self, first: ValueError) -> None:
        """Note every fault of form; keep what stands on other lines, and in tables whose heads can be told."""
        mending = _Mending(self.text.split("\n"))
        found: dict[int, str] = {}
        fault: ValueError | None = first
        values: dict[str, Any] = {}
        for _ in range(MOST_FAULTS):
            if fault is None:
                break
            row, reason = mending.blamed(*_complaint(fault, len(mending.lines)))
            if row in found:  # the line was left out, and the fault remains
                break
            found[row] = reason
            mending.mend(row)
            try:
                values, fault = tomllib.loads(mending.text, parse_float=Decimal), None
            except RecursionError:
                found.setdefault(row + 1, _too_deep())
                break
            except ValueError as another:
                fault = another
        for start in mending.broken:
            found.setdefault(start, f"this is no TOML: {mending.lines[start].strip()[:60]}")
        self.faults = tuple(FormFault(row + 1, reason) for row, reason in sorted(found.items())[:MOST_FAULTS])
        if not mending.headless and fault is None:
            self.values, self._readable = values, mending.text
            self._mended = frozenset([row + 1 for row in mending.mended])

    @cached_property
    def _places(self) -> dict[Loc, int]:
        return self._found[0]

    @cached_property
    def _heads(self) -> dict[Loc, int]:
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[dict[Loc, int], dict[Loc, int]]:
        """Find the lines of all keys, tables and entries by their ways, and those of the tables' heads alone."""
        known: dict[Loc, int] = {}
        heads: dict[Loc, int] = {}
        counts: dict[Loc, int] = {}
        for node in _tree(self._readable).root_node.children:
            if node.type == "pair":
                _pair(node, (), known)
            elif node.type in _OPENING:
                head = next((child for child in node.named_children if _is_key(child)), None)
                if head is None:
                    continue
                here = _opened(counts, _parts(head), array=node.type == "table_array_element")
                line = node.start_point[0] + 1
                known.setdefault(here, line)
                heads[here] = line
                if node.type == "table_array_element":
                    known.setdefault(here[:-1], line)
                for child in node.named_children:
                    if child.type == "pair":
                        _pair(child, here, known)
        return known, heads


def _tree(text: str) -> tree_sitter.Tree:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language())).parse(text.encode())


class _Mending:
    """Lines of a text from which goes, one fault after another, what is no TOML. `broken`: first rows of the parts that
    are still none; `headless`: a table's head went, so that its keys would be read into the table before it."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.broken = self._look()
        self.headless = False
        self.mended: set[int] = set()
        """Rows of heads that were closed."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def blamed(self, row: int, reason: str) -> tuple[int, str]:
        """Return the row at fault: a list that is not closed is told where the next key or table begins."""
        if reason.startswith("Unclosed") and _is_toml(self.lines[row]):
            return next((at for at in range(row - 1, -1, -1) if _PAIR.match(self.lines[at])), row), reason
        return row, reason

    def mend(self, row: int) -> None:
        """Close a table's head that lacks brackets, or leave out the part at fault."""
        head = _mended(self.lines[row])
        if head is not None:
            self.lines[row] = head
            self.mended.add(row)
        else:
            part = self._part(row)
            self.headless = self.headless or self.lines[part.start].lstrip().startswith("[")
            self.lines[part.start : part.stop] = [""] * len(part)
        self.broken = self._look()

    def _part(self, row: int) -> range:
        """Return the rows of the key with its value, of the head, or of whatever else a row belongs to."""
        if _is_head(self.lines[row]):
            return range(row, row + 1)
        starts = (at for at in range(row, -1, -1) if _PAIR.match(self.lines[at]) or _is_head(self.lines[at]))
        start = next(starts, row)
        if _is_head(self.lines[start]):
            start = row
        ends = (at for at in range(row + 1, len(self.lines)) if _PAIR.match(self.lines[at]) or _is_head(self.lines[at]))
        return range(start, next(ends, len(self.lines)))

    def _look(self) -> list[int]:
        return [node.start_point[0] for node in _broken(_tree(self.text).root_node)]


def _is_toml(line: str) -> bool:
    try:
        tomllib.loads(line)
    except (RecursionError, ValueError):
        return False
    return True


def _is_head(line: str) -> bool:
    return _HEAD.fullmatch(line) is not None


def _mended(line: str) -> str | None:
    """Return the head of a table whose brackets do not fit, with brackets that do; None for any other line."""
    found = _HEAD.fullmatch(line)
    if found is None:
        return None
    opened, closed = len(found["open"] or ""), len(found["close"])
    many, is_sound = max(opened, closed), opened == closed
    return None if is_sound else f"{'[' * many}{found['key'].strip()}{']' * many}"


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
