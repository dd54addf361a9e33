"""Every page in German, and in a pseudo-language that is 40 percent longer than English: whatever can be clicked lies
inside the window and apart, and at the usual size no button or title is cut off in German that is whole in English."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

import pytest

from client.app.window import LEAST, SMALLEST
from client.ui import measure
from engine.rulesets.action_cards.system import CATALOGUE, system
from protocol.wire.from_server import Catalogue
from tests.client.views.test_every_page_fits import HARDEST, IN_SMALLEST, NAME, PAGES, _fits
from tests.support.clients.sessions import Table
from tests.support.languages.pseudo import in_pseudo
from tests.support.languages.speaking import PSEUDO, speaking

Page = Callable[[Table], None]
USUAL = (1280, 800)
OF_PEOPLE = (NAME[:5], "Bertram", "Harbour Watch", "friday", "127.0.0.1")
"""Names in the examples that are too long for some places in any language."""


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


@pytest.mark.parametrize("page", PAGES)
def test_no_line_of_a_page_is_cut_off_in_german_at_the_usual_size(
    table: Table, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    with speaking("de"):
        open_page(table, page, "de")
        assert sorted(cut_off(table, monkeypatch)) == []


def cut_off(table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterable[str]:
    """Return the lines that are cut off at the usual size, without those that hold a long name of the examples."""
    cut: set[str] = set()
    clip = measure.clip

    def noted(text: str, size: int, room: int, **how: bool) -> str:
        shown = clip(text, size, room, **how)
        if shown != text and not any(name in text for name in OF_PEOPLE):
            cut.add(text)
        return shown

    with monkeypatch.context() as patched:
        patched.setattr(measure, "clip", noted)
        table.app.ui.scale = 1.0
        table.app.describe(USUAL)
        table.app.help = table.app.settings_page.is_open = False
        table.app.refresh()
    return cut
