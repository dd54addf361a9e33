"""Forces from army lists: every unit with its weapons by model, for its price."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.rules.errors import ListRefused
from engine.rulesets.one_page.content.armies import Book
from engine.rulesets.one_page.content.list_versions import brought_up
from engine.rulesets.one_page.content.lists import ArmyList, ListEntry, equip, faults, price, totals
from engine.rulesets.one_page.state.profiles import Army, Force, Mustered


def muster(book: Book, listed: ArmyList) -> Force:
    """Return the force of a list. Raises ListRefused with every fault; of a list from an older page also with what
    changed."""
    current, changed = brought_up(book, listed)
    wrong = [fault.text for fault in faults(book, current)]
    if wrong:
        raise ListRefused([*changed, *wrong])
    army = book.armies[current.army]
    units = tuple(unit for entry in current.entries for unit in _mustered(army, entry))
    carried = {id for unit in units for model in unit.arms for id in model}
    weapons = {id: weapon for id, weapon in army.weapons.items() if id in carried}
    name = current.name or army.name
    return Force(army.id, name, current.limit, totals(army, current).points, units, weapons)


def _mustered(army: Army, entry: ListEntry) -> Iterator[Mustered]:
    arms = tuple(map(tuple, equip(army, entry)[0]))
    bought = tuple(f"{entry.unit}.{number}" for number in entry.upgrades)
    one = Mustered(army.units[entry.unit], price(army, entry), arms, bought, entry.discipline, entry.doubled)
    yield from (one for _ in range(entry.count))
