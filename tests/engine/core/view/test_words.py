"""Words and rulebooks, read from files beside the code that says them."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from engine.core.view.rulebook import BookSection, BookText, Paragraph, book_of
from protocol.words import words_of

BOOK = """
[choices]
pass = "turns.2"

[[sections]]
id = "turns"
title = "Turns"

[[sections.paragraphs]]
tells = ["R-1"]
words = "Act, or pass."
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package with words and a rulebook."""
    folder = tmp_path / "words_of_a_system"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "play.toml").write_text('"choice.act" = "Act"\n"choice.act.hint" = "Do it."\n', "utf-8")
    (folder / "later.toml").write_text('"choice.act" = "Act \u201cnow\u201d"\n', "utf-8")
    (folder / "rulebook.toml").write_text(BOOK, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, folder.name, raising=False)
    return folder.name


def test_words_of_later_files_go_before_those_of_earlier_ones(package: str) -> None:
    assert words_of(package, "play") == {"choice.act": "Act", "choice.act.hint": "Do it."}
    assert words_of(package, "play", "later") == {"choice.act": "Act \u201cnow\u201d", "choice.act.hint": "Do it."}


def test_a_rulebook_is_read_with_its_sections_and_choices(package: str) -> None:
    section = BookSection("turns", "Turns", (Paragraph("Act, or pass.", ("R-1",)),))
    assert book_of(package) == BookText((section,), {"pass": "turns.2"})


def test_a_key_that_a_rulebook_does_not_have_is_refused(package: str, tmp_path: Path) -> None:
    (tmp_path / package / "rulebook.toml").write_text(BOOK.replace("title", "tilte"), "utf-8")
    with pytest.raises(msgspec.ValidationError):
        book_of(package)
