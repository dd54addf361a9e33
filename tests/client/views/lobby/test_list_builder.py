"""The army list in the window: a form of a real rule system, changed by mouse and keys; and hostile forms."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from arcade import key as keys

from client.views.lobby.setup_screen import SetupScreen
from engine.core.rules.errors import ListRefused
from engine.rulesets.one_page.content.army_lists import OnePageLists
from engine.rulesets.one_page.text.texts import ARMY_LISTS as ENGLISH
from protocol.text import Text, text
from protocol.wire.choices import FactionChoice, ScenarioChoice, SystemChoice
from protocol.wire.from_client import BringList, BuildList, ChooseFaction
from protocol.wire.from_server import Catalogue, ListShown, Problem, SeatView, Systems
from protocol.wire.list_form import Button, Count, FormSection, ListForm, Pick, Switch
from tests.support.clients.sessions import Table
from tests.support.clients.windows.off_grid import off_grid, words_off_grid
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.army_book import book
from tests.support.systems.hand import Hand

LISTS = OnePageLists()
MINE = 1


class Mustering(Table):
    """Set-up of a table to which lists are brought; the rule system itself answers."""

    def answer(self) -> None:
        """Answer everything that was asked since, as a server does."""
        for _ in range(50):
            self.settle()
            asked = [message for message in self.said if isinstance(message, BuildList)]
            self.said.clear()
            if not asked:
                return
            for one in asked:
                draft = "\n".join(one.lines) or one.draft or LISTS.empty(book(), "iron_marches", 3000)
                try:
                    self.say(ListShown(MINE, LISTS.form(book(), draft, one.change)))
                except ListRefused as refused:
                    self.say(Problem("list/refused", refused.faults[0]))


@pytest.fixture
def mustering(app: ReadableApp, tmp_path: Path) -> Mustering:
    table = Mustering(app, tmp_path, scenes.table_frames(MINE)[:2])
    armies = tuple(FactionChoice(army.id, text("op.words", words=army.name)) for army in book().armies.values())
    view = scenes.table_view(MINE, "open")
    scenario = ScenarioChoice(view.scenario, Text("a"), Text("b"), 2, armies, points=3000)
    table.say(Catalogue(view.system, "en", "e" * 16, ENGLISH))
    table.say(Systems((SystemChoice(view.system, Text("x"), (scenario,), ("random",)),)), view)
    app.show(SetupScreen(app, table.session, table.navigator))
    return table


@pytest.fixture
def builder(mustering: Mustering, hand: Hand) -> Mustering:
    hand.click_on("Army list")
    mustering.answer()
    return mustering


def total(table: Table) -> str:
    return next(label for label in table.app.labels() if label.startswith("total: ")).removeprefix("total: ")


def brought(table: Table, hand: Hand) -> BringList:
    hand.click_on("Play with this list")
    message = table.last(BringList)
    assert isinstance(message, BringList)
    return message


def test_units_are_counted_with_a_live_total_and_brought(builder: Mustering, hand: Hand) -> None:
    assert total(builder) == "0 of 3000 points, 0 Heroes, 0 Special"
    assert "Play with this list" not in builder.app.enabled()
    for _ in range(3):
        hand.click_on("Line Infantry: more")
        builder.answer()
    hand.click_on("Line Infantry: fewer")
    builder.answer()
    hand.click_on("Storm Colonel: more")
    builder.answer()
    assert total(builder) == "240 of 3000 points, 1 Hero, 0 Special"
    listed = LISTS.read(book(), brought(builder, hand).list)
    assert (listed.points, listed.faction) == (240, "iron_marches")
    assert "Line Infantry: more" not in builder.app.labels()


def test_another_army_is_chosen_in_the_form(builder: Mustering, hand: Hand) -> None:
    hand.click_on("Army")
    builder.answer()
    hand.click_on("Cantor: more")
    builder.answer()
    assert LISTS.read(book(), brought(builder, hand).list).faction == "lumen_choir"


def test_clicks_that_are_faster_than_the_server_are_all_heard(builder: Mustering, hand: Hand) -> None:
    for _ in range(5):
        hand.click_on("Conscripts: more")
    builder.answer()
    assert total(builder).startswith("650 of 3000")


def test_upgrades_doubling_and_disciplines(builder: Mustering, hand: Hand) -> None:
    hand.click_on("Line Infantry: more")
    hand.click_on("War Seer: more")
    builder.answer()
    hand.click_on("Two as one big unit, row 3")
    hand.click_on("All: Rifle for Assault Rifle, row 7")
    builder.answer()
    assert total(builder).startswith("225 of 3000"), "two at 85, the rifles of both, and the seer"
    hand.click_on("1 model: Machinegun for Assault Rifle: more, row 4")
    builder.answer()
    assert total(builder).startswith("230 of 3000")
    hand.click_on("Discipline, row 10")
    builder.answer()
    listed = LISTS.read(book(), brought(builder, hand).list)
    assert "op.list.row.more" in [line.k for line in listed.lines]
    assert any(line.a.get("more") == text("op.names.1", n1=Text("Veil")) for line in listed.lines)


def test_the_keyboard_alone_builds_a_list_and_brings_it(builder: Mustering, hand: Hand) -> None:
    view = builder.app.front
    assert isinstance(view, SetupScreen)
    hand.press(keys.PAGEDOWN)
    for _ in range(3):
        hand.press(keys.RIGHT)
    hand.press(keys.LEFT)
    builder.answer()
    assert total(builder).startswith("110 of 3000"), "two Marshals"
    hand.press(keys.TAB)
    hand.press(keys.RIGHT)
    builder.answer()
    assert total(builder).startswith("165 of 3000")
    hand.press(keys.TAB)
    for _ in range(40):
        hand.press(keys.DOWN)
    builder.app.build()
    assert "Siege Gun: more" in builder.app.labels()
    assert view.lists._first["page"] > 0
    hand.press(keys.ENTER)
    assert builder.last(BringList) is not None


def test_faults_are_shown_and_hold_the_list_back(builder: Mustering, hand: Hand) -> None:
    for _ in range(8):
        hand.click_on("Marshal: more")
        builder.answer()
    assert total(builder).startswith("165 of"), "the form offers no more than three"
    hand.click_on("Points")
    hand.click_on("Take the ready list")
    builder.answer()
    assert total(builder).startswith("3000 of 6000")
    assert "Play with this list" in builder.app.enabled()
    hand.click_on("Points")
    hand.click_on("Conscripts: more")
    builder.answer()
    assert total(builder).startswith("3130 of 3000")
    assert "Play with this list" not in builder.app.enabled()
    hand.point_at(builder.app.find("what is wrong"))
    spot = builder.app.ui.hovered()
    assert spot is not None
    assert spot.tip == "3130 points are 130 more than the 3000 that are agreed."


def test_lists_are_read_by_code_and_kept_as_files(builder: Mustering, hand: Hand, tmp_path: Path) -> None:
    code = LISTS.build(book(), "sable_order", 3000, 4)
    hand.click_on("Code of a list")
    hand.type(code)
    hand.click_on("Read code")
    builder.answer()
    points = LISTS.read(book(), code).points
    assert total(builder).startswith(f"{points} of")
    hand.click_on("Name to keep it by")
    hand.type("Ash/../Black")
    hand.click_on("Keep")
    assert [path.name for path in (tmp_path / "lists").iterdir()] == ["Ash-Black.toml"]
    hand.click_on("Clear the list")
    builder.answer()
    assert total(builder).startswith("0 of")
    hand.click_on("My lists")
    hand.click_on("Load Ash-Black")
    builder.answer()
    assert total(builder).startswith(f"{points} of")
    assert brought(builder, hand).list == code


def test_a_bad_code_or_file_is_told_and_changes_nothing(builder: Mustering, hand: Hand, tmp_path: Path) -> None:
    hand.click_on("Conscripts: more")
    builder.answer()
    hand.click_on("Code of a list")
    hand.type("IM1-RUBBISH")
    hand.press(keys.ENTER)
    builder.answer()
    assert "damaged" in builder.session.notice
    assert total(builder).startswith("130 of")
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "odd.toml").write_bytes(b"\xff\xfe")
    hand.click_on("Back")
    hand.click_on("Army list")
    builder.answer()
    hand.click_on("My lists")
    hand.click_on("Load odd")
    assert builder.session.notice.startswith("That list cannot be read")
    assert "Load odd" in builder.app.enabled(), "another can be chosen"
    hand.press(keys.ESCAPE)
    hand.click_on("Conscripts: more")
    builder.answer()
    assert total(builder).startswith("130 of"), "a refusal leaves nothing waiting"


def test_everything_can_be_reached_in_every_size(builder: Mustering, hand: Hand) -> None:
    hand.click_on("Take the ready list")
    builder.answer()
    view = builder.app.front
    assert isinstance(view, SetupScreen)
    for scale in (1.0, 1.6):
        builder.app.ui.scale = scale
        builder.app.refresh()
        seen: set[str] = set()
        for _ in range(9):
            builder.app.refresh()
            builder.app.build()
            seen |= builder.app.labels().keys()
            view.lists._scroll("page", 6)
            view.lists._scroll("list", 8)
        assert {"Siege Gun: more", "March Tank: more", "Take the ready list"} <= seen
        assert any(label.startswith("March Tank: more, row ") for label in seen)
        view.lists._scroll("page", -99)
        view.lists._scroll("list", -99)


def test_the_builder_stands_on_the_grid(builder: Mustering) -> None:
    builder.app.describe((1280, 800))
    assert off_grid(builder.app.ui, builder.app.front) == []
    assert words_off_grid(builder.app.ui) == []


def test_who_brings_what_is_seen_at_the_seats(mustering: Mustering, hand: Hand) -> None:
    view = scenes.table_view(MINE, "open")
    seats = [msgspec.structs.replace(seat, brings=text("op.words", words=f"List {seat.seat}")) for seat in view.seats]
    mustering.say(msgspec.structs.replace(view, seats=tuple(seats)))
    assert isinstance(seats[0], SeatView)
    assert "Lumen Choir" not in mustering.app.labels(), "one's own army is chosen in the form"
    assert "List 1" in mustering.session.texts.say(seats[MINE].brings)


def test_the_owner_gives_a_bot_an_army_or_a_list(mustering: Mustering, hand: Hand) -> None:
    view = scenes.table_view(MINE, "open")
    mustering.say(msgspec.structs.replace(view, owner=view.seats[MINE].who))
    bot = next(seat.seat for seat in view.seats if seat.bot)
    hand.click_on(f"Faction of seat {bot + 1}")
    hand.click_on("Lumen Choir")
    assert mustering.last(ChooseFaction) == ChooseFaction(faction="lumen_choir", seat=bot)
    hand.click_on(f"Army list of seat {bot + 1}")
    mustering.answer()
    hand.click_on("Draw a list by lot")
    mustering.answer()
    assert brought(mustering, hand).seat == bot


def test_a_hostile_form_is_drawn_bounded(builder: Mustering, hand: Hand) -> None:
    wild = text("\u202e" * 900, x="\x1b" * 900)
    rows = (
        Count("a", wild, wild, (wild,) * 50, 10**6, 10**12, -5, 10**13),
        Pick("b", wild, options=(), value=7),
        Pick("c", wild, options=(wild,), value=-9),
        Switch("d" * 900, wild, inset=-(10**9)),
        Button("", wild),
    )
    form = ListForm("", wild, wild, (FormSection(wild, rows * 400), FormSection(wild, rows * 400, True)), (wild,) * 300)
    builder.say(ListShown(99, form))
    builder.pixel((5, 5))
    for label in list(builder.app.enabled())[:40]:
        hand.click_on(label)
        builder.settle()
        if "Army list" in builder.app.labels():
            break
