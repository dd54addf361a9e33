"""Exports from a replay in the window, by mouse and by keys, while the window goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from arcade import key as keys
from PIL import Image

from client.model.replay import clip_plan
from client.model.replay.clip_plan import GIF, MP4, PNG, ClipPlan, seconds_of, size_of
from client.model.replay.replay_player import ReplayPlayer
from client.model.replay.replay_show import SPEEDS
from client.storage.ffmpeg import ffmpeg_command, find_ffmpeg
from client.views.board.replay_screen import ReplayScreen
from protocol.fairness.replay import read
from protocol.limits import Limits
from tests.support.clients.films import film_of
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import replays
from tests.support.examples.golden import FOLDER
from tests.support.systems.hand import Hand

pytestmark = pytest.mark.waits

MOST_TURNS: Final = 5_000
TURN: Final = 1 / 60


@pytest.fixture
def screen(app: ReadableApp, tmp_path: Path) -> ReplayScreen:
    return shown(app, tmp_path, ReplayPlayer(replays.replay()))


def shown(app: ReadableApp, folder: Path, player: ReplayPlayer) -> ReplayScreen:
    screen = ReplayScreen(app, player)
    screen.clips.folder = folder / "exports"
    app.show(screen)
    app.build()
    return screen


def ended(app: ReadableApp, screen: ReplayScreen) -> int:
    """Let the window go on until the export has ended; return the turns that took."""
    for turn in range(MOST_TURNS):
        if screen.clips.run is None:
            return turn
        # the toolkit's loop sleeps between two turns, in which the file is written
        screen.clips.run.writer.wait(TURN)
        app.step(TURN)
    raise AssertionError("the export does not end")


def files(screen: ReplayScreen) -> list[str]:
    folder = screen.clips.folder
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_picture_of_the_board_as_it_is_now_by_the_mouse(app: ReadableApp, hand: Hand, screen: ReplayScreen) -> None:
    hand.click_on("Step forward")
    screen.board.wheel(*screen.layout.board.centre, 3)
    hand.click_on("Export")
    assert screen.clips.path.text.endswith("exports/Friday-night-The-mill-1.png")
    hand.click_on("Size")
    hand.click_on("Export")
    ended(app, screen)
    assert files(screen) == ["Friday-night-The-mill-1.png"]
    assert "Saved Friday-night-The-mill-1.png" in app_words(app)
    with Image.open(screen.clips.folder / files(screen)[0]) as image:
        assert image.size == size_of(1920, screen.board.rect.w / screen.board.rect.h, PNG)
        colours = image.convert("RGB").getcolors(image.width * image.height)
        assert colours is not None
        assert len(colours) > 500, "ground, figures, names"
    hand.press(keys.ESCAPE)
    assert not screen.clips.is_open


def app_words(app: ReadableApp) -> str:
    """Return all that can be read in the window."""
    app.refresh()
    app.build()
    return " ".join(key.text for layer in app.ui.layers.values() for key, _, _ in layer.letters.lines)


def test_a_clip_by_the_keyboard_alone(app: ReadableApp, hand: Hand, screen: ReplayScreen) -> None:
    hand.press(keys.X)
    hand.tab_to("GIF clip")
    hand.press(keys.ENTER)
    for _ in range(3):
        hand.tab_to("Speed")
        hand.press(keys.ENTER)
    hand.tab_to("Size")
    hand.press(keys.ENTER)
    hand.press(keys.TAB)
    assert app.ui.focus is screen.clips.path
    hand.press(keys.A, keys.MOD_CTRL)
    hand.type("mine")
    hand.press(keys.ESCAPE)
    hand.tab_to("Export")
    hand.press(keys.ENTER)
    plan = screen.clips.run.plan if screen.clips.run is not None else None
    assert plan is not None
    assert (plan.first, plan.last, plan.speed) == (0, 3, 8.0)
    expected = seconds_of(screen.player, plan)
    assert ended(app, screen) > 3, "a frame a turn"
    assert files(screen) == ["mine.gif"]
    with Image.open(screen.clips.folder / "mine.gif") as image:
        assert image.size == plan.size
        waits = []
        for place in range(getattr(image, "n_frames", 1)):
            image.seek(place)
            waits.append(image.info["duration"])
    assert len(waits) >= 3
    assert sum(waits) / 1000 == pytest.approx(expected, abs=0.3)
    assert screen.player.step == 0, "the replay stands where it stood"


def test_an_export_is_cancelled_and_leaves_nothing(app: ReadableApp, hand: Hand, screen: ReplayScreen) -> None:
    screen.clips.choose(GIF)
    hand.press(keys.X)
    hand.click_on("Export")
    app.step(TURN)
    assert "Progress of the export" in app.labels()
    hand.press(keys.ESCAPE)
    assert screen.clips.run is None
    assert screen.clips.is_open
    assert files(screen) == []
    hand.click_on("Export")
    app.step(TURN)
    app.show(ReplayScreen(app, screen.player))
    assert files(screen) == [], "who goes elsewhere gives it up"


def test_a_disk_that_refuses_is_told_and_a_name_that_is_taken(
    app: ReadableApp, hand: Hand, screen: ReplayScreen, tmp_path: Path
) -> None:
    (tmp_path / "exports").write_text("no folder")
    hand.press(keys.X)
    hand.click_on("Export")
    ended(app, screen)
    assert "Cannot be written: " in app_words(app)
    screen.clips.path.set(str(tmp_path / "taken.png"))
    (tmp_path / "taken.png").write_text("mine")
    hand.click_on("Export")
    assert screen.clips.run is None
    assert "There is a file taken.png already" in app_words(app)
    assert (tmp_path / "taken.png").read_text() == "mine"


def test_without_ffmpeg_the_entry_says_how_to_get_it(
    app: ReadableApp, hand: Hand, screen: ReplayScreen, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    hand.press(keys.X)
    assert "MP4 clip" not in app.enabled()
    assert ffmpeg_command() in app_words(app)
    assert ffmpeg_command("win32") == "winget install ffmpeg"
    assert ffmpeg_command("darwin") == "brew install ffmpeg"
    assert ffmpeg_command("linux", lambda name: name if name == "dnf" else None) == "sudo dnf install ffmpeg"


def test_limits_hold_for_any_window() -> None:
    for kind in (PNG, GIF, MP4):
        for aspect in (0.01, 0.3, 1.0, 1.6, 40.0):
            for width in clip_plan.WIDTHS:
                wide, high = size_of(width, aspect, kind)
                assert clip_plan.NARROWEST <= wide <= kind.widest
                assert clip_plan.NARROWEST <= high <= clip_plan.HIGHEST
                assert (wide % 2, high % 2) == (0, 0)


def test_a_clip_that_would_be_too_long_is_refused_before_it_begins() -> None:
    player = ReplayPlayer(read((FOLDER / "one_page-rules6-log2-dice2.replay").read_bytes(), Limits()))
    plan = ClipPlan(GIF, 0, player.last, SPEEDS[0], (640, 400))
    assert seconds_of(player, plan) > GIF.seconds / 2
    assert "Choose fewer steps" in clip_plan.why_not(plan, GIF.seconds + 1.0)
    assert "two steps" in clip_plan.why_not(ClipPlan(GIF, 3, 3, 1.0, (640, 400)), 1.0)


@pytest.mark.long("client")
@pytest.mark.parametrize("name", ["action_cards", "one_page"])
@pytest.mark.parametrize("kind", [GIF, MP4])
def test_a_clip_of_a_match_of_each_game(
    kind: clip_plan.ClipKind, name: str, app: ReadableApp, tmp_path: Path, hand: Hand
) -> None:
    if kind is MP4 and find_ffmpeg() is None:
        pytest.skip("ffmpeg is not on this computer")
    newest = max(FOLDER.glob(f"{name}-*-dice2.replay"))
    screen = shown(app, tmp_path, ReplayPlayer(read(newest.read_bytes(), Limits())))
    screen.go(screen.player.last - 12)
    screen.clips.choose(kind)
    hand.press(keys.X)
    hand.click_on("Export")
    run = screen.clips.run
    assert run is not None
    expected = seconds_of(screen.player, run.plan)
    ended(app, screen)
    (made,) = screen.clips.folder.iterdir()
    assert run.frames / kind.rate == pytest.approx(expected, rel=0.1)
    if kind is GIF:
        with Image.open(made) as image:
            assert image.size == run.plan.size
    else:
        film = film_of(made)
        assert (film.size, film.rate, len(film.frames)) == (run.plan.size, kind.rate, run.frames)
        assert film.frames[-1].getbbox() is not None
        shades = film.frames[-1].getcolors(film.size[0] * film.size[1])
        assert shades is not None
        assert len(shades) > 500, "ground, figures, names"
