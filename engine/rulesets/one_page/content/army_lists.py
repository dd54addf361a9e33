"""Army lists as this system offers them to its host: built, read, written, and a form to build them in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.rules.army_lists import BroughtList
from engine.core.rules.errors import ListRefused
from engine.kit.lists.codes import looks_like_code
from engine.rulesets.one_page.content import builder
from engine.rulesets.one_page.content.armies import Book
from engine.rulesets.one_page.content.lists import LIMITS, ArmyList, ListEntry, equip, faults, price, totals
from engine.rulesets.one_page.content.random_lists import random_list
from engine.rulesets.one_page.content.written_lists import brought_up, decode, encode, read_draft, read_file, write_file
from engine.rulesets.one_page.state.profiles import Army, Force, Mustered
from protocol.text import Text, text
from protocol.wire.list_form import Change, ListForm


class OnePageLists:
    """The ArmyLists of this system (engine/core/rules/army_lists.py); `content` is a Book, or has one as `book`."""

    limits: Sequence[int] = LIMITS

    def factions(self, content: object) -> Sequence[str]:
        """Return the ids of the armies."""
        return list(_book(content).armies)

    def empty(self, content: object, faction: str, limit: int) -> str:
        """Return the code of an empty list. Raises ListRefused."""
        book = _book(content)
        army = book.armies.get(faction)
        if army is None:
            raise ListRefused([text("op.list.no-army", army=faction)])
        return encode(book, ArmyList(faction, army.version, limit))

    def build(self, content: object, faction: str, limit: int, seed: int) -> str:
        """Return the code of a randomly drawn list, the same for the same seed. Raises ListRefused."""
        book = _book(content)
        return encode(book, random_list(book, faction, limit, seed))

    def read(self, content: object, written: str, file: str = "") -> BroughtList:
        """Read a list from its code or as TOML, brought up to date. Raises ListRefused with every fault."""
        book = _book(content)
        listed, changed = _sound(book, read_list(book, written, file))
        army = book.armies[listed.army]
        points, lines = totals(army, listed).points, tuple(_lines(book, army, listed))
        name = text("op.words", words=listed.name or army.name)
        return BroughtList(encode(book, listed), army.id, name, points, listed.limit, lines, tuple(changed))

    def write(self, content: object, code: str) -> str:
        """Write a list as TOML. Raises ListRefused."""
        book = _book(content)
        return write_file(book, brought_up(book, decode(book, code))[0])

    def form(self, content: object, draft: str, change: Change | None = None) -> ListForm:
        """Return the form of a draft. Raises ListRefused."""
        book = _book(content)
        return builder.form(book, decode(book, draft) if looks_like_code(draft) else read_draft(book, draft), change)


def read_list(book: Book, written: str, file: str = "") -> ArmyList:
    """Read a list from its code or as TOML; its version may be an older one. Raises ListRefused."""
    return decode(book, written) if looks_like_code(written) else read_file(book, written, file or "list")


def _sound(book: Book, listed: ArmyList) -> tuple[ArmyList, list[Text]]:
    """Return a list as it stands today, and what has been brought up to date in it. Raises ListRefused with every
    fault."""
    current, changed = brought_up(book, listed)
    wrong = [fault.text for fault in faults(book, current)]
    if wrong:
        raise ListRefused([*changed, *wrong])
    return current, changed


def muster(book: Book, listed: ArmyList) -> Force:
    """Return the force of a list. Raises ListRefused with every fault; of a list from an older page also with what
    changed."""
    current, _ = _sound(book, listed)
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


def force(book: Book, written: str) -> Force:
    """Return the force of a seat with this list. Raises ListRefused."""
    return muster(book, read_list(book, written))


def _book(content: object) -> Book:
    book = content if isinstance(content, Book) else getattr(content, "book", None)
    assert isinstance(book, Book)
    return book


def _lines(book: Book, army: Army, listed: ArmyList) -> Iterator[Text]:
    sums = totals(army, listed)
    yield text("op.list.total", limit=listed.limit, points=sums.points, heroes=sums.heroes, special=sums.special)
    for entry in listed.entries:
        unit, more = army.units[entry.unit].name, ", ".join(_more(book, army, entry))
        counted: dict[str, str | int | Text] = {
            "count": entry.count,
            "unit": unit,
            "points": entry.count * price(army, entry),
        }
        yield Text("op.list.row.more", {**counted, "more": more}) if more else Text("op.list.row", counted)


def _more(book: Book, army: Army, entry: ListEntry) -> Iterator[str]:
    if entry.doubled:
        yield "doubled"
    if entry.discipline:
        yield book.disciplines[entry.discipline].name
    for number in entry.upgrades:
        yield army.weapons[army.upgrades[f"{entry.unit}.{number}"].new].name
