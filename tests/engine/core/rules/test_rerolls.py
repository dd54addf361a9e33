"""Dice that are rolled again."""

from __future__ import annotations

from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.events import DiceRolled
from engine.core.rules.game import Game
from engine.core.rules.record import Record
from engine.core.rules.rerolls import reroll
from protocol.scene.nodes import Cue, RollId
from tests.support.systems.haggle import HAGGLE, Market
from tests.support.systems.scripted import ScriptedDice


def game(*faces: int) -> Game[Market]:
    return Game(HAGGLE.start(b"", 3), Record(round=1), ScriptedDice(faces))


def test_dice_that_are_rolled_again_are_two_rolls() -> None:
    table = game(6, 2, 3, 5, 4)
    first = table.roll(Pool(3), "dice.hit", Seat(0))
    assert reroll(table, Seat(0), first.faces, lambda face: face < 4, "dice.again") == (6, 5, 4)
    rolled = [trace.event for trace in table.trail if isinstance(trace.event, DiceRolled)]
    assert [(roll.id, roll.faces) for roll in rolled] == [(RollId(1, 0), (6, 2, 3)), (RollId(1, 1), (5, 4))]
    told = [cue for roll in rolled for cue in HAGGLE.cues(roll, table.state, table.state)]
    assert [cue.dice.roll for cue in told if isinstance(cue, Cue) and cue.dice] == [RollId(1, 0), RollId(1, 1)]


def test_each_die_is_rolled_again_once_at_most_and_of_its_kind() -> None:
    table = game(1, 9)
    assert reroll(table, Seat(2), (1, 1), lambda face: face == 1, "dice.again", sides=10) == (1, 9)
    (trace,) = table.trail
    assert trace.event == DiceRolled(1, 0, "dice.again", 2, 10, (1, 9))


def test_no_roll_is_made_where_every_die_stays() -> None:
    table = game()
    faces = (4, 5)
    assert reroll(table, Seat(0), faces, lambda face: face < 4, "dice.again") == faces
    assert not table.trail
