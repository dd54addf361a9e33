"""Randomly drawn lists: legal, the same for a seed, and of a sensible mix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from engine.core.bots.random_bot import Chance
from engine.kit.lists.page_rules import MOST_COUNT, MOST_ENTRIES
from engine.rulesets.one_page.content import lists
from engine.rulesets.one_page.content.armies import Army, Book
from engine.rulesets.one_page.content.lists import LIMITS, ArmyList, ListEntry, may_double, price
from engine.rulesets.one_page.state.profiles import PSYKER, UnitProfile

SPREAD: Final = 16
"""Bound of the percentage drawn for Monsters, Walkers and Vehicles beyond the least share."""
USUAL: Final = 2
"""Weight of a unit that the page gives none."""
UPGRADED: Final = 3
"""Units for each one that takes an upgrade while points are plenty, on average."""
MOST_BIG: Final = 20
"""Greatest number of models of a doubled unit: a bigger one finds no room behind terrain."""


def random_list(book: Book, army: str, limit: int, seed: int) -> ArmyList:
    """Draw a list of a sensible mix."""
    return _Builder(book, book.armies[army], limit, seed).built()


class _Builder:
    def __init__(self, book: Book, army: Army, limit: int, seed: int) -> None:
        self.book = book
        self.army = army
        self.draft = book.drafts[army.id]
        self.limit = limit
        self.chance = Chance(seed)
        self.left = limit
        self.taken: list[ListEntry] = []

    def built(self) -> ArmyList:
        """Draw leaders, then Special units, then Infantry for the rest; odd points go into upgrades."""
        scale = self.limit // LIMITS[0]
        self._take(self._of("hero"), 1 + self.chance.below(lists.MOST_HEROES), self.limit // 10)
        self._take(self._of("psyker"), scale + self.chance.below(scale + 1), self.limit // 10)
        share = (self.draft.special + self.chance.below(SPREAD)) * LIMITS[0] // 100 * (scale + 1) // 2
        # a page without Infantry spends all points on machines
        share = share if self._of("infantry") else self.left
        self._take(self._of("monster", "walker", "vehicle"), lists.MOST_SPECIAL, share)
        self._take(self._of("infantry"), MOST_COUNT, self.left)
        self._upgrade()
        # the points that upgrades left may be enough for one unit more
        self._take(self._of("infantry", "psyker"), MOST_COUNT, self.left)
        return ArmyList(self.army.id, self.army.version, self.limit, _gathered(self._doubled()), self.army.name)

    def _of(self, *kinds: str) -> list[UnitProfile]:
        return [unit for unit in self.army.units.values() if unit.kind in kinds]

    def _take(self, units: Sequence[UnitProfile], most: int, budget: int) -> None:
        """Draw up to `most` of these for at most `budget`: units not drawn yet sooner, units of a high weight more
        often, and units of weight 0 only where nothing else fits."""
        had: dict[str, int] = {}
        for _ in range(most):
            fitting = [unit for unit in units if unit.points <= min(budget, self.left)]
            if not fitting or len(self.taken) >= MOST_COUNT:
                return
            glad = {unit.id: self.draft.unit.get(unit.id, USUAL) for unit in fitting}
            fitting = [unit for unit in fitting if glad[unit.id]] or fitting
            turns = {unit.id: had.get(unit.id, 0) // max(1, glad[unit.id]) for unit in fitting}
            next_turn = min(turns.values())
            wanted = [unit for unit in fitting if turns[unit.id] == next_turn]
            unit = self.chance.pick([unit for unit in wanted for _ in range(max(1, glad[unit.id]))])
            had[unit.id] = had.get(unit.id, 0) + 1
            studied = self.chance.pick(sorted(self.book.disciplines)) if unit.has(PSYKER) else ""
            self.taken.append(ListEntry(unit.id, 1, (), studied))
            self.left -= unit.points
            budget -= unit.points

    def _upgrade(self) -> None:
        """Buy upgrades at random, and where points are left over."""
        for place, entry in enumerate(self.taken):
            rows = self.army.upgrades_of(entry.unit)
            if rows and (self.left < LIMITS[0] // 50 or not self.chance.below(UPGRADED)):
                row = self.chance.pick(rows)
                better = replace(entry, upgrades=(row.number,))
                if row.points <= self.left:
                    self.taken[place] = better
                    self.left -= row.points

    def _doubled(self) -> list[ListEntry]:
        """Return the entries with some pairs of the same small unit made into one."""
        entries = sorted(self.taken, key=_alike)
        found: list[ListEntry] = []
        while entries:
            entry = entries.pop(0)
            unit = self.army.units[entry.unit]
            fits = may_double(unit) and 2 * unit.models <= MOST_BIG and entries and _alike(entries[0]) == _alike(entry)
            if fits and not self.chance.below(UPGRADED):
                big = self._as_one(entry, entries[0])
                if price(self.army, big) == 2 * price(self.army, entry):
                    entry = big
                    entries.pop(0)
            found.append(entry)
        return found

    def _as_one(self, one: ListEntry, other: ListEntry) -> ListEntry:
        """Return two entries as one doubled unit: rows for all models are bought for both at once."""
        rows = {row.number: row.models for row in self.army.upgrades_of(one.unit)}
        again = tuple(number for number in other.upgrades if rows[number])
        return replace(one, upgrades=tuple(sorted((*one.upgrades, *again))), doubled=True)


def _alike(entry: ListEntry) -> tuple[str, bool, tuple[int, ...], str]:
    """Return the key that is the same for two entries that differ only by count."""
    return entry.unit, entry.doubled, entry.upgrades, entry.discipline


def _gathered(entries: Sequence[ListEntry]) -> tuple[ListEntry, ...]:
    """Return the entries with equal units on one line, in the order of the page."""
    counts: dict[tuple[str, bool, tuple[int, ...], str], ListEntry] = {}
    for entry in entries:
        known = counts.get(_alike(entry))
        counts[_alike(entry)] = entry if known is None else replace(known, count=known.count + 1)
    return tuple(sorted(counts.values(), key=_alike))[:MOST_ENTRIES]
