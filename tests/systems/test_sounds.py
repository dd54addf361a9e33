"""Sounds that rule systems name for their texts: each is there, and so is what it is named for."""

from __future__ import annotations

import pytest

from client.model.sound.catalogue import PREFIX
from protocol.scene.looks import SOUNDS
from server.content.systems import find_systems, texts_of

SYSTEMS = find_systems()


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_game_names_sounds_that_are_there_for_texts_that_it_has(name: str) -> None:
    words = SYSTEMS[name].catalogue("en")
    content = "\n".join(texts_of(SYSTEMS[name]).values())
    named = {key.removeprefix(PREFIX): sound for key, sound in words.items() if key.startswith(PREFIX)}
    assert len(named) > 20
    assert {key: sound for key, sound in named.items() if sound not in SOUNDS} == {}
    told = {key for key in named if any(word == key or word.startswith(f"{key}.") for word in words)}
    assert [key for key in named if key not in told and f'name = "{key}"' not in content] == []
