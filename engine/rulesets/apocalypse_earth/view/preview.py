"""The table before the set-up: terrain laid by hand, objectives, exits, and the zones, given or to choose from
(AE-SETUP-01)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.rules.system import Part, TablePreview
from engine.kit.present import previews
from engine.rulesets.apocalypse_earth.rules.table import zones
from engine.rulesets.apocalypse_earth.state.state import NOBODY, Battle
from engine.rulesets.apocalypse_earth.view import scene
from protocol.text import text


def preview(state: Battle) -> TablePreview:
    """Return the table before the set-up."""
    scenario = state.resolved.scenario
    ground = scene.GROUNDS(replace(state, features=scenario.features))
    seats = previews.seats(previews.numbered(len(state.seats)), state.sides)
    shown = (*ground, *_starts(state), *scene.objectives(state), *_exits(state), *seats)
    return TablePreview(shown, sum(lot.count for lot in scenario.lots))


def _starts(state: Battle) -> Iterator[Part]:
    """Yield the zones that the scenario gives to seats; where it gives none, all those to choose from by initiative."""
    table = zones.zones(state)
    given = {seat: plan.zone for seat, plan in enumerate(state.resolved.scenario.seats) if plan.zone != NOBODY}
    for seat, zone in given.items():
        yield previews.start(seat, table[zone].outline)
    for zone, place in enumerate(() if given else table):
        yield previews.open_start(zone, place.outline)


def _exits(state: Battle) -> Iterator[Part]:
    for seat, plan in enumerate(state.resolved.scenario.seats):
        if plan.leaves:
            yield scene.exit_part(state, seat, text("preview.exit", number=seat + 1))
