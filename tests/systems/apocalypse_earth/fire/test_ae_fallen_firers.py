"""Fire of figures that fall by the fire of their own unit before their own shots come up (AE-FIRE-01)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.fire import firing, shots
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded, VolleyFired
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import WEAPONS, Fight, battle, block, cm, squad, vehicle

UNIT, FOE = GroupId("0.1"), GroupId("1.1")
TANK, FAR = vehicle((60, 60), armour=(30, 30, 30, 30)), squad((150, 110))
PLAIN = Options(overwatch=False)
WOUNDS = Options(overwatch=False, casualties=True)


def beside(options: Options = PLAIN) -> Battle:
    """Return a table on which one of three with rockets stands beside the tank that they fire at."""
    rockets = squad((60, 75), (60, 62.7), (62.5, 75), weapons=("rpg",))
    return battle([rockets, squad((20, 20))], [TANK, FAR], options=options)


def shot(figure: int, weapon: str, target: str, house: str = "") -> Shot:
    return Shot(FigureId(f"0.1.{figure}"), weapon, GroupId(target), house=house)


@pytest.mark.rule("AE-FIRE-01", "AE-FIRE-07")
@pytest.mark.parametrize("options", [PLAIN, WOUNDS])
def test_a_figure_that_its_own_unit_has_taken_out_does_not_fire_any_more(options: Options) -> None:
    hit, fails, falls = 5, (1, 1), (3,)
    condition = (3,) if options.casualties else ()
    steady = 6
    fight = Fight(beside(options), hit, *fails, *falls, *condition, steady)
    fight.do(0, Fire(UNIT, shots=(shot(1, "rpg", "1.1"), shot(2, "rpg", "1.1"))))
    assert fight.unit("0.1").figures == ("0.1.1", "0.1.3")
    assert [(one.weapon, one.shots) for one in fight.events(VolleyFired)] == [("rpg", 1)]


@pytest.mark.rule("AE-FIRE-01")
def test_those_who_still_stand_fire_their_own_shots() -> None:
    rockets = squad((60, 75), (60, 62.7), (62.5, 75), weapons=("rpg",))
    state = battle([rockets, squad((20, 20))], [TANK, squad((90, 75)), FAR], options=PLAIN)
    hit, fails, falls, miss, steady = 5, (1, 1), 3, 1, 6
    fight = Fight(state, hit, *fails, falls, miss, steady)
    fight.do(0, Fire(UNIT, shots=(shot(3, "rpg", "1.1"), shot(1, "rpg", "1.2"), shot(2, "rpg", "1.2"))))
    assert [(one.target, one.shots) for one in fight.events(VolleyFired)] == [("1.1", 1), ("1.2", 1)]


@pytest.mark.rule("AE-FIRE-01", "AE-BLD-02")
def test_a_figure_that_has_fallen_fires_at_no_building() -> None:
    house = block("h", "house", 90, 40, 100, 80)
    near = squad((60, 75), (60, 62.7), arms=(("rpg",), ("rpg",)))
    fight = Fight(battle([near, squad((20, 20))], [TANK, FAR], options=PLAIN, features=[house]), 5, 1, 1, 3, 6)
    fight.do(0, Fire(UNIT, shots=(shot(1, "rpg", "1.1"), shot(2, "rpg", "", "h"))))
    assert [purpose for _, purpose, _ in fight.rolls].count("ae.dice.hit") == 1


@pytest.mark.rule("AE-FIRE-01", "AE-OPEN-02")
def test_a_figure_that_a_grenade_of_its_own_unit_takes_out_throws_none() -> None:
    pair = squad((60, 75), (60, 85), weapons=("fr",))
    hit, falls, steady = 4, 6, 6
    fight = Fight(battle([pair, squad((20, 20))], [squad((60, 100)), FAR], options=PLAIN), hit, falls, steady)
    at = cm((60, 84), (60, 90))
    thrown = tuple(Shot(FigureId(f"0.1.{n}"), "fr", at=place) for n, place in enumerate(at, 1))
    fight.do(0, Fire(UNIT, shots=thrown))
    assert (fight.unit("0.1").figures, len(fight.events(BlastLanded))) == (("0.1.1",), 1)


@pytest.mark.rule("AE-OPEN-02")
def test_how_far_a_hit_may_harm_others() -> None:
    weapons = [WEAPONS[id] for id in ("ar", "rpg", "rg")]
    both = replace(WEAPONS["rpg"], traits=("line",))
    assert [shots.strays_to(one) for one in (*weapons, both)] == [0, 300, 1400, 1400]


@pytest.mark.rule("AE-FIRE-01", "AE-BLD-02")
def test_a_charge_on_a_vehicle_that_is_touched_is_no_volley() -> None:
    sapper = squad((60, 62.5), (60, 75), arms=(("dc",), ("ar",)))
    works, fails = 3, (1, 1)
    fight = Fight(battle([sapper, squad((20, 20))], [TANK, FAR], options=PLAIN), works, *fails)
    fight.do(0, Fire(UNIT, shots=(shot(1, "dc", "1.1"),)))
    assert fight.events(VolleyFired) == []
    assert [(seat, dice) for seat, _, dice in fight.rolls] == [(0, 1), (0, 2)]


@pytest.mark.rule("AE-FIRE-01", "AE-FIRE-05", "AE-FIRE-07")
def test_no_exact_forecast_is_given_where_a_firer_may_fall_before_their_shots() -> None:
    def foretold(y: float) -> object:
        state = battle([squad((60, 75), (60, y), arms=(("rpg",), ("ar",)))], [TANK, FAR], options=PLAIN)
        fired = (shot(1, "rpg", "1.1"), shot(2, "ar", "1.1"))
        return firing.forecast_of(state, state.units[UNIT], FOE, fired)

    assert foretold(62.7) is None
    assert foretold(70) is not None


@pytest.mark.rule("AE-OPEN-02", "AE-OPEN-16", "AE-CAS-01")
def test_a_charger_who_is_down_uses_nothing_on_what_he_touches() -> None:
    bombers = squad((59, 66), (61, 66), weapons=("sv",))
    goes, under, wounded, fails = 6, 6, 3, (1, 1)
    fight = Fight(battle([bombers, squad((20, 20))], [TANK, FAR], options=WOUNDS), goes, under, wounded, *fails)
    fight.do(0, Charge(UNIT, FOE)).answer(1, "hold").expire()
    assert ([man.figure for man in fight.now.wounded], fight.unit("0.1").figures) == (["0.1.2"], ())
