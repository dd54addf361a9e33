"""The exceptions of the server stand below one root, and the tree in the docstring names each of them."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from protocol.errors import DamageError, EschatonError, RefusedError
from server.runtime import errors
from server.runtime.refusals import Refused
from server.store.port import StoreDamaged, StoreError, StoreInUse, StoreUnavailable

SERVER = Path(errors.__file__).parents[1]
BUILT_IN = {"Exception", "BaseException", "ValueError", "RuntimeError", "OSError"}


@cache
def defined() -> dict[str, set[str]]:
    """Return name and bases of every class of the server."""
    trees = [ast.parse(file.read_text("utf-8")) for file in SERVER.rglob("*.py")]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return {each.name: {base.id for base in each.bases if isinstance(base, ast.Name)} for each in classes}


@pytest.mark.slow
def test_no_exception_of_the_server_derives_from_a_built_in_one() -> None:
    assert [name for name, bases in defined().items() if bases & BUILT_IN] == []


@pytest.mark.slow
def test_the_tree_names_every_exception() -> None:
    below = {"EschatonError", "RefusedError", "FaultError", "DamageError"}
    classes = defined()
    while more := {name for name, bases in classes.items() if bases & below} - below:
        below |= more
    assert errors.__doc__ is not None
    named = set(re.findall(r"\b[A-Z]\w+\b", errors.__doc__))
    assert {name for name in below if not name.startswith("_")} <= named


def test_refusals_and_damage_can_be_caught_by_their_branch() -> None:
    assert issubclass(Refused, RefusedError)
    assert issubclass(errors.CommandError, RefusedError)
    assert issubclass(errors.KeyDamaged, DamageError)
    assert issubclass(StoreDamaged, StoreError)
    assert issubclass(StoreDamaged, DamageError)
    assert issubclass(StoreInUse, StoreUnavailable)
    assert issubclass(StoreError, EschatonError)
