"""Checks of a faction beyond the schema: names of its own parts, its size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.content.content_files import ContentFault, used_twice
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import sound
from engine.kit.scenario.references import ids_of, unknown
from engine.rulesets.action_cards.content.content_forces import force_faults
from engine.rulesets.action_cards.content.known_names import force_of
from engine.rulesets.action_cards.content.schema import FactionEntry, FigureEntry, SquadEntry
from engine.rulesets.action_cards.content.special_checks import special_faults
from engine.rulesets.action_cards.text.texts import ENGLISH
from protocol import near_names

MOST_FIGURES: Final = 60
TRAIT: Final = "trait."
"""Beginning of the catalogue keys of traits."""


def faction_faults(faction: FactionEntry) -> Iterator[ContentFault]:
    """Yield everything that is wrong with a faction."""
    yield from sound(
        used_twice(("faction", "weapon"), ids_of(faction.weapon)),
        used_twice(("faction", "figure"), ids_of(faction.figure)),
        special_faults(("faction", "special"), faction.special, None),
        _figures(faction),
        *[_squad(("faction", "squad", place, "figures"), squad, faction) for place, squad in enumerate(faction.squad)],
        _traits(faction),
        _size(faction),
        force_faults(faction),
    )


def _figures(faction: FactionEntry) -> Iterator[ContentFault]:
    for place, figure in enumerate(faction.figure):
        yield from sound(_armed(place, figure, faction), _based(place, figure))


def _armed(place: int, figure: FigureEntry, faction: FactionEntry) -> Iterator[ContentFault]:
    weapons = {weapon.id for weapon in faction.weapon}
    yield from unknown(("faction", "figure", place, "weapons"), "weapon", figure.weapons, weapons)


def _based(place: int, figure: FigureEntry) -> Iterator[ContentFault]:
    if figure.base <= 0:
        yield ContentFault(("faction", "figure", place, "base"), "a base is wider than nothing")


def _squad(here: Loc, squad: SquadEntry, faction: FactionEntry) -> Iterator[ContentFault]:
    figures = {figure.id: figure for figure in faction.figure}
    yield from unknown(here, "figure", squad.figures, figures.keys())
    for id, figure in figures.items():
        if squad.figures.count(id) % figure.crew:
            yield ContentFault(here, f"{id} stand {figure.crew} to a base: name them so many at a time")


def _traits(faction: FactionEntry) -> Iterator[ContentFault]:
    known = [key.removeprefix(TRAIT) for key in ENGLISH if key.startswith(TRAIT)]
    for place, trait in enumerate(faction.traits):
        if trait not in known:
            here = ("faction", "traits", place)
            yield ContentFault(here, f"no trait is called {trait}{near_names.meant(trait, known)}")


def _size(faction: FactionEntry) -> Iterator[ContentFault]:
    if not faction.squad:
        yield ContentFault(("faction", "squad"), "a faction needs at least one squad")
    _, figures_in_all = next(force_of(faction))
    if figures_in_all > MOST_FIGURES:
        yield ContentFault(("faction", "squad"), f"a force of {figures_in_all} figures: {MOST_FIGURES} at most")
