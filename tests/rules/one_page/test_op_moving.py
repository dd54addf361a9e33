"""Turns, moves, formation, terrain (OP-GEN-01, OP-ACT, OP-MOVE, OP-OPEN-15)."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.one_page.rules import formations, ground, moving
from engine.rulesets.one_page.rules.activations import Finish
from engine.rulesets.one_page.rules.moving import Hold, Move
from engine.rulesets.one_page.state.events import BattleEnded, RanOut, RoundStarted, TurnPassed, UnitMoved
from engine.rulesets.one_page.state.state import Battle
from engine.space.placement.coherency import strayed
from engine.space.terrain.contact import Base, gap
from protocol.ids import NO_FIGURE, FigureId, GroupId
from tests.support.systems.battle import Fight, Squad, battle, block, row, squad, wall

FIGURE_0_1_1 = FigureId("0.1.1")

GROUP_0_1 = GroupId("0.1")

FAR = squad((9000, 6000))


def alone(own: Squad, *features: object) -> Battle:
    """A unit with a friend far off, and an enemy far off."""
    return battle([own, squad((9000, 1000))], [FAR], *features)  # type: ignore[arg-type]


@pytest.mark.rule("OP-GEN-01")
def test_what_no_rule_allows_is_refused_and_says_why() -> None:
    state = alone(squad((3000, 1000)))
    for seat, unit in ((1, "1.1"), (0, "1.1"), (0, "0.9")):
        with pytest.raises(IllegalIntent) as refused:
            Fight(state).do(seat, Hold(GroupId(unit)))
        assert refused.value.refusal.text.k


@pytest.mark.rule("OP-ACT-01")
def test_players_alternate_until_all_are_done() -> None:
    state = battle([squad((1000, 1000)), squad((2000, 1000)), squad((3000, 1000))], [FAR])
    fight = Fight(state).do(0, Finish(GROUP_0_1))
    assert fight.now.acting == 1
    fight.do(1, Finish(GroupId("1.1")))
    assert fight.now.acting == 0
    with pytest.raises(IllegalIntent):
        fight.do(0, Finish(GROUP_0_1))
    fight.do(0, Finish(GroupId("0.2")))
    assert fight.now.acting == 0
    fight.do(0, Finish(GroupId("0.3")))
    assert fight.now.round == 2


@pytest.mark.rule("OP-ACT-02")
def test_who_finished_first_goes_first_in_the_next_round() -> None:
    state = battle([squad((1000, 1000)), squad((2000, 1000))], [FAR])
    fight = Fight(state).do(0, Finish(GROUP_0_1)).do(1, Finish(GroupId("1.1"))).do(0, Finish(GroupId("0.2")))
    assert [one.seat for one in fight.events(RanOut)] == [1, 0]
    assert fight.events(RoundStarted)[-1].first == 1
    assert fight.now.acting == 1
    assert not fight.events(TurnPassed)


@pytest.mark.rule("OP-ACT-02")
def test_the_battle_ends_when_one_side_has_nothing_left() -> None:
    state = battle([squad((1000, 1000))], [FAR])
    gone = msgspec.structs.replace(state.units[GroupId("1.1")], where="gone", figures=())
    fight = Fight(msgspec.structs.replace(state, units={**state.units, "1.1": gone}))
    assert [one.why for one in fight.events(BattleEnded)] == ["destroyed"]


@pytest.mark.rule("OP-ACT-03", "OP-MOVE-01")
def test_walk_6_run_12_along_the_way_of_the_leader() -> None:
    state = alone(squad((3000, 1000)))
    assert Fight(state).do(0, Move(GROUP_0_1, False, (3600, 1000))).place(FIGURE_0_1_1) == (3600, 1000)
    assert Fight(state).do(0, Move(GROUP_0_1, True, (3000, 2200))).place(FIGURE_0_1_1) == (3000, 2200)
    for run, to in ((False, (3601, 1000)), (True, (3000, 2201))):
        with pytest.raises(IllegalIntent):
            Fight(state).do(0, Move(GROUP_0_1, run, to))
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Move(GROUP_0_1, False, (3300, 1000), ((3000, 1400),)))
    assert Fight(state).do(0, Move(GROUP_0_1, False, (3300, 1000), ((3100, 1100),))).log


@pytest.mark.rule("OP-SR-03")
def test_the_fast_go_3_and_6_inches_more() -> None:
    state = alone(squad((3000, 1000), rules=["fast"]))
    unit = state.units[GROUP_0_1]
    assert [moving.allowance(state, unit, action) for action in ("walk", "run", "assault")] == [900, 1800, 1800]


@pytest.mark.rule("OP-MOVE-01", "OP-MOVE-03")
def test_the_way_keeps_an_inch_from_others_and_out_of_closed_ground() -> None:
    state = battle([squad((3000, 1000)), squad((3000, 1400))], [FAR])
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Move(GROUP_0_1, True, (3000, 1800)))
    assert Fight(state).do(0, Move(GROUP_0_1, True, (3000, 1800), ((2700, 1400),))).log
    pond = block("pond", "water", 2900, 1300, 3100, 1500)
    with pytest.raises(IllegalIntent):
        Fight(alone(squad((3000, 1000)), pond)).do(0, Move(GROUP_0_1, True, (3000, 1800)))


@pytest.mark.rule("OP-MOVE-03")
def test_who_stands_too_near_may_only_go_away() -> None:
    state = battle([squad((3000, 1000)), squad((9000, 1000))], [squad((3000, 1150)), FAR])
    assert Fight(state).do(0, Move(GROUP_0_1, False, (3000, 600))).log
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Move(GROUP_0_1, False, (3060, 1020)))


@pytest.mark.rule("OP-MOVE-02")
def test_the_others_stand_in_one_chain_within_six_inches() -> None:
    state = alone(squad(*row(10, 3000, 1000)))
    fight = Fight(state).do(0, Move(GROUP_0_1, False, (3000, 1500)))
    bases = [Base(id, fight.place(id), 50) for id in state.units[GROUP_0_1].figures]
    assert strayed(bases[0], bases[1:], formations.SPREAD, formations.LINK) is None
    places = {FigureId(f"0.1.{n}"): (3000 + 120 * (n - 1), 1500) for n in range(2, 11)}
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Move(GROUP_0_1, False, (3000, 1500), (), places))
    near = {
        FigureId(f"0.1.{n}"): (3000 + 120 * (n - 1) - (720 if n > 6 else 0), 1500 + (120 if n > 6 else 0))
        for n in range(2, 11)
    }
    assert Fight(state).do(0, Move(GROUP_0_1, False, (3000, 1500), (), near)).place("0.1.2") == (3120, 1500)
    gapped = {**near, FigureId("0.1.6"): (3650, 1700)}
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Move(GROUP_0_1, False, (3000, 1500), (), gapped))


@pytest.mark.rule("OP-MOVE-02")
def test_no_model_is_placed_beyond_what_the_leader_could_not_pass() -> None:
    pond = block("pond", "water", 2700, 1600, 3300, 1700)
    state = alone(squad((3000, 1000), (3120, 1000)), pond)
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Move(GROUP_0_1, False, (3000, 1500), (), {FigureId("0.1.2"): (3000, 1760)}))


@pytest.mark.rule("OP-OPEN-15", "OP-TERR-01")
def test_every_inch_in_difficult_terrain_counts_as_two() -> None:
    """The worked example: 3 inches open and 1.5 inches of forest are 6."""
    wood = block("wood", "forest", 2500, 1300, 3500, 3000)
    state = alone(squad((3000, 1000)), wood)
    assert ground.cost(state, state.units[GROUP_0_1], (3000, 1000), (3000, 1450)) == 600
    assert Fight(state).do(0, Move(GROUP_0_1, False, (3000, 1450))).place(FIGURE_0_1_1) == (3000, 1450)
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Move(GROUP_0_1, False, (3000, 1452)))
    bar = wall("bar", (2500, 1300), (3500, 1300))
    fenced = alone(squad((3000, 1000)), bar)
    assert ground.cost(fenced, fenced.units[GROUP_0_1], (3000, 1000), (3000, 1400)) == 600


@pytest.mark.rule("OP-SR-19")
def test_striders_walk_through_it_as_if_it_were_open() -> None:
    wood = block("wood", "forest", 2500, 1300, 3500, 3000)
    assert Fight(alone(squad((3000, 1000), rules=["strider"]), wood)).do(0, Move(GROUP_0_1, False, (3000, 1600))).log


@pytest.mark.rule("OP-OPEN-15")
def test_a_bunker_holds_one_unit_of_infantry() -> None:
    bunker = block("bunker", "bunker", 2800, 1300, 3600, 1900)
    state = battle([squad((3000, 1000)), squad((3200, 1500))], [FAR], bunker)
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Move(GROUP_0_1, False, (3000, 1450)))
    assert Fight(alone(squad((3000, 1000)), bunker)).do(0, Move(GROUP_0_1, False, (3000, 1450))).log
    walker = alone(squad((3000, 1000), kind="walker", tough=3), bunker)
    with pytest.raises(IllegalIntent):
        Fight(walker).do(0, Move(GROUP_0_1, False, (3000, 1450)))


@pytest.mark.rule("OP-OPEN-15")
def test_mines_hit_on_ones_with_piercing() -> None:
    mines = block("mines", "minefield", 2500, 1300, 3500, 1500)
    state = alone(squad(*row(3, 3000, 1000)), mines)
    fight = Fight(state, 1, 2, 3, 1).do(0, Move(GROUP_0_1, True, (3000, 1800)))
    fight.answer(0, ["piece/0.1.3"])
    assert len(fight.unit("0.1").figures) == 2
    assert fight.events(UnitMoved)[0].how == "run"


def test_the_gap_of_two_bases_is_edge_to_edge() -> None:
    assert gap(Base(NO_FIGURE, (0, 0), 50), Base(NO_FIGURE, (200, 0), 50)) == 100
