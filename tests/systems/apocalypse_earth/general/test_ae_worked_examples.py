"""The worked examples of the book, each played with its dice (worked_examples.toml)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from math import isqrt
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.content.army_lists import LISTS
from engine.rulesets.apocalypse_earth.content.lists import ArmyList, EarthLine, sums
from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.assault.combats import FightOn
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.scenario.setup import start
from engine.rulesets.apocalypse_earth.rules.support import support
from engine.rulesets.apocalypse_earth.rules.support.power_effects import UsePower
from engine.rulesets.apocalypse_earth.rules.support.support import Call
from engine.rulesets.apocalypse_earth.rules.table import ways
from engine.rulesets.apocalypse_earth.state.combat_events import BuildingHit, DuelFought
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded, MoraleChecked, Surrendered, VolleyFired
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.support_events import MissionEnded, PowerTried, StrikeFlown
from engine.space.vectors.points import squared
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, battle, block, cm, row, squad, vehicle
from tests.support.systems.ae_shipped import content, resolved

UNIT, ENEMY = GroupId("0.1"), GroupId("1.1")
FAR: Final = squad((150, 110))
HOUSE: Final = block("house", "house", 84, 40, 96, 50)
INSIDE: Final = squad(*((85 + 2.2 * (n % 5), 41 + 2.2 * (n // 5)) for n in range(9)))
SPOT: Final = (6000, 6000)
Scene = Callable[..., str]


def way_through_foliage(*dice: int) -> str:
    state = battle([squad((50, 60))], [FAR], features=[block("w", "woods", 56, 50, 58, 70)])
    return f"it costs {ways.cost(state, state.units[UNIT], cm((50, 60), (60, 60))) // 100} cm"


def shot_at(kind: str) -> Scene:
    def played(*dice: int) -> str:
        cover = block("cover", kind, 45, 68, 55, 75)
        state = battle([squad((50, 60), weapons=("pi",))], [squad((50, 70)), FAR], features=[cover])
        [volley] = Fight(state, *dice).do(0, Fire(UNIT, ENEMY)).events(VolleyFired)
        return f"{volley.need} or more: {'hit' if volley.hits else 'missed'}"

    return played


def charge_over(distance: float) -> Scene:
    def played(*dice: int) -> str:
        state = battle([squad((90, 40), ccr=4)], [squad((90, 40 + distance + 2), fired=True), FAR])
        charge = Charge(UNIT, ENEMY)
        fight = Fight(state, *dice)
        if not fight.may(0, charge):
            return "it may not"
        return "it reaches the enemy" if fight.do(0, charge).events(DuelFought) else "it falls short"

    return played


def special_forces(*dice: int) -> Fight:
    four = squad(*row(4, 90, 40), ccr=5, experience="veteran", weapons=("smg",))
    nine = squad(*row(9, 84, 52), ccr=2, fired=True)
    scrub = block("scrub", "broken", 70, 50, 120, 60)
    fight = Fight(battle([four], [nine], features=(scrub,), options=Options(sarge=False)), *dice)
    return fight.do(0, Charge(UNIT, ENEMY)).expire()


def totals(fight: Fight) -> list[str]:
    return [f"{ours}-{theirs}" for ours, theirs in (duel.totals for duel in fight.events(DuelFought))]


def first_round(*dice: int) -> str:
    fight = special_forces(*dice)
    left = [len(fight.unit(id).figures) for id in ("0.1", "1.1")]
    passed = "passed" if fight.events(MoraleChecked)[-1].passed else "failed"
    return f"{' '.join(totals(fight))}: {left[0]} and {left[1]} are left, the check for the round is {passed}"


def second_round(*dice: int) -> str:
    fight = special_forces(*dice).do(1, FightOn(ENEMY))
    [given] = fight.events(Surrendered)
    left = len(fight.unit("0.1").figures)
    return f"{' '.join(totals(fight)[4:])}: {len(given.figures)} surrender to the {left} that are left"


def lost_leader(*dice: int) -> str:
    target = squad((50, 70), (52.5, 70), (55, 70))
    fight = Fight(battle([squad((50, 60), weapons=("pi",))], [target]), *dice).do(0, Fire(UNIT, ENEMY))
    [rolled] = [count for _, purpose, count in fight.rolls if purpose == "ae.dice.morale"]
    state = "suppressed" if fight.unit("1.1").suppressed else "as before"
    return f"{'two dice' if rolled == 2 else 'one die'}, and it is {state}"


def called(card: str, *dice: int, **changes: Any) -> Fight:
    staff = squad(*row(3, 20, 60), roles={0: ("officer",), 1: ("radio",)}, role="platoon")
    state = battle([staff], [FAR], support=((card,), ()), **changes)
    return Fight(state, *dice).do(0, Call(UNIT, card, SPOT))


def astray(fight: Fight) -> int:
    """Return how far from the spot the first template came down, in centimetres."""
    return isqrt(squared(fight.events(BlastLanded)[0].at, SPOT)) // 100


def bombs(*dice: int) -> str:
    fight = called("FS-3", *dice, air={0: 5, 1: 6})
    [strike] = fight.events(StrikeFlown)
    return f"{sum(dice[:2]) - 1}: {strike.how}, {astray(fight)} cm from the spot"


def air_roll(*dice: int) -> str:
    match = resolved("loophole")
    forces = tuple([replace(force, air=power) for force, power in zip(match.forces, (5, 1), strict=True)])
    state = Fight(start(replace(match, forces=forces), 2), *dice).now
    own, other = (support.modifier(state, side) for side in (0, 1))
    return f"{own:+} and {other:+}: {'air superiority' if (own, other) == (1, -1) else 'another status'}"


def heavy_gun_at_a_hummvee(*dice: int) -> str:
    gun = squad((20, 60), (20, 62.5), arms=(("hmg127",), ("pi",)))
    fight = Fight(battle([gun], [vehicle((60, 60), 180)]), *dice).do(0, Fire(UNIT, ENEMY))
    hull, [volley] = fight.unit("1.1").hull, fight.events(VolleyFired)
    return f"{volley.shots} shots, {volley.hits} hits, {hull.penetrated} penetration: {' '.join(hull.codes)}"


def heavy_gun_at_a_house(*dice: int) -> str:
    gun = squad((70, 45), (70, 47.5), arms=(("hmg145",), ("pi",)))
    shots = (Shot(FigureId("0.1.1"), "hmg145", house="house"),)
    fight = Fight(battle([gun], [INSIDE], features=(HOUSE,)), *dice).do(0, Fire(UNIT, shots=shots))
    [hit] = fight.events(BuildingHit)
    return f"{hit.hits} hits, {hit.through} through: {len(fight.unit('1.1').figures)} are left"


def loophole(*dice: int) -> str:
    guards = squad((90, 39), (93, 39), (87, 39), arms=(("fr",), ("smg",), ("smg",)), ccr=3)
    fight = Fight(battle([guards], [INSIDE, FAR], features=(HOUSE,)), *dice)
    fight.do(0, TakeAim(UNIT, Shot(FigureId("0.1.1"), "fr", house="house"))).do(0, Fire(UNIT, ENEMY))
    [given] = fight.events(Surrendered)
    return f"{9 - len(given.figures)} of 9 fall, {len(given.figures)} surrender"


def hit_on_armour(weapon: str) -> Scene:
    def played(*dice: int) -> str:
        state = battle([squad((50, 60), weapons=(weapon,))], [squad((50, 70), armour=9), FAR])
        fight = Fight(state, *dice).do(0, Fire(UNIT, ENEMY))
        pierces = content().book.worth.weapons[weapon].penetration
        through = "" if fight.unit("1.1").where == "gone" else "not "
        return f"{pierces.constant + dice[-1]}: {through}penetrated"

    return played


def prices(*dice: int) -> str:
    page = content().book.factions["western_alliance"]
    team, car = page.units["WA-02"], page.vehicles["WA-V1"]
    each = " ".join(str(figure.points) for figure in team.figures)
    return f"{each}: {team.points} points; {car.points} points"


def damage(*dice: int) -> str:
    return content().book.classes["wheeled"].damage("front", sum(dice))


def howitzers(*dice: int) -> str:
    fight = called("FS-8", *dice).do(1, Finish(ENEMY))
    assert [one.how for one in fight.events(MissionEnded)] == ["near"]
    return f"{sum(dice[:2])}: {astray(fight)} cm from the spot"


def pyre(*dice: int) -> str:
    seer = squad(*row(3, 50, 60), roles={0: ("psi_2",)})
    state = battle([seer], [squad(*row(3, 50, 70)), FAR])
    fight = Fight(state, *dice).do(0, UsePower(UNIT, "pyre", at=cm((50, 70))[0]))
    [tried] = fight.events(PowerTried)
    return f"{dice[0] + 2}: it {'works' if tried.works else 'does not work'}"


def standard_force(*dice: int) -> str:
    units = {"WA-08": 1, "WA-07": 2, "WA-01": 5, "WA-04": 1, "WA-V1": 1, "FS-3": 1, "FS-10": 1}
    listed = ArmyList("western_alliance", 1, 1000, tuple([EarthLine(id, count) for id, count in units.items()]))
    book = content().book
    points = sums(book, listed).points
    return f"{points} of 1000 points, {'something' if LISTS.faults(book, listed) else 'nothing'} wrong"


SCENES: Final[dict[str, Scene]] = {
    "a way of 6 cm in the open, 2 cm through foliage and 2 cm in the open": way_through_foliage,
    "one shot at a figure in soft cover": shot_at("broken"),
    "one shot at a figure in hard cover": shot_at("rubble"),
    "infantry that moves 12 cm charges an enemy 18 cm off": charge_over(18),
    "infantry that moves 12 cm charges an enemy more than 18 cm off": charge_over(18.1),
    "four special forces charge nine green ChiCom in soft cover who have fired: round 1": first_round,
    "four special forces charge nine green ChiCom in soft cover who have fired: round 2": second_round,
    "one shot takes the leader of a squad": lost_leader,
    "bombs called while the enemy has air denial": bombs,
    "air power ratings of 5 and 1": air_roll,
    "a 12.7 mm heavy machine gun fires at a Hummvee's front": heavy_gun_at_a_hummvee,
    "a 14.5 mm heavy machine gun fires at a stone house with nine men inside": heavy_gun_at_a_house,
    "a guard puts a grenade through a loophole, two squadmates fire": loophole,
    "a railgun hits a figure with an armour of 9": hit_on_armour("rg"),
    "an assault rifle hits a figure with an armour of 9": hit_on_armour("ar"),
    "a Western Alliance fireteam and a Hummvee": prices,
    "damage to the front of a Hummvee": damage,
    "155 mm howitzers are called, and land at the end of the turn": howitzers,
    "a psychic of rating 2 tries Pyre on three figures": pyre,
    "the standard force of the Western Alliance": standard_force,
}
EXAMPLES: Final = tomllib.loads(Path(__file__).with_name("worked_examples.toml").read_text("utf-8"))["example"]


def rows() -> list[Any]:
    """Return the rows of the table, each marked with its rule."""
    names = [f"{row['rule']}-{number}" for number, row in enumerate(EXAMPLES, 1)]
    return [
        pytest.param(row["situation"], row["dice"], row["outcome"], id=name, marks=pytest.mark.rule(row["rule"]))
        for row, name in zip(EXAMPLES, names, strict=True)
    ]


@pytest.mark.parametrize(("situation", "dice", "outcome"), rows())
def test_a_worked_example_comes_out_as_the_book_has_it(situation: str, dice: list[int], outcome: str) -> None:
    assert SCENES[situation](*dice) == outcome


def test_no_situation_is_without_an_example() -> None:
    assert SCENES.keys() == {row["situation"] for row in EXAMPLES}
