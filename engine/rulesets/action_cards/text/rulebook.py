"""Rulebook as catalogue entries (engine/core/view/rulebook.py)."""

from __future__ import annotations

from typing import Final

from engine.core.view.rulebook import entries
from engine.rulesets.action_cards.text.rulebook_pictures import PICTURES
from engine.rulesets.action_cards.text.rulebook_text import SECTIONS

CHOICES: Final = {
    "linked": "shoot.4",
    "take_off": "vehicles.2",
    "fly": "vehicles.2",
    "land": "vehicles.2",
    "embark": "vehicles.3",
    "disembark": "vehicles.3",
    "end": "cards.3",
    "hunt": "events.2",
    "propose": "special.2",
}
"""Choices that another paragraph than the first of their section tells of."""

ENGLISH: Final[dict[str, str]] = entries("action_cards", SECTIONS, CHOICES, PICTURES)
