"""The table before the set-up: terrain laid by hand, and the two strips of which the roll-off decides (OP-SETUP-03)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.system import TablePreview
from engine.kit.present import previews
from engine.rulesets.one_page.rules import deployment
from engine.rulesets.one_page.state.state import Battle
from engine.rulesets.one_page.view import scene
from engine.space.vectors.outlines import outline_of


def preview(state: Battle) -> TablePreview:
    """Return the table before the set-up."""
    scenario = state.resolved.scenario
    ground = scene.GROUNDS(replace(state, features=scenario.features))
    strips = [outline_of(deployment.strip(state, side)) for side in ("south", "north")]
    starts = [previews.open_start(number, strip) for number, strip in enumerate(strips)]
    seats = previews.seats(previews.numbered(len(state.seats)), state.sides)
    return TablePreview((*ground, *starts, *seats), sum(lot.count for lot in scenario.lots))
