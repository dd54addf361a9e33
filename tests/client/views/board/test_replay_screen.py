"""Replays: playback without a window, the screen, and the commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from arcade import key as keys
from PIL import Image

from client.app import main
from client.errors import CannotPlay
from client.model.replay_player import ReplayPlayer, load_replay
from client.ui.theme import SEAT_COLOURS
from client.views.board.replay_screen import ReplayScreen
from protocol.fairness.replay import Replay
from protocol.ids import NodeId
from protocol.scene.nodes import Piece
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import replays
from tests.support.runs.patience import PATIENCE
from tests.support.systems.hand import Hand

pytestmark = pytest.mark.waits


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "friday.replay"
    path.write_bytes(replays.replay_bytes())
    return path


def place_of(player: ReplayPlayer) -> tuple[int, int]:
    piece = player.nodes()[NodeId("piece/13")]
    assert isinstance(piece, Piece)
    return piece.at


def test_forwards_and_backwards() -> None:
    player = ReplayPlayer(replays.replay())
    assert player.last == 3
    assert place_of(player) == (6500, 500)
    player.go(2)
    assert place_of(player) == replays.MOVED
    assert [line.rule for line in player.log()] == ["AC-MOVE-01", "AC-SHOOT-02"]
    assert player.dice()[-1].total == 29
    player.go(0)
    assert place_of(player) == (6500, 500)
    assert player.log() == ()
    player.go(99)
    assert player.step == 3
    assert "result" in player.nodes()


def test_with_the_eyes_of_a_seat() -> None:
    player = ReplayPlayer(replays.replay())
    assert player.audiences == ("public", "seat/1")
    assert "objective/1.x" not in player.nodes()
    player.see_as("seat/1")
    assert player.seat == 1
    assert "objective/1.x" in player.nodes()


def test_a_replay_without_pictures() -> None:
    whole = replays.replay()
    with pytest.raises(CannotPlay, match="verify"):
        ReplayPlayer(Replay(whole.header, whole.commitment, whole.secret, whole.log, {}, ()))


def test_files_that_are_no_replays(tmp_path: Path, file: Path) -> None:
    with pytest.raises(CannotPlay, match="No such file"):
        load_replay(tmp_path / "none.replay")
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(CannotPlay, match="friday"):
        load_replay(file)


def test_the_view_steps_and_plays(app: ReadableApp, hand: Hand) -> None:
    view = ReplayScreen(app, ReplayPlayer(replays.replay()))
    app.show(view)
    hand.click_on("Step forward")
    assert view.player.step == 1
    hand.press(keys.LEFT)
    assert view.player.step == 0
    hand.press(keys.SPACE)
    app.step(1.1)
    assert view.player.step == 1
    hand.click_on("To the end")
    assert "Step forward" not in app.enabled()
    hand.click_on("Seen by")
    assert view.player.seat == 1


def eschaton(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, without a display."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["PYTHONWARNINGS"] = "ignore"
    return subprocess.run(
        [sys.executable, "-m", "client.app.main", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment,
    )


def test_a_picture_of_a_step(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "pictures" / "step.png"
    done = eschaton("replay", str(file), "--png", str(out), "--at", "1")
    assert done.returncode == 0, done.stderr
    with Image.open(out) as image:
        assert image.size == (1600, 1000)
        board = image.convert("RGB").crop((230, 110, 1280, 830))
    shares = board.getcolors(board.width * board.height)
    assert shares is not None
    seat = SEAT_COLOURS[1][:3]
    assert any(isinstance(tone, tuple) and all(abs(a - b) < 25 for a, b in zip(tone, seat, strict=True))
               for _, tone in shares)  # fmt: skip


def test_commands_explain_what_is_wrong(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.replay(file, png=tmp_path / "x.png", at=4) == 2
    assert capsys.readouterr().err == "--at 4: this replay has the steps 0 to 3.\n"
    assert main.replay(file) == 1
    assert "--png" in capsys.readouterr().err
    assert main.play("ws://example.org") == 2
    assert "Without encryption" in capsys.readouterr().err
    assert main.play("example.org", profile="../x") == 2
    assert main.watch("example.org", "K7Q4XZ") == 1
    assert "no display" in capsys.readouterr().err


def test_help_in_plain_words() -> None:
    done = eschaton("play", "--help")
    assert done.returncode == 0
    assert "HOST" in done.stdout


def test_checking_needs_no_toolkit(file: Path) -> None:
    code = "import sys; sys.argv = ['eschaton', 'verify', sys.argv[1]]\nimport client.app.main\n"
    code += "try: client.app.main.main()\nexcept SystemExit as end: print(end.code)\n"
    code += "assert not {'arcade', 'pyglet', 'PIL'} & sys.modules.keys()"
    done = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("1")
