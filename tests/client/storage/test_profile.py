"""Profiles on disk."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from client.errors import BadProfile
from client.storage.profile import UserProfile, load_profile, save_profile


def test_a_profile_comes_back_and_is_nobody_elses(tmp_path: Path) -> None:
    profile = UserProfile("Ada", {"localhost:8440": "secret"})
    profile.remember_server("a:1")
    profile.remember_server("b:2")
    profile.remember_server("a:1")
    save_profile(profile, "main", tmp_path)
    back = load_profile("main", tmp_path)
    assert back == profile
    assert back.servers == ["a:1", "b:2"]
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_profiles_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(BadProfile):
        load_profile("../x", tmp_path)
    (tmp_path / "profile-broken.json").write_text("{")
    with pytest.raises(BadProfile, match="profile-broken"):
        load_profile("broken", tmp_path)
    assert load_profile("new", tmp_path) == UserProfile()
