"""Files of one's own that begin as copies of shipped ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.cli.content import check as content_check, new as content_new
from server.content.systems import find_systems, texts_of
from server.runtime.errors import CommandError

pytestmark = pytest.mark.waits

MOST_TO_DO = 80


def test_a_copy_of_anything_shipped_can_be_read_or_says_what_is_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of each kind of table of each system: a copy is sound at once, or its faults are told."""
    kinds = {(model.system.name, model.table): name for name, model in content_new.shipped_models().items()}
    assert len({name for name, _ in kinds}) == len(find_systems())
    for (system, table), name in kinds.items():
        folder = tmp_path / table
        assert content_new.run("my_own", name, folder) == 0
        told = capsys.readouterr().out.splitlines()
        assert told[0] == f"{folder}/{system}/my_own.toml: written, a {table} like {name}."
        to_do = [line for line in told if line.startswith("to do: ")]
        assert len(to_do) < MOST_TO_DO
        if table in ("scenario", "faction", "map"):
            # the code of an army is for its maker to choose
            assert [line for line in to_do if "faction.code: " not in line] == []


def test_what_is_begun_is_sound_and_has_its_words_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert content_new.run("dry_ford", "harrow_cross", tmp_path) == 0
    text = (tmp_path / "action_cards" / "dry_ford.toml").read_text("utf-8")
    assert 'id = "dry_ford"\nname = "Dry ford"\n' in text
    assert '"the relay house"' in text
    assert "rule =" not in text
    assert content_check.run(tmp_path) == 0
    assert "new scenarios: dry_ford" in capsys.readouterr().out


def test_what_cannot_be_begun_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert content_new.run("", "", tmp_path) == 0
    listed = capsys.readouterr().out
    assert "action_cards, scenario: " in listed
    assert all(name in listed for name in find_systems())
    with pytest.raises(CommandError, match="is no id"):
        content_new.run("Dry Ford", "harrow_cross", tmp_path)
    with pytest.raises(CommandError, match=r"Did you mean harrow_cross\?"):
        content_new.run("ford", "harow_cross", tmp_path)
    assert content_new.run("ford", "harrow_cross", tmp_path) == 0
    with pytest.raises(CommandError, match=r"is there already\. Choose another id"):
        content_new.run("ford", "harrow_cross", tmp_path)
    assert texts_of(find_systems(["action_cards"])["action_cards"])
