"""Victory points and results at their bounds (AE-OPEN-27, AE-SEAT, AE-SCEN)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules import ending
from engine.rulesets.apocalypse_earth.rules.ending import ConcedeBattle
from engine.rulesets.apocalypse_earth.rules.moves.leaving import worth
from engine.rulesets.apocalypse_earth.rules.scenario import aid_posts, scoring
from engine.rulesets.apocalypse_earth.state.lasting import AidPost, Wounded
from engine.rulesets.apocalypse_earth.state.model import Objective, Options, Prize
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import Battle, Earned
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, row, squad, vehicle
from tests.support.systems.ae_shipped import content

HERE, FAR, THIRD = squad((20, 20)), squad((150, 100)), squad((100, 100))
UNIT = GroupId("0.1")
FLAG: Final = {"objectives": (Objective("flag", cm((26, 20))[0], 50),)}


def points(state: Battle) -> list[int]:
    """The points of each side."""
    return [scoring.score(state, side) for side in scoring.scores(state)]


def lost(one: Squad, fate: str = "destroyed", **changes: Any) -> Squad:
    """A unit that is gone."""
    return one._replace(changes={"where": "gone", "fate": fate, "figures": (), **changes})


@pytest.mark.rule("AE-OPEN-27", "AE-SEAT-03")
def test_who_holds_an_objective() -> None:
    def holder(*forces: Squad, **changes: Any) -> int:
        state = battle(*[[one] for one in forces], table=FLAG, **changes)
        return scoring.holder(state, state.resolved.scenario.objectives[0])

    near, beside = squad((24, 20)), squad((28, 20))
    assert holder(near, FAR) == 0
    assert holder(near, beside) == -1
    assert holder(near, beside, FAR, sides=(0, 0, 1)) == 0
    assert holder(FAR, FAR) == -1
    assert holder(FAR, near) == 1
    assert holder(vehicle((24, 20)), FAR) == 0
    assert holder(vehicle((24, 20), weapons=()), FAR) == -1
    state = battle([near], [FAR], table=FLAG)
    single = replace(state.figures[FigureId("0.1.1")], shaken=True)
    shaken = replace(state, figures={**state.figures, single.id: single})
    assert scoring.holder(shaken, state.resolved.scenario.objectives[0]) == -1


@pytest.mark.rule("AE-OPEN-27")
def test_to_whom_a_unit_pays() -> None:
    def worth(one: Squad) -> tuple[int, int]:
        state = battle([one], [FAR], [THIRD], sides=())
        return scoring.worth(state, state.units[UNIT])

    assert worth(HERE) == (0, -1)
    assert worth(lost(HERE, hurt=(2, 1))) == (60, 1)  # the last casualty
    assert worth(lost(HERE)) == (60, -1)
    assert worth(lost(HERE, "captured", captor=2, hurt=(2, 1))) == (60, 2)
    assert worth(lost(HERE, "left", hurt=(1,))) == (0, -1)
    halved = squad(*row(2, 20, 20), size=4, hurt=(1, 2, 2))
    assert worth(halved) == (30, 2)
    assert worth(squad(*row(2, 20, 20), size=4)) == (30, -1)
    assert worth(squad(*row(3, 20, 20), size=5, hurt=(1, 2))) == (0, -1)


@pytest.mark.rule("AE-OPEN-27", "AE-SEAT-04")
def test_what_no_enemy_caused_counts_where_there_are_two_sides() -> None:
    def paid(seat: int, sides: tuple[int, ...], count: int) -> int:
        state = battle(*[[HERE]] * count, sides=sides)
        return scoring.paid(state, state.units[UNIT], seat)

    assert [paid(seat, (0, 1), 2) for seat in (-1, 0, 1)] == [1, 1, 1]
    assert [paid(seat, (), 2) for seat in (-1, 0, 1)] == [1, 1, 1]
    assert [paid(seat, (0, 1, 1), 3) for seat in (-1, 0, 1, 2)] == [1, 1, 1, 1]
    assert [paid(seat, (), 3) for seat in (-1, 0, 1, 2)] == [-1, -1, 1, 2]


@pytest.mark.rule("AE-OPEN-27")
def test_what_counts_at_the_end_alone_and_what_each_turn() -> None:
    each = {"objectives": (Objective("flag", cm((26, 20))[0], 0, 25),)}
    assert len(scoring.scored(battle([HERE], [FAR], table=each), 0)) == 1  # the units; nothing of the objective
    house = block("h", "house", 15, 15, 25, 25)
    for turns, brought in (((), 40), ((3,), 0)):
        prizes = {"prizes": (Prize("hall", "inside", 40, features=("h",), turns=turns),)}
        assert points(battle([HERE], [FAR], features=[house], table=prizes)) == [brought, 0]


@pytest.mark.rule("AE-OPEN-27", "AE-CAS-02")
def test_men_at_medical_aid_count_for_their_own_side() -> None:
    state = battle([squad((20, 20), (25, 20))], [squad((60, 60), (65, 60))], options=Options(casualties=True))
    men = (Wounded(FigureId("0.1.2"), UNIT, aided=True), Wounded(FigureId("1.1.2"), GroupId("1.1")))
    assert [aid_posts.points(replace(state, wounded=men), side) for side in (0, 1)] == [4, 0]


@pytest.mark.rule("AE-OPEN-27")
@pytest.mark.parametrize(("role", "brought"), [((), 8), (("officer",), 25), (("psi_2",), 25), (("second",), 8)])
def test_what_a_prisoner_brings(role: tuple[str, ...], brought: int) -> None:
    state = battle([squad((20, 20), roles={0: role})], [vehicle((60, 60))])
    assert worth(state, state.figures[FigureId("0.1.1")]) == brought
    assert worth(state, state.figures[FigureId("1.1.1")]) == 8


@pytest.mark.rule("AE-OPEN-27", "AE-SEAT-04", "AE-SEAT-01")
def test_who_wins() -> None:
    def won(*earned: int, sides: tuple[int, ...] = (), conceded: tuple[int, ...] = (), near: int = -1) -> list[int]:
        places = [(24, 20) if seat == near else (60 + 20 * seat, 100) for seat in range(max(3, len(earned)))]
        state = battle(
            *[[squad(places[seat])] for seat in range(len(sides or earned))],
            sides=sides,
            earned=tuple([Earned(side, "x", one) for side, one in enumerate(earned) if one]),
            table={"objectives": (Objective("flag", cm((26, 20))[0]),)},
        )
        seats = [replace(one, conceded=seat in conceded) for seat, one in enumerate(state.seats)]
        return scoring.winners(replace(state, seats=tuple(seats)))

    assert won(3, 9, 5) == [1]
    assert won(9, 9, 5) == [0, 1]
    assert won(9, 9, 5, near=1) == [1]
    assert won(9, 9, 5, near=2) == [0, 1]
    assert won(3, 9, 5, near=2) == [1]
    assert won(3, 9, 5, conceded=(1,)) == [2]
    assert won(3, 9, 5, conceded=(0, 1, 2)) == []
    assert won(0, 0, sides=(0, 1)) == []
    assert won(0, 0, sides=(0, 1), conceded=(0,)) == [1]
    assert won(0, 0, sides=(0, 0, 1), conceded=(0,)) == []
    assert won(0, 60, sides=(0, 1)) == [1]


@pytest.mark.rule("AE-OPEN-27")
def test_a_result_tells_each_seat_if_it_has_won() -> None:
    state = battle([HERE], [HERE], [FAR], sides=(0, 0, 1), earned=(Earned(0, "x", 300),), ended="turns")
    found = scoring.final(state)
    assert [seat.won for seat in found.seats] == [True, True, False]
    assert [seat.conditions[0].met for seat in found.seats] == [True, True, False]
    assert scoring.result(replace(state, ended="")) is None


@pytest.mark.rule("AE-OPEN-27")
def test_first_contact_is_a_small_table_of_its_own() -> None:
    scenario = content().forms["first_contact"].scenario
    assert (scenario.turns, scenario.minutes, scenario.margin) == (4, 20, 24)
    assert (scenario.deploys, scenario.first, scenario.alarm, scenario.unit_share) == ((1, 0), 0, -1, 1)
    assert [seat.points for seat in scenario.seats] == [196, 182]
    assert [(one.at, one.worth, one.each) for one in scenario.objectives] == [((5000, 3600), 50, 0)]


@pytest.mark.rule("AE-SEAT-04", "AE-OPEN-29")
def test_a_battle_of_several_sides_lasts_while_two_are_left() -> None:
    gone = lost(HERE)
    assert not ending.is_beaten(battle([HERE], [gone], [FAR], sides=()))
    assert ending.is_beaten(battle([HERE], [gone], [gone], sides=()))
    assert not ending.is_beaten(battle([HERE], [FAR], [gone, THIRD], sides=()))


@pytest.mark.rule("AE-SEAT-01")
def test_who_concedes_opens_what_is_hidden_of_all_his_units() -> None:
    hidden, aboard = squad((30, 30), hidden=True), squad((40, 40), where="aboard", vessel=GroupId("0.2"))
    state = battle([hidden, vehicle((40, 40)), aboard], [HERE], [FAR], sides=(0, 0, 1))
    fight = Fight(state).do(0, ConcedeBattle())
    assert [(one.unit, one.why) for one in fight.events(UnitRevealed)] == [("0.1", "open")]
    assert [unit.where for unit in fight.now.units.values() if unit.owner == 0] == ["gone"] * 3


@pytest.mark.rule("AE-OPEN-27")
def test_a_vehicle_holds_from_6_cm_off_its_edge() -> None:
    for x, side in ((17, 0), (16.99, -1)):
        state = battle([vehicle((x, 20))], [FAR], table=FLAG)
        assert scoring.holder(state, state.resolved.scenario.objectives[0]) == side


@pytest.mark.rule("AE-OPEN-26")
def test_a_man_far_from_a_post_and_from_medics_is_not_at_aid() -> None:
    state = battle([squad((20, 20), (25, 20))], [FAR], options=Options(casualties=True))
    man = Wounded(FigureId("0.1.2"), UNIT)
    assert not aid_posts.is_safe(state, man)
    for at, safe in (((2500, 2300), True), ((2500, 2301), False)):
        assert aid_posts.is_safe(replace(state, posts={0: AidPost("", at)}), man) == safe
