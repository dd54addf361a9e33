"""Sentences that players read, held to the rules that they tell of."""

from __future__ import annotations

import pytest

from engine.rulesets.one_page import system
from protocol.words import words_in

GERMAN = words_in("de", system.texts)
QUALITY = "op.lesson.clash.quality"


@pytest.mark.rule("OP-SHOOT-03")
def test_the_lesson_blocks_hits_with_the_targets_quality() -> None:
    """A unit has one number for both: there is no other to block with."""
    assert not [key for key, words in system.english.items() if "Defense" in words]
    assert "blocked with the target's Quality" in system.english[QUALITY]
    assert "ab der Qualität des Ziels abgewehrt" in GERMAN[QUALITY]
