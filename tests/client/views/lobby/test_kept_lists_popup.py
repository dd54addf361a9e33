"""Army lists and set-ups that are kept: all of the game can be reached, by mouse and keys, and none of another game."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.model.lobby.table_setups import setup_of, written
from client.storage.named_files import NamedFiles
from client.views.lobby.setup_screen import SetupScreen
from protocol.text import Text
from protocol.wire.choices import FactionChoice, ScenarioChoice, SystemChoice
from protocol.wire.from_client import BuildList, ChangeTable
from protocol.wire.from_server import ListShown, Systems
from protocol.wire.list_form import FormSection, ListForm
from tests.support.clients.sessions import Table, show_setup
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

MANY = 40
FORM = ListForm("d1", Text("Ash"), Text("10 of 100"), (FormSection(Text("Units"), ()),), file='[list]\narmy = "ash"\n')


def game(id: str, *armies: str) -> SystemChoice:
    """Return a game with these armies."""
    factions = tuple(FactionChoice(army, Text(army)) for army in armies)
    scenario = ScenarioChoice("mill", Text("Mill"), Text("Hold it."), 2, factions, points=100)
    return SystemChoice(id, Text(id), (scenario,), ("random",))


def keep_all(files: NamedFiles, folder: Path, names: list[str], text: str) -> None:
    """Keep a text by these names, the first of which is the oldest."""
    for age, name in enumerate(names):
        files.keep(name, text)
        os.utime(next(folder.glob(f"{name}.*")), (age, age))


@pytest.fixture
def builder(setup: Table, tmp_path: Path, hand: Hand) -> Table:
    """Window whose army builder is open, with many lists of its game and of another."""
    setup.say(Systems((game("action_cards", "ash"), game("sea", "cod"))))
    files = setup.navigator.army_lists
    names = [f"Ash {number:02}" for number in range(MANY)]
    keep_all(files, tmp_path / "lists", names, '# Ash: 90 of 100 points\n\n[list]\narmy = "ash"\nversion = 1\n')
    for number in range(20):
        files.keep(f"Cod {number:02}", '[list]\narmy = "cod"\n')
    files.keep("Fern", '[list]\narmy = "fern"\n')
    hand.click_on("Army list")
    setup.say(ListShown(1, FORM))
    return setup


def loads(table: Table) -> list[str]:
    """Return the names of the lists in sight, from the top."""
    table.app.build()
    return [spot.label.removeprefix("Load ") for spot in table.app.ui.front_spots if spot.label.startswith("Load ")]


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_all_lists_of_the_game_can_be_reached_the_newest_first(builder: Table, hand: Hand, scale: float) -> None:
    builder.app.ui.scale = scale
    builder.app.refresh()
    hand.click_on("My lists")
    seen = dict.fromkeys(loads(builder))
    assert list(seen)[:2] == ["Fern", f"Ash {MANY - 1:02}"], "one of an army that no game here has may be for any"
    for _ in range(MANY):
        hand.press(keys.PAGEDOWN)
        seen |= dict.fromkeys(loads(builder))
    assert list(seen) == ["Fern", *(f"Ash {number:02}" for number in reversed(range(MANY)))]


def test_one_is_loaded_by_its_number_and_the_popup_closes(builder: Table, hand: Hand) -> None:
    hand.click_on("My lists")
    hand.press(keys.KEY_0)
    hand.press(keys.KEY_2)
    asked = builder.last(BuildList)
    assert isinstance(asked, BuildList)
    assert asked.lines == ["[list]", 'army = "ash"', "version = 1"]
    assert loads(builder) == []


def test_esc_closes_the_popup_and_then_the_builder(builder: Table, hand: Hand) -> None:
    hand.click_on("My lists")
    hand.press(keys.ESCAPE)
    assert loads(builder) == []
    assert "Code of a list" in builder.app.labels()
    hand.press(keys.ESCAPE)
    assert "Code of a list" not in builder.app.labels()


def test_a_list_of_another_game_is_not_written_over(builder: Table, hand: Hand) -> None:
    hand.click_on("Name to keep it by")
    hand.type("Cod 03")
    hand.click_on("Keep")
    assert builder.session.notice == "Kept as Cod 03-2."
    hand.click_on("Keep")
    assert builder.session.notice == "Kept as Cod 03-3."
    hand.click_on("My lists")
    assert set(loads(builder)[:2]) == {"Cod 03-2", "Cod 03-3"}


def test_without_any_the_button_says_how_one_is_kept(setup: Table, hand: Hand) -> None:
    setup.say(Systems((game("action_cards", "ash"), game("sea", "cod"))))
    setup.navigator.army_lists.keep("Cod", '[list]\narmy = "cod"\n')
    hand.click_on("Army list")
    setup.say(ListShown(1, FORM))
    assert "My lists" not in setup.app.enabled()
    hand.click_on("Keep")
    hand.click_on("My lists")
    assert loads(setup) == ["Ash"]


def test_all_set_ups_of_the_game_can_be_reached(setup: Table, tmp_path: Path, hand: Hand) -> None:
    view, files = setup.session.conversation.table, setup.navigator.table_setups
    assert view is not None
    keep_all(files, tmp_path / "set-ups", [f"S{number:02}" for number in range(MANY)], written(setup_of(view, [])))
    other = written(setup_of(replace(view, system="sea"), []))
    for number in range(20):
        files.keep(f"Sea {number:02}", other)
    front = setup.app.front
    assert isinstance(front, SetupScreen)
    hand.click_on("Set-ups")
    seen: dict[str, None] = {}
    for _ in range(MANY):
        setup.app.build()
        labels = [spot.label for spot in setup.app.ui.front_spots if spot.label.startswith("Set up as ")]
        seen |= dict.fromkeys(label.removeprefix("Set up as ") for label in labels)
        hand.press(keys.PAGEDOWN)
    assert list(seen) == [f"S{number:02}" for number in reversed(range(MANY))]
    hand.click_on("Set up as S00")
    assert isinstance(setup.last(ChangeTable), ChangeTable)


def test_a_set_up_of_another_game_is_not_written_over(setup: Table, hand: Hand) -> None:
    setup.navigator.table_setups.keep("Friday", '{"system": "sea", "change": {"seconds": 60}}')
    show_setup(setup)
    hand.click_on("Set-ups")
    hand.click_on("Name to keep it by")
    hand.type("Friday")
    hand.click_on("Keep this one")
    assert setup.session.notice == "Kept as Friday-2."
    assert scenes.table_view().system not in setup.navigator.table_setups.read("Friday")
