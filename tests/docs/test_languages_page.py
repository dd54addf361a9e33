"""docs/languages.md says how much of each game is there in which language, and which German words are used."""

from __future__ import annotations

import re

import pytest

from protocol.words import words_in
from server.content.systems import SHARED
from tests.support.clients.programs import ROOT
from tools.languages import WINDOW, rows, systems

PAGE = (ROOT / "docs" / "languages.md").read_text("utf-8")
PACKAGES = (WINDOW, *SHARED, *(package for _, _, package in systems()))
TERMS = dict(re.findall(r"^\| ([a-z][^|]*?) \| ([^|]+?) \|", PAGE.partition("## German")[2], re.MULTILINE))


@pytest.mark.slow
def test_the_table_of_shares_is_what_the_tool_counts() -> None:
    assert "\n".join(rows()) in PAGE


def test_each_german_term_is_used() -> None:
    lines = "\n".join(line for package in PACKAGES for line in words_in("de", package).values()).casefold()
    assert len(TERMS) > 25
    terms = [term for words in TERMS.values() for term in words.split(", ")]
    assert [term for term in terms if term.casefold() not in lines] == []
