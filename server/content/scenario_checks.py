"""Checks that the scenarios of a user's own content can be set up, before anyone sits down to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from engine.core.rules.errors import SetupRefused
from engine.core.rules.system import ScenarioInfo, Setup
from protocol.text_format import format_text

if TYPE_CHECKING:
    from server.content.systems import Installed

LineUp = tuple[str, ...]
"""Factions, one for each seat."""


def unplayable_scenarios(installed: Installed, shipped: Installed) -> list[str]:
    """Return a line for each reason why a scenario that is not `shipped` cannot be set up with any factions at all.

    Takes some hundredths of a second for a scenario that can.
    """
    return [reason for info in _new(installed, shipped) for reason in _why_none(installed, info)]


def unfit_factions(installed: Installed, shipped: Installed) -> list[str]:
    """Return a line for each reason why a faction cannot play in a seat of a scenario, where either is not `shipped`.

    Takes some hundredths of a second for each line-up.
    """
    new = {info.id for info in _new(installed, shipped)}
    known = {faction.id for info in shipped.scenarios.values() for faction in info.factions}
    found: list[str] = []
    for info in installed.scenarios.values():
        if not info.form_of:
            found += _reasons(installed, info, _rotations(info) if info.id in new else _with_new(info, known))
    return list(dict.fromkeys(found))


def _new(installed: Installed, shipped: Installed) -> list[ScenarioInfo]:
    return [info for info in installed.scenarios.values() if info.id not in shipped.scenarios and not info.form_of]


def _why_none(installed: Installed, info: ScenarioInfo) -> list[str]:
    """Return the reasons why no line-up fits; empty as soon as one does."""
    reasons: list[str] = []
    for factions in _rotations(info):
        told = list(_reasons(installed, info, [factions]))
        if not told:
            return []
        reasons += told
    return list(dict.fromkeys(reasons))


def _reasons(installed: Installed, info: ScenarioInfo, lineups: Iterable[LineUp]) -> Iterator[str]:
    entries = installed.catalogue("en").entries
    for factions in lineups:
        try:
            resolved = installed.system.setup(installed.content, Setup(info.id, factions))
            installed.system.start(resolved, info.seats)
        except SetupRefused as problem:
            yield f"{installed.system.name}: scenario {info.id}: {format_text(problem.text, entries)}"


def _rotations(info: ScenarioInfo) -> Iterator[LineUp]:
    """Yield line-ups in which every faction stands once in every seat."""
    ids = [faction.id for faction in info.factions]
    yield from (tuple(ids[(seat + turn) % len(ids)] for seat in range(info.seats)) for turn in range(len(ids)))


def _with_new(info: ScenarioInfo, known: set[str]) -> Iterator[LineUp]:
    """Yield line-ups in which every new faction stands once in every seat, among old ones."""
    others = [faction.id for faction in info.factions if faction.id in known]
    for faction in info.factions:
        for seat in range(info.seats) if faction.id not in known else ():
            yield (*others[:seat], faction.id, *others[seat : info.seats - 1])
