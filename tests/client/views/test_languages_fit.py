"""Every page in German, and in a pseudo-language that is 40 percent longer than English: whatever can be clicked lies
inside the window and apart."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from client.app.window import LEAST, SMALLEST
from engine.rulesets.action_cards.system import CATALOGUE, system
from protocol.wire.from_server import Catalogue
from tests.client.views.test_every_page_fits import HARDEST, IN_SMALLEST, PAGES, _fits
from tests.support.clients.sessions import Table
from tests.support.languages.pseudo import in_pseudo
from tests.support.languages.speaking import PSEUDO, speaking

Page = Callable[[Table], None]


def open_page(table: Table, page: Page, language: str) -> None:
    """Open a page at a table whose game speaks this language, too."""
    entries = in_pseudo(CATALOGUE) if language == PSEUDO else system.catalogue(language)
    table.say(Catalogue("action_cards", language, "8" * 16, dict(entries)))
    page(table)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_in_german_in_the_smallest_window(table: Table, page: Page) -> None:
    with speaking("de"):
        open_page(table, page, "de")
        _fits(table, ((SMALLEST, 100), (LEAST, 100)))


@pytest.mark.long("client")
@pytest.mark.parametrize("language", ["de", PSEUDO])
@pytest.mark.parametrize("page", PAGES)
def test_long_a_page_fits_in_each_language_at_every_scale(table: Table, page: Page, language: str) -> None:
    with speaking(language):
        open_page(table, page, language)
        _fits(table, (*product([SMALLEST], IN_SMALLEST), *HARDEST))
