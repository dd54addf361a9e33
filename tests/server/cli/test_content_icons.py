"""`content icons`: the picture of all icons, and the words for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from protocol.scene.looks import GLYPHS
from server.cli.content import icons as content_icons
from server.runtime.errors import CommandError

pytestmark = pytest.mark.waits


def test_all_icons_are_drawn_and_other_words_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert content_icons.run(tmp_path / "icons.png") == 0
    told = capsys.readouterr().out
    assert all(f"  {word}: {name}\n" in told for word, name in GLYPHS.items() if word != name)
    with Image.open(tmp_path / "icons.png") as picture:
        assert picture.width > 1000


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        content_icons.run(tmp_path / "nowhere" / "icons.png")
