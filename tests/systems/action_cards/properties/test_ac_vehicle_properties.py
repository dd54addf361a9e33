"""Properties of the engine under random play that prefers vehicles: log, rebuild and views hold on Salt Road, and
vehicles stand only where they may."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import Phase, given, settings, strategies as st

from engine.core.bots.random_bot import RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.rules.board import hulls, table
from engine.rulesets.action_cards.rules.vehicles import boarding, driving
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.terrain.contact import overlaps
from engine.space.vectors.outlines import segment_near_outline
from protocol.ids import MatchId
from tests.support.play.checked_play import play_and_check
from tests.support.play.observed import Observed
from tests.support.systems.shipped import resolved_scenario

if TYPE_CHECKING:
    from engine.core.bots.bot import BotView
    from protocol.scene.nodes import Prompt, Reply

ON_WHEELS = frozenset({"drive", "take_off", "fly", "land", "embark", "disembark", "blast"})
DULL = frozenset({"end", "propose"})


class Motorist(RandomBot):
    """Random player that prefers vehicles, and hardly ever ends its card."""

    async def decide(self, view: BotView) -> Reply:
        prompt = view.prompt
        offered = [c for c in prompt.choices if c.id in ON_WHEELS and self._chance.below(3)]
        offered = offered or [c for c in prompt.choices if c.id not in DULL]
        if not offered or self._refused.count > 6:
            return await super().decide(view)
        narrowed = msgspec.structs.replace(prompt, choices=tuple(offered))
        return await super().decide(_Narrowed(view, narrowed))


class _Narrowed:
    """View with fewer choices."""

    def __init__(self, view: BotView, prompt: Prompt) -> None:
        self.seat, self.nodes, self.detail, self.is_due = view.seat, view.nodes, view.detail, view.is_due
        self.prompt, self.known = prompt, view.known


def sound(state: Skirmish) -> None:
    """Check the invariants of every table with vehicles."""
    scenery = table.board(state).scenery
    bases = [base for id in state.groups for base in table.board(state).bases(id)]
    assert not [(a.id, b.id) for n, a in enumerate(bases) for b in bases[:n] if overlaps(a, b)]
    solid = [area for area in scenery.areas if str(area.id) in state.figures]
    for area in solid:
        in_it = [b.id for b in bases if segment_near_outline(b.at, b.at, area.outline, b.radius)]
        assert not in_it, (area.id, in_it)
    for id in state.groups:
        vehicle = table.board(state).vehicle(id)
        if vehicle is not None:
            figure = driving.figure_of(state, id)
            chassis, around = hulls.base_of(figure, vehicle), driving.surroundings(state, id)
            assert around.holds(chassis.outline())
            if not figure.airborne:
                assert around.bar(chassis.outline()) is None
                assert around.met(chassis.outline()) is None
            assert boarding.seats_left(state, id) >= 0
    assert not set(state.aboard) & set(state.groups)
    assert all(ride.wreck is not None or ride.vehicle in state.figures for ride in state.aboard.values())


def _play_and_check(seed: int, decisions: int, undo_every: int) -> Counter[str]:
    resolved, seats = resolved_scenario("salt_road")
    match: Observed[Skirmish] = Observed(system, MatchDice(seed.to_bytes(32, "big"), MatchId("m1")), resolved, seats)
    bots = {Seat(s): Motorist(seed + s) for s in range(seats)}
    play_and_check(match, bots, decisions, undo_every, sound)
    entries = [entry for data in match.log for entry in match.match.codec.decode(data).entries]
    return Counter(type(entry).__name__ for entry in entries)


# a match is no easier to read for being shrunk, and that takes minutes
@settings(max_examples=6, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(st.integers(0, 2**32), st.integers(3, 20))
def test_fold_rebuild_and_projection_agree_on_wheels(seed: int, undo_every: int) -> None:
    _play_and_check(seed, 80, undo_every)


@pytest.mark.long("properties")
def test_two_hundred_matches_on_wheels() -> None:
    done: Counter[str] = Counter()
    for seed in range(200):
        done += _play_and_check(seed, 1_000, 11)
    for name in ("VehicleDriven", "VehicleFlew", "GroupEmbarked", "GroupDisembarked", "BurstFell"):
        assert done[name] > 50, done
    assert done["VehicleLanded"]
