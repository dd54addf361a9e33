"""`make demo`, run as a newcomer runs it."""

import json
from pathlib import Path

import pytest
from PIL import Image

from client.app.picture import SIZE
from tests.support.clients.programs import run


@pytest.mark.long("e2e")
async def test_the_demo_plays_a_whole_match_and_leaves_its_files(tmp_path: Path) -> None:
    assert await run(tmp_path, "tools.demo", seconds=300, is_forked=False) == 0, (
        tmp_path / "tools.demo.log"
    ).read_text()
    out = tmp_path / "out"
    outcome = json.loads((out / "demo.json").read_text())
    assert len(outcome["seats"]) == 6
    assert outcome["cards"] > 60
    assert outcome["seconds"] < 90
    assert await run(tmp_path, "client.app.main", "verify", "out/demo.replay") == 0
    assert await run(tmp_path, "server.cli.main", "check", "out/demo.replay") == 0
    with Image.open(out / "demo.png") as picture:
        assert picture.size == SIZE
        assert len(picture.getcolors(1 << 20) or ()) > 100
