"""Army lists of this system: what the kit asks about them (engine/kit/lists/page_rules.py), and forces made of them.

A line of a code has the number of its unit, twice the count (plus 1 where doubled), the number of its discipline (0:
none), how many upgrades, and the numbers of those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from engine.core.rules.implements import implements
from engine.kit.lists.codes import bounded
from engine.kit.lists.list_texts import document_of, sound
from engine.kit.lists.name_rows import names_of
from engine.kit.lists.page_lists import PageLists
from engine.kit.lists.page_rules import MOST_COUNT, FactionPage
from engine.rulesets.one_page.content import builder, lists, random_lists
from engine.rulesets.one_page.content.armies import Army, Book
from engine.rulesets.one_page.content.army_schema import ChangeEntry
from engine.rulesets.one_page.content.lists import ArmyList, ListEntry, equip, price, totals
from engine.rulesets.one_page.state.names import weapon_profile
from engine.rulesets.one_page.state.profiles import PSYKER, Force, Mustered
from engine.rulesets.one_page.text.texts import ARMY_LISTS
from protocol.text import Text, text


class OnePageLists(PageLists[Book, ListEntry]):
    """The ArmyLists of this system (engine/core/rules/army_lists.py); `content` is a Book, or has one as `book`."""

    limits = lists.LIMITS
    words = "op."
    english = ARMY_LISTS
    document = document_of(ListEntry, PageLists.step)

    line_faults = staticmethod(lists.line_faults)
    composition = staticmethod(lists.composition)
    drawn = staticmethod(random_lists.random_list)
    sections = staticmethod(builder.sections)
    refitted = staticmethod(builder.refitted)

    def pages(self, book: Book) -> Mapping[str, Army]:
        """Return the pages of all armies, by id."""
        return book.armies

    def points(self, book: Book, listed: ArmyList) -> int:
        """Return the points of a list."""
        return totals(book.armies[listed.army], listed).points

    def total(self, book: Book, listed: ArmyList) -> Text:
        """Say what counts against the limits of a list."""
        sums = totals(book.armies[listed.army], listed)
        return text("op.list.total", limit=listed.limit, points=sums.points, heroes=sums.heroes, special=sums.special)

    def row(self, book: Book, listed: ArmyList, entry: ListEntry) -> Text:
        """Describe a line of a sound list."""
        army, names = book.armies[listed.army], [Text("op.list.doubled")] if entry.doubled else []
        names += [Text(book.disciplines[entry.discipline].name)] if entry.discipline else []
        bought = [army.upgrades[f"{entry.unit}.{number}"].new.id for number in entry.upgrades]
        names += [weapon_profile(army.weapons[id]) for id in bought]
        unit, points = Text(army.units[entry.unit].name), entry.count * price(army, entry)
        key, more = ("op.list.row.more", {"more": names_of("op.", names)}) if names else ("op.list.row", {})
        return text(key, count=entry.count, unit=unit, points=points, **more)

    def plain(self, book: Book, army: str, unit: str, count: int = 1) -> ListEntry | None:
        """Return a line of a unit without upgrades, a Psyker with the first discipline; None where the page has no such
        unit."""
        known = book.armies[army].units.get(unit)
        studied = next(iter(book.disciplines), "") if known is not None and known.has(PSYKER) else ""
        return ListEntry(unit, count, (), studied) if known is not None else None

    @implements("OP-OPEN-16")
    def sampled(self, book: Book, army: str, limit: int) -> ArmyList | None:
        """Return the ready list of an army's page, None where it has none."""
        if army not in book.samples:
            return None
        lines = [self.plain(book, army, unit, count) for unit, count in book.samples[army].items()]
        page = book.armies[army]
        return ArmyList(army, page.version, limit, tuple(filter(None, lines)), page.name)

    def numbers(self, book: Book, entry: ListEntry) -> Iterator[int]:
        """Yield the numbers of a line in a code."""
        yield int(entry.unit.rpartition("-")[2])
        yield 2 * entry.count + entry.doubled
        yield book.disciplines[entry.discipline].number if entry.discipline in book.disciplines else 0
        yield len(entry.upgrades)
        yield from entry.upgrades

    def entry(self, book: Book, page: FactionPage, rest: list[int]) -> ListEntry:
        """Take the numbers of a line off the end of `rest`, the first last. Raises ValueError, IndexError or KeyError
        for numbers that no line has."""
        disciplines = {0: "", **{known.number: known.id for known in book.disciplines.values()}}
        unit, count, studied, bought = rest.pop(), rest.pop(), rest.pop(), rest.pop()
        rows = range(bounded(bought, 0, lists.MOST_UPGRADES))
        upgrades = tuple([bounded(rest.pop(), 1, lists.MOST_NUMBER) for _ in rows])
        id = f"{page.code}-{bounded(unit, 1, lists.MOST_NUMBER):02}"
        return ListEntry(id, bounded(count // 2, 0, MOST_COUNT), upgrades, disciplines[studied], bool(count % 2))

    def written(self, book: Book, listed: ArmyList, entry: ListEntry) -> Iterator[str]:
        """Yield a line as TOML."""
        army = book.armies[listed.army]
        unit = army.units.get(entry.unit)
        yield f'id = "{entry.unit}"' + (f"  # {unit.name}, {price(army, entry)} points" if unit is not None else "")
        if entry.count != 1:
            yield f"count = {entry.count}"
        if entry.doubled:
            yield "doubled = true  # two copies as one big unit"
        if entry.upgrades:
            rows = [army.upgrades.get(f"{entry.unit}.{number}") for number in entry.upgrades]
            names = ", ".join(army.weapons[row.new.id].name for row in rows if row is not None)
            yield f"upgrades = {list(entry.upgrades)}  # {names}"
        if entry.discipline:
            yield f'discipline = "{entry.discipline}"'

    def another(self, entry: ListEntry) -> ListEntry:
        """Return the line that is split off another: one of its unit, without upgrades."""
        return replace(entry, count=1, upgrades=(), doubled=False)

    def changes(self, book: Book, army: str) -> Sequence[ChangeEntry]:
        """Return what later versions of a page changed."""
        return book.changes.get(army, ())

    def touched(self, change: ChangeEntry, entry: ListEntry) -> str:
        """Return the id of the unit or upgrade that a change is about, "" where a line has nothing of it."""
        if entry.unit != change.unit or (change.upgrade and change.upgrade not in entry.upgrades):
            return ""
        return f"{change.unit}.{change.upgrade}" if change.upgrade else change.unit

    def changed(self, change: ChangeEntry, entry: ListEntry) -> ListEntry:
        """Return a line as it is after a change that touches it."""
        if not change.became:
            return entry
        if not change.upgrade:
            return replace(entry, unit=change.became)
        upgrades = [int(change.became) if number == change.upgrade else number for number in entry.upgrades]
        return replace(entry, upgrades=tuple(sorted(upgrades)))


LISTS = OnePageLists()


def muster(book: Book, listed: ArmyList) -> Force:
    """Return the force of a list. Raises ListRefused with every fault; of a list from an older page also with what
    changed."""
    current, _ = sound(LISTS, book, listed)
    army = book.armies[current.army]
    units = tuple(unit for entry in current.entries for unit in _mustered(army, entry))
    carried = {id for unit in units for model in unit.arms for id in model}
    weapons = {id: weapon for id, weapon in army.weapons.items() if id in carried}
    name = current.name or army.name
    return Force(army.id, name, current.limit, totals(army, current).points, units, weapons)


def _mustered(army: Army, entry: ListEntry) -> list[Mustered]:
    arms = tuple(map(tuple, equip(army, entry)[0]))
    bought = tuple(f"{entry.unit}.{number}" for number in entry.upgrades)
    one = Mustered(army.units[entry.unit], price(army, entry), arms, bought, entry.discipline, entry.doubled)
    return [one] * entry.count
