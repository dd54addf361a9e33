"""The pages of both rulebooks: made of the words that the client shows, with all their pictures."""

from __future__ import annotations

import re

import pytest

from tools.rulebook import PAGES, ROOT, Page, markdown

LARGEST = 80_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.folder)
def test_the_page_is_made_of_it_and_has_all_its_pictures(page: Page) -> None:
    told = (ROOT / page.folder / "README.md").read_text("utf-8")
    assert told == markdown(page), "run `make rulebook`"
    pictures = {path.name for path in (ROOT / page.folder).glob("*.png")}
    assert pictures == set(re.findall(r"\]\((\w+\.png)\)", told)) == {f"{name}.png" for name in page.pictures}
    assert all((ROOT / page.folder / name).stat().st_size < LARGEST for name in pictures)
