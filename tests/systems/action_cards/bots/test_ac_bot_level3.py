"""Level 3 bot in positions with one right act, on whole matches, and when an answer is due at once."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.bots.bot import Bot, run_inline
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.bots.bot import Level3
from engine.rulesets.action_cards.bots.bot_counting import CountingLook
from engine.rulesets.action_cards.bots.bot_errands import errands
from engine.rulesets.action_cards.bots.bot_forecast import ActionForecast
from engine.rulesets.action_cards.bots.bot_tricks import shelters
from engine.rulesets.action_cards.state.model import Condition, Special, Zone
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.vectors.points import Point, squared
from protocol.ids import MatchId, NodeId
from protocol.scene.nodes import Reply
from tests.support.play.outlook import Outlook
from tests.support.systems.shipped import resolved_scenario
from tests.support.systems.skirmish import DALEKS, MILITIA, UNIT, area, line_up, role, table

MATCH = MatchId("m")

pytestmark = pytest.mark.slow

GATE = Zone("gate", "zone.gate", ((3000, 2000), (3600, 2000), (3600, 2600), (3000, 2600)))
GATES = ((1, 4300, 300), (2, 4300, 3600), (3, 4300, 2000))
SCREEN = area("screen", "building", 4300, 0, 4700, 4800)
"""From side to side: nobody sees past it."""


def decided(state: Skirmish, seat: int = 0) -> Reply:
    return run_inline(Level3(1).decide(Outlook(state, seat)))


def place(reply: Reply) -> Point:
    to = reply.fields["to"]
    assert isinstance(to, list)
    return to[0], to[1]


def wanting(*conditions: Condition, others: int = 1) -> tuple[object, ...]:
    return (role(*conditions), *[role() for _ in range(others)])


def test_it_goes_where_its_condition_is_while_nobody_looks() -> None:
    gate = Condition("gate", "reach", "condition.reach", "condition.reach", zone="gate", goal=2)
    state = table(
        {"0.1": line_up(4, 1500, 2300), "1.1": line_up(3, 6000, 2300)},
        [SCREEN],
        (UNIT, DALEKS),
        zones=(GATE,),
        roles=wanting(gate),
        reshuffles=1,
    )
    reply = decided(state)
    assert reply.choice == "move"
    assert squared(place(reply), (3300, 2300)) < squared((1860, 2300), (3300, 2300))


def test_it_stays_in_hard_cover_before_guns_that_it_cannot_hurt() -> None:
    house = area("house", "building", 1000, 2000, 1900, 2900)
    state = table(
        {"0.1": line_up(4, 1200, 2400), "1.1": line_up(3, 6000, 2400)}, [house], (UNIT, DALEKS), ("0.single.1",)
    )
    reply = decided(state)
    assert reply.choice != "move" or (1000 <= place(reply)[0] <= 1900 and 2000 <= place(reply)[1] <= 2900)


def test_it_does_not_charge_into_its_death() -> None:
    blood = Condition("blood", "destroy", "condition.destroy", "condition.destroy", goal=3)
    state = table(
        {"0.1": line_up(2, 3000, 2000), "1.1": line_up(3, 3000, 2500)}, (), (UNIT, DALEKS), roles=wanting(blood)
    )
    reply = decided(state)
    if reply.choice == "move":
        daleks = [figure.at for figure in state.figures.values() if figure.owner == 1]
        assert min(squared(place(reply), at) for at in daleks) > 200**2


def test_it_shoots_at_those_whose_fall_it_is_there_for() -> None:
    feud = Condition("feud", "destroy", "condition.destroy", "condition.destroy", seat=2, goal=3, points=2)
    state = table(
        {"0.1": line_up(8, 3000, 2000), "1.1": line_up(10, 3000, 3000), "2.1": line_up(10, 3000, 1000)},
        (),
        (MILITIA, MILITIA, MILITIA),
        ("0.single.1",),
        roles=wanting(feud, others=2),
    )
    reply = decided(state)
    assert (reply.choice, reply.fields.get("target")) == ("shoot", ["group/2.1"])


def test_shots_of_one_card_are_added_up_as_far_as_it_goes() -> None:
    groups = {"0.1": line_up(4, 3000, 2000), "1.1": line_up(3, 3000, 3000)}
    linked: list[int] = []
    for card in ("0.single.1", "0.double.1", "0.triple.1"):
        look = CountingLook(Outlook(table(groups, (), (UNIT, DALEKS), (card,))), set())
        linked.append(sum(act.reply.choice == "linked" for act in run_inline(look.acts())))
    assert linked == [0, 1, 2]


def test_digging_in_is_worth_something_where_guns_look_and_nothing_elsewhere() -> None:
    digging = msgspec.structs.replace(UNIT, specials=(Special("dig_in", "special.dig_in", "dig_in", once=False),))
    groups = {"0.1": line_up(4, 1500, 2300), "1.1": line_up(4, 6000, 2300)}
    worths: list[float] = []
    for features in ([], [SCREEN]):
        look = CountingLook(Outlook(table(groups, features, (digging, UNIT))), set())
        found = shelters(look, look.scales)
        assert [act.reply.choice for act in found] == ["special/dig_in"]
        worths.append(found[0].worth)
    assert worths[0] > 1
    assert worths[1] == 0


def test_the_best_counts_all_that_it_is_about_against_the_time_that_is_left() -> None:
    gates = [Zone(f"gate{n}", "zone.gate", area("", "", x, y, x + 600, y + 600).outline) for n, x, y in GATES]
    conditions = [
        Condition(f"c{n}", "reach", "condition.reach", "condition.reach", zone=f"gate{n}", goal=2) for n, *_ in GATES
    ]
    groups = {
        "0.1": line_up(4, 300, 600),
        "0.2": line_up(4, 300, 3900),
        "0.3": line_up(4, 300, 2300),
        "1.1": line_up(3, 6900, 2300),
    }
    weights: list[float] = []
    for wanted in (conditions[:1], conditions):
        state = table(groups, (), (UNIT, DALEKS), zones=tuple(gates), roles=wanting(*wanted), reshuffles=1)
        look = CountingLook(Outlook(state), set())
        made = errands(look.table, ActionForecast(look.table))
        gone_for = GATES[: len(wanted)]
        assert [made[f"group/0.{n}"].ground for n, *_ in gone_for] == [
            look.table.grounds[NodeId(f"zone/gate{n}")] for n, *_ in gone_for
        ]
        weights.append(made["group/0.1"].weight)
    assert weights[0] < weights[1]


def test_an_answer_that_is_due_at_once_is_the_best_found_so_far() -> None:
    groups = {
        "0.1": line_up(8, 3000, 2000),
        "1.1": line_up(10, 3000, 3000),
        "1.2": line_up(10, 3000, 1000),
        "1.3": line_up(10, 500, 2000),
    }
    state = table(groups, (), (MILITIA, MILITIA))
    calm, hurried = Outlook(state), Outlook(state, patience=0)
    assert run_inline(Level3(1).decide(calm)).choice
    assert run_inline(Level3(1).decide(hurried)).choice != "end"
    assert hurried.asked == 1 < calm.asked


def game(scenario: str, seed: int) -> SelfPlay[Skirmish]:
    resolved, seats = resolved_scenario(scenario)
    play: SelfPlay[Skirmish] = SelfPlay(Match(system, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH)))
    play.begin(Start(MATCH, seats, resolved))
    return play


def test_a_match_of_all_levels_ends_and_the_same_seed_repeats_it() -> None:
    heads: list[bytes] = []
    for _ in range(2):
        play = game("dyke_end", 3)
        kinds = ("level3", "level2", "level1", "level3")
        players: dict[Seat, Bot] = {Seat(s): system.bots[kind](s) for s, kind in enumerate(kinds)}
        play.play(players, 1_000)
        assert play.match.state.ending is not None
        heads.append(play.match.head)
    assert heads[0] == heads[1]
