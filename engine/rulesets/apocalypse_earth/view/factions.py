"""Page of a faction before a match: its words and ratings, its units, what they can do, and its ready lists; or of the
force that a scenario gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from engine.core.rules.system import own_content
from engine.kit.lists.faction_pages import ready_lists, sheet_of
from engine.rulesets.apocalypse_earth.content.armies import Book
from engine.rulesets.apocalypse_earth.content.army_lists import LISTS
from engine.rulesets.apocalypse_earth.content.battle_schema import GivenForce
from engine.rulesets.apocalypse_earth.content.builder import profile_texts
from engine.rulesets.apocalypse_earth.content.content import Content
from engine.rulesets.apocalypse_earth.state.profiles import Faction, Profile, UnitProfile
from engine.rulesets.apocalypse_earth.view.scene import ROLES, dearest
from engine.rulesets.apocalypse_earth.view.sheets import abilities_of, carried_by, weapon_lines
from protocol.text import Text, text
from protocol.wire.faction_pages import FactionRule, FactionSheet, FactionUnit

ABILITIES, TRAITS, SUPPORT = "AE-OPEN-07", "AE-OPEN-18", "AE-OPEN-24"
"""Rules of what figures, vehicles and cards do."""


def sheet(content: object, faction: str) -> FactionSheet | None:
    """Return the page of a faction or of a given force, None of one that is not installed."""
    own = own_content(content, Content)
    page = own.book.factions.get(faction)
    if page is not None:
        units: tuple[Profile, ...] = (*page.units.values(), *page.vehicles.values())
        return _sheet(own.book, page, units, page.support, lists=True)
    given = [force for form in own.forms.values() for forces in form.given for force in forces if force.id == faction]
    return _given(own.book, given[0]) if given else None


def _given(book: Book, force: GivenForce) -> FactionSheet:
    """Return the page of a force that a scenario gives: that of its faction, with its own units alone."""
    page = book.factions[force.faction]
    units = [profile for one in force.units if (profile := page.profile(one.id)) is not None]
    return replace(_sheet(book, page, units, ()), name=Text(force.name))


def _sheet(
    book: Book, page: Faction, units: Iterable[Profile], cards: Iterable[str], *, lists: bool = False
) -> FactionSheet:
    profiles = tuple(units)
    numbers = (text("ae.faction.ratings", initiative=page.initiative, air=page.air),)
    shown = tuple(_unit(book, profile) for profile in profiles)
    rules = (*_gifts(book, profiles), *_support(book, cards))
    return sheet_of(page, numbers, shown, rules, ready_lists(LISTS, book, page.id) if lists else ())


def _unit(book: Book, profile: Profile) -> FactionUnit:
    points = text("ae.faction.points", points=profile.points)
    return FactionUnit(Text(profile.name), _glyph(book, profile), points, tuple(_lines(book, profile)))


def _lines(book: Book, profile: Profile) -> Iterator[Text]:
    yield from profile_texts(book, profile)
    for id, count in carried_by(profile).items():
        yield next(weapon_lines(book.worth.weapons[id], count))


def _glyph(book: Book, profile: Profile) -> str:
    """Return the glyph of a vehicle; of a unit that of what sets it apart: its commander, its gift, its dearest
    weapon."""
    if not isinstance(profile, UnitProfile):
        return profile.glyph or profile.kind
    role = next((role for role in ROLES if profile.headquarters and profile.has(role)), "")
    if role or any(figure.psi for figure in profile.figures):
        return role or "psyker"
    return dearest(book.worth.weapons[id] for figure in profile.figures for id in figure.weapons)


def _gifts(book: Book, profiles: Iterable[Profile]) -> Iterator[FactionRule]:
    """Yield each ability and trait once."""
    found = {id: isinstance(one, UnitProfile) for one in profiles for id in abilities_of(one)}
    for id, of_figures in found.items():
        gift = book.worth.abilities[id] if of_figures else book.worth.traits[id]
        yield FactionRule(Text(gift.name), Text(gift.text), ABILITIES if of_figures else TRAITS)


def _support(book: Book, cards: Iterable[str]) -> Iterator[FactionRule]:
    for id in cards:
        if id in book.cards:
            yield FactionRule(Text(book.cards[id].name), Text(book.cards[id].text), SUPPORT)
