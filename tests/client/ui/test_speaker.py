"""The loudspeaker: asks the toolkit to play, keeps few players, and where there is no sound nothing else breaks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.art.sound_files import seconds_of
from client.ui import speaker
from client.ui.speaker import MOST, Speaker
from tools.sounds.effects import EFFECTS

pytestmark = pytest.mark.waits


@pytest.fixture
def own() -> Iterator[Speaker]:
    own = Speaker()
    yield own
    # the toolkit's thread would go on with sounds that nobody holds any more, and fail in a later test
    for player in list(own._players):
        own._end(player)


def test_the_toolkit_plays_every_sound_as_loud_as_asked_and_few_at_once(own: Speaker) -> None:
    for name in EFFECTS:
        own.play(name, 0.25)
        player = own._players[-1]
        assert (player.playing, player.volume) == (True, 0.25)
        assert player.source is not None
        assert player.source.duration == pytest.approx(seconds_of(name), abs=0.001)
    assert not own.is_broken
    assert len(own._players) == MOST


def test_a_player_that_has_ended_makes_room(own: Speaker) -> None:
    own.play("click", 1.0)
    own._players[0].dispatch_event("on_player_eos")
    assert own._players == []


def test_without_a_way_to_be_heard_no_more_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def gone(name: str) -> Path:
        tried.append(name)
        raise OSError("no sound here")

    monkeypatch.setattr(speaker, "sound_file", gone)
    own = Speaker()
    own.play("click", 1.0)
    own.play("rifle", 1.0)
    assert (own.is_broken, tried) == (True, ["click"])
