"""Copying in the window: it is told at once, as is that a profile cannot be written."""

from __future__ import annotations

import pytest

from client.input.prompt_driver import PromptDriver
from client.views.table.table_screen import TableScreen
from protocol.text import Text
from tests.support.clients.sessions import Table


def told(table: Table) -> Text | str:
    """Return the note of the prompt, where a table tells what has been done, after one turn of the window."""
    table.settle()
    screen = table.app.front
    assert isinstance(screen, TableScreen)
    assert isinstance(screen.controller.driver, PromptDriver)
    return screen.controller.driver.note


@pytest.fixture
def quiet(table: Table) -> Table:
    """A table at which nothing happens any more by itself."""
    table.settle()
    table.settle()
    assert told(table) == ""
    return table


def test_what_was_copied_is_told_at_once(quiet: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[str] = []
    monkeypatch.setattr(quiet.app, "set_clipboard_text", held.append)
    quiet.navigator.copy("K7Q4XZ")
    assert told(quiet) == "Copied."
    assert held == ["K7Q4XZ"]


def test_that_there_is_no_clipboard_is_told_at_once(quiet: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet.app, "copy", lambda text: False)
    quiet.navigator.copy("K7Q4XZ")
    assert told(quiet) == "There is no clipboard here. Copy it by hand: K7Q4XZ"


def test_a_profile_that_cannot_be_written_is_told_at_once(quiet: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(quiet.navigator.file, "keep", full)
    assert not quiet.navigator.keep()
    assert "No space left on device" in str(told(quiet))
