"""Pictures of scenarios: everybody who starts stands on the table, and the client draws it without a display."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from protocol.scene.nodes import Group, Piece
from server.cli.content import draw as content_draw
from server.runtime.errors import CommandError
from tests.support.systems.installed import shipped_systems

pytestmark = pytest.mark.waits


def test_everybody_who_starts_stands_and_nobody_has_moved() -> None:
    """Bots place the armies where the rules let players place them, and then the picture is taken."""
    for installed in shipped_systems().values():
        info = min(installed.scenarios.values(), key=lambda info: info.minutes)
        nodes = content_draw.laid_out(installed, info, (), 3)
        groups = [node for node in nodes.values() if isinstance(node, Group)]
        assert {group.owner for group in groups} == set(range(info.seats))
        assert all(isinstance(nodes.get(piece), Piece) for group in groups for piece in group.pieces)
        assert content_draw.laid_out(installed, info, (), 3) == nodes, "the same seed gives the same picture"


def test_a_scenario_is_drawn_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "patrol.png"
    assert content_draw.run("first_patrol", out, None, ["hush"], 0, 400) == 0
    assert "figures" in capsys.readouterr().out
    with Image.open(out) as picture:
        assert picture.width == 400
        assert len(picture.convert("RGB").getcolors(1_000_000) or ()) > 20


def test_what_cannot_be_drawn_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"no scenario 'first_patrl'\. Did you mean first_patrol\?"):
        content_draw.run("first_patrl", tmp_path / "x.png", None, (), 0, 400)
    with pytest.raises(CommandError, match="seats: name as many"):
        content_draw.run("first_patrol", tmp_path / "x.png", None, ["hush"] * 9, 0, 400)
    with pytest.raises(CommandError, match="cannot be set up: "):
        content_draw.run("first_patrol", tmp_path / "x.png", None, ["elves"], 0, 400)
    with pytest.raises(CommandError, match="No such file"):
        content_draw.run("first_patrol", tmp_path / "nowhere" / "x.png", None, (), 0, 400)
