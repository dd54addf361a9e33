"""Prisoners and their escorts (AE-POW)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.assault import duels
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves import captives
from engine.rulesets.apocalypse_earth.rules.moves.captives import Escort
from engine.rulesets.apocalypse_earth.rules.moves.leaving import LeadOff
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.scenario import scoring
from engine.rulesets.apocalypse_earth.rules.turns.rallying import Rally
from engine.rulesets.apocalypse_earth.state.lasting import Combat, Prisoners, Shot, Wounded
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.profiles import UnitProfile
from engine.rulesets.apocalypse_earth.state.state import LEFT
from engine.space.vectors.points import within
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import Fight, Squad, battle, cm, row, squad

PLAYED = Options(prisoners=True, overwatch=False)
GUARD, TAKEN, FAR = GroupId("0.1"), GroupId("1.1"), squad((150, 110))


def captured(*own: Squad, others: tuple[Squad, ...] = (), options: Options = PLAYED, y: float = 20) -> Fight:
    """Let a suppressed unit of three fail its rally beside a squad of three, and surrender."""
    beaten = squad(*row(3, 50, y + 2.5), suppressed=True, roles={0: ("officer",)})
    first = squad(*row(3, 50, y)) if not own else own[0]
    state = battle([first, *own[1:]], [beaten, *others, FAR], options=options, acting=1)
    return Fight(state, 1).do(1, Rally(TAKEN))


def test_who_surrenders_is_a_prisoner_of_the_unit_that_took_him_where_it_is_played() -> None:
    fight = captured()
    [group] = fight.now.prisoners
    assert (group.unit, group.escort, group.captor, len(group.figures)) == (TAKEN, GUARD, 0, 3)
    assert fight.unit("1.1").figures == ()
    assert scoring.worth(fight.now, fight.unit("1.1"))[0] == 60  # the figures of this table have no price of their own
    assert captured(options=Options(overwatch=False)).now.prisoners == ()


@pytest.mark.rule("AE-POW-01", "AE-POW-02")
def test_prisoners_walk_with_their_escort_within_2_cm() -> None:
    fight = captured().do(0, Move(GUARD, cm((50, 12))))
    [group] = fight.now.prisoners
    assert captives.is_by(fight.now, group, fight.unit("0.1"))
    old = {f"1.1.{n + 1}": cm((50 + 2.5 * n, 22.5))[0] for n in range(3)}
    assert all(within(fight.now.figures[FigureId(id)].at, at, 1200) for id, at in old.items())
    assert {fight.now.figures[FigureId(id)].at for id in old}.isdisjoint(old.values())


@pytest.mark.rule("AE-POW-02", "AE-OPEN-27")
def test_an_escort_leads_them_off_its_own_edge_for_points() -> None:
    fight = captured(y=8)
    fight.do(0, LeadOff(GUARD))
    assert (fight.unit("0.1").where, fight.unit("0.1").fate) == ("gone", LEFT)
    assert fight.now.prisoners == ()
    assert [(one.side, one.points) for one in fight.now.earned] == [(0, 25 + 8 + 8)]
    with pytest.raises(IllegalIntent, match="leave/far"):
        captured(y=20).do(0, LeadOff(GUARD))


@pytest.mark.rule("AE-POW-02")
def test_one_figure_leads_five_and_nobody_leaves_without_prisoners() -> None:
    six = squad(*row(6, 50, 10.5), suppressed=True)
    state = battle([squad((55, 8))], [six, FAR], options=PLAYED, acting=1)
    fight = Fight(state, 1).do(1, Rally(TAKEN))
    with pytest.raises(IllegalIntent, match="escort/far"):
        fight.do(0, LeadOff(GUARD))
    with pytest.raises(IllegalIntent, match="escort/none"):
        Fight(battle([squad((55, 3))], [FAR], options=PLAYED)).do(0, LeadOff(GUARD))


@pytest.mark.rule("AE-POW-01")
def test_another_unit_of_the_seat_takes_them_over_within_2_cm() -> None:
    near, far = squad(*row(3, 50, 25.2)), squad(*row(3, 50, 40))
    for other, able in ((near, True), (far, False)):
        fight = captured(squad(*row(3, 50, 20)), other)
        assert fight.may(0, Escort(GroupId("0.2"), TAKEN)) == able
    fight = captured(squad(*row(3, 50, 20)), near).do(0, Escort(GroupId("0.2"), TAKEN))
    assert fight.now.prisoners[0].escort == "0.2"


@pytest.mark.rule("AE-POW-01")
@pytest.mark.parametrize("guarded", [True, False])
def test_prisoners_without_a_guard_are_freed_unarmed(guarded: bool) -> None:
    taken = captured(others=(squad(*row(3, 50, 33)),)).now
    guard = replace(taken.units[GUARD], suppressed=not guarded)
    state = replace(taken, units={**taken.units, GUARD: guard}, acting=1, active=None)
    fight = Fight(state).do(1, Move(GroupId("1.2"), cm((50, 26))))
    unit = fight.unit("1.1")
    assert bool(unit.figures) != guarded
    assert not any(fight.now.weapons_of(figure) for figure in fight.now.members(unit))
    if not guarded:
        armed, combat = battle([squad((50, 20))], [squad((52, 20))]), Combat(1, (GUARD,), (TAKEN,))
        both = [duels.bonus(state, combat, FigureId("1.1.1")) for state in (armed, fight.now)]
        assert both == [2, 1]


@pytest.mark.rule("AE-POW-01", "AE-OPEN-02")
def test_templates_harm_prisoners_who_are_no_targets() -> None:
    aimed = Shot(FigureId("0.2.1"), "fr", at=cm((50, 22.5))[0])
    throw = squad((50, 30), weapons=("fr",))
    state = captured(squad(*row(3, 50, 20)), throw).now
    fight = Fight(replace(state, acting=0, active=None), 4, 1, 1, 6, 6)
    fight.do(0, TakeAim(GroupId("0.2"), aimed)).do(0, Fire(GroupId("0.2")))
    assert len(fight.now.prisoners[0].figures) == 1


@pytest.mark.rule("AE-POW-01", "AE-CAS-01", "AE-OVER-02")
def test_a_move_by_overwatch_leads_prisoners_and_takes_men_down_like_any_other() -> None:
    """Prisoners walk after their escort, and the wounded man of seat 1 who has nobody near is taken."""
    guard, down = squad(*row(3, 50, 20), overwatch=True), FigureId("1.2.2")
    options = Options(prisoners=True, casualties=True)
    state = battle([guard], [squad((50, 22.5)), squad((150, 90), (62, 20)), FAR], options=options, acting=1)
    taken, hurt = state.units[TAKEN], state.units[GroupId("1.2")]
    units = {
        **state.units,
        TAKEN: replace(taken, figures=(), where="gone", fate="captured", captor=0),
        hurt.id: replace(hurt, figures=(FigureId("1.2.1"),)),
    }
    held, wounded = Prisoners(TAKEN, GUARD, 0, taken.figures), Wounded(down, hurt.id)
    fight = Fight(replace(state, units=units, prisoners=(held,), wounded=(wounded,)))
    fight.do(1, Move(GroupId("1.3"), cm((150, 105))))
    fight.answer(0, Reply("answer", {"each": {"group/0.1": "move"}})).expire()
    fight.answer(0, Reply("reply", {"unit": ["group/0.1"], "way": [5500, 2000]}))
    assert fight.place("0.1.1") == (55, 20)
    assert captives.is_by(fight.now, fight.now.prisoners[0], fight.unit("0.1"))
    assert fight.place("1.1.1") != (50, 22.5)
    assert fight.now.wounded == ()
    assert [group.unit for group in fight.now.prisoners] == [TAKEN, hurt.id]


@pytest.mark.rule("AE-CAS-01", "AE-POW-01")
@pytest.mark.parametrize(("prisoners", "taken"), [(True, 7), (False, 0)])
def test_a_man_down_who_is_taken_is_not_paid_with_his_unit_too(prisoners: bool, taken: int) -> None:
    men = squad((60, 90), (60, 62))
    assert isinstance(men.profile, UnitProfile)
    priced = tuple(replace(one, points=7) for one in men.profile.figures)
    men = men._replace(profile=replace(men.profile, figures=priced))
    options = Options(prisoners=prisoners, casualties=True, overwatch=False)
    state = battle([squad((60, 50))], [men, squad((60, 70)), FAR], options=options)
    hurt = replace(state.units[TAKEN], figures=(FigureId("1.1.1"),))
    state = replace(state, units={**state.units, TAKEN: hurt}, wounded=(Wounded(FigureId("1.1.2"), TAKEN),))
    away = replace(state.figures[FigureId("1.2.1")], at=cm((60, 74))[0])
    fight = Fight(replace(state, figures={**state.figures, away.id: away})).do(0, Move(GUARD, cm((60, 58.5))))
    assert fight.now.wounded == ()
    assert fight.unit("1.1").taken == taken
    if prisoners:
        guard = replace(fight.now.units[GUARD], suppressed=True)
        back = replace(fight.now, units={**fight.now.units, GUARD: guard}, acting=1, active=None)
        freed = Fight(back).do(1, Move(GroupId("1.2"), cm((60, 66))))
        assert (freed.unit("1.1").taken, len(freed.unit("1.1").figures)) == (0, 2)
