"""A damaged profile: set aside, told, and gone on with."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.app.navigator import Navigator
from client.errors import BadProfile
from client.model.arrival_plan import ArrivalPlan
from client.storage.damaged_profile import open_profile
from client.storage.profile import UserProfile, save_profile
from client.views.lobby.connect_screen import ConnectScreen
from tests.support.clients.windows.readable_app import ReadableApp


def damaged(folder: Path, data: bytes) -> tuple[UserProfile, str]:
    (folder / "profile-main.json").write_bytes(data)
    return open_profile("main", folder)


def test_a_sound_profile_is_opened_without_a_word(tmp_path: Path) -> None:
    save_profile(UserProfile("Ada"), "main", tmp_path)
    assert open_profile("main", tmp_path) == (UserProfile("Ada"), "")
    assert open_profile("new", tmp_path) == (UserProfile(), "")


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[]", b'{"name": "Ada", "tokens": {"a:1": '])
def test_a_damaged_file_is_set_aside_and_one_begins_anew(tmp_path: Path, data: bytes) -> None:
    profile, note = damaged(tmp_path, data)
    assert profile == UserProfile()
    assert (tmp_path / "profile-main.json.damaged").read_bytes() == data
    assert "profile-main.json.damaged" in note
    assert not (tmp_path / "profile-main.json").exists()
    damaged(tmp_path, data)
    assert (tmp_path / "profile-main.json.damaged1").exists()


def test_what_can_be_read_of_it_goes_on(tmp_path: Path) -> None:
    profile, note = damaged(tmp_path, b'{"name": "Ada", "tokens": {"a:1": "secret"}, "text_scale": "large"}')
    assert (profile.name, profile.tokens, profile.text_scale) == ("Ada", {"a:1": "secret"}, 100)
    assert note


def test_a_file_that_cannot_be_read_at_all_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "profile-main.json").mkdir()
    with pytest.raises(BadProfile):
        open_profile("main", tmp_path)


def test_it_is_told_before_anything_else(app: ReadableApp, tmp_path: Path) -> None:
    profile, note = damaged(tmp_path, b"{")
    navigator = Navigator(app, profile, "main", tmp_path)
    navigator.begin(None, ArrivalPlan(quick=True), note)
    assert isinstance(app.front, ConnectScreen)
    assert app.front.note == note
    assert navigator.session is None
