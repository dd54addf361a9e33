"""Content that is checked again whenever it changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from server.cli.content import watch as content_watch
from server.runtime.errors import CommandError
from tests.support.systems.own_content import EVENTS

pytestmark = pytest.mark.waits


def test_each_change_is_checked_once_and_what_follows_is_done_where_nothing_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "action_cards" / "eels.toml"
    path.parent.mkdir()
    path.write_text(EVENTS)
    done: list[str] = []
    told: list[str] = []
    changes: list[Callable[[], object]] = [
        lambda: None,
        lambda: path.write_text(EVENTS.replace("weather", "wether")),
        lambda: None,
        lambda: path.write_text(EVENTS),
        path.unlink,
    ]

    def wait() -> bool:
        told.append(capsys.readouterr().out)
        if not changes:
            return False
        changes.pop(0)()
        return True

    assert content_watch.run(tmp_path, lambda: done.append("drawn"), wait) == 0
    assert [bool(words) for words in told] == [True, False, True, False, True, True]
    assert "nothing is wrong with its 1 file." in told[0]
    assert "did you mean weather?" in told[2]
    assert "nothing is wrong with its 1 file." in told[4]
    assert "nothing is wrong with its 0 files." in told[5]
    assert done == ["drawn"] * 3


def test_without_a_folder_there_is_nothing_to_watch(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no folder"):
        content_watch.run(tmp_path / "nowhere")
