"""Bots of Apocalypse: Earth: what they choose, and that each level is better than the one below it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.kit.bots.chooser import Idea
from engine.rulesets.apocalypse_earth.bots import odds
from engine.rulesets.apocalypse_earth.bots.bot import Level1
from engine.rulesets.apocalypse_earth.bots.level2 import Level2
from engine.rulesets.apocalypse_earth.bots.level3 import Level3, balance
from engine.rulesets.apocalypse_earth.rules.scenario import scoring
from engine.rulesets.apocalypse_earth.state.profiles import Ability
from engine.rulesets.apocalypse_earth.state.state import POWERS, Activation, Battle
from engine.rulesets.apocalypse_earth.system import system
from protocol.ids import GroupId
from protocol.scene.nodes import Reply
from tests.support.systems import ae_shipped
from tests.support.systems.ae_battle import Squad, battle, block, row, squad, vehicle
from tests.support.systems.ae_bots import MATCH, chosen, look_at

ACTING: dict[str, Any] = {"active": Activation(GroupId("0.1"), POWERS)}
RIFLES: dict[str, Any] = {"weapons": ("ar",), "experience": "experienced"}


def fought(scenario: str, seed: int, kinds: tuple[str, str]) -> tuple[int, int]:
    """Return the points of both sides of a match between two kinds of bots, with the same faction on both."""
    content = ae_shipped.content()
    seats, factions = content.forms[scenario].seats, list(content.book.factions)
    raw = msgspec.msgpack.encode(ae_shipped.resolved(scenario, *(factions[seed % len(factions)],) * seats))
    match = Match(system, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH))
    play = SelfPlay(match, watched=False)
    play.begin(Start(MATCH, seats, raw))
    state = match.state
    bots = {Seat(seat): _bot(kinds[state.side(seat)], seed + seat) for seat in state.players}
    play.play(bots, 4_000)
    assert match.state.ended
    return scoring.score(match.state, 0), scoring.score(match.state, 1)


def _bot(kind: str, seed: int) -> Bot:
    return RandomBot(seed) if kind == "random" else system.bots[kind](seed)


def test_level_1_fires_where_most_falls() -> None:
    near, far = squad(*row(6, 60, 60)), squad(*row(6, 90, 60))
    wood = block("w", "woods", 55, 58, 80, 62)
    reply = chosen(battle([squad(*row(6, 75, 40), **RIFLES)], [near, far], features=[wood]), Level1(1))
    assert (reply.choice, reply.fields["target"]) == ("fire", ["group/1.2"])


def test_level_1_walks_towards_the_enemy_out_of_range() -> None:
    reply = chosen(battle([squad(*row(4, 90, 10), **RIFLES)], [squad(*row(4, 90, 110))]), Level1(1))
    assert reply.choice == "move"
    way = reply.fields["way"]
    assert isinstance(way, list)
    assert way[1] > 1900


def test_a_suppressed_unit_tries_to_rally() -> None:
    reply = chosen(battle([squad(*row(4, 90, 10), suppressed=True)], [squad(*row(4, 90, 110))]), Level1(1))
    assert reply == Reply("rally", {"unit": ["group/0.1"]})


def test_level_2_goes_into_cover_from_where_it_can_fire() -> None:
    wall = block("ruin", "rubble", 84, 30, 100, 36)
    state = battle([squad(*row(5, 86, 22), **RIFLES)], [squad(*row(8, 84, 60), weapons=("mg",))], features=[wall])
    reply = chosen(state, Level2(1))
    assert reply.choice == "move"
    way = reply.fields["way"]
    assert isinstance(way, list)
    assert 3000 <= way[1] <= 3600


def seer_and(foe: Squad, **changes: Any) -> Battle:
    """A psychic's unit without a gun that reaches anybody, a friend, and an enemy."""
    seer = squad(*row(3, 86, 40), weapons=("bl",), roles={0: ("psi_3",)}, moved=True)
    own = [seer, squad(*row(4, 86, 34), weapons=("bl",), acted=True, **changes)]
    state = battle(own, [foe, squad((150, 110))], active=Activation(GroupId("0.1"), POWERS))
    psi = {"psi_3": Ability("psi_3", "ae.ability.psi_3", "ae.ability.psi_3.text", 30, 3)}
    return replace(state, resolved=replace(state.resolved, abilities=psi))


@pytest.mark.parametrize("level", [Level2, Level3])
def test_a_psychic_tries_the_power_that_wins_most(level: type[Level2]) -> None:
    steel = chosen(seer_and(vehicle((86, 56), points=150)), level(1))
    assert (steel.choice, steel.fields["target"]) == ("power", ["group/1.1"])
    assert steel.fields["power"] in ("break_steel", "hurled_stone")
    faith = chosen(seer_and(squad((86, 80), points=1), suppressed=True), level(1))
    assert faith == Reply("power", {"unit": ["group/0.1"], "power": "iron_faith", "target": ["group/0.2"]})


def test_no_power_is_tried_for_nothing() -> None:
    assert chosen(seer_and(squad((86, 110), points=1)), Level2(1)).choice == "finish"


def test_odds_know_cover_armour_and_range() -> None:
    state = battle([squad(*row(6, 60, 20), **RIFLES)], [squad(*row(6, 60, 50)), squad(*row(6, 90, 50), armour=7)])
    units = look_at(state).units
    own, plain, armoured = (units[f"group/{id}"] for id in ("0.1", "1.1", "1.2"))
    assert odds.fire(own, plain, 3000, 0) == pytest.approx(3.0)
    assert odds.fire(own, plain, 3000, 2) == pytest.approx(1.0)
    assert odds.fire(own, armoured, 3000, 0) == pytest.approx(3.0 * 3 / 6)
    assert odds.fire(own, plain, 4900, 0) == 0
    assert odds.duel(1) == pytest.approx(21 / 31)


def test_what_a_side_has_lost_weighs_in_the_balance() -> None:
    whole = battle([squad(*row(4, 60, 20), points=80)], [squad(*row(4, 60, 90), points=80)])
    shaken = battle([squad(*row(4, 60, 20), points=80)], [squad(*row(4, 60, 90), points=80, suppressed=True)])
    assert balance(whole, 0) == 0
    assert balance(shaken, 0) == pytest.approx(80 * 0.4)
    assert balance(shaken, 1) == pytest.approx(-80 * 0.4)


@pytest.mark.long("properties")
@pytest.mark.parametrize("kind", ["level1", "level3"])
def test_a_battle_of_bots_ends_and_a_level_beats_the_random_player(kind: str) -> None:
    own, other = fought("meeting_engagement:small", 4, (kind, "random"))
    assert own > other


@pytest.mark.long("properties")
@pytest.mark.parametrize("kinds", [("level2", "level1"), ("level3", "level2")])
def test_each_level_beats_the_one_below(kinds: tuple[str, str]) -> None:
    """Sides changed, the same faction on both: more points in sum."""
    better = worse = 0
    for seed in range(14):
        one, other = fought("meeting_engagement:small", seed, kinds)
        other_again, one_again = fought("meeting_engagement:small", seed, (kinds[1], kinds[0]))
        better, worse = better + one + one_again, worse + other + other_again
    assert better > worse


def test_a_unit_pays_half_at_half_strength_and_all_once_it_is_gone() -> None:
    assert [odds.toll(60, 8, left) for left in (8, 5, 4, 1, 0)] == [0, 0, 30, 30, 60]
    full = look_at(battle([squad((10, 10))], [squad(*row(8, 60, 60), points=60)])).units["group/1.1"]
    five, one = (full._replace(places=full.places[:left]) for left in (5, 1))
    assert odds.paid(full, 1.0) < odds.paid(five, 1.0)
    assert odds.paid(one, 0.5) == pytest.approx(30 * (1 - 0.6065), abs=0.01)


def test_level_3_fires_where_the_next_loss_pays() -> None:
    """At those who are one man short of half strength rather than at as many whole."""
    state = battle([squad(*row(4, 60, 30), fired=False)], [squad(*row(8, 50, 60)), squad(*row(8, 72, 60))], **ACTING)
    worn = state.units[GroupId("1.2")]
    state = replace(state, units={**state.units, worn.id: replace(worn, figures=worn.figures[:5], size=8)})
    state = replace(state, figures={id: one for id, one in state.figures.items() if id not in worn.figures[5:]})
    assert chosen(state, Level3(1)).fields["target"] == ["group/1.2"]
    assert chosen(state, Level2(1)).fields["target"] == ["group/1.1"]


def test_level_3_looks_past_ideas_that_the_rules_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = [*[[9000 + n, 11000] for n in range(9)], [6000, 2600]]
    ideas = [Idea(20.0 - n, Reply("move", {"unit": ["group/0.1"], "way": way})) for n, way in enumerate(ways)]

    async def thought(*_: object) -> list[Idea]:
        return [Idea(0.0, Reply("finish")), *ideas]

    monkeypatch.setattr(Level2, "acts", thought)
    state = battle([squad((60, 20), **RIFLES)], [squad((150, 110))], active=Activation(GroupId("0.1")))
    assert chosen(state, Level3(1)) == ideas[-1].reply
