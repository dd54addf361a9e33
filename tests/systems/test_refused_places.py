"""Refusals of the action cards and One Page name the node or the point at fault, and what is in the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest

from engine.core.rules.errors import IllegalIntent, Refusal
from engine.rulesets.action_cards.rules.movement.moves import Move as Go
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.vehicles.boarding import Embark as Board
from engine.rulesets.one_page.rules.moving import Hold, Move
from engine.rulesets.one_page.rules.shooting import Shoot as Fire
from engine.rulesets.one_page.rules.transports import Embark
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import FigureId, GroupId
from tests.support.systems import motors, skirmish
from tests.support.systems.battle import Fight, battle, block, row, squad
from tests.support.systems.motors import with_vehicle
from tests.support.systems.skirmish import area, barrier, line_up

OWN, FOE, VESSEL = GroupId("0.1"), GroupId("1.1"), GroupId("0.9")
LEAD, NEXT = FigureId("0.1/1"), FigureId("0.1/2")
PLACES: Final = {"0.1": line_up(2, 1000, 1000), "1.1": line_up(2, 1000, 2000)}
POND: Final = area("pond", "crag", 800, 1300, 1400, 1500)
ROCK: Final = area("rock", "trees", 500, 1300, 1800, 1500)


def refused(play: Any, intent: Any) -> Refusal:
    with pytest.raises(IllegalIntent) as caught:
        play.do(0, intent)
    return caught.value.refusal


def told(refusal: Refusal) -> tuple[str, object, str]:
    return refusal.code, refusal.at, refusal.by


CARDS: Final[Mapping[str, tuple[Any, Any, tuple[str, object, str]]]] = {
    "too far": ((PLACES, ()), Go(OWN, LEAD, (3000, 1000)), ("move/too-far", (3000, 1000), "")),
    "an enemy in the way": (
        ({**PLACES, "1.1": line_up(2, 1000, 1400)}, ()),
        Go(OWN, LEAD, (1000, 1700)),
        ("move/enemy-in-the-way", (1000, 1700), "piece/1.1/1"),
    ),
    "no line of sight": (
        (PLACES, (ROCK,)),
        Shoot(OWN, FOE),
        ("shoot/no-line-of-sight", "group/1.1", "feature/rock"),
    ),
    "out of coherency": (
        (PLACES, ()),
        Go(OWN, LEAD, (1000, 1500), {NEXT: (2500, 1400)}),
        ("place/too-far", (2500, 1400), ""),
    ),
    "one on another": (
        (PLACES, ()),
        Go(OWN, LEAD, (1000, 1500), {NEXT: (1000, 1490)}),
        ("place/overlap", (1000, 1490), "piece/0.1/1"),
    ),
}


@pytest.mark.parametrize("case", CARDS)
def test_refusals_of_the_card_game_have_a_place(case: str) -> None:
    (places, features), intent, expected = CARDS[case]
    assert told(refused(skirmish.Play(skirmish.table(places, features)), intent)) == expected


@pytest.mark.parametrize("kind", ["impassable", "wall"])
def test_what_blocks_the_way_of_a_group_is_in_the_way(kind: str) -> None:
    thing = POND if kind == "impassable" else barrier("hedge", "wall", (500, 1400), (1800, 1400))
    found = refused(skirmish.Play(skirmish.table(PLACES, [thing])), Go(OWN, LEAD, (1000, 1700)))
    assert (found.at, found.by) == ((1000, 1700), f"feature/{thing.id}")


def test_a_vehicle_that_has_no_seats_left_is_at_fault() -> None:
    state = motors.table({"0.1": line_up(5, 1000, 1000), "1.1": line_up(2, 6000, 4500)})
    play = skirmish.Play(with_vehicle(state, VESSEL, "car", (1000, 1600)))
    assert told(refused(play, Board(OWN, VESSEL))) == ("embark/no-seats", "group/0.9", "")


BATTLE: Final = battle([squad(*row(3, 3000, 1000)), squad((3060, 1500), id="T-02")], [squad((3000, 5000))])


def at_pond(kind: str) -> Battle:
    return battle([squad(*row(3, 3000, 1000))], [squad((3000, 6000))], block("it", kind, 2800, 1200, 3600, 1400))


BATTLES: Final[Mapping[str, tuple[Battle, Any, tuple[str, object, str]]]] = {
    "too far": (BATTLE, Move(OWN, run=False, to=(5000, 1000)), ("move/too-far", (5000, 1000), "")),
    "another unit in the way": (
        BATTLE,
        Move(OWN, run=False, to=(3000, 1550)),
        ("move/too-near", (3000, 1550), "group/0.2"),
    ),
    "closed ground": (
        at_pond("water"),
        Move(OWN, run=False, to=(3100, 1550)),
        ("move/closed", (3100, 1550), "feature/it"),
    ),
    "off the table": (
        battle([squad(*row(3, 3000, 300))], [squad((3000, 5000))]),
        Move(OWN, run=False, to=(3000, 20)),
        ("place/off-table", (3000, 20), ""),
    ),
    "out of coherency": (
        BATTLE,
        Move(OWN, run=False, to=(3000, 800), places={"0.1.2": (4400, 800), "0.1.3": (3000, 650)}),  # type: ignore[dict-item]
        ("place/formation", (4400, 800), ""),
    ),
    "no transport": (BATTLE, Embark(OWN, GroupId("0.2")), ("embark/no-transport", "group/0.2", "")),
}


@pytest.mark.parametrize("case", BATTLES)
def test_refusals_of_the_battle_game_have_a_place(case: str) -> None:
    state, intent, expected = BATTLES[case]
    assert told(refused(Fight(state), intent)) == expected


@pytest.mark.parametrize(
    ("place", "features", "code", "by"),
    [
        ((3000, 7000), (), "shoot/too-far", ""),
        ((3000, 2000), (block("mill", "building", 2000, 1400, 5000, 1600),), "shoot/no-sight", "feature/mill"),
    ],
)
def test_a_target_that_cannot_be_shot_at_is_at_fault(place: Any, features: Any, code: str, by: str) -> None:
    near = squad((1500, 1000), id="T-02")
    fight = Fight(battle([squad(*row(3, 3000, 1000))], [squad(place), near], *features)).do(0, Hold(OWN))
    assert told(refused(fight, Fire(OWN, FOE))) == (code, "group/1.1", by)
