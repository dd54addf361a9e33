"""Three reactions to one activation: one interrupted from overwatch, a card drawn and one played in the middle, and a
nerve that fails and breaks it all off. The log is folded and the procedure rebuilt at every stop."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.match.causes import Undo
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.record import SeatSettings
from protocol.ids import NodeId
from protocol.scene.nodes import Cue, Reply
from tests.support.play.observed import Observed
from tests.support.proving import events, system
from tests.support.proving.state import GRID, Field, Scenario
from tests.support.proving.system import SEATS
from tests.support.systems.scripted import ScriptedDice

WEST, EAST, NORTH = map(Seat, range(SEATS))


class Story:
    """A match with dice in the test's hands."""

    def __init__(self) -> None:
        self.dice = ScriptedDice()
        self.table: Observed[Field] = Observed(system, self.dice, msgspec.msgpack.encode(Scenario(30)), SEATS)
        self.silence()

    @property
    def kind(self) -> str:
        """The kind of the open question."""
        question = self.table.match.question
        return question.kind if question is not None else ""

    def say(self, seat: Seat, choice: str, *dice: int, **fields: object) -> None:
        """A reply; `dice` are rolled in what follows from it."""
        self.dice.push(*dice)
        self.table.play.submit(seat, Reply(choice, fields))
        self.check()

    def silence(self, *dice: int) -> None:
        """Time runs out for all questions that are open and follow, or (with dice) for this one."""
        self.dice.push(*dice)
        while self.kind:
            self.table.play.expire()
            self.check()
            if dice:
                return

    def check(self) -> None:
        """The engine's own promises."""
        self.table.check_log()
        self.table.check_views()

    def entries(self) -> list[object]:
        """All events of the system so far."""
        stored = [self.table.match.codec.decode(data) for data in self.table.log]
        return [entry for step in stored for entry in step.entries if not type(entry).__module__.startswith("engine")]


def advance(story: Story, seat: Seat, unit: str, *cell: int) -> None:
    story.say(seat, "advance", unit=[f"piece/{unit}"], cell=list(cell), facing=0)


def at_the_declaration() -> Story:
    """West watches; two of East's units and one of North's are near when West's other unit advances."""
    story = Story()
    story.say(WEST, "watch", unit=["piece/u01"])
    story.say(WEST, "end")
    for unit, cell in (("u10", (5, 0)), ("u11", (4, 1))):
        advance(story, EAST, unit, *cell)
        story.dice.push(1, 1, 1)  # the watcher fires, and misses
        story.silence()
    advance(story, NORTH, "u20", 2, 3)
    story.silence()
    story.say(NORTH, "end")
    assert story.table.match.may_act() == (WEST,)
    advance(story, WEST, "u00", 2, 0)
    assert story.kind == "react"
    return story


def test_a_chain_of_three_reactions_runs_as_the_rules_have_it() -> None:
    story = at_the_declaration()
    told = {viewer: len(frames) for viewer, frames in story.table.frames.items()}
    story.say(EAST, "react", units=["piece/u10", "piece/u11"], at=2)
    assert {viewer: len(frames) for viewer, frames in story.table.frames.items()} == told, "sealed"
    story.say(NORTH, "react", units=["piece/u20"], at=1)
    assert story.kind == "order"
    before = len(story.entries())
    story.silence(6)
    first = story.table.match.state.activation
    assert first is not None
    assert story.kind == "overwatch"
    # 6 and 1 on top of the watcher's bonus: it fires first, three hits destroy who was about to react
    story.say(WEST, "piece/u01", 1, 6, 6, 6)
    assert isinstance(story.entries()[-1], events.Lapsed)
    # the next reaction: no interruption, all keep their cards; West rolls 1 and draws in the middle of the chain
    story.say(WEST, "none") if story.kind == "overwatch" else None
    assert story.kind == "before-test"
    story.say(WEST, "hold")
    story.say(EAST, "hold")
    story.say(NORTH, "hold", 5, 1)
    assert len(story.table.match.state.hands[WEST]) == 2
    # the last: West plays a card before the test, which East or North loses
    story.say(WEST, "none") if story.kind == "overwatch" else None
    assert story.kind == "before-test"
    card = story.table.match.state.hands[WEST][-1]
    story.say(WEST, card)
    story.say(EAST, "hold")
    # 2 against 5, then the winner's fire: one hit, and the nerve fails
    story.say(NORTH, "hold", 2, 5, 4, 1, 1, 1)
    assert story.kind == "fall-back"
    story.silence()
    kinds = [type(entry) for entry in story.entries()[before:]]
    count = kinds.count
    assert (count(events.Reacting), count(events.Tested), count(events.CardTaken)) == (0, 2, 1)
    assert count(events.CardPlayed) == 1
    assert count(events.Broken) == 1
    assert (count(events.Answered), count(events.Lapsed)) == (1, 2), "three declared, three ended"
    assert kinds[-1] is events.Completed
    assert story.kind == ""


def test_one_sealed_answer_gives_each_unit_a_point_of_its_own() -> None:
    story = at_the_declaration()
    with pytest.raises(IllegalIntent, match="react/far"):
        story.say(EAST, "each", each={"piece/u10": "0"})
    story.say(EAST, "each", each={"piece/u10": "2", "piece/u11": "1"})
    story.say(NORTH, "none")
    declared = {e.unit: e.at for e in story.entries() if isinstance(e, events.Reacting)}
    units = {unit.node: unit.id for unit in story.table.match.state.units}
    assert declared == {units[NodeId("piece/u10")]: 2, units[NodeId("piece/u11")]: 1}


def test_a_unit_marches_over_corners_of_its_players_own() -> None:
    story = Story()
    with pytest.raises(IllegalIntent, match="way/none"):
        story.say(WEST, "march", unit=["piece/u00"], way=[3, 0, 0, 0])
    story.say(WEST, "march", unit=["piece/u00"], way=[1, 0, 2, 0])
    story.silence()
    moved = story.table.match.state.unit(0)
    assert moved is not None
    assert moved.cell == (2, 0)


def test_flags_are_set_once_and_near() -> None:
    story = Story()
    x, y = GRID.centre((0, 0))
    places = {f"piece/flag-0-{n}": [x + 80 * n, y] for n in range(6)}
    with pytest.raises(IllegalIntent, match="flags/far"):
        story.say(WEST, "flags", places=places | {"piece/flag-0-5": [x + 900, y]})
    story.say(WEST, "flags", places=places)
    assert story.table.match.state.flags[WEST][1] == (x + 80, y)
    with pytest.raises(IllegalIntent, match="unknown-choice"):
        story.say(WEST, "flags", places=places)


def test_what_was_rolled_or_revealed_cannot_be_taken_back_and_a_turned_unit_can() -> None:
    story = at_the_declaration()
    with pytest.raises(IllegalIntent, match="undo/waiting"):
        story.table.play.do(Undo(WEST, bytes(16)))
    story.dice.push(1, 1, 1)
    story.silence()
    before = story.table.match.state
    story.say(WEST, "face", unit=["piece/u01"], facing=120)
    story.table.play.do(Undo(WEST, bytes(16)))
    story.check()
    assert story.table.match.state == before


def test_a_standing_order_speaks_for_a_seat_that_is_silent() -> None:
    story = at_the_declaration()
    story.say(EAST, "core:settings", stops=[], orders={"before-test": "dash"})
    assert story.table.match.record.settings[EAST] == SeatSettings((), {"before-test": Reply("dash")})
    story.say(EAST, "react", units=["piece/u10"], at=2)
    story.say(NORTH, "none")
    story.say(WEST, "none") if story.kind == "overwatch" else None
    assert story.kind == "before-test"
    assert story.table.match.automatic() == (WEST, EAST, NORTH)
    story.silence(3, 3, 1, 1, 1)
    played = [entry for entry in story.entries() if isinstance(entry, events.CardPlayed)]
    assert played == [events.CardPlayed(EAST, "dash")]
    tested = [entry for entry in story.entries() if isinstance(entry, events.Tested)]
    assert tested[-1].won, "3 and the card against 3"
    assert all(isinstance(cue, Cue) and cue.text.k != "log.expired" for cue in story.table.frames[None][-1].cues)
