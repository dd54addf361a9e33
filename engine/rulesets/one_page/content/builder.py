"""The form in which people build a list, and the effects of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

from msgspec.structs import replace

from engine.rulesets.one_page.content import lists
from engine.rulesets.one_page.content.armies import Book
from engine.rulesets.one_page.content.random_lists import random_list, ready_list
from engine.rulesets.one_page.content.written_lists import brought_up, encode, write_file
from engine.rulesets.one_page.state.profiles import PSYKER, Army, UnitProfile, Upgrade
from protocol.text import Text, text
from protocol.wire.list_form import AnyControl, Button, Change, Count, FormSection, ListForm, Pick, Switch

SHOWN_KINDS: Final = ("hero", "psyker", "infantry", "monster", "walker", "vehicle")


def form(book: Book, draft: lists.ArmyList, change: Change | None = None) -> ListForm:
    """Return the form of a draft, or of the draft after a change. A change to a row that is not there changes
    nothing."""
    listed, told = brought_up(book, draft)
    if change is not None:
        listed = _changed(book, listed, change)
    army = book.armies[listed.army]
    sums = lists.totals(army, listed)
    total = text("op.list.total", limit=listed.limit, points=sums.points, heroes=sums.heroes, special=sums.special)
    sections = (_frame(book, listed), *_page(army, listed), _chosen(book, army, listed))
    wrong = tuple(fault.text for fault in lists.faults(book, listed))
    title, code, file = text("op.form.title", army=army.name), encode(book, listed), write_file(book, listed)
    return ListForm(code, title, total, sections, (*told, *wrong), file)


def _frame(book: Book, listed: lists.ArmyList) -> FormSection:
    armies = list(book.armies.values())
    names = tuple(_words(army.name) for army in armies)
    at = next(place for place, army in enumerate(armies) if army.id == listed.army)
    sizes = tuple(text("op.form.points", points=limit) for limit in lists.LIMITS)
    size = lists.LIMITS.index(listed.limit) if listed.limit in lists.LIMITS else 0
    rows: tuple[AnyControl, ...] = (
        Pick("army", Text("op.form.army"), options=names, value=at, hint=tuple(map(_words, armies[at].lines[-1:]))),
        Pick("limit", Text("op.form.limit"), options=sizes, value=size),
        Button("sample", Text("op.form.sample")),
        Button("chance", Text("op.form.chance")),
        Button("clear", Text("op.form.clear")),
    )
    return FormSection(Text("op.form.frame"), rows)


def _page(army: Army, listed: lists.ArmyList) -> Iterator[FormSection]:
    """Yield the units of the army by kind, with the number of each in the list."""
    had = {id: sum(entry.count for entry in listed.entries if entry.unit == id) for id in army.units}
    for kind in SHOWN_KINDS:
        units = [unit for unit in army.units.values() if unit.kind == kind]
        if units:
            yield FormSection(Text(f"op.kind.{kind}"), tuple(_to_take(army, unit, had[unit.id]) for unit in units))


def _to_take(army: Army, unit: UnitProfile, had: int) -> Count:
    most = lists.MOST_HEROES if unit.kind == "hero" else lists.MOST_SPECIAL if unit.special else lists.MOST_COUNT
    note = text("op.form.points", points=unit.points)
    hint = (profile_text(army, unit), *((_words(unit.text),) if unit.text else ()))
    return Count(f"take/{unit.id}", _words(unit.name), note, hint, value=had, most=max(most, had))


def profile_text(army: Army, unit: UnitProfile) -> Text:
    """Describe a unit in one line."""
    names = [army.weapons[id].name for id in dict.fromkeys(unit.weapons)]
    rules = [f"{rule.id.replace('_', ' ').title()}{f'({rule.number})' if rule.number else ''}" for rule in unit.rules]
    words: dict[str, str | int | Text] = {
        "weapons": ", ".join([*names, *rules]),
        "quality": unit.quality,
        "models": unit.models,
    }
    if unit.tough > 1:
        return Text("op.form.profile.tough", {**words, "tough": unit.tough})
    return Text("op.form.profile", words)


def _chosen(book: Book, army: Army, listed: lists.ArmyList) -> FormSection:
    rows = [row for at, entry in enumerate(listed.entries) for row in _line(book, army, at, entry)]
    return FormSection(Text("op.form.list"), tuple(rows), aside=True)


def _line(book: Book, army: Army, at: int, entry: lists.ListEntry) -> Iterator[AnyControl]:
    unit = army.units.get(entry.unit)
    if unit is None:
        yield Count(f"line/{at}", _words(entry.unit), value=entry.count, most=lists.MOST_COUNT)
        return
    each = lists.price(army, entry)
    note = text("op.form.each", points=each)
    name = text("op.form.big" if entry.doubled else "op.form.unit", unit=unit.name)
    yield Count(f"line/{at}", name, note, (profile_text(army, unit),), value=entry.count, most=lists.MOST_COUNT)
    if lists.may_double(unit):
        more = text("op.form.more", points=each // 2 if entry.doubled else each)
        yield Switch(f"double/{at}", Text("op.form.doubled"), more, inset=1, on=entry.doubled)
    if unit.has(PSYKER):
        names = tuple(_words(known.name) for known in book.disciplines.values())
        ids = list(book.disciplines)
        studied = ids.index(entry.discipline) if entry.discipline in ids else 0
        yield Pick(f"study/{at}", Text("op.form.discipline"), inset=1, options=names, value=studied)
    rows = army.upgrades_of(entry.unit)
    yield from (_upgrade(army, at, entry, row) for row in rows)
    if rows or lists.may_double(unit):
        yield Button(f"split/{at}", Text("op.form.split"), inset=1)


def _upgrade(army: Army, at: int, entry: lists.ListEntry, row: Upgrade) -> AnyControl:
    names: dict[str, str | int | Text] = {"new": army.weapons[row.new].name, "old": army.weapons[row.old].name}
    label = (
        Text("op.form.upgrade", {**names, "models": row.models}) if row.models else Text("op.form.upgrade.all", names)
    )
    points = row.points * (1 if row.models else entry.copies)
    note = text("op.form.more" if points >= 0 else "op.form.less", points=abs(points))
    had, id = entry.upgrades.count(row.number), f"up/{at}/{row.number}"
    if entry.doubled and row.models:
        return Count(id, label, note, inset=1, value=had, most=2)
    return Switch(id, label, note, inset=1, on=had > 0)


def _changed(book: Book, listed: lists.ArmyList, change: Change) -> lists.ArmyList:
    what, _, rest = change.row.partition("/")
    if what in ("army", "limit", "sample", "chance", "clear"):
        return _reframed(book, listed, what, change.value)
    if what == "take":
        return _taken(book, listed, rest, change.value)
    place, _, number = rest.partition("/")
    if not place.isdigit() or int(place) >= len(listed.entries):
        return listed
    entries = list(listed.entries)
    entry = entries[int(place)]
    if what == "split" and len(entries) < lists.MOST_ENTRIES:
        entries.insert(int(place) + 1, replace(entry, count=1, upgrades=(), doubled=False))
    elif what == "line" and not change.value:
        del entries[int(place)]
    else:
        entries[int(place)] = _refitted(book, listed.army, entry, what, number, change.value)
    return replace(listed, entries=tuple(entries))


def _reframed(book: Book, listed: lists.ArmyList, what: str, value: int) -> lists.ArmyList:
    armies = list(book.armies.values())
    if what == "army" and value < len(armies):
        return lists.ArmyList(armies[value].id, armies[value].version, listed.limit)
    if what == "limit" and value < len(lists.LIMITS):
        return replace(listed, limit=lists.LIMITS[value])
    if what == "clear":
        return replace(listed, entries=())
    if what == "sample":
        return ready_list(book, listed.army, listed.limit)
    if what == "chance":
        # the seed is derived from the draft: the same draft gives the same list
        seed = int.from_bytes(blake2b(encode(book, listed).encode(), digest_size=6).digest(), "big")
        return random_list(book, listed.army, listed.limit, seed)
    return listed


def _taken(book: Book, listed: lists.ArmyList, unit: str, wanted: int) -> lists.ArmyList:
    """Set the number of a unit: more of it go on its line without upgrades, or a new one; fewer leave its last line
    first."""
    army = book.armies[listed.army]
    if unit not in army.units:
        return listed
    entries = list(listed.entries)
    more = min(wanted, lists.MOST_COUNT) - sum(entry.count for entry in entries if entry.unit == unit)
    plain = lists.listed_unit(book, army, unit)
    if more > 0:
        at = next((n for n, entry in enumerate(entries) if replace(entry, count=1) == plain), -1)
        if at >= 0:
            entries[at] = replace(plain, count=entries[at].count + more)
        elif len(entries) < lists.MOST_ENTRIES:
            entries.append(replace(plain, count=more))
    for at in [n for n, entry in enumerate(entries) if entry.unit == unit][::-1]:
        fewer = min(max(-more, 0), entries[at].count)
        entries[at] = replace(entries[at], count=entries[at].count - fewer)
        more += fewer
    return replace(listed, entries=tuple(entry for entry in entries if entry.count))


def _refitted(book: Book, army: str, entry: lists.ListEntry, what: str, number: str, value: int) -> lists.ListEntry:
    ids = list(book.disciplines)
    if what == "line":
        return replace(entry, count=min(value, lists.MOST_COUNT))
    if what == "study" and value < len(ids):
        return replace(entry, discipline=ids[value])
    if what == "double":
        once = tuple(sorted(set(entry.upgrades)))
        return replace(entry, doubled=bool(value), upgrades=entry.upgrades if value else once)
    if what == "up" and number in (str(row.number) for row in book.armies[army].upgrades_of(entry.unit)):
        others = [bought for bought in entry.upgrades if bought != int(number)]
        return replace(entry, upgrades=tuple(sorted([*others, *[int(number)] * min(value, 2)])))
    return entry


def _words(words: str) -> Text:
    return text("op.words", words=words)
