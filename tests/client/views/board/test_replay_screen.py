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
from client.model.replay.replay_player import ALL_SEEING, ReplayPlayer, load_replay
from client.storage.ffmpeg import find_ffmpeg
from client.ui.theme import SEAT_COLOURS
from client.views.board.replay_screen import ReplayScreen
from protocol.fairness.replay import Replay
from protocol.ids import NodeId
from protocol.scene.nodes import Piece
from tests.support.clients.films import film_of
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
    assert player.audiences == ("public", ALL_SEEING, "seat/1")
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
    assert view.player.audience == ALL_SEEING
    hand.press(keys.E)
    assert view.player.seat == 1


def test_the_timeline_is_clicked_and_dragged_and_names_the_step(app: ReadableApp, hand: Hand) -> None:
    view = ReplayScreen(app, ReplayPlayer(replays.replay()))
    app.show(view)
    app.build()
    rect = next(spot.rect for spot in app.ui.hotspots if spot.label == "Progress")
    y = rect.centre[1]
    hand.click((rect.right - 2, y))
    assert view.player.step == view.player.last
    hand.drag((rect.right - 2, y), (rect.x - 40, y))
    assert view.player.step == 0
    camera = view.board.camera.focus
    hand.drag((rect.x + 2, y), (rect.x + rect.w / 3, y - 100))
    assert (view.player.step, view.board.camera.focus) == (1, camera)
    hand.point_at((rect.x + rect.w / 3, y))
    spot = app.hot_at(rect.x + rect.w / 3, y)
    assert spot is not None
    assert spot.tip.startswith("Step 1 of 3\n")
    assert len(spot.tip.splitlines()) == 3


def test_names_have_their_places_a_frame_after_a_jump(app: ReadableApp, hand: Hand) -> None:
    view = ReplayScreen(app, ReplayPlayer(replays.replay()))
    app.show(view)
    app.build()
    assert not view.is_hurried
    rested = view.board.group_names.boxes
    hand.click_on("Step forward")
    hand.click_on("Step back")
    app.build()
    assert view.is_hurried
    app.step(0.02)
    app.build()
    assert not view.is_hurried
    assert view.board.group_names.boxes == rested


def test_speeds_have_keys(app: ReadableApp, hand: Hand) -> None:
    view = ReplayScreen(app, ReplayPlayer(replays.replay()))
    app.show(view)
    first = view.show.speed
    hand.press(keys.UP)
    assert view.show.speed == 2 * first
    hand.press(keys.DOWN)
    hand.click_on("Speed")
    assert view.show.speed == 2 * first


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


def test_a_clip_of_some_steps(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "clips" / "three.gif"
    order = ("--at", "0", "--to", "3", "--speed", "8", "--width", "320", "--eyes", "all")
    done = eschaton("replay", str(file), "--export", str(out), *order)
    assert done.returncode == 0, done.stderr
    with Image.open(out) as image:
        assert image.size == (320, 212)
        frames = getattr(image, "n_frames", 1)
        waits = []
        for place in range(frames):
            image.seek(place)
            waits.append(image.info["duration"])
    assert frames >= 3
    assert sum(waits) == 100 * int(done.stdout.split(", ")[1].split()[0])
    assert list(out.parent.iterdir()) == [out]


@pytest.mark.long("client")
@pytest.mark.skipif(find_ffmpeg() is None, reason="ffmpeg is not on this computer")
def test_a_film_of_some_steps_by_the_command_alone(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "clips" / "three.mp4"
    order = ("--at", "0", "--to", "3", "--speed", "8", "--width", "320", "--eyes", "all")
    done = eschaton("replay", str(file), "--export", str(out), *order)
    assert done.returncode == 0, done.stderr
    film = film_of(out)
    assert (film.size, film.rate) == ((320, 212), 25)
    assert len(film.frames) == int(done.stdout.split(", ")[1].split()[0]) > 20
    assert list(out.parent.iterdir()) == [out]


@pytest.mark.parametrize(("order", "words"), [
    (("--export", "x.avi"), "must end with .png, .gif, .mp4"),
    (("--export", "x.gif", "--at", "2", "--to", "2"), "a clip ends after --at 2"),
    (("--export", "x.gif", "--speed", "3"), "0.5, 1, 2, 4, 8"),
    (("--export", "x.gif", "--width", "9000"), "160 to 1280 pixels"),
    (("--export", "x.png", "--eyes", "9"), "the number of a seat"),
])  # fmt: skip
def test_a_clip_that_cannot_be_made_is_refused(
    order: tuple[str, ...], words: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main.commands(["replay", str(file), *order])
    assert end.value.code == 1
    assert words in capsys.readouterr().err


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
