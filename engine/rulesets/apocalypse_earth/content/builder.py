"""The form in which people build a list: rows for the units of a page, and for the lines of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from engine.kit.lists.name_rows import names_of
from engine.kit.lists.page_rules import MOST_COUNT
from engine.rulesets.apocalypse_earth.content.armies import Book, option_price, options_for
from engine.rulesets.apocalypse_earth.content.army_schema import UnitOption
from engine.rulesets.apocalypse_earth.content.lists import ArmyList, EarthLine, fitted_line, price
from engine.rulesets.apocalypse_earth.state.profiles import Faction, FigureProfile, Profile, UnitProfile
from protocol.text import Text, text
from protocol.wire.list_form import AnyControl, Button, Count, FormSection, Switch

ROLES: Final = ("company", "platoon", "cell", "squad", "fireteam", "specialists")
CM: Final = 100


def sections(book: Book, listed: ArmyList) -> Iterator[FormSection]:
    """Yield the units of the faction by their part in it, its vehicles and cards, and the lines of the list."""
    page = book.factions[listed.army]
    parts = {role: [unit.id for unit in page.units.values() if unit.role == role] for role in ROLES}
    parts |= {"vehicle": [*page.vehicles], "card": [id for id in page.support if id in book.cards]}
    for part, ids in parts.items():
        if ids:
            yield FormSection(Text(f"ae.role.{part}"), tuple([_to_take(book, page, listed, id) for id in ids]))
    rows = tuple([row for at, line in enumerate(listed.entries) for row in _line(book, page, at, line)])
    yield FormSection(Text("ae.form.list"), rows, aside=True)


def _to_take(book: Book, page: Faction, listed: ArmyList, id: str) -> Count:
    name, hints = described(book, page.profile(id), id)
    note = text("ae.form.points", points=price(book, page, EarthLine(id)))
    had = sum(line.count for line in listed.entries if line.unit == id)
    return Count(f"take/{id}", name, note, hints, value=had)


def described(book: Book, profile: Profile | None, id: str) -> tuple[Text, tuple[Text, ...]]:
    """Return the name of a unit or vehicle, or without a profile of a card, and what there is to say of it; nothing of
    what is unknown."""
    if profile is not None:
        return Text(profile.name), profile_texts(book, profile)
    card = book.cards.get(id)
    return (Text(card.name), (Text(card.text),)) if card is not None else (text("ae.words", words=id), ())


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
    gear = [book.worth.weapons[id].name for id in profile.weapons]
    gear += [book.worth.traits[id].name for id in profile.traits]
    return (armour, numbers, _names(gear)) if gear else (armour, numbers)


def _rank(book: Book, figure: FigureProfile, count: int) -> Text:
    gear = [book.worth.weapons[id].name for id in figure.weapons]
    gear += [book.worth.abilities[id].name for id in figure.abilities]
    return text("ae.form.rank", count=count, name=Text(figure.name), gear=_names(gear))


def _names(names: Sequence[str]) -> Text:
    return names_of("ae.", [*map(Text, names)])


def _line(book: Book, page: Faction, at: int, line: EarthLine) -> Iterator[AnyControl]:
    found = fitted_line(book, page, line)
    name, hints = described(book, found.profile if found is not None else None, line.unit)
    note = text("ae.form.each", points=price(book, page, line)) if hints else None
    yield Count(f"line/{at}", name, note, hints, value=line.count, most=MOST_COUNT)
    profile = page.profile(line.unit)
    rows = list(options_for(book, profile)) if profile is not None else []
    for row in rows:
        more = text("ae.form.more", points=option_price(book, row))
        yield Switch(f"option/{at}/{row.number}", _option(book, row), more, inset=1, on=row.number in line.options)
    if rows:
        yield Button(f"split/{at}", Text("ae.form.split"), inset=1)


def _option(book: Book, row: UnitOption) -> Text:
    """Describe an option."""
    adds = Text(book.added_by(row.number).name)
    if row.trait:
        return text("ae.form.trait", trait=adds)
    if row.drops:
        return text("ae.form.swap", new=adds, old=Text(book.worth.weapons[row.drops].name))
    return text("ae.form.add", new=adds)


def refitted(book: Book, army: str, entry: EarthLine, what: str, which: str, value: int) -> EarthLine:
    """Return a line after a change of an option."""
    if what != "option" or not which.isdigit() or int(which) not in book.options:
        return entry
    others = [number for number in entry.options if number != int(which)]
    return replace(entry, options=tuple(sorted([*others, *([int(which)] if value else [])])))
