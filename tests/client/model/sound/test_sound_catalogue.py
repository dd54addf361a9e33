"""The sound of each thing: every sound has a category, and a game's own names go before those of kinds of cues."""

from __future__ import annotations

import pytest

from client.model.sound.catalogue import BY_KIND, CATEGORIES, CATEGORY, sound_after, sound_at
from client.text.texts import Texts
from protocol.scene.looks import SOUNDS
from protocol.scene.nodes import Cue, Dice
from protocol.text import Text, text
from protocol.wire.from_server import Catalogue
from tools.sounds.effects import EFFECTS

KINDS = {"dice", "move", "shot", "casualty", "card", "combat", "note", "end"}
"""Kinds of cues, as protocol/scene/nodes.py has them."""
NAMED = {
    "sound.log.fire": "fire",
    "sound.log.fire.out": "smoke",
    "sound.log.shot.aimed": "heavy",
    "sound.weapon.ray": "beam",
    "sound.log.odd": "no such sound",
    "sound.log.test": "rally",
}
TEXTS = Texts([Catalogue("x", "en", "c" * 16, NAMED)])
DICE = Dice(text("what"), 0, 6, (3,))


def test_every_sound_has_a_file_words_and_one_category() -> None:
    listed = [name for names in CATEGORIES.values() for name in names]
    assert len(listed) == len(set(listed))
    assert set(listed) == EFFECTS.keys() == SOUNDS.keys()
    assert [*CATEGORIES] == ["dice", "fight", "table", "interface", "bell"]


def test_kinds_of_cues_have_sounds_that_are_there() -> None:
    assert BY_KIND.keys() <= KINDS
    assert set(BY_KIND.values()) <= CATEGORY.keys()


@pytest.mark.parametrize(
    ("cue", "sound"),
    [
        (Cue("shot", Text("log.shot")), "rifle"),
        (Cue("note", Text("log.shot")), ""),
        (Cue("note", Text("log.fire.spread.far")), "fire"),
        (Cue("note", Text("log.fire.out")), "smoke"),
        (Cue("note", Text("log.fires")), ""),
        (Cue("shot", text("log.shot", weapon=Text("weapon.ray"))), "beam"),
        (Cue("shot", text("log.shot", what=text("rules", weapon=Text("weapon.ray.long")), n=3)), "beam"),
        (Cue("shot", text("log.shot.aimed", weapon=Text("weapon.ray"))), "heavy"),
        (Cue("shot", Text("log.odd")), "rifle"),
        (Cue("a kind of tomorrow", Text("log.shot")), ""),
    ],
)
def test_a_cue_is_heard_by_its_text_by_what_it_tells_of_and_by_its_kind(cue: Cue, sound: str) -> None:
    assert (sound_at(cue, TEXTS), sound_after(cue, TEXTS)) == (sound, "")


@pytest.mark.parametrize(("key", "after"), [("log.roll", "dice_settle"), ("log.test.passed", "rally")])
def test_dice_roll_before_they_tell_anything(key: str, after: str) -> None:
    cue = Cue("dice", Text(key), dice=DICE)
    assert (sound_at(cue, TEXTS), sound_after(cue, TEXTS)) == ("dice_roll", after)
