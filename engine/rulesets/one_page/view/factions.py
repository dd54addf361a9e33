"""Page of an army before a match: its words, units, special rules and ready lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.core.rules.system import own_content
from engine.kit.lists.faction_pages import ready_lists, sheet_of
from engine.kit.lists.name_rows import names_of
from engine.rulesets.one_page.content.armies import Army
from engine.rulesets.one_page.content.army_lists import LISTS
from engine.rulesets.one_page.content.builder import rule_name
from engine.rulesets.one_page.content.content import Content
from engine.rulesets.one_page.state.names import weapon_profile
from engine.rulesets.one_page.state.profiles import KINDS, UnitProfile
from engine.rulesets.one_page.view.scene import glyph_of
from engine.rulesets.one_page.view.sheets import weapon_line
from protocol.text import Text, text
from protocol.wire.faction_pages import FactionRule, FactionSheet, FactionUnit


def sheet(content: object, faction: str) -> FactionSheet | None:
    """Return the page of an army, None of one that is not installed."""
    book = own_content(content, Content).book
    army = book.armies.get(faction)
    if army is None:
        return None
    units = sorted(army.units.values(), key=lambda unit: KINDS.index(unit.kind))
    numbers = (text("op.faction.units", units=len(units), special=sum(not unit.infantry for unit in units)),)
    shown = tuple(_unit(army, unit) for unit in units)
    return sheet_of(army, numbers, shown, tuple(_rules(army)), ready_lists(LISTS, book, faction))


def _unit(army: Army, unit: UnitProfile) -> FactionUnit:
    key = "op.faction.unit.tough" if unit.tough > 1 else "op.faction.unit"
    tough = {"tough": unit.tough} if unit.tough > 1 else {}
    lines = [text(key, kind=Text(f"op.kind.{unit.kind}"), quality=unit.quality, models=unit.models, **tough)]
    for id, count in Counter(unit.weapons).items():
        weapon = army.weapons[id]
        lines.append(weapon_line(weapon, weapon_profile(weapon), count * unit.models))
    if unit.rules:
        lines.append(names_of("op.", [*map(rule_name, unit.rules)]))
    if unit.text:
        lines.append(Text(unit.text))
    return FactionUnit(Text(unit.name), glyph_of(unit), text("op.faction.points", points=unit.points), tuple(lines))


def _rules(army: Army) -> Iterator[FactionRule]:
    """Yield each special rule that a unit of the army has, or its weapons."""
    units = dict.fromkeys(rule.id for unit in army.units.values() for rule in unit.rules)
    carried = dict.fromkeys(id for unit in army.units.values() for id in unit.weapons)
    weapons = dict.fromkeys(rule for id in carried for rule in army.weapons[id].rules)
    return (FactionRule(Text(f"op.rule.{rule}")) for rule in (*units, *weapons))
