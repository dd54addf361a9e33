"""Whole games of random aggression on a small table: every step is folded again, every question rebuilt (by Play)."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import cast

import msgspec
import pytest

from engine.core.bots.bot import BotView, run_inline
from engine.core.bots.random_bot import Chance, RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.system import Intent
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.scenario import conditions, setup
from engine.rulesets.action_cards.rules.shooting.linked_fire import LinkedFire
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.special_actions.proposals import EFFECTS, Propose
from engine.rulesets.action_cards.rules.special_actions.specials import UseSpecial
from engine.rulesets.action_cards.state.combat_events import CombatBegun, CombatEnded
from engine.rulesets.action_cards.state.events import GameEnded
from engine.rulesets.action_cards.state.model import Condition, Kill, Point, Resolved, SeatRole, Special
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.movement.moves import clip_move
from engine.space.terrain.contact import overlaps
from tests.support.play.observed import prompt_at
from tests.support.systems import skirmish
from tests.support.systems.skirmish import Play, area, barrier

pytestmark = pytest.mark.slow

FEATURES = (
    area("house", "building", 2000, 2000, 2500, 2500, (2250, 2000)),
    area("wood", "trees", 700, 2600, 1500, 3300),
    area("bush", "scrub", 3000, 800, 3700, 1500),
    area("crag", "crag", 3500, 3000, 3800, 3400),
    area("river", "river", 0, 1700, 4800, 1850),
    area("truck", "vehicle", 2900, 2600, 3100, 3000),
    barrier("wall", "wall", (1200, 1300), (2400, 1300)),
    barrier("wire", "wire_fence", (3200, 2200), (4300, 2200)),
)
STARTS = ((0, 0, 2000, 1300), (2800, 0, 4800, 1300), (0, 3400, 2000, 4800), (2800, 3400, 4800, 4800))
TOUGH = tuple(
    msgspec.structs.replace(faction, kill=Kill(15, 20, 25), force=faction.force * 3, size=max(faction.size, 4))
    for faction in skirmish.FACTIONS
)
SEARCH = Special("search", "special.search", "search", roll=True, feature="house", once=False)


def content() -> Resolved:
    own = (
        Condition("d", "destroy", "d", "d", goal=10),
        Condition("h", "hold", "h", "h", feature="house"),
        Condition("s", "done", "s", "s", special="search"),
    )
    roles = tuple(SeatRole("r", ((x, y), (a, y), (a, b), (x, b)), own, 1, secrets=1) for x, y, a, b in STARTS)
    secrets = tuple(Condition(f"secret-{n}", "survive", "s", "s", goal=n + 1, secret=True) for n in range(5))
    return skirmish.resolved(
        TOUGH, size=(4800, 4800), features=FEATURES, roles=roles, specials=(SEARCH,), secrets=secrets, reshuffles=2
    )


class Brawler:
    """Player of all seats: random acts, charges most often."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance(seed)

    def play(self, play: Play) -> Counter[str]:
        """Play to the end and return the refusals, counted by code."""
        refused: Counter[str] = Counter()
        for _ in range(4000):
            if play.match.question is not None:
                self.answer(play)
                continue
            if not play.match.may_act():
                return refused
            seat = play.match.may_act()[0]
            try:
                play.do(seat, self.idea(play.state, seat))
            except IllegalIntent as reason:
                refused[reason.refusal.code] += 1
                if not self.chance.below(8):
                    play.do(seat, EndCard())
            if play.asked is None:
                sound(play.state)
        raise AssertionError("the game does not end")

    def answer(self, play: Play) -> None:
        question = play.match.question
        assert question is not None
        for seat in question.asks:
            if self.chance.below(4):
                prompt = prompt_at(play.match, seat)
                view = cast("BotView", type("Seen", (), {"prompt": prompt, "seat": seat, "nodes": {}})())
                with suppress(IllegalIntent):
                    play.answer(seat, run_inline(RandomBot(self.chance.below(10**6)).decide(view)))
        if play.match.question is question:
            play.expire()

    def idea(self, state: Skirmish, seat: Seat) -> Intent:
        own = [group for group in state.groups.values() if group.owner == seat]
        group = self.chance.pick(own)
        enemy = self.chance.pick([other for other in state.groups.values() if other.owner != seat])
        lead = self.chance.pick(group.figures)
        match self.chance.below(16):
            case 0 | 1:
                return Shoot(group.id, enemy.id)
            case 3:
                return LinkedFire((group.id, self.chance.pick(own).id), enemy.id)
            case 4:
                known = (*state.faction(seat).specials, *state.resolved.scenario.specials)
                return UseSpecial(group.id, self.chance.pick(known).id, (), self.place(state))
            case 5:
                about = self.chance.pick((*(feature.id for feature in FEATURES), enemy.id))
                return Propose(group.id, self.chance.pick(EFFECTS), "Why not?", not self.chance.below(2), about)
            case 6:
                return Move(group.id, lead, self.place(state))
            case _:
                goal = state.figures[self.chance.pick(enemy.figures)].at
                allowance = moves.allowance_of(state, group)
                end = clip_move(moves.way_of(state, group, lead), state.figures[lead].at, goal, allowance)
                return Move(group.id, lead, end.point)

    def place(self, state: Skirmish) -> Point:
        width, height = state.resolved.scenario.size
        return self.chance.below(width), self.chance.below(height)


def sound(state: Skirmish) -> None:
    """Check the invariants of every table."""
    figures = [figure for group in state.groups.values() for figure in group.figures]
    assert sorted(figures) == sorted(state.figures)
    bases = [base for id in state.groups for base in table.board(state).bases(id)]
    assert not [(a.id, b.id) for n, a in enumerate(bases) for b in bases[:n] if overlaps(a, b)]
    scenery = table.board(state).scenery
    assert all(scenery.has_disc(base.at, base.radius) for base in bases)
    assert all(id in state.groups for combat in state.combats for id in combat.groups)
    assert all(len({state.groups[id].owner for id in combat.groups}) > 1 for combat in state.combats)


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_of_blind_aggression(seed: int) -> None:
    play = Play.opened(setup.start(content(), 4), seed)
    refused = Brawler(seed).play(play)
    [ended] = play.events(GameEnded)
    assert ended.why in ("clock", "last", "nobody")
    assert len(play.events(CombatBegun)) >= len(play.events(CombatEnded)) > 0
    assert refused
    assert all(conditions.statuses(play.state, seat) for seat in range(4))
