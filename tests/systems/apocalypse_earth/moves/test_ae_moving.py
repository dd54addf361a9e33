"""Moves, ground, coherency, hidden units met on the way (AE-MOVE, AE-COH, AE-SETUP-04)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.table import ways
from engine.rulesets.apocalypse_earth.state.fire_events import FigureShaken
from engine.rulesets.apocalypse_earth.state.model import Feature
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, line, row, squad, vehicle

UNIT = GroupId("0.1")
FAR = squad((150, 100))


def alone(own: Squad, *features: Feature, **changes: Any) -> Battle:
    """A unit with an enemy far off."""
    return battle([own], [FAR], features=features, **changes)


def to(*corners: tuple[float, float], **places: tuple[float, float]) -> Move:
    """The move of the first unit over these corners; places by the number of the figure."""
    chosen = {FigureId(f"0.1.{number[1:]}"): cm(at)[0] for number, at in places.items()}
    return Move(UNIT, cm(*corners), places=chosen)


def cost(state: Battle, *path: tuple[float, float]) -> float:
    """Return the cost of a way of the first unit, in centimetres."""
    return ways.cost(state, state.units[UNIT], cm(*path)) / 100


@pytest.mark.rule("AE-MOVE-01")
def test_a_figure_moves_up_to_its_rating_over_three_corners() -> None:
    state = alone(squad((50, 50)))
    assert Fight(state).do(0, to((62, 50))).place("0.1.1") == (62, 50)
    assert Fight(state).do(0, to((53, 50), (53, 53), (56, 53), (56, 56))).place("0.1.1") == (56, 56)
    for refused, code in (
        (to((62.01, 50)), "move/too-far"),
        (to((52, 50), (52, 52), (54, 52), (54, 54), (56, 54)), "move/corners"),
        (to((50, 50), (50, 62.1)), "move/too-far"),
    ):
        with pytest.raises(IllegalIntent, match=code):
            Fight(state).do(0, refused)


@pytest.mark.rule("AE-MOVE-01")
def test_no_way_comes_within_a_centimetre_of_a_visible_enemy() -> None:
    enemy = squad((56, 50))
    state = battle([squad((50, 50))], [enemy])
    with pytest.raises(IllegalIntent, match="move/too-near"):
        Fight(state).do(0, to((53.01, 50)))
    assert Fight(state).do(0, to((53, 50))).place("0.1.1") == (53, 50)
    with pytest.raises(IllegalIntent, match="move/too-near"):
        Fight(state).do(0, to((58, 52)))
    # one that begins nearer may go, and never comes nearer
    near = battle([squad((53.5, 50))], [enemy])
    with pytest.raises(IllegalIntent, match="move/too-near"):
        Fight(near).do(0, to((53.6, 50)))
    assert Fight(near).do(0, to((45, 50))).place("0.1.1") == (45, 50)


@pytest.mark.rule("AE-MOVE-01")
def test_ways_pass_friends_but_no_vehicles_and_bases_never_overlap() -> None:
    friend = squad((55, 50))
    state = battle([squad((50, 50)), friend], [FAR])
    assert Fight(state).do(0, to((60, 50))).place("0.1.1") == (60, 50)
    with pytest.raises(IllegalIntent, match="place/overlap"):
        Fight(state).do(0, to((56.9, 50)))
    with pytest.raises(IllegalIntent, match="move/vehicle"):
        Fight(battle([squad((50, 50)), vehicle((56, 50), 90)], [FAR])).do(0, to((61, 50)))
    with pytest.raises(IllegalIntent, match="move/impassable"):
        Fight(alone(squad((50, 50)), block("w", "water", 54, 40, 58, 60))).do(0, to((60, 50)))


@pytest.mark.rule("AE-MOVE-02")
def test_six_in_the_open_two_of_foliage_and_two_more_make_twelve() -> None:
    state = alone(squad((50, 50)), block("w", "woods", 56, 40, 58, 60))
    assert cost(state, (50, 50), (60, 50)) == 12
    assert Fight(state).do(0, to((60, 50))).place("0.1.1") == (60, 50)
    with pytest.raises(IllegalIntent, match="move/too-far"):
        Fight(state).do(0, to((60.1, 50)))


@pytest.mark.rule("AE-MOVE-02")
def test_each_crossing_has_its_toll() -> None:
    state = alone(squad((50, 50)), line("h", "hedge", (53, 40), (53, 60)), block("t", "trench", 56, 40, 59, 60))
    assert cost(state, (50, 50), (55, 50)) == 7
    assert cost(state, (54, 50), (57, 50)) == 5
    assert cost(state, (54, 50), (60, 50)) == 10


@pytest.mark.rule("AE-MOVE-03")
def test_fieldcraft_makes_light_of_difficult_ground() -> None:
    woods = block("w", "woods", 40, 40, 80, 60)
    assert cost(alone(squad((50, 50)), woods), (50, 50), (56, 50)) == 12
    assert cost(alone(squad((50, 50), abilities=("fieldcraft",)), woods), (50, 50), (56, 50)) == 6


@pytest.mark.rule("AE-MOVE-01")
def test_the_others_keep_their_places_relative_to_the_lead_where_they_are_free() -> None:
    state = battle([squad(*row(3, 50, 50)), squad((62.5, 55))], [FAR])
    fight = Fight(state).do(0, to((60, 55)))
    assert fight.place("0.1.3") == (65, 55)
    x, y = fight.place("0.1.2")
    assert (x, y) != (62.5, 55)
    assert abs(x - 62.5) + abs(y - 55) < 3


@pytest.mark.rule("AE-MOVE-01")
def test_another_figure_may_lead() -> None:
    fight = Fight(alone(squad(*row(3, 50, 50)))).do(0, Move(UNIT, cm((60, 52)), FigureId("0.1.3")))
    assert [fight.place(f"0.1.{n}") for n in (1, 2, 3)] == [(55, 52), (57.5, 52), (60, 52)]


@pytest.mark.rule("AE-COH-03", "AE-MOR-02")
def test_a_green_figure_out_of_coherency_checks_and_may_be_suppressed_alone() -> None:
    state = alone(squad((50, 50), (52.5, 50)))
    fight = Fight(state, 1).do(0, to((50, 50), _2=(58.1, 50)))
    assert [one.figure for one in fight.events(FigureShaken)] == ["0.1.2"]
    assert fight.now.figures[FigureId("0.1.2")].shaken
    assert not fight.unit("0.1").suppressed
    assert not Fight(state).do(0, to((50, 50), _2=(58, 50))).events(FigureShaken)  # 6 cm is within


@pytest.mark.rule("AE-COH-03", "AE-EXP-02")
def test_troops_that_do_not_check_must_stay_in_coherency() -> None:
    state = alone(squad((50, 50), (52.5, 50), experience="veteran"))
    with pytest.raises(IllegalIntent, match="place/chain"):
        Fight(state).do(0, to((50, 50), _2=(58.1, 50)))
    lost = alone(squad((50, 50), (70, 50), experience="veteran"))
    with pytest.raises(IllegalIntent, match="place/chain"):
        Fight(lost).do(0, to((50, 50), _2=(70, 55)))
    Fight(lost).do(0, to((50, 50), _2=(65, 50)))


@pytest.mark.rule("AE-COH-02")
def test_a_squad_stays_within_24_of_its_platoon_a_platoon_within_36_of_the_company() -> None:
    platoon = squad((50, 50), role="platoon")
    state = battle([squad((75, 50)), platoon, squad((15, 50), role="company")], [FAR])
    Fight(state).do(0, to((76, 50)))
    with pytest.raises(IllegalIntent, match="move/command"):
        Fight(state).do(0, to((76.1, 50)))
    with pytest.raises(IllegalIntent, match="move/command"):
        Fight(state).do(0, Move(GroupId("0.2"), cm((53.1, 50))))
    away = battle([squad((90, 50)), platoon], [FAR])
    with pytest.raises(IllegalIntent, match="move/command"):
        Fight(away).do(0, to((90, 55)))
    Fight(away).do(0, to((88, 50)))


@pytest.mark.rule("AE-COH-02")
def test_guerrillas_are_measured_to_nobody() -> None:
    state = battle([squad((75, 50), abilities=("guerrilla",)), squad((50, 50), role="cell")], [FAR])
    Fight(state).do(0, to((87, 50)))


@pytest.mark.rule("AE-SETUP-04")
def test_a_mover_that_comes_near_a_hidden_figure_reveals_it_and_goes_on_while_it_may() -> None:
    hidden = squad((60, 54.5), hidden=True)
    fight = Fight(battle([squad((50, 50))], [hidden])).do(0, to((62, 50)))
    assert fight.asked == ("ae.march", (1,))
    fight.answer(1, "hold").expire()
    assert [one.why for one in fight.events(UnitRevealed)] == ["met"]
    assert fight.place("0.1.1") == (62, 50)
    in_the_way = Fight(battle([squad((50, 50))], [squad((60, 50), hidden=True)])).do(0, to((62, 50))).expire()
    x, _ = in_the_way.place("0.1.1")
    assert 55 <= x <= 57


@pytest.mark.rule("AE-SETUP-04")
def test_nothing_is_refused_because_of_a_hidden_unit() -> None:
    fight = Fight(battle([squad((50, 50))], [squad((60, 50), hidden=True)]))
    assert fight.may(0, to((60, 50)))
