"""Set-ups of tables kept by name in the window: by mouse and by keys, for the owner and for others."""

from __future__ import annotations

from pathlib import Path

from arcade import key as keys

from protocol.wire.from_client import ChangeTable
from tests.support.clients.sessions import Table, show_setup
from tests.support.systems.hand import Hand

NAME = "Name to keep it by"


def test_a_set_up_is_kept_and_another_table_set_up_so_by_mouse(setup: Table, hand: Hand) -> None:
    show_setup(setup, seconds=120, rated=False)
    hand.click_on("Set-ups")
    assert "Keep this one" not in setup.app.enabled()
    hand.click_on(NAME)
    hand.type("Friday/evening")
    hand.click_on("Keep this one")
    assert setup.session.notice == "Kept as Friday-evening."
    hand.click_on("Close")
    show_setup(setup, seconds=60)
    hand.click_on("Set-ups")
    hand.click_on("Set up as Friday-evening")
    change = setup.last(ChangeTable)
    assert isinstance(change, ChangeTable)
    assert (change.seconds, change.rated, change.name) == (120, False, None)
    assert NAME not in setup.app.labels(), "it has closed"


def test_a_set_up_is_kept_taken_and_forgotten_by_keys(setup: Table, hand: Hand) -> None:
    hand.tab_to("Set-ups")
    hand.press(keys.ENTER)
    hand.tab_to(NAME)
    hand.press(keys.ENTER)
    assert not setup.navigator.table_setups.names(), "not without a name"
    hand.type("Two")
    hand.press(keys.ENTER)
    hand.press(keys.ESCAPE)
    hand.press(keys.KEY_1)
    assert isinstance(setup.last(ChangeTable), ChangeTable)
    hand.tab_to("Set-ups")
    hand.press(keys.ENTER)
    hand.tab_to("Forget Two")
    hand.press(keys.ENTER)
    assert not setup.navigator.table_setups.names()
    assert "Set up as Two" not in setup.app.labels()
    hand.press(keys.ESCAPE)
    assert NAME not in setup.app.labels()


def test_those_of_other_games_and_damaged_ones_are_not_shown(setup: Table, hand: Hand) -> None:
    files = setup.navigator.table_setups
    files.keep("chess", '{"system": "chess", "change": {"seconds": 60}}')
    files.keep("odd", "{")
    hand.click_on("Set-ups")
    assert not [label for label in setup.app.labels() if label.startswith("Set up as")]


def test_others_keep_what_they_see_and_set_nothing_up(setup: Table, hand: Hand) -> None:
    show_setup(setup, owner="somebody")
    hand.click_on("Set-ups")
    hand.click_on(NAME)
    hand.type("Theirs")
    hand.press(keys.ENTER)
    assert setup.navigator.table_setups.names() == ["Theirs"]
    assert "Set up as Theirs" not in setup.app.enabled()
    assert "Forget Theirs" in setup.app.enabled()


def test_what_cannot_be_kept_is_told(setup: Table, hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "set-ups").write_text("in the way")
    hand.click_on("Set-ups")
    hand.click_on(NAME)
    hand.type("Friday")
    hand.press(keys.ENTER)
    assert setup.session.notice.startswith("That cannot be done: ")
