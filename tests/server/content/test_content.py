"""Rule systems are found by entry point, their content is read from files, catalogues are named by content."""

from pathlib import Path

import pytest

from engine.core.rules.errors import ContentRefused
from server.content.systems import install, load
from tests.support.systems.duel import TOML, Duel
from tests.support.systems.installed import shipped_systems


def test_a_users_own_files_come_on_top(tmp_path: Path) -> None:
    own = tmp_path / "duel"
    own.mkdir()
    (own / "mine.toml").write_text("[scenario.mine]\nseats = 2\nturns = 3\n")
    (own / "notes.txt").write_text("not content")
    installed = load([Duel()], tmp_path)["duel"]
    assert "mine" in installed.scenarios


def test_broken_content_is_named(tmp_path: Path) -> None:
    own = tmp_path / "duel"
    own.mkdir()
    (own / "bad.toml").write_text("[scenario.bad\n")
    with pytest.raises(ContentRefused, match=r"bad\.toml"):
        load([Duel()], tmp_path)


def test_what_belongs_to_a_system_that_is_not_asked_for_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "action_cards").mkdir()
    (tmp_path / "action_cards" / "broken.toml").write_text("[")
    assert set(load([Duel()], tmp_path)) == {"duel"}


def test_a_catalogue_holds_all_texts_and_is_named_by_its_content() -> None:
    installed = install(Duel(), {"duel.toml": TOML})
    catalogue = installed.catalogue("en")
    assert catalogue is installed.catalogue("en")
    assert {"duel.title", "refuse.stale", "refuse.turn/not-yours", "problem.table/full"} <= set(catalogue.entries)
    assert catalogue.hash == install(Duel(), {"duel.toml": TOML}).catalogue("en").hash


def test_a_catalogue_is_in_the_language_that_is_asked_for_line_by_line_in_english() -> None:
    installed = install(Duel(), {"duel.toml": TOML})
    english, german = installed.catalogue("en"), installed.catalogue("de")
    assert (english.language, german.language, installed.languages) == ("en", "de", ("en", "de"))
    assert german.hash != english.hash
    assert german.entries["duel.title"] == english.entries["duel.title"]
    assert (english.entries["aside.none"], german.entries["aside.none"]) == ("nothing", "nichts")
    assert (english.entries["problem.table/full"][:3], german.entries["problem.table/full"][:4]) == ("All", "Alle")
    assert german.entries.keys() == english.entries.keys()
    assert german.forms == english.forms
    assert installed.catalogue("tl") is english
    cards = shipped_systems()["action_cards"]
    assert cards.catalogue("de").entries["choice.shoot"] == "Schießen"


def test_what_the_lobby_shows() -> None:
    choice = install(Duel(), {"duel.toml": TOML}).choice()
    assert choice.bots == ("hard", "random")
    assert [scenario.seats for scenario in choice.scenarios if scenario.id == "six"] == [6]


def test_who_is_away_is_stood_in_for_by_a_decent_player() -> None:
    assert install(Duel(), {"duel.toml": TOML}).stand_in() == "hard"
    assert {installed.stand_in() for installed in shipped_systems().values()} == {"level2"}


def test_kinds_of_bots_have_the_same_names_in_all_systems() -> None:
    for system in shipped_systems().values():
        entries = system.catalogue("en").entries
        assert {kind: entries[f"bot.{kind}"] for kind in system.bot_kinds()}.items() <= {
            ("random", "random"),
            ("level1", "simple"),
            ("level2", "steady"),
            ("level3", "cunning"),
        }
