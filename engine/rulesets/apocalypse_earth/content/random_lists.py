"""Drawn lists: legal, the same for a seed, and of a sensible mix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.core.bots.random_bot import Chance
from engine.rulesets.apocalypse_earth.content import lists
from engine.rulesets.apocalypse_earth.content.armies import Book, options_for
from engine.rulesets.apocalypse_earth.content.lists import ArmyList, EarthLine, Sums, breaches, price
from engine.rulesets.apocalypse_earth.state.profiles import Faction, UnitProfile

COMPANY_FROM: Final = 900
"""Forces of so many points have a company headquarters."""
PLATOON_POINTS: Final = 450
"""Points for each headquarters of a platoon, and for each command cell."""
MIX: Final = ("squad", "squad", "squad", "specialists", "specialists", "vehicle", "vehicle", "card")
"""Kinds of units that are drawn from, once there are squads enough."""
MOST_DRAWS: Final = 60
OPTIONS: Final = 3
"""Units of which one has an option, on average, while points are left."""


def random_list(book: Book, army: str, limit: int, seed: int) -> ArmyList:
    """Draw a list of a sensible mix."""
    return _Draw(book, book.factions[army], limit, seed).drawn()


class _Draw:
    def __init__(self, book: Book, page: Faction, limit: int, seed: int) -> None:
        self.book, self.page, self.limit, self.chance = book, page, limit, Chance(seed)
        self.sums = Sums()
        self.taken: list[EarthLine] = []
        self.kinds: dict[str, list[str]] = {"card": list(page.support), "vehicle": list(page.vehicles)}
        for unit in page.units.values():
            self.kinds.setdefault("squad" if unit.role == "fireteam" else unit.role, []).append(unit.id)

    def drawn(self) -> ArmyList:
        """Draw headquarters, as many units as these need, then of everything while there are points, with another cell
        where those there are lead no more; odd points go into options."""
        leaders = max(1, self.limit // PLATOON_POINTS)
        if "cell" in self.kinds:
            self._take("cell", lambda: self.sums.cells < leaders)
            self._take("squad", lambda: self.sums.units < lists.CELL_UNITS[0] * leaders)
        else:
            self._take("company", lambda: self.limit >= COMPANY_FROM and not self.sums.companies)
            self._take("platoon", lambda: self.sums.platoons < leaders)
            self._take("squad", lambda: self.sums.halves < 2 * lists.SQUADS[0] * leaders)
        for _ in range(MOST_DRAWS):
            open_kinds = [kind for kind in MIX if any(map(self._fits, self.kinds.get(kind, ())))]
            # a cell may lead as many as it can before the points are spent
            if not (self._one(self.chance.pick(open_kinds)) if open_kinds else self._one("cell")):
                break
        self._fit_out()
        order = [*self.page.units, *self.page.vehicles, *self.page.support]
        counts = {line: self.taken.count(line) for line in self.taken}
        lines = [EarthLine(line.unit, count, line.options) for line, count in counts.items()]
        lines.sort(key=lambda line: (order.index(line.unit), line.options))
        return ArmyList(self.page.id, self.page.version, self.limit, tuple(lines), self.page.name)

    def _take(self, kind: str, wanted: Callable[[], bool]) -> None:
        for _ in range(MOST_DRAWS):
            if not wanted() or not self._one(kind):
                return

    def _one(self, kind: str) -> bool:
        """Take one of a kind, of those that fit one that has been drawn least; tell whether there was any."""
        fitting = [id for id in self.kinds.get(kind, ()) if self._fits(id)]
        if not fitting:
            return False
        had = {id: sum(line.unit == id for line in self.taken) for id in fitting}
        id = self.chance.pick([id for id in fitting if had[id] == min(had.values())])
        self.taken.append(EarthLine(id))
        self.sums = self._with(id)
        return True

    def _with(self, id: str) -> Sums:
        return self.sums.plus(self.page.profile(id), price(self.book, self.page, EarthLine(id)))

    def _fits(self, id: str) -> bool:
        """Tell if one more of this breaks no limit from above."""
        after, profile = self._with(id), self.page.profile(id)
        if after.points > self.limit or after.small > lists.MOST_SMALL:
            return False
        if profile is None:
            return after.cards * lists.CARD_POINTS <= after.points and 2 * after.machines <= after.points
        if isinstance(profile, UnitProfile) and profile.headquarters:
            return True
        return not any(breaches(self.limit, after)) or not self._complete(after)

    def _complete(self, after: Sums) -> bool:
        """Tell if the headquarters have the units that they need."""
        if after.cells:
            return after.units >= lists.CELL_UNITS[0] * after.cells
        return after.halves >= 2 * lists.SQUADS[0] * after.headquarters

    def _fit_out(self) -> None:
        for place, line in enumerate(self.taken):
            profile = self.page.profile(line.unit)
            if profile is not None and not self.chance.below(OPTIONS):
                rows = [row.number for row in options_for(self.book, profile)]
                better = EarthLine(line.unit, 1, (self.chance.pick(rows),)) if rows else line
                more = price(self.book, self.page, better) - price(self.book, self.page, line)
                after = self.sums.plus(None, more)._replace(cards=self.sums.cards)
                if not any(breaches(self.limit, after)):
                    self.taken[place] = better
                    self.sums = after
