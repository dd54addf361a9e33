"""Words of the checks of dice: all that they can say has some, none are kept that they never say, no blank is
unfilled."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from client.text.fairness_sentences import ENGLISH, PREFIX

ROOT = Path(__file__).parents[3]
SOURCES = sorted(chain((ROOT / "client").rglob("*.py"), (ROOT / "protocol").rglob("*.py")))
SAYS = ("text", "Text", "say")
RAISES = ("Unfair", "accuse")
BLANK = re.compile(r"\{(\w+)")


def calls() -> Iterator[tuple[str, str, set[str] | None]]:
    """Yield every key that is said or raised, as a pattern, with its place and the names of its arguments (None: not
    known)."""
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and node.args):
                continue
            called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if any(word.arg is None for word in node.keywords):
                continue  # hands on what its own callers say
            place = f"{file.name}:{node.lineno}"
            given = {str(word.arg) for word in node.keywords}
            if called in RAISES:
                yield from ((place, PREFIX + key, given) for key in keys(node.args[0]))
            elif called in SAYS:
                is_plain = called != "Text" and len(node.args) == 1
                yield from ((place, key, given if is_plain else None) for key in keys(node.args[0]))


def keys(argument: ast.expr) -> list[str]:
    """Return the patterns of an argument's keys, none where it is a name (of a key that stands elsewhere)."""
    match argument:
        case ast.Constant(value=str(key)):
            return [re.escape(key)]
        case ast.IfExp():
            return keys(argument.body) + keys(argument.orelse)
        case ast.JoinedStr():
            parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"\w+" for p in argument.values]
            return ["".join(parts)]
    return []


def named() -> set[str]:
    """Return the keys that stand in the client by themselves: in a list, or as the value of a name."""
    found = set()
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(PREFIX):
                found.add(node.value)
    return found


@pytest.mark.slow
def test_all_that_is_said_or_raised_has_words_and_fills_their_blanks() -> None:
    wrong = []
    for place, pattern, given in calls():
        found = [key for key in ENGLISH if re.fullmatch(pattern, key)]
        if not pattern.startswith(("fair.", r"fair\.", "[")):
            continue
        blanks = set().union(*(BLANK.findall(ENGLISH[key]) for key in found))
        if not found or (given is not None and not blanks <= given):
            wrong.append(f"{place}: {pattern}: {blanks} are given {given}")
    assert wrong == []
    assert all(key in ENGLISH for key in named() if not key.endswith("."))


@pytest.mark.slow
def test_no_words_are_kept_that_are_never_said() -> None:
    patterns = {pattern for _, pattern, _ in calls()} | {re.escape(key) for key in named()}
    said = [pattern for pattern in patterns if pattern.startswith(("fair.", r"fair\."))]
    assert [key for key in ENGLISH if not any(re.fullmatch(pattern, key) for pattern in said)] == []


def test_every_fault_that_the_follower_finds_is_among_them() -> None:
    raised = {
        node.args[0].value
        for file in (ROOT / "protocol" / "fairness").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Unfair"
        if isinstance(node.args[0], ast.Constant)
    }
    assert {"unknown_dice", "holder_wrong", "tip_wrong", "call_wrong", "opening_wrong", "link_wrong"} <= raised
    assert {PREFIX + str(key) for key in raised} <= ENGLISH.keys()
