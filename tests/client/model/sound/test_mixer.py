"""The mixer: volumes of each category and of all, and no more sounds at once than can be told apart."""

from __future__ import annotations

import pytest

from client.art.sound_files import seconds_of
from client.model.sound.catalogue import CATEGORIES
from client.model.sound.mixer import ALL, APART, AT_ONCE, SoundMixer
from client.storage.profile import UserProfile


class Mixed:
    """A mixer whose sounds are listed, and whose clock goes by hand."""

    def __init__(self, **volumes: int) -> None:
        self.time = 50.0
        self.heard: list[str] = []
        self.profile = UserProfile(volumes=volumes)
        self.mixer = SoundMixer(self.profile, lambda name, share: self.heard.append(name), lambda: self.time)


@pytest.mark.parametrize(
    ("volumes", "share"),
    [({}, 1.0), ({"fight": 50}, 0.25), ({ALL: 50}, 0.25), ({ALL: 50, "fight": 20}, 0.01), ({"dice": 0}, 1.0)],
)
def test_a_sound_is_as_loud_as_its_category_and_all_are(volumes: dict[str, int], share: float) -> None:
    assert Mixed(**volumes).mixer.share("rifle") == pytest.approx(share)


@pytest.mark.parametrize("volumes", [{ALL: 0}, {"fight": 0}])
def test_what_is_turned_down_or_off_or_unknown_is_not_played(volumes: dict[str, int]) -> None:
    mixed = Mixed(**volumes)
    mixed.mixer.play("rifle")
    mixed.mixer.play_act("rifle")
    mixed.profile.volumes.clear()
    mixed.profile.sound = False
    mixed.mixer.play("rifle")
    mixed.profile.sound = True
    mixed.mixer.play("")
    mixed.mixer.play("no such sound")
    assert mixed.heard == []
    mixed.mixer.play("rifle")
    assert mixed.heard == ["rifle"]


def test_a_volume_goes_down_by_steps_and_from_nothing_back_to_full() -> None:
    mixer = Mixed().mixer
    found = []
    for _ in range(7):
        mixer.turn("dice")
        found.append(mixer.volume("dice"))
    assert found == [80, 60, 40, 20, 0, 100, 80]


def test_a_sound_does_not_begin_twice_at_once() -> None:
    mixed = Mixed()
    mixed.mixer.play("click")
    mixed.time += APART / 2
    mixed.mixer.play("click")
    mixed.mixer.play("chat")
    mixed.time += APART
    mixed.mixer.play("click")
    assert mixed.heard == ["click", "chat", "click"]


@pytest.mark.parametrize(("rate", "most"), [(0.5, AT_ONCE), (1.0, AT_ONCE), (2.0, 2), (8.0, 1)])
def test_the_faster_acts_are_shown_the_fewer_are_heard_at_once(rate: float, most: int) -> None:
    mixed = Mixed()
    for name in CATEGORIES["fight"]:
        mixed.mixer.play_act(name, rate)
    assert mixed.heard == CATEGORIES["fight"][:most]
    mixed.mixer.play("my_turn")
    assert mixed.heard[-1] == "my_turn", "a bell is heard whatever else is"
    mixed.time += max(map(seconds_of, mixed.heard))
    mixed.mixer.play_act("smoke", rate)
    assert mixed.heard[-1] == "smoke"
