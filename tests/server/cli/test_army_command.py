"""The command `army`: lists drawn, checked and shown, for any system that offers them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from server.cli.main import main
from tests.support.systems.mustered import NAME, as_installed


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_installed(tmp_path / "packages")
    monkeypatch.syspath_prepend(tmp_path / "packages")


def army(*words: str) -> int:
    return main(["army", *words, "--system", NAME])


def test_a_new_list_is_sound_and_the_same_for_a_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert army("new", "sable_order", "--seed", "4", "--points", "6000") == 0
    printed = capsys.readouterr().out
    assert tomllib.loads(printed)["list"]["limit"] == 6000
    file = tmp_path / "mine.toml"
    assert army("new", "sable_order", "--seed", "4", "--points", "6000", "--out", str(file)) == 0
    assert file.read_text("utf-8") == printed
    assert army("check", str(file)) == 0
    assert "Sable Order: nothing is wrong with it. " in capsys.readouterr().out
    assert army("new", "sable_order", "--out", str(file)) == 2
    assert "is there already" in capsys.readouterr().err


def test_a_list_is_shown_with_its_code_and_the_code_shows_the_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    army("new", "iron_marches", "--seed", "1", "--out", str(file))
    assert army("show", str(file)) == 0
    shown = capsys.readouterr().out
    code = shown.strip().rpartition("Code: ")[2]
    copy = tmp_path / "copy.toml"
    assert army("show", code, "--out", str(copy)) == 0
    assert capsys.readouterr().out.endswith(shown.partition("\n")[2])
    assert copy.read_text("utf-8") == file.read_text("utf-8")
    assert " of 3000 points" in shown


def test_every_fault_is_named_with_file_line_key_and_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[list]\narmy = "iron_marches"\nversion = 1\nlimit = 3000\n\n[[unit]]\nid = "IM-12"\ncount = 9\n\n'
        '[[unit]]\nid = "IM-03"\n\n[[unit]]\nid = "IM-01"\ncount = 9\nupgrades = [1]\n'
    )
    assert army("check", str(file)) == 1
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        f"{file}:1: list: 9 Heroes are too many: 3 at most.",
        f"{file}:1: list: 9 Monsters, Walkers and Vehicles are too many: 8 at most.",
        f"{file}:10: unit.1.discipline: War Seer needs a discipline.",
        f"{file}:16: unit.2.upgrades: Marshal has no upgrade 1.",
    ]
    assert said.err.strip() == f"4 faults in {file}."


def test_plain_words_for_what_cannot_be_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "large.toml").write_text("#" * 70_000)
    for call, status, words in (
        (("new",), 0, "Factions: brood_of_ossa, iron_marches, lumen_choir, sable_order"),
        (("new", "martians"), 2, "There is no army martians here."),
        (("new", "sable_order", "--points", "50"), 2, "3000 or 6000 points, not for 50"),
        (("check", "IM1-XXXXX"), 1, "This code is damaged"),
        (("check", "x" * 5000), 1, "This is no code"),
        (("check", "nowhere.toml"), 2, "There is no file nowhere.toml"),
        (("check", str(tmp_path / "binary.toml")), 1, "cannot be read"),
        (("check", str(tmp_path / "large.toml")), 1, "is larger than any list"),
    ):
        assert army(*call) == status
        said = capsys.readouterr()
        assert words in said.out + said.err
    assert main(["army", "new", "--system", "chess"]) == 2
    assert "no rule system 'chess' with army lists" in capsys.readouterr().err
    assert main(["army", "new", "--system", "action_cards"]) == 2
