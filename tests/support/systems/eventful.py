"""Small tables of the action-card game whose second card is a Special Event of the test's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.state.model import Effect, EventCard, Feature, Point
from engine.rulesets.action_cards.state.state import Skirmish
from tests.support.systems import skirmish
from tests.support.systems.skirmish import DALEKS, SPUGS, UNIT, Play, line_up

GROUPS = {"0.1": line_up(4, 300, 1000), "1.1": line_up(3, 2700, 4000), "2.1": line_up(4, 5000, 1000)}
LEFT = {id: GROUPS[id] for id in ("0.1", "1.1")}
"""Two of three factions: seat 2 has fallen."""
SIDES = (UNIT, DALEKS, SPUGS)
ROW = ("0.single.1", "event.1", "1.double.1", "2.single.1", "0.single.2")


def table(
    *effects: Effect,
    groups: Mapping[str, Sequence[Point]] = GROUPS,
    features: Sequence[Feature] = (),
    row: Sequence[str] = ROW,
    **changes: Any,
) -> Skirmish:
    mix = (EventCard("it", "event.it", "event.it.text", effects),)
    return skirmish.table(groups, features, SIDES, row, mix=mix, **changes)


def happen(state: Skirmish, *dice: int) -> Play:
    """End the first card, so that the event's turn comes."""
    return Play(state, *dice).do(0, EndCard())


def with_open(state: Skirmish, **changes: Any) -> Skirmish:
    return msgspec.structs.replace(state, **changes)
