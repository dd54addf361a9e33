"""Acts of the ribbon that are played again, at every speed that a viewer may have set."""

from __future__ import annotations

import pytest

from client.model.playback.durations import SPEEDS
from tests.client.model.playback.test_ribbon_after_a_break import SeatedPerson, frame


@pytest.mark.parametrize("speed", SPEEDS)
def test_an_act_is_seen_again_at_every_speed(speed: str) -> None:
    viewer = SeatedPerson()
    story = viewer.story
    story.scene.speed = SPEEDS[speed]
    viewer.hear(frame(1), frame(2))
    entry = story.ribbon.entries[-1]
    story.play_again(entry)
    assert story.advance(0.05)
    assert story.playing is not None
    assert story.playing.queued.told.n == entry.n
    assert story.playing.progress > 0
    for _ in range(60):
        story.advance(0.1)
    assert story.again is None
    assert story.scene.speed == SPEEDS[speed]
