"""First screen of a newcomer: name, language and size of text where they are seen at once, and a lesson on offer."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys

from client.app.navigator import Navigator
from client.model.arrival_plan import ArrivalPlan
from client.net.address import Address
from client.text.spoken import SPOKEN
from client.ui import theme
from client.views.lobby.connect_screen import ConnectScreen
from client.views.lobby.lobby_screen import LobbyScreen
from protocol.text import Text, text
from protocol.wire.choices import ScenarioChoice, SystemChoice
from protocol.wire.from_client import CreateTable
from protocol.wire.from_server import Systems, Welcome
from protocol.wire.lessons import Lesson
from protocol.wire.table_lists import Lobby
from tests.support.clients.sessions import ADDRESS, Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.languages.speaking import speaking
from tests.support.systems.hand import Hand

LEARN, QUICK = "Learn to play", "Play now against bots"
MILL = ScenarioChoice("mill", text("mill"), text("about"), 2, ())
LESSON = Lesson("first", Text("First duel"), Text("A duel."), "mill", 5, ())
SYSTEMS = Systems((SystemChoice("duel", text("duel"), (MILL,), ("level1",), lessons=(LESSON,)),))


class OwnServer:
    """A server of this computer that runs already."""

    def find_or_start(self) -> Address:
        return ADDRESS

    def close(self) -> None:
        """Leave it running."""


@pytest.fixture
def first(app: ReadableApp, tmp_path: Path) -> Table:
    """Window of somebody who starts the program for the first time."""
    table = Table(app, tmp_path, [])
    app.show(ConnectScreen(app, table.navigator))
    return table


def filled(table: Table) -> set[str]:
    """Return the labels of the buttons that stand out."""
    table.app.refresh()
    table.app.build()
    boxes = {shape[1] for shape in dict(table.app.ui.layers["panels"].painter.shapes) if shape[3] == theme.ACCENT}
    return {spot.label for spot in table.app.ui.hotspots if any(_is_of(corners, spot.rect) for corners in boxes)}


def _is_of(corners: tuple[tuple[float, float], ...], rect: tuple[float, float, float, float]) -> bool:
    xs, ys = {x for x, _ in corners}, {y for _, y in corners}
    return (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)) == pytest.approx(rect)


def test_the_language_is_changed_where_one_first_reads(first: Table, hand: Hand) -> None:
    with speaking("en"):
        hand.click_on("Language")
        assert SPOKEN.language == "de"
        assert first.profile.language == "de"
        assert LEARN not in first.app.labels()


def test_the_size_of_the_text_is_changed_by_keyboard(first: Table, hand: Hand) -> None:
    hand.tab_to("Size of text")
    hand.press(keys.ENTER)
    assert first.app.text_scale == 110


def test_a_lesson_is_on_offer_and_stands_out_until_one_was_held(first: Table) -> None:
    assert LEARN in filled(first)
    assert QUICK not in filled(first)
    first.profile.taught.append("duel/first")
    assert QUICK in filled(first)
    assert LEARN not in filled(first)


@pytest.mark.parametrize(("button", "plan"), [(LEARN, ArrivalPlan(learn=True)), (QUICK, ArrivalPlan(quick=True))])
def test_each_button_goes_to_the_server_of_this_computer(
    first: Table, hand: Hand, monkeypatch: pytest.MonkeyPatch, button: str, plan: ArrivalPlan
) -> None:
    gone: list[tuple[Address, ArrivalPlan]] = []

    def connect(_: Navigator, address: Address, plan: ArrivalPlan) -> None:
        gone.append((address, plan))

    monkeypatch.setattr(Navigator, "connect", connect)
    first.navigator.local = OwnServer()  # type: ignore[assignment]
    hand.click_on(button)
    assert gone == [(ADDRESS, plan)]


def test_the_lesson_is_held_there_though_it_was_held_before(app: ReadableApp, tmp_path: Path) -> None:
    table = Table(app, tmp_path, [])
    table.profile.taught.append("duel/first")
    table.navigator.plan = ArrivalPlan(learn=True)
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(Welcome("me", "Bertram", "token", "test", "0.1"), SYSTEMS, Lobby(()))
    made = table.last(CreateTable)
    assert isinstance(made, CreateTable)
    assert (made.system, made.scenario, made.lesson) == ("duel", "mill", "first")
