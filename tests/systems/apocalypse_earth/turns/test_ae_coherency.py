"""Coherency: chains of figures, distances of command, ends of moves (AE-COH-02, AE-COH-03)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.rulesets.apocalypse_earth.rules.assault import duels
from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.assault.combats import FightOn
from engine.rulesets.apocalypse_earth.rules.flow import VERBS
from engine.rulesets.apocalypse_earth.rules.moves.carrying import BoardVehicle
from engine.rulesets.apocalypse_earth.rules.moves.leaving import check_leave
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.table import stands
from engine.rulesets.apocalypse_earth.rules.turns import coherency
from engine.rulesets.apocalypse_earth.state.combat_events import DuelFought
from engine.rulesets.apocalypse_earth.state.fire_events import FigureShaken, MoraleChecked
from engine.rulesets.apocalypse_earth.state.lasting import Combat
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, refused, scenario, squad, vehicle

UNIT, ENEMY = GroupId("0.1"), GroupId("1.1")
FAR = squad((150, 110))
SHOOTS = Reply("answer", {"each": {"group/1.1": "300"}})


def at(x: float, y: float) -> tuple[int, int]:
    """A place in centimetres."""
    return cm((x, y))[0]


def to(*corners: tuple[float, float], **places: tuple[float, float]) -> Move:
    """The move of the first unit over these corners; places by the number of the figure."""
    chosen = {FigureId(f"0.1.{number[1:]}"): at(*place) for number, place in places.items()}
    return Move(UNIT, cm(*corners), places=chosen)


def shaken(state: Battle, *ids: str) -> Battle:
    """Return a table on which these figures are suppressed on their own."""
    alone = {FigureId(id): replace(state.figures[FigureId(id)], shaken=True) for id in ids}
    return replace(state, figures={**state.figures, **alone})


@pytest.mark.rule("AE-COH-02")
def test_who_is_measured_to_whom() -> None:
    hq, company = squad((60, 50), role="platoon"), squad((70, 50), role="company")
    first_team = squad((40, 50), team=0, teams=((0,), (0,)))
    others = [hq, company, vehicle((80, 50)), squad((90, 50)), first_team]

    def above(own: Squad, **changes: Any) -> tuple[int, list[str]]:
        state = battle([own, *others], [squad((100, 100), role="platoon")])
        distance, units = coherency.superiors(state, state.units[UNIT])
        return distance, [unit.id for unit in units]

    assert above(squad((50, 50))) == (2400, ["0.2"])
    assert above(squad((50, 50), role="platoon")) == (3600, ["0.3"])
    assert above(squad((50, 50), role="company")) == (0, [])
    assert above(squad((50, 50), role="cell")) == (0, [])
    assert above(squad((50, 50), role="fireteam")) == (1200, ["0.5", "0.6"])
    assert above(squad((50, 50), team=0, teams=((0,), (0,)))) == (2400, ["0.2"])
    assert above(squad((50, 50), team=1, teams=((0,), (0,)))) == (1200, ["0.5", "0.6"])
    for ability in ("guerrilla", "infiltrate"):
        assert above(squad((50, 50), (52, 50), abilities=(ability,))) == (0, [])
        assert above(squad((50, 50), (52, 50), roles={1: (ability,)})) == (2400, ["0.2"])
    bare = battle([squad((50, 50), role="fireteam"), hq], [FAR])
    assert coherency.superiors(bare, bare.units[UNIT])[0] == 2400
    riding = battle([squad((50, 50)), squad((60, 50), role="platoon", where="aboard", vessel=GroupId("0.3"))], [FAR])
    assert coherency.superiors(riding, riding.units[UNIT]) == (2400, [])


@pytest.mark.rule("AE-COH-02", "AE-COH-03")
def test_a_unit_does_not_stray_from_its_headquarters() -> None:
    """Who is within the distance stays so; who is not comes nearer, or stays where it is."""
    hq = squad((50, 50), role="platoon")

    def strays(x: float, y: float, end: tuple[float, float]) -> bool:
        state = battle([squad((x, y)), hq], [FAR])
        return coherency.strays(state, state.units[UNIT], at(*end))

    assert [strays(70, 50, end) for end in ((75, 50), (76, 50), (76.01, 50))] == [False, False, True]
    assert [strays(76, 50, end) for end in ((50, 76), (50, 76.01), (76, 50))] == [False, True, False]
    assert [strays(90, 50, end) for end in ((89, 50), (50, 90), (90, 50), (91, 50))] == [False, True, False, True]
    alone = battle([squad((90, 50))], [FAR])
    assert not coherency.strays(alone, alone.units[UNIT], at(95, 50))
    state = battle([squad((76, 50)), hq], [FAR])
    assert Fight(state).why_not(0, to((76.1, 50))) == "move/command"


@pytest.mark.rule("AE-COH-02", "AE-BLD-01")
def test_chains() -> None:
    house = block("h", "house", 40, 40, 60, 50)

    def loose(*places: tuple[float, float], inside: bool = False, **changes: Any) -> tuple[FigureId, ...]:
        state = battle([squad(*places, **changes)], [FAR], features=[house] if inside else [])
        return stands.loose(state, state.units[UNIT])

    assert loose((50, 60), (58, 60), (66, 60)) == ()
    assert loose((50, 60), (58.01, 60), (66, 60)) == ("0.1.2", "0.1.3")
    assert loose((50, 60), (66, 60), (58, 60)) == ()
    assert loose((50, 60), (64, 60), abilities=("loose",)) == ()
    assert loose((50, 60), (64.01, 60), abilities=("loose",)) == ("0.1.2",)
    # those inside are one place, from whose outline the others are measured
    assert loose((41, 41), (59, 49), (50, 57), (50, 65), (67.02, 45), inside=True) == ("0.1.5",)
    assert loose((50, 57), (41, 41), (59, 41), (67, 41), inside=True) == ()
    state = battle([squad((50, 60), (52, 60))], [FAR])
    places = {FigureId("0.1.1"): at(50, 60), FigureId("0.1.2"): at(90, 60)}
    assert stands.loose(state, state.units[UNIT], places) == ("0.1.2",)
    assert refused(lambda: stands.check_chain(state, state.units[UNIT], places)) == "place/chain"
    assert (
        refused(lambda: stands.check_chain(state, state.units[UNIT], {**places, FigureId("0.1.2"): at(58, 60)})) == ""
    )


@pytest.mark.rule("AE-COH-03", "AE-EXP-02", "AE-EXP-03")
def test_troops_that_do_not_check_end_their_moves_in_coherency_or_nearer_to_it() -> None:
    cases: tuple[tuple[str, tuple[tuple[float, float], ...], dict[str, tuple[float, float]]], ...] = (
        ("", ((50, 50), (52.5, 50)), {"_2": (58, 50)}),
        ("place/chain", ((50, 50), (52.5, 50)), {"_2": (58.1, 50)}),
        ("", ((50, 50), (70, 50)), {"_2": (65, 50)}),
        ("place/chain", ((50, 50), (70, 50)), {"_2": (70, 55)}),
        ("place/chain", ((50, 50), (70, 50)), {"_2": (50, 70)}),  # as far as before
        # nearer to another one, but out of the chain in which it was
        ("place/chain", ((50, 50), (58, 50), (66, 50)), {"_2": (63, 50), "_3": (66, 50)}),
    )
    for code, places, ends in cases:
        for experience, found in (("experienced", code), ("veteran", code), ("green", "")):
            state = battle([squad(*places, experience=experience, move=30)], [FAR])
            assert Fight(state).why_not(0, to((50, 50), **ends)) == found


@pytest.mark.rule("AE-COH-03", "AE-MOR-02", "AE-EXP-02")
def test_who_checks_out_of_coherency_at_the_end_of_a_move() -> None:
    """Figures of green units, once each; not those that are suppressed already, or whose unit is."""
    trio = squad((50, 50), (52.5, 50), (54.6, 50))
    fight = Fight(shaken(battle([trio], [FAR]), "0.1.3"), 1).do(0, to((45, 50), _2=(54, 53), _3=(54.6, 50)))
    assert [(one.figure, one.shaken) for one in fight.events(FigureShaken)] == [("0.1.2", True)]
    veterans = battle([squad((50, 50), (70, 50), experience="veteran")], [FAR])
    assert not Fight(veterans).do(0, to((50, 50), _2=(65, 50))).events(MoraleChecked)
    passed = Fight(battle([squad((50, 50), (52.5, 50))], [FAR]), 2).do(0, to((50, 50), _2=(58.1, 50)))
    assert [(one.why, one.passed) for one in passed.events(MoraleChecked)] == [("coherency", True)]
    assert not passed.events(FigureShaken)
    # nobody is left to check, or all of the unit is suppressed
    alone = battle([squad((50, 50)), FAR], [squad((50, 80), overwatch=True, weapons=("sr",)), FAR])
    fight = Fight(alone, 4).do(0, to((50, 53))).answer(1, SHOOTS).expire()
    assert fight.unit("0.1").where == "gone"
    own = squad((50, 50), (52.5, 50), (55, 50))
    state = battle([own], [squad((50, 80), overwatch=True, weapons=("pi", "sr")), FAR])
    fight = Fight(state, 4, 1).do(0, to((50, 53), _2=(60, 53), _3=(62, 53)))
    fight.answer(1, SHOOTS).expire()
    assert [one.why for one in fight.events(MoraleChecked)] == ["losses"]
    assert fight.unit("0.1").suppressed


TRIO: Final = squad((50, 50), (52.5, 50), (55, 50))


@pytest.mark.rule("AE-COH-03", "AE-MOVE-01")
def test_nobody_moves_a_figure_that_is_suppressed_on_its_own() -> None:
    state = shaken(battle([TRIO], [FAR]), "0.1.1")
    moved = Fight(state).do(0, to((52.5, 53)))  # the second leads, the first stays
    assert [moved.place(f"0.1.{n}") for n in (1, 2, 3)] == [(50, 50), (52.5, 53), (55, 53)]
    alone = shaken(state, "0.1.3")
    cases = (
        ("place/shaken", replace(to((50, 53)), lead=FigureId("0.1.1"))),
        ("place/shaken", to((52.5, 53), _1=(50, 50), _3=(55, 53))),
        ("", to((52.5, 53), _1=(50, 50), _3=(55, 50))),
    )
    for code, move in cases:
        assert Fight(alone).why_not(0, move) == code
    nobody = shaken(alone, "0.1.2")
    assert Fight(nobody).why_not(0, to((50, 53))) == "place/shaken"


@pytest.mark.rule("AE-COH-03")
def test_a_prompt_offers_to_move_with_figures_that_are_not_suppressed_on_their_own() -> None:
    def leads(state: Battle) -> list[str]:
        field: Any = VERBS.detail(state, Seat(0), "move", {"unit": ["group/0.1"]})
        return [option.id for option in field.options]

    state = shaken(battle([TRIO], [FAR]), "0.1.1")
    assert leads(state) == ["piece/0.1.2", "piece/0.1.3"]
    assert "move" in [choice.id for choice in VERBS.choices(state, Seat(0))]
    assert "move" not in [choice.id for choice in VERBS.choices(shaken(state, "0.1.2", "0.1.3"), Seat(0))]


@pytest.mark.rule("AE-COH-03", "AE-ASLT-01")
def test_a_charge_is_led_by_a_figure_that_is_not_suppressed_on_its_own() -> None:
    state = shaken(battle([TRIO], [squad((52.5, 56), fired=True), FAR]), "0.1.1")
    way = cm((52.5, 53.98))
    assert Fight(state).why_not(0, Charge(UNIT, ENEMY, way)) == ""
    assert Fight(state).why_not(0, Charge(UNIT, ENEMY, way, FigureId("0.1.1"))) == "place/shaken"


@pytest.mark.rule("AE-COH-03", "AE-OPEN-16")
def test_who_is_suppressed_on_his_own_boards_only_what_he_touches() -> None:
    boards = BoardVehicle(UNIT, GroupId("0.2"))
    for y, code in ((57.5, ""), (57, "board/too-far")):
        state = shaken(battle([squad((50, y), (52.5, 57)), vehicle((50, 60))], [FAR]), "0.1.1")
        assert Fight(state).why_not(0, boards) == code


@pytest.mark.rule("AE-COH-03", "AE-SCEN-04")
def test_no_unit_leaves_without_its_figures_that_stay() -> None:
    plan = replace(scenario().seats[0], leaves=cm((180, 33), (180, 57)))
    table = {"seats": (plan, scenario().seats[1])}
    state = battle([squad((172, 45), (174.5, 45))], [squad((50, 50))], table=table)
    assert not refused(lambda: check_leave(state, 0, UNIT))
    stays = shaken(state, "0.1.2")
    assert refused(lambda: check_leave(stays, 0, UNIT))


@pytest.mark.rule("AE-COH-03", "AE-QA-01")
def test_who_lost_its_lead_runs_into_cover_behind_a_figure_that_can() -> None:
    cover = block("w", "broken", 40, 35, 70, 45)
    state = battle([TRIO, FAR], [squad((50, 80), overwatch=True), FAR], features=[cover])
    fight = Fight(shaken(state, "0.1.1"), 6, 1, 1, 2, 1).do(0, to((64.5, 50))).answer(1, SHOOTS).expire()
    assert fight.unit("0.1").figures == ("0.1.1", "0.1.3")
    assert [fight.place(f"0.1.{n}") for n in (1, 3)] == [(50, 50), (58, 45)]


@pytest.mark.rule("AE-COH-03", "AE-ASLT-07")
def test_who_stands_in_the_line_of_a_fight() -> None:
    """The figures of a unit in coherency that are not suppressed singly, in the order that its owner gave."""
    state = shaken(battle([squad((50, 50), (52, 50), (54, 50), (80, 50)), squad((56, 50))], [FAR]), "0.1.3")
    dead = FigureId("0.1.9")
    lines = {UNIT: (*[FigureId(f"0.1.{n}") for n in (4, 3, 2, 1)], dead)}
    units = (UNIT, GroupId("0.2"))
    combat = Combat(1, units, (ENEMY,), lines=lines)
    assert duels.line(state, combat, units) == ["0.1.2", "0.1.1", "0.2.1"]
    assert duels.line(state, Combat(1, units, (ENEMY,)), units) == ["0.1.2", "0.1.1", "0.2.1"]
    away = battle([squad((50, 50)), squad((56, 50), where="aboard")], [FAR])
    assert duels.line(away, Combat(1, units, (ENEMY,)), units) == ["0.1.1"]


@pytest.mark.rule("AE-COH-03", "AE-ASLT-07", "AE-ASLT-10")
def test_a_fight_goes_on_with_those_who_are_left() -> None:
    lines = {UNIT: tuple([FigureId(f"0.1.{n}") for n in (9, 2, 1)])}
    pair = battle([squad((50, 50), (52, 50))], [squad((50, 52)), FAR], options=Options(sarge=False))
    fight = Fight(replace(pair, combats=(Combat(1, (UNIT,), (ENEMY,), lines=lines),)), 6, 1).do(0, FightOn(UNIT))
    assert [one.charger for one in fight.events(DuelFought)] == ["0.1.2"]


@pytest.mark.rule("AE-COH-03", "AE-MOVE-01")
def test_who_may_not_move_on_foot() -> None:
    cases = (
        ("", [squad((50, 50))]),
        ("move/on-foot", [squad((50, 50), where="aboard", vessel=GroupId("0.2")), vehicle((50, 50))]),
        ("move/on-foot", [vehicle((50, 50))]),
    )
    for code, own in cases:
        assert Fight(battle(own, [FAR])).why_not(0, to((51, 50))) == code


@pytest.mark.rule("AE-SETUP-03")
def test_where_figures_may_be_put() -> None:
    """Free, apart, in the zone, and no more in a building than it holds."""
    house = block("h", "house", 84, 40, 96, 50)
    inside = [(85 + 2.2 * (n % 5), 41 + 2.2 * (n // 5)) for n in range(16)]
    state = battle([squad((50, 60), (52.5, 60)), squad(*inside[2:])], [squad((70, 60))], features=[house])
    unit, room = state.units[UNIT], stands.StandRoom(state, state.units[UNIT])

    def why(*places: tuple[float, float]) -> str:
        found = {FigureId(f"0.1.{n}"): at(*place) for n, place in enumerate(places, 1)}
        return refused(lambda: stands.check_places(state, unit, found, room, lambda base: base.at[0] < 10000))

    assert [why((20, 20), (22, 20)), why((20, 20), (21.99, 20)), why((20, 20))] == [
        "",
        "place/overlap",
        "place/figures",
    ]
    assert [why((20, 20), (0.9, 20)), why((20, 20), (110, 20)), why((20, 20), (72.9, 60))] == [
        "place/off-table",
        "place/zone",
        "place/too-near",
    ]
    assert [why(inside[0], (50, 60)), why(*inside[:2])] == ["", "place/full"]
