"""The sounds: made anew they are the files of the client, small, and none is too loud."""

from __future__ import annotations

import wave
from array import array
from pathlib import Path
from typing import Final

import pytest

from client.art import sound_files
from client.art.sound_files import HEAD, RATE, seconds_of, sound_file
from tools.sounds import waves
from tools.sounds.effects import EFFECTS, written

ART: Final = sound_file("rifle").parents[1]
MOST_BYTES: Final = 3_000_000
"""Bytes of all that comes with the client: pictures, fonts, sounds."""
LONGEST: Final = 1.6
"""Seconds of a sound."""


@pytest.mark.parametrize("name", EFFECTS)
def test_a_sound_made_anew_is_the_same_to_the_byte(name: str) -> None:
    assert written(name) == sound_file(name).read_bytes()


@pytest.mark.parametrize("name", EFFECTS)
def test_a_sound_is_short_begins_and_ends_in_silence_and_is_not_cut(name: str) -> None:
    with wave.open(str(sound_file(name))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        samples = array("h", file.readframes(file.getnframes()))
    assert len(samples) / RATE == seconds_of(name) <= LONGEST
    assert sound_file(name).stat().st_size == HEAD + 2 * len(samples)
    peak = max(map(abs, samples))
    assert peak == pytest.approx(EFFECTS[name].peak * waves.LOUDEST, abs=1)
    assert EFFECTS[name].peak <= 0.9
    assert max(abs(samples[0]), abs(samples[-1])) < peak / 10
    assert abs(sum(samples)) / len(samples) < peak / 100


def test_no_two_sounds_are_alike() -> None:
    assert len({sound_file(name).read_bytes() for name in EFFECTS}) == len(EFFECTS) >= 30


def test_every_file_is_a_sound_and_all_art_is_small() -> None:
    assert {path.stem for path in sound_file("rifle").parent.glob("*.wav")} == EFFECTS.keys()
    assert waves.RATE == sound_files.RATE
    kept = [path for path in ART.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")]
    assert sum(path.stat().st_size for path in kept) < MOST_BYTES
    assert Path(ART / "sounds" / "sounds.txt").read_text("utf-8").startswith("The sounds (*.wav): the Eschaton authors")
