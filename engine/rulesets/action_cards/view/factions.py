"""Page of a faction before a match: its words, numbers, kinds of figures and what it alone can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from engine.core.rules.system import own_content
from engine.rulesets.action_cards.content.content import Content, FactionWords, numbers_of
from engine.rulesets.action_cards.state.model import Faction, Profile
from engine.rulesets.action_cards.view import sheets
from protocol.text import Text, text
from protocol.wire.faction_pages import FactionRule, FactionSheet, FactionUnit

SPECIAL: Final = "AC-SPEC-01"
"""The rule of special actions."""


def sheet(content: object, faction: str) -> FactionSheet | None:
    """Return the page of a faction, None of one that is not installed."""
    own = own_content(content, Content)
    found = own.factions.get(faction)
    if found is None:
        return None
    words = own.told.get(faction, FactionWords())
    strong, weak = [Text(said) if said else None for said in (words.strong, words.weak)]
    return FactionSheet(
        Text(found.name),
        found.glyph or found.profiles[0].glyph,
        tuple(map(Text, words.background)),
        strong,
        weak,
        (*numbers_of(found), *_organisations(found)),
        tuple(_units(found)),
        tuple(_rules(found)),
    )


def _organisations(found: Faction) -> Iterator[Text]:
    for one in found.organisations:
        yield text(
            "sheet.organisation", name=Text(one.name), size=one.size, move=found.organisation(one.id).move // 100
        )


def _units(found: Faction) -> Iterator[FactionUnit]:
    count = Counter(profile for group in found.force for profile in group)
    for profile in found.profiles:
        dice = text("faction.figure", count=count[profile.id], dice=profile.dice, close=profile.close)
        lines = (dice, *sheets.equipment_lines(profile), *_weapons(found, profile))
        yield FactionUnit(Text(profile.name), profile.glyph or found.glyph, lines=lines)


def _weapons(found: Faction, profile: Profile) -> Iterator[Text]:
    known = {weapon.id: weapon for weapon in found.weapons}
    return (sheets.weapon_line(known[id]) for id in dict.fromkeys(profile.weapons))


def _rules(found: Faction) -> Iterator[FactionRule]:
    for trait in found.traits:
        yield FactionRule(Text(f"trait.{trait}"))
    for special in found.specials:
        yield FactionRule(Text(special.name), Text(special.explained), SPECIAL)
