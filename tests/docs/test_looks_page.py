"""docs/looks.md is what its tool writes of the lists and the shipped files."""

from __future__ import annotations

from tests.support.runs.pages import page
from tools import looks


def test_the_page_is_as_the_tool_writes_it() -> None:
    assert page("looks.md") == looks.page(), "write it anew: python -m tools.looks"
