"""Psychic powers (OP-SR-14, OP-OPEN-14)."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.one_page.rules import psychic, traits
from engine.rulesets.one_page.rules.moving import Hold, Move
from engine.rulesets.one_page.rules.powers import UsePower
from engine.rulesets.one_page.rules.shooting import Shoot
from engine.rulesets.one_page.state.events import BlowStruck, DamageRolled, MoraleTested, PowerTried
from engine.rulesets.one_page.state.state import Battle, SeatState
from protocol.ids import FigureId, GroupId
from tests.support.systems.battle import Fight, Squad, battle, row, squad

GROUP_0_2 = GroupId("0.2")

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")


def table(discipline: str, *enemies: Squad, dice: int = 9, **more: object) -> Battle:
    """A Psyker with power dice, a friend beside him, and these enemies."""
    seer = squad((3000, 1000), kind="psyker", tough=3, rules=["psyker.2"], discipline=discipline, **more)  # type: ignore[arg-type]
    state = battle([seer, squad(*row(3, 3400, 1000), id="T-02")], enemies or [squad(*row(5, 3000, 2000))])
    return msgspec.structs.replace(state, seats=(SeatState("south", dice), SeatState("north", 4)))


def use(state: Battle, power: str, target: str, *faces: int, then: tuple[int, ...] = (), **more: object) -> Fight:
    """The Psyker tries a power with as many dice as there are faces."""
    return tried(state, power, target, len(faces), *faces, *then, **more)


def tried(state: Battle, power: str, target: str, count: int, *faces: int, **more: object) -> Fight:
    """The Psyker tries a power with so many dice."""
    return Fight(state, *faces).do(0, UsePower("0.1", power, count, target, **more))  # type: ignore[arg-type]


@pytest.mark.rule("OP-SR-14")
def test_a_round_brings_d6_and_the_levels_in_play_up_to_twelve() -> None:
    """The worked example: levels 1 and 3, a 5: nine dice."""
    assert psychic.pool_size(5, 4) == 9
    assert psychic.pool_size(6, 9) == 12
    assert psychic.pool_size(6, 0) == 0
    assert psychic.levels(table("ash"), 0) == 2


@pytest.mark.rule("OP-SR-14")
def test_each_four_is_a_success_and_two_sixes_hurt() -> None:
    """The worked example: power (2), four dice 6, 6, 4, 1: three successes, it works, D3 wounds."""
    fight = use(table("ash"), "choking_smoke", "1.1", 6, 6, 4, 1, then=(2, 6))
    assert fight.events(PowerTried)[0].works
    assert traits.SMOKED in fight.unit("1.1").effects
    assert fight.now.figures[FigureId("0.1.1")].wounds == 2
    assert fight.now.seats[0].dice == 5
    with pytest.raises(IllegalIntent):
        fight.do(0, UsePower(GROUP_0_1, "choking_smoke", 1, GROUP_1_1))


@pytest.mark.rule("OP-SR-14")
def test_powers_come_before_or_after_the_move_but_before_the_shots() -> None:
    state = table("ash", weapons=["rifle"])
    fight = Fight(state, 1, 1, 1).do(0, UsePower(GROUP_0_1, "ember_lash", 1, GROUP_1_1))
    fight.do(0, Move(GROUP_0_1, False, (3000, 1300)))
    fight.do(0, UsePower(GROUP_0_1, "heat_shield", 1, GROUP_0_2))
    fight.do(0, Shoot(GROUP_0_1, GROUP_1_1))
    assert fight.unit("0.1").done


@pytest.mark.rule("OP-OPEN-14")
def test_ember_lash_is_three_hits() -> None:
    """The worked example: dice 2, 4, 3: one success, three hits, blocked as usual."""
    fight = use(table("ash"), "ember_lash", "1.1", 2, 4, 3, then=(4, 1, 5))
    [struck] = fight.events(BlowStruck)
    assert (struck.blow.hits, struck.blow.blocked, struck.blow.wounds) == (3, 2, 1)


@pytest.mark.rule("OP-OPEN-14")
def test_the_ash_powers() -> None:
    shield = use(table("ash"), "heat_shield", "0.2", 4)
    assert traits.has(shield.now, shield.unit(GROUP_0_2), "armored")
    blood = use(table("ash"), "burning_blood", "0.2", 4, 4, 4)
    assert {"furious", "hatred"} <= set(blood.unit(GROUP_0_2).effects)
    pyre = use(table("ash"), "pyre", "1.1", 4, 4, 4, 4, then=(1, 2, 6, 6, 6))
    assert pyre.events(BlowStruck)[0].blow.hits == 3
    machine = squad((3000, 2000), kind="vehicle", tough=9, size=300, facing=270)
    lance = use(table("ash", machine), "lance_of_fire", "1.1", 4, 4, then=(1, 4, 2, 1, 1))
    assert [one.side for one in lance.events(DamageRolled)] == ["side", "side"]


@pytest.mark.rule("OP-OPEN-14")
def test_the_veil_powers() -> None:
    whispers = use(table("veil"), "whispers", "1.1", 4, then=(1,))
    assert whispers.unit("1.1").pinned
    assert whispers.events(MoraleTested)[0].why == "power"
    again = table("veil", squad((3000, 2000), whispered=1))
    with pytest.raises(IllegalIntent):
        tried(again, "whispers", "1.1", 1)
    assert traits.COVERED in use(table("veil"), "mirror_step", "0.2", 4).unit(GROUP_0_2).effects
    assert traits.HASTE in use(table("veil"), "haste", "0.2", 4, 4).unit(GROUP_0_2).effects
    terror = use(table("veil"), "terror", "1.1", 4, 4, 4)
    assert traits.TERROR in terror.unit("1.1").effects
    pinned = table("veil")
    held = msgspec.structs.replace(pinned.units[GROUP_0_2], pinned=True)
    cleared = use(msgspec.structs.replace(pinned, units={**pinned.units, "0.2": held}), "clear_mind", "0.2", 4, 4)
    assert not cleared.unit(GROUP_0_2).pinned
    assert "fearless" in cleared.unit(GROUP_0_2).effects


@pytest.mark.rule("OP-OPEN-14")
def test_passage_puts_infantry_down_within_18_inches_and_off_enemies() -> None:
    fight = use(table("veil"), "passage", "0.2", 4, 4, 4, 4, to=(4400, 2000))
    assert fight.place("0.2.1") == (4400, 2000)
    for place in ((3400, 2801), (3600, 2100)):
        with pytest.raises(IllegalIntent):
            tried(table("veil"), "passage", "0.2", 4, to=place)


@pytest.mark.rule("OP-SR-14")
def test_no_powers_from_a_transport_nor_out_of_range() -> None:
    with pytest.raises(IllegalIntent):
        tried(table("ash", squad((3000, 3500))), "ember_lash", "1.1", 1)
    state = table("ash", where="aboard", vessel="0.2")
    with pytest.raises(IllegalIntent):
        tried(state, "ember_lash", "1.1", 1)
    assert Fight(table("ash")).do(0, Hold(GROUP_0_1)).log
