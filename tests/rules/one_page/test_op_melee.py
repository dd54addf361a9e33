"""Assaults, melee, morale (OP-MELEE, OP-MOR, OP-TERR-01 and the special rules of melee)."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import ActionResolved, DiceRolled
from engine.rulesets.one_page.rules.activations import Finish
from engine.rulesets.one_page.rules.assaults import Assault
from engine.rulesets.one_page.rules.moving import Hold
from engine.rulesets.one_page.state.events import (
    BlowStruck,
    MeleeFought,
    ModelsRemoved,
    MoraleTested,
    Pinned,
    UnitMoved,
)
from engine.rulesets.one_page.state.state import Battle
from engine.space.terrain.contact import Base, touches
from protocol.ids import NO_FIGURE, FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.battle import Fight, Squad, battle, block, row, squad

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")

SWORD = ("sword",)


def charge(state: Battle, *dice: int) -> Fight:
    """Unit 0.1 assaults unit 1.1."""
    return Fight(state, *dice).do(0, Assault(GROUP_0_1, GROUP_1_1))


def blows(fight: Fight) -> list[tuple[str, int, int]]:
    """Return the blows: unit, attacks and wounds."""
    return [(one.blow.unit, one.blow.attacks, one.blow.wounds) for one in fight.events(BlowStruck)]


def pair(own: Squad | None = None, enemy: Squad | None = None, distance: int = 800) -> Battle:
    """Two single models so far apart, each with a friend far away."""
    own = own or squad((3000, 1000), weapons=SWORD)
    enemy = enemy or squad((3000, 1000 + distance), weapons=SWORD)
    return battle([own, squad((9000, 1000))], [enemy, squad((9000, 6000))])


@pytest.mark.rule("OP-MELEE-01", "OP-ACT-03")
def test_the_leader_comes_into_contact_and_both_sides_close_in() -> None:
    state = battle([squad(*row(5, 3000, 1000), weapons=SWORD)], [squad(*row(5, 3000, 1800), weapons=SWORD)])
    fight = charge(state, *[1] * 25)
    moves = fight.events(UnitMoved)
    assert [move.how for move in moves[:2]] == ["assault", "in"]
    [lead] = [Base(NO_FIGURE, moves[0].places["0.1.1"], 50)]
    assert any(touches(lead, Base(NO_FIGURE, state.figures[id].at, 50)) for id in state.units[GROUP_1_1].figures)


@pytest.mark.rule("OP-ACT-03")
def test_an_assault_that_cannot_reach_may_not_be_declared() -> None:
    with pytest.raises(IllegalIntent):
        charge(pair(distance=1400))
    assert charge(pair(distance=1298), *[1] * 5).log


@pytest.mark.rule("OP-MELEE-02", "OP-MELEE-03", "OP-WPN-01")
def test_all_models_strike_and_charging_ones_once_more() -> None:
    """Two swordsmen charge: 2 x 2 + 2 attacks; three bare-handed defenders: 3. Both strike though all fall."""
    own = squad(*row(2, 3000, 1000), weapons=SWORD)
    state = battle([own, squad((9000, 1000))], [squad(*row(3, 3000, 1700), weapons=["rifle"]), squad((9000, 6000))])
    fight = charge(state, 6, 6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1, 6, 6, 6, 1, 1, 1)
    assert blows(fight) == [("0.1", 6, 6), ("1.1", 3, 3)]
    assert fight.unit("0.1").where == fight.unit("1.1").where == "gone"


@pytest.mark.rule("OP-MELEE-04", "OP-MOR-01", "OP-MOR-02")
def test_who_caused_fewer_wounds_tests_morale_and_is_pinned() -> None:
    """Of five defenders one falls: no half, but a melee lost."""
    own, enemy = squad(*row(3, 3000, 1000), weapons=SWORD), squad(*row(5, 3000, 1700), weapons=["rifle"])
    fight = charge(battle([own], [enemy, squad((9000, 6000))]), 6, *[1] * 8, 1, *[1] * 6)
    fight.answer(1, ["piece/1.1.5"])
    assert [(one.unit, one.why, one.passed) for one in fight.events(MoraleTested)] == [("1.1", "melee", False)]
    assert fight.unit("1.1").pinned
    assert [(one.caused, one.suffered) for one in fight.events(MeleeFought)] == [(1, 0)]


@pytest.mark.rule("OP-MELEE-04", "OP-MOR-01")
def test_equal_wounds_are_no_defeat() -> None:
    own, enemy = squad(*row(3, 3000, 1000)), squad(*row(3, 3000, 1700))
    assert not charge(battle([own], [enemy]), *[1] * 9).events(MoraleTested)


@pytest.mark.rule("OP-MELEE-05")
def test_attackers_go_back_an_inch_if_both_are_left() -> None:
    fight = charge(pair(), *[1] * 5)
    [back] = [move for move in fight.events(UnitMoved) if move.how == "back"]
    assert back.unit == "0.1"
    gap = fight.place("1.1.1")[1] - fight.place("0.1.1")[1] - 100
    assert 100 <= gap <= 160


@pytest.mark.rule("OP-MELEE-05")
def test_who_has_destroyed_its_enemy_may_move_three_inches() -> None:
    fight = charge(pair(), 6, 6, 6, 1, 1, 1, 1, 1)
    assert fight.asked == ("op.pursue", (0,))
    with pytest.raises(IllegalIntent):
        fight.answer(0, Reply("go", {"to": [3000, 2200]}))
    fight.answer(0, Reply("go", {"to": [3000, 1950]}))
    assert fight.place("0.1.1") == (3000, 1950)
    assert fight.events(UnitMoved)[-1].how == "on"
    assert charge(pair(), 6, 6, 6, 1, 1, 1, 1, 1).answer(0, "stay").asked is None


@pytest.mark.rule("OP-MELEE-05")
def test_two_tracked_machines_stay_and_may_fight_again_where_they_are() -> None:
    own = squad((3000, 1000), kind="walker", tough=9, tracked=True)
    enemy = squad((3000, 1102), kind="walker", tough=9, tracked=True)
    fight = charge(battle([own, squad((9000, 1000))], [enemy, squad((9000, 6000))]), *[1] * 3)
    assert not [move for move in fight.events(UnitMoved) if move.how == "back"]
    assert fight.place("0.1.1") == (3000, 1000)


@pytest.mark.rule("OP-MOR-01", "OP-MOR-02", "OP-MOR-03")
def test_half_of_the_models_killed_at_once_call_for_a_test() -> None:
    def shot(models: int, *test: int) -> Fight:
        state = battle([squad(*row(2, 3000, 1000))], [squad(*row(models, 3000, 2000)), squad((9000, 6000))])
        from engine.rulesets.one_page.rules.shooting import Shoot

        fight = Fight(state, 6, 6, 1, 1, *test).do(0, Hold(GROUP_0_1)).do(0, Shoot(GROUP_0_1, GROUP_1_1))
        picked = [f"piece/1.1.{n}" for n in (2, 3)]
        return fight.answer(1, picked)

    assert shot(4, 1).unit("1.1").pinned
    assert not shot(5).events(MoraleTested)


@pytest.mark.rule("OP-MOR-02")
def test_a_pinned_unit_spends_its_next_activation_idle() -> None:
    state = battle([squad((3000, 1000), pinned=True)], [squad((3000, 2000)), squad((9000, 6000))])
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Hold(GROUP_0_1))
    fight = Fight(state).do(0, Finish(GROUP_0_1))
    assert not fight.unit("0.1").pinned


@pytest.mark.rule("OP-MOR-02", "OP-MOR-03")
def test_a_unit_at_half_of_its_size_routs_after_a_melee() -> None:
    own, enemy = squad(*row(3, 3000, 1000), weapons=SWORD), squad(*row(4, 3000, 1700), weapons=["rifle"])
    fight = charge(battle([own], [enemy, squad((9000, 6000))]), 6, 6, *[1] * 7, 1, 1, *[1] * 5)
    fight.answer(1, ["piece/1.1.3", "piece/1.1.4"])
    assert [gone.why for gone in fight.events(ModelsRemoved)] == ["killed", "routed"]
    assert fight.unit("1.1").where == "gone"
    fight.answer(0, Reply("stay"))
    fought = fight.events(ActionResolved)[-1]
    assert (fought.how, fought.counts) == ("routed", {"caused": 2, "killed": 2, "suffered": 0, "lost": 0})


@pytest.mark.rule("OP-SR-05")
def test_the_fearless_take_the_best_of_two_dice() -> None:
    enemy = squad(*row(5, 3000, 1700), weapons=["rifle"], rules=["fearless"])
    fight = charge(battle([squad(*row(3, 3000, 1000), weapons=SWORD)], [enemy]), 6, *[1] * 8, 1, *[1] * 5, 1, 4)
    fight.answer(1, ["piece/1.1.5"])
    [test] = fight.events(MoraleTested)
    rolled = next(roll for roll in fight.events(DiceRolled) if roll.id == test.roll)
    assert (rolled.faces, test.passed) == ((1, 4), True)


@pytest.mark.rule("OP-SR-04", "OP-SR-20")
def test_fear_makes_enemies_test_before_they_strike() -> None:
    """The attacker fails and strikes last: he is dead before."""
    enemy = squad((3000, 1800), weapons=SWORD, rules=["fear"])
    fight = charge(pair(enemy=enemy), 1, 6, 6, 1, 1)
    assert [(one.why, one.passed) for one in fight.events(MoraleTested)] == [("fear", False)]
    assert [unit for unit, _, _ in blows(fight)] == ["1.1"]
    assert not fight.events(Pinned)


@pytest.mark.rule("OP-SR-20", "OP-MELEE-03")
def test_who_strikes_first_takes_no_blows_from_the_dead() -> None:
    first = squad((3000, 1800), weapons=SWORD, rules=["strikes_first"])
    assert [unit for unit, _, _ in blows(charge(pair(enemy=first), 6, 6, 1, 1))] == ["1.1"]
    both = squad((3000, 1800), weapons=SWORD, rules=["strikes_first", "strikes_last"])
    assert len(blows(charge(pair(enemy=both), *[1] * 5))) == 2
    last = squad((3000, 1800), weapons=SWORD, rules=["strikes_last"])
    assert [unit for unit, _, _ in blows(charge(pair(enemy=last), 6, 6, 6, 1, 1, 1))] == ["0.1"]


@pytest.mark.rule("OP-SR-07")
def test_the_furious_strike_once_more_when_they_charge() -> None:
    fight = charge(pair(squad((3000, 1000), weapons=SWORD, rules=["furious"])), *[1] * 6)
    assert blows(fight)[0] == ("0.1", 4, 0)


@pytest.mark.rule("OP-SR-08")
def test_hatred_rolls_failed_attacks_of_a_charge_again() -> None:
    fight = charge(pair(squad((3000, 1000), weapons=SWORD, rules=["hatred"])), 1, 1, 6, 1, 6, 6, 6, 6, 1, 1)
    assert fight.events(BlowStruck)[0].blow.hits == 2


@pytest.mark.rule("OP-TERR-01")
def test_an_assault_neither_enters_nor_leaves_cover() -> None:
    wood = block("wood", "forest", 2500, 1300, 3500, 1500)
    through = battle([squad((3000, 1000), weapons=SWORD)], [squad((3000, 1900))], wood)
    with pytest.raises(IllegalIntent):
        charge(through)
    inside = battle([squad((3000, 1400), weapons=SWORD)], [squad((3000, 1900))], wood)
    with pytest.raises(IllegalIntent):
        charge(inside)
    flying = battle([squad((3000, 1400), weapons=SWORD, rules=["flying"])], [squad((3000, 1900))], wood)
    assert charge(flying, *[1] * 4).log


@pytest.mark.rule("OP-TERR-03", "OP-MELEE-01")
def test_a_unit_in_cover_is_assaulted_at_the_edge_and_neighbours_where_they_are() -> None:
    wood = block("wood", "forest", 2500, 1600, 3500, 3200)
    deep = battle([squad((3000, 1000), weapons=SWORD)], [squad((3000, 2900))], wood)
    fight = charge(deep, *[1] * 4)
    end = fight.events(UnitMoved)[0].places["0.1.1"]
    assert 1545 <= end[1] <= 1550
    assert fight.place("1.1.1") == (3000, 2900)
    shared = battle([squad((3000, 1700), weapons=SWORD)], [squad((3000, 3100))], wood)
    assert charge(shared, *[1] * 4).events(MeleeFought)


@pytest.mark.rule("OP-MOR-01", "OP-MOR-03")
def test_a_single_model_counts_wounds() -> None:
    beast = squad((3000, 1700), kind="monster", tough=6, weapons=SWORD)
    state = battle([squad(*row(3, 3000, 1000), weapons=SWORD)], [beast, squad((9000, 6000))])
    hurt = msgspec.structs.replace(state.figures[FigureId("1.1.1")], wounds=0)
    state = msgspec.structs.replace(state, figures={**state.figures, "1.1.1": hurt})
    # fear of the attackers passed, nine attacks: three wounds in all, then nobody strikes back well
    fight = charge(state, 6, 6, 6, 6, *[1] * 6, 1, 1, 1, 1, 1, 1, 1, 1, 1)
    assert fight.events(ModelsRemoved)[-1].why == "routed"
