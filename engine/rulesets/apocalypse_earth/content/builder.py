"""The form in which people build a list: rows for the units of a page, and for the lines of a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from engine.kit.lists.page_rules import MOST_COUNT
from engine.rulesets.apocalypse_earth.content.armies import Book, option_price, options_for
from engine.rulesets.apocalypse_earth.content.army_schema import UnitOption
from engine.rulesets.apocalypse_earth.content.lists import ArmyList, EarthLine, fitted_line, price
from engine.rulesets.apocalypse_earth.state.profiles import Faction, FigureProfile, Profile, SupportCard, UnitProfile
from protocol.text import Text, text
from protocol.wire.list_form import AnyControl, Button, Count, FormSection, Switch

ROLES: Final = ("company", "platoon", "cell", "squad", "fireteam", "specialists")
CM: Final = 100
MOST_NAMES: Final = 9
"""The catalogue has words for so many names in a row."""


def sections(book: Book, listed: ArmyList) -> Iterator[FormSection]:
    """Yield the units of the faction by their part in it, its vehicles and cards, and the lines of the list."""
    page = book.factions[listed.army]
    for role in ROLES:
        units = [unit for unit in page.units.values() if unit.role == role]
        if units:
            yield FormSection(Text(f"ae.role.{role}"), tuple([_to_take(book, listed, unit) for unit in units]))
    if page.vehicles:
        vehicles = tuple([_to_take(book, listed, vehicle) for vehicle in page.vehicles.values()])
        yield FormSection(Text("ae.role.vehicle"), vehicles)
    cards = tuple([_card(listed, book.cards[id]) for id in page.support if id in book.cards])
    if cards:
        yield FormSection(Text("ae.role.card"), cards)
    rows = tuple([row for at, line in enumerate(listed.entries) for row in _line(book, page, at, line)])
    yield FormSection(Text("ae.form.list"), rows, aside=True)


def _had(listed: ArmyList, unit: str) -> int:
    return sum(line.count for line in listed.entries if line.unit == unit)


def _to_take(book: Book, listed: ArmyList, profile: Profile) -> Count:
    note, had = text("ae.form.points", points=profile.points), _had(listed, profile.id)
    return Count(f"take/{profile.id}", _words(profile.name), note, profile_texts(book, profile), value=had)


def _card(listed: ArmyList, card: SupportCard) -> Count:
    note, had = text("ae.form.points", points=card.price), _had(listed, card.id)
    return Count(f"take/{card.id}", Text(card.name), note, (Text(card.text),), value=had)


def profile_texts(book: Book, profile: Profile) -> tuple[Text, ...]:
    """Describe a unit or vehicle: its numbers, then its figures, or its weapons and traits."""
    if isinstance(profile, UnitProfile):
        numbers = text(
            "ae.form.unit-numbers",
            figures=len(profile.figures),
            experience=Text(f"ae.experience.{profile.experience}"),
            ccr=profile.ccr,
            move=profile.move // CM,
            armour=profile.armour,
        )
        return numbers, *[_rank(book, figure, len(list(alike))) for figure, alike in groupby(profile.figures)]
    front, side, rear, top = profile.armour
    places = {"crew": profile.crew, "places": profile.places, "move": profile.move // CM}
    armour = text("ae.form.vehicle-numbers", kind=Text(f"ae.class.{profile.kind}"), **places)
    numbers = text("ae.form.armour", front=front, side=side, rear=rear, top=top)
    if not profile.weapons and not profile.traits:
        return armour, numbers
    return armour, numbers, _gear(book, profile.weapons, (), profile.traits)


def _rank(book: Book, figure: FigureProfile, count: int) -> Text:
    gear = _gear(book, figure.weapons, figure.abilities)
    return text("ae.form.rank", count=count, name=figure.name, gear=gear)


def _gear(book: Book, weapons: Iterable[str], abilities: Iterable[str], traits: Iterable[str] = ()) -> Text:
    names = [book.worth.weapons[id].name for id in weapons] + [book.worth.abilities[id].name for id in abilities]
    return names_of([*names, *(book.worth.traits[id].name for id in traits)])


def names_of(names: Sequence[str]) -> Text:
    """Return names of the catalogue with commas between them; of many the first few."""
    shown = names[:MOST_NAMES]
    return Text(f"ae.names.{len(shown)}", {f"n{number}": Text(name) for number, name in enumerate(shown, 1)})


def _line(book: Book, page: Faction, at: int, line: EarthLine) -> Iterator[AnyControl]:
    found, card = fitted_line(book, page, line), book.cards.get(line.unit)
    note = text("ae.form.each", points=price(book, page, line))
    if found is not None:
        hints = profile_texts(book, found.profile)
        yield Count(f"line/{at}", _words(found.profile.name), note, hints, value=line.count, most=MOST_COUNT)
    elif card is not None:
        yield Count(f"line/{at}", Text(card.name), note, (Text(card.text),), value=line.count, most=MOST_COUNT)
    else:
        yield Count(f"line/{at}", _words(line.unit), value=line.count, most=MOST_COUNT)
    profile = page.profile(line.unit)
    rows = list(options_for(book, profile)) if profile is not None else []
    for row in rows:
        more = text("ae.form.more", points=option_price(book, row))
        yield Switch(f"option/{at}/{row.number}", option_text(book, row), more, inset=1, on=row.number in line.options)
    if rows:
        yield Button(f"split/{at}", Text("ae.form.split"), inset=1)


def option_text(book: Book, row: UnitOption) -> Text:
    """Describe an option."""
    if row.trait:
        return text("ae.form.trait", trait=Text(book.worth.traits[row.trait].name))
    adds = Text(book.worth.weapons[row.adds].name)
    if row.drops:
        return text("ae.form.swap", new=adds, old=Text(book.worth.weapons[row.drops].name))
    return text("ae.form.add", new=adds)


def refitted(line: EarthLine, what: str, which: str, value: int) -> EarthLine:
    """Return a line after a change of an option."""
    if what != "option" or not which.isdigit():
        return line
    others = [number for number in line.options if number != int(which)]
    return replace(line, options=tuple(sorted([*others, *([int(which)] if value else [])])))


def _words(words: str) -> Text:
    return text("ae.words", words=words)
