"""The form in which people build a list: rows for the units of a page, and for the lines of a list."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.kit.lists.name_rows import names_of
from engine.kit.lists.page_rules import MOST_COUNT
from engine.rulesets.one_page.content import lists
from engine.rulesets.one_page.content.armies import Army, Book
from engine.rulesets.one_page.content.army_schema import Upgrade
from engine.rulesets.one_page.content.lists import ArmyList, ListEntry
from engine.rulesets.one_page.state.names import weapon_profile
from engine.rulesets.one_page.state.profiles import KINDS, PSYKER, SpecialRule, UnitProfile
from protocol.text import Text, text
from protocol.wire.list_form import AnyControl, Button, Count, FormSection, Pick, Switch


def sections(book: Book, listed: ArmyList) -> Iterator[FormSection]:
    """Yield the units of the army by kind, with the number of each in the list, and the lines of the list."""
    army = book.armies[listed.army]
    had = {id: sum(entry.count for entry in listed.entries if entry.unit == id) for id in army.units}
    for kind in KINDS:
        units = [unit for unit in army.units.values() if unit.kind == kind]
        if units:
            yield FormSection(Text(f"op.kind.{kind}"), tuple(_to_take(army, unit, had[unit.id]) for unit in units))
    rows = [row for at, entry in enumerate(listed.entries) for row in _line(book, army, at, entry)]
    yield FormSection(Text("op.form.list"), tuple(rows), aside=True)


def _to_take(army: Army, unit: UnitProfile, had: int) -> Count:
    most = lists.MOST_HEROES if unit.kind == "hero" else MOST_COUNT if unit.infantry else lists.MOST_SPECIAL
    note = text("op.form.points", points=unit.points)
    hint = (profile_text(army, unit), *((Text(unit.text),) if unit.text else ()))
    return Count(f"take/{unit.id}", Text(unit.name), note, hint, value=had, most=max(most, had))


def profile_text(army: Army, unit: UnitProfile) -> Text:
    """Describe a unit in one line."""
    weapons = [weapon_profile(army.weapons[id]) for id in dict.fromkeys(unit.weapons)]
    gear = names_of("op.", [*weapons, *map(rule_name, unit.rules)])
    tough = {"tough": unit.tough} if unit.tough > 1 else {}
    key = "op.form.profile.tough" if tough else "op.form.profile"
    return text(key, weapons=gear, quality=unit.quality, models=unit.models, **tough)


def rule_name(rule: SpecialRule) -> Text:
    """Name a special rule, with its number where it has one."""
    name = Text(f"op.rule.{rule.id}")
    return text("op.form.rule", rule=name, number=rule.number) if rule.number else name


def _line(book: Book, army: Army, at: int, entry: ListEntry) -> Iterator[AnyControl]:
    unit = army.units.get(entry.unit)
    if unit is None:
        yield Count(f"line/{at}", text("op.words", words=entry.unit), value=entry.count, most=MOST_COUNT)
        return
    each = lists.price(army, entry)
    note = text("op.form.each", points=each)
    name = text("op.form.big" if entry.doubled else "op.form.unit", unit=Text(unit.name))
    yield Count(f"line/{at}", name, note, (profile_text(army, unit),), value=entry.count, most=MOST_COUNT)
    if lists.may_double(unit):
        more = text("op.form.more", points=each // 2 if entry.doubled else each)
        yield Switch(f"double/{at}", Text("op.form.doubled"), more, inset=1, on=entry.doubled)
    if unit.has(PSYKER):
        names = tuple(Text(known.name) for known in book.disciplines.values())
        ids = list(book.disciplines)
        studied = ids.index(entry.discipline) if entry.discipline in ids else 0
        yield Pick(f"study/{at}", Text("op.form.discipline"), inset=1, options=names, value=studied)
    rows = army.upgrades_of(entry.unit)
    yield from (_upgrade(army, at, entry, row) for row in rows)
    if rows or lists.may_double(unit):
        yield Button(f"split/{at}", Text("op.form.split"), inset=1)


def _upgrade(army: Army, at: int, entry: ListEntry, row: Upgrade) -> AnyControl:
    count, new, old = {"models": row.models} if row.models else {}, army.weapons[row.new.id], army.weapons[row.old.id]
    names = {"new": weapon_profile(new), "old": weapon_profile(old)}
    label = text("op.form.upgrade" if count else "op.form.upgrade.all", **names, **count)
    points = row.points * (1 if row.models else entry.copies)
    note = text("op.form.more" if points >= 0 else "op.form.less", points=abs(points))
    had, id = entry.upgrades.count(row.number), f"up/{at}/{row.number}"
    if entry.doubled and row.models:
        return Count(id, label, note, inset=1, value=had, most=2)
    return Switch(id, label, note, inset=1, on=had > 0)


def refitted(book: Book, army: str, entry: ListEntry, what: str, which: str, value: int) -> ListEntry:
    """Return a line after a change of its discipline, of its being doubled, or of an upgrade."""
    ids = list(book.disciplines)
    if what == "study" and value < len(ids):
        return replace(entry, discipline=ids[value])
    if what == "double":
        once = tuple(sorted(set(entry.upgrades)))
        return replace(entry, doubled=bool(value), upgrades=entry.upgrades if value else once)
    if what == "up" and which in (str(row.number) for row in book.armies[army].upgrades_of(entry.unit)):
        others = [bought for bought in entry.upgrades if bought != int(which)]
        return replace(entry, upgrades=tuple(sorted([*others, *[int(which)] * min(value, 2)])))
    return entry
