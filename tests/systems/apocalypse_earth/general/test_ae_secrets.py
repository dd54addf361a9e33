"""Non-interference: whoever is not of the side that hides a unit is sent the same wherever it is, and whatever it was
told to do; so are the events that all may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import pytest

from engine.core.match.causes import Intended
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Intent
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves.driving import Drive
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Shot
from engine.rulesets.apocalypse_earth.state.model import Feature, Resolved
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved, MarchGone
from engine.rulesets.apocalypse_earth.system import ApocalypseEarth, system
from protocol.ids import FigureId, GroupId, MatchId
from protocol.scene.nodes import Reply
from tests.support.faults.interference import Recorded
from tests.support.play.lurking import Lurker
from tests.support.play.observed import Observed
from tests.support.play.secrecy import same
from tests.support.systems import ae_shipped
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, row, squad, vehicle
from tests.support.systems.scripted import ScriptedDice

UNIT: Final = GroupId("0.1")
OWNER: Final = Seat(1)
"""The seat that hides a unit."""
OTHERS: Final = (None, Seat(0), Seat(2))
HOUSE: Final = block("house", "house", 84, 40, 96, 50)
WALL: Final = block("wall", "house", 20, 98, 120, 104)
"""Nobody behind it sees the road."""
FIRES: Final = Reply("answer", {"each": {"group/1.1": "300"}})
HOLDS: Final = Reply("hold")
FAR: Final = squad((150, 110))
WEST, EAST = (3500, 6500), (8500, 6300)
"""Middles of two houses."""
DECISIONS: Final = 20
Act = Intent | Reply


class Table(ApocalypseEarth):
    """The system, whose matches begin at a given table."""

    def __init__(self, beginning: Battle) -> None:
        self._beginning = beginning

    def start(self, resolved: bytes, seats: int) -> Battle:
        """Return the given table; its content has been through its bytes, as in a match."""
        return msgspec.structs.replace(self._beginning, resolved=msgspec.msgpack.decode(resolved, type=Resolved))


def play(state: Battle, acts: Sequence[tuple[int, Act]], dice: Sequence[int] = ()) -> Observed[Battle]:
    """Return a match from this table on, in which seats act and answer so; what nobody answers runs out."""
    table = Observed(Table(state), ScriptedDice(dice), msgspec.msgpack.encode(state.resolved), len(state.seats))
    for seat, act in acts:
        if isinstance(act, Reply):
            table.play.submit(Seat(seat), act)
        else:
            table.play.do(Intended(seat, bytes(16), msgspec.msgpack.encode(act)))
    while table.match.question is not None:
        table.play.expire()
    return table


def public_events(table: Observed[Battle]) -> list[BattleEvent]:
    """Return the events of the log that all may know."""
    entries = [entry for data in table.log for entry in table.match.codec.decode(data).entries]
    return [one for one in entries if isinstance(one, BattleEvent) and one.audience().public]


def check(one: Observed[Battle], other: Observed[Battle]) -> None:
    """Check that all but the owner were sent the same, in number, order, size, bytes and times of questions, and that
    the same happened before all. Raises AssertionError."""
    assert one.match.state.units[GroupId("1.1")].hidden
    assert other.match.state.units[GroupId("1.1")].hidden
    assert same(one, other, OTHERS) == len(OTHERS)
    assert public_events(one) == public_events(other)


def table(mover: Sequence[Squad], place: tuple[float, float], *features: Feature, watches: bool = False) -> Battle:
    """Return a table on which a unit of seat 1 hides at a place."""
    hidden = squad(place, hidden=True, overwatch=watches)
    return battle(mover, [hidden, FAR], [squad((10, 10))], features=features, sides=(0, 1, 0))


@pytest.mark.rule("AE-GEN-06", "AE-OVER-02", "AE-SETUP-04")
def test_a_shot_of_a_hidden_unit_that_lapses_shows_to_nobody() -> None:
    move = (0, Move(UNIT, cm((62, 60))))
    for place in ((70, 108), (90, 110)):
        state = table([squad(*row(3, 50, 60))], place, WALL, watches=True)
        one, other = (play(state, [move, (1, answer)]) for answer in (FIRES, HOLDS))
        check(one, other)
        # every 3 cm, where anybody could have fired
        assert sum(isinstance(event, MarchGone) for event in public_events(one)) == 4
        check(one, play(table([squad(*row(3, 50, 60))], (40, 110), WALL), [move, (1, HOLDS)]))


@pytest.mark.rule("AE-GEN-06", "AE-OPEN-16")
def test_who_steps_aside_for_a_vehicle_tells_nothing_of_a_shot_that_lapses() -> None:
    force = [vehicle((40, 60)), squad((49, 60), (58, 60)), squad((52, 60), (70, 60))]
    state = table(force, (70, 108), WALL, watches=True)
    one, other = (play(state, [(0, Drive(UNIT, ((0, 3000),))), (1, answer)]) for answer in (FIRES, HOLDS))
    check(one, other)
    assert sum(isinstance(event, FiguresMoved) for event in public_events(one)) > 2


@pytest.mark.rule("AE-GEN-06", "AE-OPEN-02")
def test_a_template_that_kills_nobody_tells_of_no_hidden_unit_under_it() -> None:
    lob = (0, Fire(UNIT, shots=(Shot(FigureId("0.1.1"), "fr", at=cm((50, 68))[0]),)))
    force = [squad((45, 60), weapons=("ar", "fr"))]
    check(play(table(force, (52, 68)), [lob], (4, 1)), play(table(force, (90, 68)), [lob], (4,)))


@pytest.mark.rule("AE-GEN-06", "AE-BLD-02", "AE-GEN-05")
def test_a_hit_through_a_wall_strikes_those_that_are_seen_first() -> None:
    gun = squad((70, 45), (70, 47.5), arms=(("hmg145",), ("pi",)))
    fire = (0, Fire(UNIT, shots=(Shot(FigureId("0.1.1"), "hmg145", house="house"),)))
    dice = (6, 1, 1, 1, 1, 1, 1, 1, 6, 4)  # one hit, which goes through 15
    inside, outside = (
        battle(
            [gun],
            [squad(place, hidden=True), squad((92, 45), (92, 48)), FAR],
            [squad((10, 10))],
            features=(HOUSE,),
            sides=(0, 1, 0),
        )
        for place in ((86, 45), (140, 100))
    )
    one, other = (play(state, [fire], (*dice, 2, 2)) for state in (inside, outside))
    assert one.match.state.units[GroupId("1.2")].figures == (FigureId("1.2.1"),)
    check(one, other)


@pytest.mark.rule("AE-GEN-06", "AE-FIRES-03")
def test_a_fire_that_kills_nobody_tells_of_no_hidden_unit_in_it() -> None:
    woods, done = block("w", "woods", 60, 30, 80, 50), squad((10, 10), acted=True)
    tables = [
        battle(
            [squad((20, 20))],
            [squad(place, hidden=True, acted=True)],
            [done],
            features=(woods,),
            sides=(0, 1, 0),
            fires=(Blaze("w", 0),),
        )
        for place in ((70, 40), (90, 60))
    ]
    one, other = (play(state, [(0, Finish(UNIT))], dice) for state, dice in zip(tables, ((3, 1), (3,)), strict=True))
    check(one, other)


@pytest.mark.rule("AE-GEN-06", "AE-OPEN-02")
def test_a_railgun_goes_past_hidden_units_on_its_line() -> None:
    fire = (0, Fire(UNIT, GroupId("1.2")))
    one, other = (
        play(
            battle(
                [squad((50, 60), weapons=("rg",))],
                [squad(place, hidden=True), squad((50, 80)), FAR],
                [squad((10, 10))],
                sides=(0, 1, 0),
            ),
            [fire],
            (5,),
        )
        for place in ((50, 85), (90, 85))
    )
    check(one, other)


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-26")
def test_a_casualty_that_a_medic_saves_reveals_a_hidden_unit() -> None:
    lob = (0, Fire(UNIT, shots=(Shot(FigureId("0.1.1"), "fr", at=cm((50, 68))[0]),)))
    hidden, aid = squad((52, 68), hidden=True), squad((52, 73), roles={0: ("medic",)})
    state = battle([squad((45, 60), weapons=("ar", "fr"))], [hidden, aid], [squad((10, 10))], sides=(0, 1, 0))
    saved = Fight(state, 4, 2, 6).do(*lob)
    assert saved.unit("1.1").figures == ("1.1.1",)
    assert [event.why for event in saved.events(UnitRevealed)] == ["hurt"]


def hidden_at(state: Battle) -> list[tuple[int, int]]:
    """Return the places of all hidden figures."""
    return [figure.at for unit in state.units.values() if unit.hidden for figure in state.members(unit)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, *[pytest.param(seed, marks=pytest.mark.long("leaks")) for seed in range(5, 15)]])
def test_nobody_can_know_where_a_unit_hides_in_random_play(seed: int) -> None:
    """The same replies, with the unit in another house; of seeds in which nobody comes upon it in either."""
    dice = MatchDice(seed.to_bytes(32, "big"), MatchId("m1"))
    recorded: Recorded[Battle] = Recorded(system, msgspec.msgpack.encode(ae_shipped.resolved("loophole")), 2)
    one = recorded.play(dice, {Seat(seat): Lurker(seed + seat) for seat in range(2)}, DECISIONS)
    hides = {n: reply for n, (_, reply) in enumerate(recorded.replies) if reply and reply.choice == "hide"}
    [(number, west)] = hides.items()
    assert west.fields["to"] == list(WEST)
    recorded.replies[number] = OWNER, Reply("hide", {**west.fields, "to": list(EAST)})
    other = recorded.again(dice)
    places = [hidden_at(own.match.state) for own in (one, other)]
    assert all(places)
    assert places[0] != places[1]
    assert same(one, other, (None, Seat(0))) == 2
    assert public_events(one) == public_events(other)
