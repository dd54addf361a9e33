"""Units in what is said of all systems: the system's own, as one book measures in inches, another in centimetres."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.clients.programs import ROOT
from tests.support.runs.pages import page

SHARED: Final = ("engine/core/content", "engine/kit", "engine/space")
FILES: Final = [file for place in SHARED for file in sorted((ROOT / place).rglob("*.py"))]
INCHES: Final = re.compile(r"\binch(?:es)?\b")


def docstrings(file: Path) -> Iterator[str]:
    """Yield the docstrings of a module, with those of its constants and fields."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def names_one_unit(words: str) -> bool:
    """Return True where inches are named, and centimetres are not."""
    return bool(INCHES.search(words)) and "centimetres" not in words


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_docstrings_of_what_all_systems_share_name_no_unit_of_one_book(file: Path) -> None:
    assert [words for words in docstrings(file) if names_one_unit(words)] == []


@pytest.mark.parametrize(
    ("name", "heading"),
    [("content.md", "Lessons"), ("kit.md", "Content by value"), ("ruleset.md", "What is there already")],
)
def test_pages_on_what_all_systems_share_name_no_unit_of_one_book(name: str, heading: str) -> None:
    section = re.split(r"^##+ ", page(name).partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    assert section
    assert not names_one_unit(section)
