"""Esc over several pages: it closes the one that is drawn, and leaves what lies below as it is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import pytest
from arcade import key as keys

from client.model.replay.replay_player import ReplayPlayer
from client.views.board.replay_screen import ReplayScreen
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.lobby.setup_screen import SetupScreen
from client.views.table.table_screen import TableScreen
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.from_client import JoinTable
from protocol.wire.from_server import Problem, Welcome
from protocol.wire.quick_match import MatchOffered, Seeking
from protocol.wire.table_lists import Lobby
from tests.support.clients.sessions import Table, show_setup
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import replays, scenes
from tests.support.systems.hand import Hand

MODERATOR = Welcome("mo", "Mo", "token", "test", "0.1", people=True, moderates=True, finds=True)


class Page(Protocol):
    """Page of a screen."""

    @property
    def is_open(self) -> bool:
        """True while it is to be drawn."""


class Pages:
    """Pages of one screen, and which of them are drawn."""

    def __init__(self, app: ReadableApp, monkeypatch: pytest.MonkeyPatch, pages: Iterable[Page]) -> None:
        self.app = app
        self.pages = list(pages)
        self._drawn: list[Page] = []
        for page in self.pages:
            monkeypatch.setattr(page, "draw", lambda *_, page=page: self._drawn.append(page))

    @property
    def drawn(self) -> Page | None:
        self._drawn.clear()
        self.app.refresh()
        self.app.build()
        return self._drawn[0] if self._drawn else None

    @property
    def are_open(self) -> list[Page]:
        return [page for page in self.pages if page.is_open]

    def check_one_by_one(self, hand: Hand) -> None:
        """Check that each Esc closes the page that is drawn, and no other."""
        assert self.are_open == self.pages
        while self.are_open:
            before, drawn = self.are_open, self.drawn
            assert drawn is not None
            hand.press(keys.ESCAPE)
            assert self.are_open == [page for page in before if page is not drawn]


@pytest.fixture
def setup(app: ReadableApp, tmp_path: Path) -> SetupScreen:
    table = Table(app, tmp_path, scenes.table_frames(1))
    show_setup(table)
    screen = app.front
    assert isinstance(screen, SetupScreen)
    return screen


def open_all(screen: SetupScreen) -> None:
    """Open all pages over the set-up."""
    assert screen.table is not None
    screen.lists.open()
    screen.rulebook.is_open = True
    screen.people.open()
    screen.seat_popup.open(1)
    screen.date.open(screen.table)
    screen.setups.open(screen.table)
    screen.password.open()


def test_pages_over_the_set_up_close_one_by_one(
    app: ReadableApp, hand: Hand, setup: SetupScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_all(setup)
    pages = (
        setup.rulebook, setup.lists, setup.people, setup.seat_popup, setup.date, setup.setups, setup.password,
    )  # fmt: skip
    Pages(app, monkeypatch, pages).check_one_by_one(hand)


def test_the_map_closes_before_the_page_below_it(hand: Hand, setup: SetupScreen) -> None:
    setup.lists.open()
    setup.map.open()
    hand.press(keys.ESCAPE)
    assert (setup.map.is_open, setup.lists.is_open) == (False, True)


def test_a_list_in_the_making_outlives_the_page_of_a_faction_above_it(hand: Hand, setup: SetupScreen) -> None:
    setup.lists.open()
    setup.lists.kept.open()
    setup.rulebook.is_open = True
    left = []
    for _ in range(3):
        hand.press(keys.ESCAPE)
        left.append((setup.rulebook.is_open, setup.lists.kept.is_open, setup.lists.is_open))
    assert left == [(False, True, True), (False, False, True), (False, False, False)]


def test_nothing_closes_below_the_notice_that_another_window_has_taken_over(hand: Hand, setup: SetupScreen) -> None:
    open_all(setup)
    setup.session.away = "session/taken-over"
    hand.press(keys.ESCAPE)
    assert setup.rulebook.is_open
    assert setup.lists.is_open


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> LobbyScreen:
    table = Table(app, tmp_path, [])
    screen = LobbyScreen(app, table.session, table.navigator)
    app.show(screen)
    table.say(MODERATOR, Lobby(()))
    table.navigator.go(JoinTable(table=TableId("t1")))
    table.say(Problem("table/password", Text("busy")))
    assert app.front is screen
    for page in (
        screen.registration, screen.account, screen.webhook, screen.people, screen.results, screen.on_now,
        screen.quick, screen.moderation,
    ):  # fmt: skip
        page.open()
    return screen


def test_pages_over_the_lobby_close_one_by_one(
    app: ReadableApp, hand: Hand, lobby: LobbyScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = (
        lobby.door, lobby.registration, lobby.account, lobby.webhook, lobby.people, lobby.results, lobby.on_now,
        lobby.quick, lobby.moderation,
    )  # fmt: skip
    Pages(app, monkeypatch, pages).check_one_by_one(hand)


def test_an_offered_match_closes_nothing_below_it(hand: Hand, lobby: LobbyScreen) -> None:
    lobby.session.match_search.take(Seeking(on=True))
    lobby.session.match_search.take(MatchOffered("o1", "action_cards", Text("The mill"), 2, 20_000))
    hand.press(keys.ESCAPE)
    assert lobby.door.is_open
    assert lobby.registration.is_open


def test_pages_over_the_table_close_one_by_one(table: Table, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = table.app.front
    assert isinstance(screen, TableScreen)
    pages: tuple[Page, ...] = (
        screen.registration, screen.people, screen.rulebook, screen.diplomacy, screen.fairness,
    )  # fmt: skip
    for page in pages:
        page.is_open = True  # type: ignore[misc]  # of a table's pages it is a field
    Pages(table.app, monkeypatch, pages).check_one_by_one(hand)


def test_the_menu_closes_before_the_rulebook_below_it(table: Table, hand: Hand) -> None:
    screen = table.app.front
    assert isinstance(screen, TableScreen)
    screen.rulebook.is_open = screen.controls.is_conceding = screen.pages.menu = True
    left = []
    for _ in range(3):
        hand.press(keys.ESCAPE)
        left.append((screen.pages.menu, screen.controls.is_conceding, screen.rulebook.is_open))
    assert left == [(False, True, True), (False, False, True), (False, False, False)]


def test_the_dice_of_a_replay_close_before_the_measuring_tool(app: ReadableApp, hand: Hand) -> None:
    screen = ReplayScreen(app, ReplayPlayer(replays.replay()))
    app.show(screen)
    screen.board.begin_tool("ruler")
    screen.dice.is_open = True
    hand.press(keys.ESCAPE)
    assert not screen.dice.is_open
    assert screen.board.tool is not None
    hand.press(keys.ESCAPE)
    assert screen.board.tool is None
