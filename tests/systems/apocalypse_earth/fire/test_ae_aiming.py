"""Grenades, mortars, flame, picked figures, scatter (AE-OPEN-02, AE-OPEN-05, AE-GEN-05)."""

from __future__ import annotations

import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.harm import blasts
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded
from engine.rulesets.apocalypse_earth.state.lasting import Effect, Shot
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, battle, block, cm, row, squad

UNIT, ENEMY = GroupId("0.1"), GroupId("1.1")


def at(x: float, y: float) -> tuple[int, int]:
    """A place in centimetres."""
    return cm((x, y))[0]


def shot(number: int, weapon: str, **where: object) -> Shot:
    """A shot of a figure of the first unit."""
    return Shot(FigureId(f"0.1.{number}"), weapon, **where)  # type: ignore[arg-type]


@pytest.mark.rule("AE-GEN-05")
def test_twelve_is_away_from_the_firer_and_the_clock_turns_to_the_right() -> None:
    origin, goal = (0, 0), (0, 1000)
    assert blasts.moved(origin, goal, 12, 300) == (0, 1300)
    assert blasts.moved(origin, goal, 3, 300) == (300, 1000)
    assert blasts.moved(origin, goal, 6, 300) == (0, 700)
    assert blasts.moved(origin, goal, 9, 300) == (-300, 1000)
    assert blasts.moved(goal, goal, 12, 300) == (0, 1300)  # from the table's south edge where there is none


@pytest.mark.rule("AE-OPEN-02", "AE-FIRE-10")
def test_a_grenade_lands_where_it_is_thrown_or_deviates() -> None:
    state = battle([squad((50, 60), weapons=("ar", "fr"))], [squad((50, 68), (52.5, 68), (58, 68))])
    thrown = shot(1, "fr", at=at(50, 68))
    fight = Fight(state, 4, 2, 1, 6, 6).do(0, TakeAim(UNIT, thrown))
    assert fight.now.active is not None
    assert fight.now.active.aimed == (thrown,)
    fight.do(0, Fire(UNIT))
    assert fight.unit("1.1").figures == ("1.1.2", "1.1.3")
    missed = Fight(state, 3, 5, 3, 1, 1).do(0, Fire(UNIT, shots=(thrown,)))
    assert [one.at for one in missed.events(BlastLanded)] == [at(55, 68)]
    with pytest.raises(IllegalIntent, match="fire/too-far"):
        Fight(state).do(0, Fire(UNIT, shots=(shot(1, "fr", at=at(50, 73.1)),)))


@pytest.mark.rule("AE-OPEN-25", "AE-OPEN-02", "AE-FIRE-02")
@pytest.mark.parametrize(("dice", "lands"), [((4, 5, 3), at(55, 68)), ((5,), at(50, 68))])
def test_fog_of_mind_makes_it_harder_to_throw_too(dice: tuple[int, ...], lands: tuple[int, int]) -> None:
    fogged = squad((50, 60), weapons=("fr",), effects=(Effect("fog_of_mind", ENEMY),))
    fight = Fight(battle([fogged], [squad((80, 68))]), *dice)
    fight.do(0, Fire(UNIT, shots=(shot(1, "fr", at=at(50, 68)),)))
    assert [one.at for one in fight.events(BlastLanded)] == [lands]


@pytest.mark.rule("AE-OPEN-05", "AE-OPEN-02")
def test_two_figures_of_a_unit_throw_at_most() -> None:
    state = battle([squad(*row(3, 45, 60), weapons=("ar", "fr"))], [squad((50, 68))])
    fight = Fight(state)
    for number in (1, 2):
        fight.do(0, TakeAim(UNIT, shot(number, "fr", at=at(50, 68))))
    with pytest.raises(IllegalIntent, match="fire/thrown"):
        fight.do(0, TakeAim(UNIT, shot(3, "fr", at=at(50, 68))))


@pytest.mark.rule("AE-OPEN-02")
def test_the_others_fire_with_what_was_aimed() -> None:
    state = battle([squad(*row(2, 49, 60), weapons=("ar", "fr"))], [squad(*row(9, 40, 68))])
    fight = (
        Fight(state, 1, 1, 1, 3, 1, 12, 1, 1, 1)
        .do(0, TakeAim(UNIT, shot(1, "fr", at=at(50, 68))))
        .do(0, Fire(UNIT, ENEMY))
    )
    # three shots of the second, then a miss that deviates 1 cm away, among three of the squad
    assert [one.at for one in fight.events(BlastLanded)] == [at(50.12, 68.99)]


@pytest.mark.rule("AE-OPEN-02")
def test_flame_touches_all_under_its_strip() -> None:
    state = battle([squad((50, 60), weapons=("ft",))], [squad((50, 70), (53, 70), (53.1, 75), (50, 77.1))])
    fight = Fight(state, 2, 1, 6, 6).do(0, Fire(UNIT, shots=(shot(1, "ft", facing=90),)))
    # 16 cm long and 4 wide, from the middle of its base: two are touched, a 2 kills
    assert len(fight.unit("1.1").figures) == 3


@pytest.mark.rule("AE-OPEN-02")
def test_a_mortar_needs_no_sight_where_a_friend_directs_it() -> None:
    wall = block("b", "house", 40, 70, 60, 76)
    mortar = squad((50, 60), (52.5, 60), arms=(("mo60",), ("pi",)))
    away = squad((80, 92), roles={0: ("radio",)})
    state = battle([mortar, away], [squad((50, 90))], features=[wall])
    target = shot(1, "mo60", at=at(50, 90))
    fight = Fight(state, 4, 2).do(0, Fire(UNIT, shots=(target,)))
    assert fight.unit("1.1").where == "gone"
    blind = battle([mortar, squad((80, 92))], [squad((50, 90))], features=[wall])
    with pytest.raises(IllegalIntent, match="fire/no-sight"):
        Fight(blind).do(0, Fire(UNIT, shots=(target,)))
    with pytest.raises(IllegalIntent, match="fire/too-far"):  # not nearer than 18 cm
        Fight(state).do(0, Fire(UNIT, shots=(shot(1, "mo60", at=at(50, 78)),)))


@pytest.mark.rule("AE-OPEN-02", "AE-OPEN-05")
def test_a_sniper_picks_the_figure() -> None:
    state = battle([squad((50, 60), weapons=("sr",))], [squad(*row(3, 48, 90))])
    picked = shot(1, "sr", target=ENEMY, victim=FigureId("1.1.3"))
    fight = Fight(state, 4, 6).do(0, TakeAim(UNIT, picked)).do(0, Fire(UNIT))
    assert fight.unit("1.1").figures == ("1.1.1", "1.1.2")
    rifle = battle([squad((50, 60))], [squad(*row(3, 48, 90))])
    with pytest.raises(IllegalIntent, match="fire/no-pick"):
        Fight(rifle).do(0, TakeAim(UNIT, shot(1, "ar", target=ENEMY, victim=FigureId("1.1.3"))))


@pytest.mark.rule("AE-OPEN-02", "AE-GEN-04")
def test_templates_harm_friends_and_hidden_units_but_nobody_behind_a_building() -> None:
    wall = block("b", "house", 49, 64, 55, 66)
    state = battle(
        [squad((45, 60), weapons=("ar", "fr")), squad((50, 70))],
        [squad((52, 68), hidden=True), squad((50, 62.9))],
        features=[wall],
    )
    fight = Fight(state, 4, 2, 2).do(0, Fire(UNIT, shots=(shot(1, "fr", at=at(50, 68)),)))
    assert [fight.unit(id).where for id in ("0.2", "1.1", "1.2")] == ["gone", "gone", "table"]
