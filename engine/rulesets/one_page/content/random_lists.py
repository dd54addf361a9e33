"""Randomly drawn lists: legal, the same for a seed, and of a sensible mix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
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
        self.book, self.army, self.limit, self.chance = book, army, limit, Chance(seed)
        self.draft, self.left = book.drafts[army.id], limit
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
                if row.points <= self.left:
                    self.taken[place] = replace(entry, upgrades=(row.number,))
                    self.left -= row.points

    def _doubled(self) -> list[ListEntry]:
        """Return the entries with some pairs of the same small unit made into one."""
        entries = sorted(self.taken, key=_order)
        found: list[ListEntry] = []
        while entries:
            entry = entries.pop(0)
            unit = self.army.units[entry.unit]
            fits = may_double(unit) and 2 * unit.models <= MOST_BIG and entry in entries[:1]
            if fits and not self.chance.below(UPGRADED):
                # rows for all models are bought for both copies at once
                again = [number for number in entry.upgrades if self.army.upgrades[f"{entry.unit}.{number}"].models]
                big = replace(entry, upgrades=tuple(sorted((*entry.upgrades, *again))), doubled=True)
                if price(self.army, big) == 2 * price(self.army, entry):
                    entry = big
                    entries.pop(0)
            found.append(entry)
        return found


def _order(entry: ListEntry) -> tuple[str, bool, tuple[int, ...], str]:
    return entry.unit, entry.doubled, entry.upgrades, entry.discipline


def _gathered(entries: Iterable[ListEntry]) -> tuple[ListEntry, ...]:
    """Return the entries with equal units on one line, in the order of the page."""
    counts = Counter(entries)
    return tuple([replace(entry, count=counts[entry]) for entry in sorted(counts, key=_order)])[:MOST_ENTRIES]
