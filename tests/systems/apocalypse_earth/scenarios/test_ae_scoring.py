"""Victory points, prizes, results, the alarm, units that leave or come in (AE-OPEN-27, AE-SCEN)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves.leaving import Leave
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.scenario import scoring
from engine.rulesets.apocalypse_earth.rules.scenario.edges import Enter
from engine.rulesets.apocalypse_earth.state.fire_events import Alarmed
from engine.rulesets.apocalypse_earth.state.lasting import Blaze
from engine.rulesets.apocalypse_earth.state.model import Objective, Options, Prize
from engine.rulesets.apocalypse_earth.state.state import Battle, Earned
from engine.space.vectors.outlines import outline_of
from protocol.ids import GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, row, scenario, squad, vehicle

UNIT, ENEMY = GroupId("0.1"), GroupId("1.1")
HERE, FAR = squad((20, 20)), squad((150, 100))
PLAIN = Options(overwatch=False)


def points(state: Battle) -> list[int]:
    """The points of each side."""
    return [scoring.score(state, side) for side in scoring.scores(state)]


def lost(one: Squad, by: int, fate: str = "destroyed", **changes: Any) -> Squad:
    """A unit that is gone."""
    return one._replace(changes={"where": "gone", "fate": fate, "figures": (), "hurt": (by,), "captor": by, **changes})


@pytest.mark.rule("AE-OPEN-27")
def test_a_unit_pays_its_price_or_half_of_it() -> None:
    assert points(battle([HERE], [lost(FAR, 0)])) == [60, 0]
    assert points(battle([HERE], [lost(FAR, 0, "captured")])) == [60, 0]
    assert points(battle([HERE], [lost(FAR, 0, "left")])) == [0, 0]
    halved = squad(*row(4, 150, 100), size=8, hurt=(0, 0, 0, 0), points=61)
    assert points(battle([HERE], [halved])) == [30, 0]
    assert points(battle([HERE], [squad(*row(5, 150, 100), size=8, hurt=(0, 0, 0))])) == [0, 0]


@pytest.mark.rule("AE-OPEN-27")
def test_a_vehicle_without_weapons_or_wheels_pays_half() -> None:
    state = battle([HERE], [vehicle((150, 100), hurt=(0,))])
    assert points(state) == [0, 0]
    figure = next(iter(figure for figure in state.figures.values() if figure.owner == 1))
    unarmed = {**state.figures, figure.id: msgspec.structs.replace(figure, spent=("hmg50",))}
    assert points(msgspec.structs.replace(state, figures=unarmed)) == [29, 0]


@pytest.mark.rule("AE-OPEN-27")
def test_half_prices_go_to_who_caused_most_of_several_the_later() -> None:
    halved = squad(*row(2, 150, 100), size=6, hurt=(0, 1, 1, 0))
    assert points(battle([HERE], [HERE], [halved], sides=())) == [30, 0, 0]


@pytest.mark.rule("AE-OPEN-27", "AE-SEAT-04")
def test_what_no_enemy_caused_counts_for_the_only_other_side_or_for_nobody() -> None:
    assert points(battle([HERE], [lost(FAR, 1)])) == [60, 0]
    assert points(battle([HERE], [lost(FAR, -1)])) == [60, 0]
    assert points(battle([HERE], [HERE], [lost(FAR, 2)], sides=())) == [0, 0, 0]


@pytest.mark.rule("AE-OPEN-27")
def test_an_objective_is_held_by_a_fit_figure_alone_within_six() -> None:
    flag = {"objectives": (Objective("flag", cm((26, 20))[0], 50),)}
    near = squad((33, 20))
    assert points(battle([squad((19, 20))], [FAR], table=flag)) == [50, 0]
    assert points(battle([squad((18.9, 20))], [FAR], table=flag)) == [0, 0]
    assert points(battle([HERE], [near], table=flag)) == [0, 0]
    for unfit in (squad((33, 20), suppressed=True), squad((33, 20), hidden=True)):
        assert points(battle([HERE], [unfit], table=flag)) == [50, 0]


@pytest.mark.rule("AE-SCEN-05", "AE-SCEN-07")
def test_objectives_are_paid_each_turn_from_the_second_and_units_by_shares() -> None:
    flag = {"objectives": (Objective("flag", cm((26, 20))[0], each=3),), "unit_share": 25, "turns": 3}
    fight = Fight(battle([HERE], [FAR], table=flag, options=PLAIN))
    for _ in range(3):
        fight.do(0, Finish(UNIT)).do(1, Finish(ENEMY))
    assert fight.now.earned == (Earned(0, "flag", 3), Earned(0, "flag", 3))
    assert points(battle([HERE], [lost(FAR, 0)], table=flag)) == [2, 0]


@pytest.mark.rule("AE-SCEN-03", "AE-SCEN-06")
def test_a_building_pays_who_is_inside_alone() -> None:
    house = block("h", "house", 40, 40, 60, 60)
    inside, other = squad((45, 45)), squad((55, 55))
    prize = Prize("hall", "inside", 40, features=("h",), turns=(1,))
    fight = Fight(battle([inside], [FAR], features=[house], table={"prizes": (prize,)}, options=PLAIN))
    fight.do(0, Finish(UNIT)).do(1, Finish(ENEMY))
    assert fight.now.earned == (Earned(0, "hall", 40),)
    city = {"prizes": (Prize("city", "inside", 50, 0, 1, ("h",)),)}
    assert points(battle([inside], [FAR], features=[house], table=city)) == [50, 0]
    assert points(battle([inside], [other], features=[house], table=city)) == [0, 50]
    assert points(battle([HERE], [FAR], features=[house], table=city)) == [0, 50]


@pytest.mark.rule("AE-SCEN-02")
def test_razed_huts_and_units_at_home_pay_their_side() -> None:
    hut, ruin = block("h", "house", 40, 40, 48, 48), block("h", "rubble", 40, 40, 48, 48)
    table = {"features": (hut,), "prizes": (Prize("huts", "razed", 100, 0, features=("h",)),)}
    assert points(battle([HERE], [FAR], features=[hut], table=table)) == [0, 0]
    assert points(battle([HERE], [FAR], features=[hut], table=table, fires=(Blaze("h", 1),))) == [100, 0]
    assert points(battle([HERE], [FAR], features=[ruin], table=table)) == [100, 0]
    home = Prize("home", "home", 30, 0, units=("t_01",), figures=2, outline=outline_of((0, 0, 3000, 12000)))
    assert points(battle([squad((20, 20), (25, 20))], [FAR], table={"prizes": (home,)})) == [30, 0]
    assert points(battle([squad((20, 20), (35, 20))], [FAR], table={"prizes": (home,)})) == [0, 0]


@pytest.mark.rule("AE-SCEN-04")
def test_what_leaves_pays_and_what_is_kept_pays_the_other() -> None:
    plan = msgspec.structs.replace(scenario().seats[0], leaves=cm((180, 33), (180, 57)))
    prizes = (Prize("out", "out", 80, 0, units=("t_01",)), Prize("kept", "kept", 60, 1, units=("t_01",)))
    table = {"seats": (plan, scenario().seats[1]), "prizes": prizes}
    state = battle([squad((160, 45)), HERE], [FAR], table=table)
    assert points(state) == [0, 120]
    with pytest.raises(IllegalIntent, match="leave/far"):
        Fight(state).do(0, Leave(UNIT))
    watched = battle([squad((160, 45)), HERE], [squad((150, 60))], table=table)
    fight = Fight(watched).do(0, Move(UNIT, cm((167, 45))))
    with pytest.raises(IllegalIntent, match="leave/far"):
        fight.do(0, Leave(UNIT))  # 13 cm are left, and 5 of its move
    near = battle([squad((170, 45)), HERE], [FAR], table=table)
    fight = Fight(near).do(0, Leave(UNIT))
    assert (fight.unit("0.1").where, fight.unit("0.1").fate) == ("gone", "left")
    assert points(fight.now) == [80, 60]


@pytest.mark.rule("AE-SETUP-03")
def test_a_unit_that_had_no_room_comes_in_through_its_edge_and_moves_on() -> None:
    late = squad(*row(3, 0, 0), where="coming")
    with pytest.raises(IllegalIntent, match="act/done"):
        Fight(battle([late, HERE], [FAR])).do(0, Enter(UNIT, cm((90, 30))[0]))
    fight = Fight(battle([late, HERE], [FAR], turn=2)).do(0, Enter(UNIT, cm((90, 30))[0]))
    assert all(figure.at[1] <= 110 for figure in fight.now.members(fight.unit("0.1")))
    fight.do(0, Move(UNIT, (cm((90, 12))[0],)))
    assert fight.place("0.1.1") == (90, 12)


@pytest.mark.rule("AE-SCEN-02")
def test_fire_or_a_near_enemy_in_sight_alarms_a_side() -> None:
    table = {"alarm": 1}
    assert Fight(battle([HERE], [squad((20, 46))], table=table), 1, 1, 1).do(0, Fire(UNIT, ENEMY)).events(Alarmed)
    near = Fight(battle([HERE], [squad((20, 52))], table=table)).do(0, Move(UNIT, cm((20, 26))))
    assert near.events(Alarmed)
    assert not Fight(battle([HERE], [squad((20, 52.1))], table=table)).do(0, Move(UNIT, cm((20, 26)))).events(Alarmed)


@pytest.mark.rule("AE-OPEN-27", "AE-SEAT-01", "AE-SEAT-04")
def test_a_lead_of_a_tenth_of_the_agreed_size_wins_a_quarter_is_decisive() -> None:
    def won(lead: int, **table: Any) -> tuple[list[int], list[str]]:
        earned = (Earned(0, "x", lead),) if lead else ()
        state = battle([HERE], [FAR], earned=earned, ended="turns", table=table)
        result = scoring.result(state)
        assert result is not None
        words = [str(seat.conditions[0].text.a["how"].k) for seat in result.seats]  # type: ignore[union-attr]
        return scoring.winners(state), [word.removeprefix("ae.result.") for word in words]

    assert won(49) == ([], ["draw", "draw"])
    assert won(50) == ([0], ["victory", "victory.lost"])
    assert won(125) == ([0], ["decisive", "decisive.lost"])
    assert won(30, margin=30)[0] == []
    assert won(31, margin=30)[0] == [0]


@pytest.mark.rule("AE-SEAT-04")
def test_in_a_free_for_all_most_points_win_equal_ones_by_objectives_held_then_shared() -> None:
    flag = {"objectives": (Objective("flag", cm((26, 20))[0]),)}
    both = (Earned(0, "x", 5), Earned(1, "x", 5))
    three = ([HERE], [FAR], [squad((100, 100))])
    assert scoring.winners(battle(*three, sides=(), earned=both, table=flag)) == [0]
    assert scoring.winners(battle(*three, sides=(), earned=both)) == [0, 1]
    assert scoring.winners(battle(*three, sides=(), earned=(Earned(2, "x", 1),))) == [2]
