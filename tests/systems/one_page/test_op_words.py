"""Sentences that players read, held to the rules that they tell of."""

from __future__ import annotations

from engine.rulesets.one_page import system
from protocol.words import words_in

GERMAN = words_in("de", system.texts)
QUALITY = "op.lesson.clash.quality"
LEADER = "help.status.leader"


def test_the_lesson_blocks_hits_with_the_targets_quality() -> None:
    """A unit has one number for both: there is no other to block with."""
    assert not [key for key, words in system.english.items() if "Defense" in words]
    assert "blocked with the target's Quality" in system.english[QUALITY]
    assert "ab der Qualität des Ziels abgewehrt" in GERMAN[QUALITY]


def test_the_help_on_a_leader_counts_ranges_from_the_nearest_model() -> None:
    english = "Moves and sight are those of the leader; ranges count from the nearest model."
    german = "Bewegung und Sicht sind die des Anführers; Reichweiten zählen vom nächsten Modell."
    assert (system.english[LEADER], GERMAN[LEADER]) == (english, german)
