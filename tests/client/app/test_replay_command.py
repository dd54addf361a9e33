"""The command that plays a replay: its window has the settings, the keys and the sounds of a profile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from arcade import key as keys

from client.app import main
from client.input.key_table import KeyTable
from client.model.replay import replay_player
from client.model.replay.replay_player import ReplayPlayer
from client.storage.profile import UserProfile, load_profile, save_profile
from client.text.spoken import SPOKEN
from client.ui import theme
from client.views.board.replay_screen import ReplayScreen
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import replays
from tests.support.systems.hand import Hand

FILE = Path("friday.replay")
Shown = Callable[[Callable[[], object]], int]


@pytest.fixture
def shown(app: ReadableApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shown]:
    """Run the command for the profile "ann", and something in its window."""

    def window(profile: UserProfile) -> ReadableApp:
        app.sounds.profile = profile
        app.scale_text(profile.text_scale)
        return app

    def show(act: Callable[[], object]) -> int:
        def run(_: ReadableApp) -> int:
            assert isinstance(app.front, ReplayScreen)
            act()
            return 0

        monkeypatch.setattr(main, "run", run)
        return main.replay(FILE, profile="ann")

    monkeypatch.setattr("platformdirs.user_config_dir", lambda _: str(tmp_path))
    monkeypatch.setattr("client.app.display.has_display", lambda: True)
    monkeypatch.setattr("client.app.display.on_display_loss", lambda farewell: None)
    monkeypatch.setattr(main, "_window", window)
    monkeypatch.setattr(replay_player, "open_replay", lambda path: ReplayPlayer(replays.replay()))
    yield show
    app.ui.keys = KeyTable()


def test_the_window_is_as_the_profile_has_it(app: ReadableApp, tmp_path: Path, shown: Shown) -> None:
    own = UserProfile(language="de", theme=theme.THEMES[1], palette=theme.PALETTES[1], text_scale=140, sound=False)
    own.key_changes["eyes"] = ["f9"]
    save_profile(own, "ann", tmp_path)
    seen: list[object] = []

    def look() -> None:
        app.build()
        seen.extend((SPOKEN.language, theme.THEME, theme.PALETTE, app.text_scale, app.sounds.profile.sound))
        seen.append(app.ui.keys.shown("eyes"))

    assert shown(look) == 0
    assert seen == ["de", theme.THEMES[1], theme.PALETTES[1], 140, False, "F9"]


def test_settings_are_changed_over_the_replay_and_kept(
    app: ReadableApp, hand: Hand, tmp_path: Path, shown: Shown
) -> None:
    def change() -> None:
        hand.press(keys.COMMA, keys.MOD_CTRL)
        hand.click_on("Colours of the window")
        hand.press(keys.ESCAPE)
        hand.press(keys.EQUAL, keys.MOD_CTRL)
        hand.press(keys.S, keys.MOD_CTRL)

    assert shown(change) == 0
    kept = load_profile("ann", tmp_path)
    assert (kept.theme, kept.text_scale, kept.sound) == (theme.THEMES[1], 110, False)


def test_a_name_that_no_profile_can_have_is_refused(shown: Shown, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.replay(FILE, profile="../x") == main.WRONG
    assert "../x" in capsys.readouterr().err


def test_a_damaged_profile_is_told_and_the_replay_is_shown(
    tmp_path: Path, shown: Shown, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "profile-ann.json").write_text("{")
    assert shown(lambda: None) == 0
    assert "damaged" in capsys.readouterr().err
