"""Army lists: units, numbers and upgrades; their prices and their faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Final, NamedTuple

from pydantic import Field

from engine.core.content.content_schema import Id, WrittenAs
from engine.core.rules.implements import implements
from engine.kit.lists import page_rules
from engine.kit.lists.page_rules import ListLine
from engine.rulesets.one_page.content.armies import Army, Book
from engine.rulesets.one_page.content.army_schema import UnitId, Upgrade
from engine.rulesets.one_page.state.names import weapon_profile
from engine.rulesets.one_page.state.profiles import FISTS, PSYKER, UnitProfile
from protocol.text import Text, text

LIMITS: Final = (3000, 6000)
MOST_HEROES: Final = 3
MOST_SPECIAL: Final = 8
MOST_NUMBER: Final = 99
"""Greatest number of a unit on its page, and of a row of its upgrades."""
MOST_UPGRADES: Final = 40
"""Greatest number of upgrade rows of one entry."""

Arms = list[list[str]]
"""The weapons of each model by id; the leader is the first."""


Upgrades = Annotated[list[Annotated[int, Field(ge=1, le=MOST_NUMBER)]], Field(max_length=MOST_UPGRADES)]


class ListEntry(ListLine, frozen=True, omit_defaults=True):
    """A line of a list: `count` times the same unit. `upgrades`: numbers of its rows on the page, in order. `doubled`:
    each is two copies as one big unit; it may have each row for some models twice, a row for all is for both copies."""

    unit: Annotated[UnitId, Field(alias="id")]
    upgrades: Annotated[tuple[int, ...], WrittenAs(Upgrades, lambda given: tuple(sorted(given)))] = ()
    discipline: Id = ""
    doubled: bool = False

    @property
    def copies(self) -> int:
        """Copies of the page's unit in each unit."""
        return 2 if self.doubled else 1


ArmyList = page_rules.ArmyList[ListEntry]


def line_faults(book: Book, listed: ArmyList, entry: ListEntry) -> Iterator[tuple[str, Text]]:
    """Yield the faults of a line, each with the key of what is wrong."""
    army = book.armies[listed.army]
    unit = army.units.get(entry.unit)
    if unit is None:
        yield "unit", text("op.list.no-unit", unit=entry.unit, army=Text(army.name))
        return
    if entry.doubled and not may_double(unit):
        yield "doubled", text("op.list.no-double", unit=Text(unit.name))
    yield from (("discipline", told) for told in _discipline(book, entry, unit))
    yield from (("upgrades", told) for told in equip(army, entry)[1])


@implements("OP-SETUP-01")
def composition(book: Book, listed: ArmyList) -> Iterator[Text]:
    """Yield breaches of the limits: points, at most three Heroes, at most eight Special units."""
    points, heroes, special = totals(book.armies[listed.army], listed)
    if points > listed.limit:
        yield text("op.list.points", points=points, limit=listed.limit, over=points - listed.limit)
    if heroes > MOST_HEROES:
        yield text("op.list.heroes", heroes=heroes, most=MOST_HEROES)
    if special > MOST_SPECIAL:
        yield text("op.list.special", special=special, most=MOST_SPECIAL)


class Totals(NamedTuple):
    """Sums that count against the limits."""

    points: int
    heroes: int
    special: int


def totals(army: Army, listed: ArmyList) -> Totals:
    """Return the sums over the entries that the page knows."""
    known = [(entry, unit) for entry in listed.entries if (unit := army.units.get(entry.unit)) is not None]
    return Totals(
        sum(entry.count * price(army, entry) for entry, unit in known),
        sum(entry.count * entry.copies for entry, unit in known if unit.kind == "hero"),
        sum(entry.count * entry.copies for entry, unit in known if not unit.infantry),
    )


@implements("OP-UNIT-02", "OP-OPEN-02")
def price(army: Army, entry: ListEntry) -> int:
    """Return the price of one unit of an entry: two copies cost twice the price, upgrades for all models are bought for
    both."""
    upgrades = (_row(army, entry, number) for number in entry.upgrades)
    more = sum(row.points * (1 if row.models else entry.copies) for row in upgrades if row is not None)
    return army.units[entry.unit].points * entry.copies + more


def _row(army: Army, entry: ListEntry, number: int) -> Upgrade | None:
    return army.upgrades.get(f"{entry.unit}.{number}")


@implements("OP-UNIT-02")
def may_double(unit: UnitProfile) -> bool:
    """Tell if two copies of a unit may be one big unit: only Infantry may, but not Heroes or Psykers."""
    return unit.infantry and not unit.character


@implements("OP-OPEN-14")
def _discipline(book: Book, entry: ListEntry, unit: UnitProfile) -> Iterator[Text]:
    """Yield faults of the discipline: each Psyker takes one, no other unit does."""
    if not unit.has(PSYKER):
        if entry.discipline:
            yield text("op.list.no-psyker", unit=Text(unit.name))
    elif not entry.discipline:
        yield text("op.list.no-discipline", unit=Text(unit.name))
    elif entry.discipline not in book.disciplines:
        yield text("op.list.unknown-discipline", unit=Text(unit.name), discipline=entry.discipline)


@implements("OP-OPEN-05")
def equip(army: Army, entry: ListEntry) -> tuple[Arms, list[Text]]:
    """Return the weapons of one unit of an entry by model, and the faults of its upgrades. Each row may be had once for
    each copy; a row needs as many models that still have the old weapon, rows for some go before those for all; the
    leader changes last."""
    unit = army.units[entry.unit]
    arms = [list(unit.weapons) for _ in range(unit.models * entry.copies)]
    wrong: list[Text] = []
    rows: list[Upgrade] = []
    for number, times in sorted(Counter(entry.upgrades).items()):
        row = _row(army, entry, number)
        if row is None:
            wrong.append(text("op.list.no-upgrade", unit=Text(unit.name), number=number))
            continue
        most, weapon = entry.copies if row.models else 1, weapon_profile(army.weapons[row.new.id])
        if times > most:
            wrong.append(text("op.list.upgrade-twice", unit=Text(unit.name), weapon=weapon, most=most))
        rows += [row] * min(times, most)
    for row in sorted(rows, key=lambda row: not row.models):
        holders = [model for model in reversed(arms) if row.old.id in model]
        wanted = row.models or len(holders)
        if len(holders) < max(wanted, 1):
            names = {"old": weapon_profile(army.weapons[row.old.id]), "new": weapon_profile(army.weapons[row.new.id])}
            wrong.append(
                text("op.list.no-models", unit=Text(unit.name), left=len(holders), models=max(wanted, 1), **names)
            )
        for model in holders[:wanted]:
            model[model.index(row.old.id)] = row.new.id
    for model in arms:
        if not any(army.weapons[id].melee for id in model):
            model.append(FISTS)
    return arms, wrong
