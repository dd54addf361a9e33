"""What holds everywhere: bases and distances, sides, turns, the order of things, chance, secrets (AE-GEN)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import ALL, Seat, only
from engine.core.rules.errors import SetupRefused
from engine.core.rules.events import DiceRolled
from engine.core.rules.system import Part
from engine.rulesets.apocalypse_earth.rules import ending
from engine.rulesets.apocalypse_earth.rules.ending import ConcedeBattle, Finish
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.flow import BattleRules
from engine.rulesets.apocalypse_earth.rules.harm import blasts
from engine.rulesets.apocalypse_earth.rules.scenario import setup
from engine.rulesets.apocalypse_earth.rules.scenario.deployment import DeployRest
from engine.rulesets.apocalypse_earth.rules.table import hiding, sighting, traits
from engine.rulesets.apocalypse_earth.rules.turns import activations
from engine.rulesets.apocalypse_earth.state.fire_events import (
    BlastLanded,
    FiguresFell,
    MoraleChecked,
    Suppressed,
    Surrendered,
)
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import ADMINISTRATION, DEPLOY, Activation, Battle
from engine.rulesets.apocalypse_earth.state.turn_events import BattleEnded
from engine.rulesets.apocalypse_earth.view import scene
from engine.space.terrain.contact import Base
from engine.space.terrain.footprints import BoxBase
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, battle, block, cm, refused, resolved, row, scenario, squad, vehicle

UNIT, FRIEND, ENEMY = GroupId("0.1"), GroupId("0.2"), GroupId("1.1")
HERE, FAR = squad((20, 20)), squad((150, 110))
HOUSE = block("house", "house", 84, 40, 96, 50)


@pytest.mark.rule("AE-GEN-01")
def test_bases_and_what_is_measured_to() -> None:
    """A disc of 2 cm, a vehicle's rectangle, of those inside a building its outline."""
    state = battle([squad((50, 60)), vehicle((90, 60), 90, size=(8, 4)), squad((90, 45))], [FAR], features=[HOUSE])
    man, car, inside = (state.figures[FigureId(f"0.{n}.1")] for n in (1, 2, 3))
    assert traits.base(state, man) == Base(man.id, (5000, 6000), 100)
    assert traits.base(state, car) == BoxBase((9000, 6000), 90, 800, 400, car.id)
    assert sighting.shape(state, man) == Base(man.id, (5000, 6000), 100)
    assert sighting.shape(state, inside) == HOUSE.outline
    assert [sighting.gap_to_point(state, one, cm((90, 54))[0]) for one in (car, inside)] == [200, 400]
    own, other, house = (state.units[GroupId(f"0.{n}")] for n in (1, 2, 3))
    assert [sighting.distance(state, own, one) for one in (other, house)] == [3700, 3445]


@pytest.mark.rule("AE-GEN-02", "AE-SEAT-01")
def test_who_is_hostile() -> None:
    allied = battle([HERE], [HERE], [FAR], sides=(0, 0, 1))
    assert [allied.hostile(0, seat) for seat in (0, 1, 2)] == [False, False, True]
    assert [allied.hostile(2, seat) for seat in (0, 1, 2)] == [True, True, False]
    alone = battle([HERE], [HERE], [FAR], sides=())
    assert [alone.hostile(1, seat) for seat in (0, 1, 2)] == [True, False, True]


@pytest.mark.rule("AE-GEN-03", "AE-TURN-01")
def test_whose_turn_it_is_and_what_is_done_for_who_is_away() -> None:
    def turn(**changes: Any) -> dict[int, Any]:
        state = battle([HERE, squad((30, 20), acted=True)], [FAR], **changes)
        return {int(seat): one.expiry for seat, one in BattleRules().turn(state).items()}

    assert turn() == {0: Finish(UNIT)}
    assert turn(acting=1) == {1: Finish(ENEMY)}
    assert turn(active=Activation(UNIT)) == {0: Finish()}
    assert turn(phase=DEPLOY, placing=(UNIT,)) == {0: DeployRest()}
    assert [turn(phase=DEPLOY), turn(phase=""), turn(phase=ADMINISTRATION), turn(ended="turns")] == [{}] * 4
    idle = battle([squad((30, 20), acted=True)], [FAR])
    assert BattleRules().turn(idle) == {}


@pytest.mark.rule("AE-GEN-03", "AE-TURN-01")
def test_who_may_act_for_a_unit() -> None:
    state = battle([HERE, squad((30, 20), acted=True), HERE], [FAR])
    acting = battle([HERE, HERE], [FAR], active=Activation(FRIEND))
    for table, seat, id, code in (
        (state, 0, "0.1", ""),
        (state, 0, "0.2", "act/done"),
        (state, 0, "1.1", "act/not-yours"),
        (state, 0, "9.9", "act/not-yours"),
        (state, 1, "1.1", "act/not-now"),
        (acting, 0, "0.1", "act/another-acts"),
        (acting, 0, "0.2", ""),
        (battle([HERE], [FAR], phase=ADMINISTRATION), 0, "0.1", "act/not-now"),
    ):
        assert refused(lambda: activations.check_turn(table, seat, GroupId(id))) == code  # noqa: B023 - called at once


@pytest.mark.rule("AE-GEN-04", "AE-FIRE-09")
def test_the_order_of_what_follows_fire() -> None:
    """Casualties, then unit by unit its check and the surrenders that it leads to."""
    gun = squad((50, 60), weapons=("fr",))
    theirs = [squad((40, 75), (50, 68)), squad((60, 75), (52.5, 69)), FAR]
    state = battle([gun, squad((36, 80))], theirs)
    fight = Fight(state, 4, 2, 2, 1, 5).do(0, Fire(UNIT, shots=(Shot(FigureId("0.1.1"), "fr", at=cm((50, 68))[0]),)))
    kinds = (FiguresFell, MoraleChecked, Suppressed, Surrendered)
    order = [(type(one).__name__, one.unit) for one in fight.events(*kinds)]
    assert order == [
        ("FiguresFell", "1.1"),
        ("FiguresFell", "1.2"),
        ("MoraleChecked", "1.1"),
        ("Suppressed", "1.1"),
        ("Surrendered", "1.1"),
        ("MoraleChecked", "1.2"),
    ]


@pytest.mark.rule("AE-GEN-05", "AE-FIRE-10", "AE-OPEN-02")
def test_what_is_thrown_where_one_stands_deviates_from_the_south_edge() -> None:
    state = battle([squad((50, 60), (60, 90), weapons=("fr",))], [FAR])
    lob = Shot(FigureId("0.1.1"), "fr", at=cm((50, 60))[0])
    fight = Fight(state, 3, 5, 12).do(0, Fire(UNIT, shots=(lob,)))
    assert [one.at for one in fight.events(BlastLanded)] == [(5000, 6500)]
    assert [blasts.moved((0, 0), (300, 400), hour, 500) for hour in (12, 6)] == [(600, 800), (0, 0)]


@pytest.mark.rule("AE-GEN-05", "AE-FIRE-07")
def test_a_random_figure_needs_a_die_with_as_many_faces_as_are_left() -> None:
    state = battle([squad((50, 60))], [squad(*row(3, 48, 80)), FAR])
    fight = Fight(state, 6, 6, 6, 2, 2).do(0, Fire(UNIT, ENEMY))
    assert [one.figures for one in fight.events(FiguresFell)] == [("1.1.2", "1.1.3", "1.1.1")]
    drawn = [one for one in fight.events(DiceRolled) if one.purpose == "ae.dice.random_figure"]
    assert [(one.sides, one.faces) for one in drawn] == [(3, (2,)), (2, (2,))]


@pytest.mark.rule("AE-GEN-06", "AE-SETUP-04")
def test_what_a_seat_knows() -> None:
    cards = (("FS-1",), ("FS-3", "FS-7"), ())
    hidden = squad((90, 45), hidden=True, overwatch=True)
    state = battle([HERE], [hidden, HERE], [FAR], sides=(0, 1, 0), support=cards)
    known = hiding.known(state, Seat(0))
    assert known.figures[FigureId("1.1.1")].at == (-1, -1)
    assert not known.units[ENEMY].overwatch
    assert known.support == (("FS-1",), ("", ""), ())
    own = hiding.known(state, Seat(1))
    assert own.figures == state.figures
    assert own.support == (("",), ("FS-3", "FS-7"), ())
    open_table = battle([HERE], [HERE], [FAR], sides=(0, 1, 0), support=((), (), ()))
    assert hiding.known(open_table, Seat(0)) is open_table
    held = replace(open_table, support=cards)
    assert hiding.known(held, Seat(0)).support == (("FS-1",), ("", ""), ())
    ended = replace(state, ended="turns")
    assert hiding.known(ended, Seat(0)).support == cards
    assert hiding.audience(state.units[ENEMY]) == only(Seat(1))
    assert hiding.audience(state.units[GroupId("1.2")]) == ALL


@pytest.mark.rule("AE-GEN-06")
def test_what_is_shown_to_one_side_alone() -> None:
    cards = (("FS-1", "FS-1"), ("FS-3",), ())
    state = battle(
        [squad((20, 20), hidden=True), HERE], [squad((90, 45), hidden=True)], [FAR], sides=(0, 1, 0), support=cards
    )
    shown = [[part.id for part in scene.private(state, Seat(seat)) if isinstance(part, Part)] for seat in (0, 1, 2)]
    first = ["group/0.1", "piece/hidden.0.1.1", "counter/card.0.FS-1"]
    assert shown == [first, ["group/1.1", "piece/hidden.1.1.1", "counter/card.1.FS-3"], first]


@pytest.mark.rule("AE-GEN-06", "AE-SEAT-01")
def test_what_is_hidden_is_opened_at_the_end() -> None:
    state = battle([squad((20, 20), hidden=True), HERE], [FAR], [squad((90, 45), hidden=True)], sides=(0, 1, 0))
    fight = Fight(replace(state, acting=1)).do(1, ConcedeBattle())
    assert [(one.unit, one.why) for one in fight.events(UnitRevealed)] == [("0.1", "open"), ("2.1", "open")]
    assert [one.why for one in fight.events(BattleEnded)] == ["left"]
    assert ending.is_beaten(fight.now)


@pytest.mark.rule("AE-GEN-06", "AE-SEAT-01")
def test_a_match_begins_with_all_forces_and_secret_cards() -> None:
    content = resolved([[squad((0, 0), (1, 1)), vehicle((5, 5))], [FAR]], scenario())
    forces = tuple([replace(force, cards=("FS-1",) * (seat + 1)) for seat, force in enumerate(content.forces)])
    content = replace(content, forces=forces)
    state: Battle = setup.start(content, 2)
    found = [(unit.id, unit.number, unit.figures, unit.size, unit.strength) for unit in state.units.values()]
    assert found == [
        ("0.1", 1, ("0.1.1", "0.1.2"), 2, 2),
        ("0.2", 2, ("0.2.1",), 1, 1),
        ("1.1", 1, ("1.1.1",), 1, 1),
    ]
    assert [(one.id, one.entry, one.place) for one in state.figures.values()][:3] == [
        ("0.1.1", 0, 0),
        ("0.1.2", 0, 1),
        ("0.2.1", 1, 0),
    ]
    assert state.support == (("FS-1",), ("FS-1", "FS-1"))
    assert [force.cards for force in state.resolved.forces] == [(), ()]
    for players, given in ((3, forces), (2, forces[:1]), (1, forces[:1])):
        with pytest.raises(SetupRefused):
            setup.start(replace(content, forces=given), players)
