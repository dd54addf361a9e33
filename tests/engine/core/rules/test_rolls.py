"""A roll has one home: the log stores its faces under its number, and whatever is shown of it names that number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from engine.core.match.causes import Answered, AnyCause, Intended, RoundOpened, Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.events import CoreEvent, DiceRolled, Event
from engine.core.rules.game import Game
from engine.core.rules.record import ROLLS, RUN
from engine.core.rules.system import Intent, Part, Procedure, Setup
from engine.core.view.projection import Projector
from protocol.ids import MatchId, NodeId
from protocol.scene.cue_templates import TemplatedCues, cue_template
from protocol.scene.nodes import Cue, Dice, Reply, RollId, StackItem
from protocol.text import Text, text
from tests.support.systems.haggle import HAGGLE, Act, Haggle, Market, MarketRules, Won
from tests.support.systems.scripted import ScriptedDice

MATCH = MatchId("m1")

RESOLVED = HAGGLE.setup(None, Setup("fair", ("", "", "")))


@cue_template
def won(roll: RollId) -> Iterator[Cue]:
    """Yield a cue with dice, as a template does."""
    yield Cue("dice", text("won"), dice=Dice.of(roll, text("won")))


MANY = ROLLS + RUN + 1
"""A number of rolls in one step that is more than a record remembers."""


class ManyRolls(MarketRules):
    """Rules with an act that makes more rolls than are remembered."""

    def procedure(self, game: Game[Market], seat: Seat, intent: Intent) -> Procedure:
        return self._roll(game, seat) if intent == Act("many") else super().procedure(game, seat, intent)

    async def _roll(self, game: Game[Market], seat: Seat) -> None:
        for _ in range(MANY):
            game.roll(Pool(1), "dice.many", seat)


class Showing(Haggle):
    """A system that can show rolls late. A hidden roll is not shown as it is made. Coins that are won come with dice:
    `late`, or by template those of `formed`; `lying` are the dice on the stack."""

    rules = ManyRolls()
    cue_templates = (won,)

    def __init__(self) -> None:
        self.late: Dice | None = None
        self.formed: RollId | None = None
        self.lying: tuple[Dice, ...] = ()

    def cues(self, event: Event[Market] | CoreEvent, before: Market, after: Market) -> Iterable[Cue | TemplatedCues]:
        if isinstance(event, Won) and self.formed is not None:
            return (won(self.formed),)
        if isinstance(event, Won) and self.late is not None:
            return (Cue("note", Text("won"), dice=self.late),)
        if isinstance(event, DiceRolled) and event.to.public:
            return super().cues(event, before, after)
        return ()

    def public(self, state: Market) -> Iterable[Part]:
        return (Part(NodeId("stack/0"), (self.lying,), lambda: StackItem(Text("lying"), dice=self.lying)),)


class Table:
    """A match with a projector that shows it."""

    def __init__(self, *faces: int) -> None:
        self.system, self.source = Showing(), ScriptedDice(faces)
        self.match: Match[Market] = Match(self.system, MATCH, self.source)
        self.log: list[bytes] = []
        self.projector: Projector[Market] | None = None
        self.do(Start(MATCH, 3, RESOLVED))
        self.projector = Projector(self.match, "first")

    def act(self, name: str) -> list[Dice]:
        """Let seat 0 act, and return the dice that everybody sees."""
        return self.do(Intended(0, bytes(16), self.match.codec.encode_intent(Act(name))))

    def answer(self, seat: int, choice: str) -> list[Dice]:
        """Answer the open question, and return the dice that everybody sees."""
        assert self.match.question is not None
        return self.do(Answered(seat, bytes(16), self.match.question.id, Reply(choice)))

    def do(self, cause: AnyCause) -> list[Dice]:
        """Play a cause with the rounds that it opens, and return the dice that everybody sees."""
        step = self.match.propose(cause)
        self.match.settle(step)
        self.log.append(step.data)
        public = self.projector.advance(step).public if self.projector is not None else None
        told = public.cues if public is not None else ()
        dice = [_of_form(cue) if isinstance(cue, TemplatedCues) else cue.dice for cue in told]
        more = self.do(RoundOpened()) if self.match.wants_round else []
        return [*[shown for shown in dice if shown is not None], *more]

    def rolled(self) -> list[DiceRolled]:
        """Return all rolls in the log."""
        entries = [entry for data in self.log for entry in self.match.codec.decode(data).entries]
        return [entry for entry in entries if isinstance(entry, DiceRolled)]

    def restart(self) -> None:
        """Fold the log anew into another match and projector, as after a restart."""
        self.match = Match(self.system, MATCH, self.source)
        for data in self.log:
            self.match.replay(data)
        self.match.resume()
        self.projector = Projector(self.match, "second")


def _of_form(cue: TemplatedCues) -> Dice:
    seat, sides, faces, round, n, hidden = cue.arguments
    return Dice(text("won"), seat, sides, faces, round=round, n=n, hidden=hidden)


def is_shown(dice: Dice, roll: DiceRolled) -> bool:
    """Tell whether these dice are that roll."""
    return (dice.roll, dice.seat, dice.sides, dice.faces) == (roll.id, roll.seat, roll.sides, roll.faces)


def test_a_hidden_roll_never_lends_its_number_to_a_public_one() -> None:
    """Two equal rolls of one seat are made, the first of them hidden and not shown before."""
    table = Table(4, 4)
    assert table.act("hidden_roll") == []
    table.act("chain")
    [shown] = table.answer(0, "0")
    hidden, public = table.rolled()
    assert (hidden.faces, hidden.seat, hidden.sides) == (public.faces, public.seat, public.sides)
    assert is_shown(shown, public)
    assert not shown.hidden


def test_equal_faces_are_told_apart() -> None:
    """The second of two equal rolls is shown, the first is not."""
    table = Table(5, 5, 5, 5)
    table.system.late = Dice.of(RollId(1, 1), Text("second"))
    table.projector = None
    table.act("gamble")
    table.projector = Projector(table.match, "later")
    assert [dice.roll for dice in table.act("gamble")] == [RollId(1, 1), RollId(1, 1)]


@pytest.mark.parametrize("is_by_form", [False, True])
def test_dice_from_before_a_question_keep_their_number_through_a_restart(is_by_form: bool) -> None:
    table = Table(3, 6)
    table.act("chain")
    [first] = table.answer(0, "1")
    [rolled] = table.rolled()
    assert is_shown(first, rolled)
    table.system.lying = (Dice.of(rolled.id, Text("lying")),)
    table.restart()
    assert table.projector is not None
    stack = table.projector.scene(None)[NodeId("stack/0")]
    assert isinstance(stack, StackItem)
    assert is_shown(stack.dice[0], rolled)
    if is_by_form:
        table.system.formed = rolled.id
    else:
        table.system.late = Dice.of(rolled.id, Text("late"), total=9)
    [told] = table.answer(1, "no")
    assert is_shown(told, rolled)
    assert told.total == (0 if is_by_form else 9)


def test_a_snapshot_holds_the_rolls_that_can_still_be_shown() -> None:
    table = Table(3, 6, 6)
    table.act("hidden_roll")
    [rolled] = table.rolled()
    data = table.match.snapshot()
    table.match = Match(table.system, MATCH, table.source)
    assert table.match.restore(data)
    table.projector = Projector(table.match, "second")
    table.system.late = Dice.of(rolled.id, Text("late"))
    _, told = table.act("gamble")
    assert is_shown(told, rolled)
    assert told.hidden


@pytest.mark.parametrize(
    "dice",
    [
        Dice.of(RollId(1, 9), Text("never made")),
        Dice.of(RollId(9, 0), Text("of no round")),
        Dice.of(RollId(1, 0, True), Text("not hidden")),
        Dice(Text("without a number"), 0, 6, (4, 4)),
    ],
)
def test_dice_that_name_no_recorded_roll_are_a_fault(dice: Dice) -> None:
    table = Table(*(4,) * 6)
    table.system.late = dice
    with pytest.raises(LookupError, match="roll"):
        table.act("gamble")
    table.system.late, table.system.formed = None, dice.roll
    with pytest.raises(LookupError, match="roll"):
        table.act("gamble")
    table.system.formed, table.system.lying = None, (dice,)
    with pytest.raises(LookupError, match="roll"):
        table.act("gamble")


def test_the_record_remembers_so_many_rolls_and_a_step_shows_all_of_its_own() -> None:
    table = Table(*(6,) * MANY)
    shown = table.act("many")
    assert len(shown) == MANY
    assert all(map(is_shown, shown, table.rolled()))
    record = table.match.record
    assert record.rolled[-1][-1].id == RollId(1, MANY - 1)
    assert [record.roll(RollId(1, n)).id.n for n in range(MANY - ROLLS, MANY)] == [*range(MANY - ROLLS, MANY)]
    with pytest.raises(LookupError, match=f"roll {RUN - 1} of round 1"):
        record.roll(RollId(1, RUN - 1))
