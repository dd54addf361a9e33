"""Projection: nodes made once, prompts by their ids, and nothing that belongs to another viewer."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.match.causes import Expiry, Intended, TableEvent, Undo, Void
from engine.core.match.rule_code import CHANGED, RuleCode, code_event
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.events import CoreEvent, Event
from engine.core.rules.system import Setup
from engine.core.view.projection import Projector, SceneChange, SceneChanges
from protocol.ids import MatchId, NodeId
from protocol.scene.cue_templates import TemplatedCues, cue_template
from protocol.scene.nodes import Cue, Prompt, Reply
from protocol.text import Text, text
from tests.support.play.observed import Observed
from tests.support.systems.haggle import HAGGLE, Act, Buy, Haggle, Ledger, Market, Passed

A = NodeId("a")

RESOLVED = HAGGLE.setup(None, Setup("fair", ("", "", "")))
ID = bytes(16)


class Watched(Ledger):
    """A market with the changes that everybody is told of."""

    def __init__(self) -> None:
        super().__init__()
        self.projector = Projector(self.match, "s")

    def told(self, cause: Intended | Expiry | Undo | Void | TableEvent) -> SceneChanges:
        return self.projector.advance(self.do(cause))

    def acts(self, name: str) -> SceneChanges:
        return self.told(Intended(0, ID, self.match.codec.encode_intent(Act(name))))


def notes(change: SceneChange | None) -> list[Text]:
    assert change is not None
    return [cue.text for cue in change.cues if isinstance(cue, Cue) and cue.kind == "note"]


def test_a_private_change_is_told_to_its_seat_alone() -> None:
    table = Watched()
    frames = table.acts("hidden_roll")
    assert frames.public is None
    assert frames.private.keys() == {Seat(0)}
    assert "counter/hand" in frames.private[Seat(0)].patch
    (cue,) = frames.private[Seat(0)].cues
    assert isinstance(cue, Cue)
    assert cue.dice is not None
    assert cue.dice.hidden
    assert "counter/hand" in table.projector.scene(Seat(0))
    for other in (Seat(1), None):
        assert "counter/hand" not in table.projector.scene(other)


def test_changes_are_numbered_by_part_and_hashed() -> None:
    table = Watched()
    told = [table.acts(name) for name in ("hidden_roll", "hidden_roll", "gamble", "hidden_roll")]
    assert [frames.public.n for frames in told if frames.public is not None] == [1]
    own = [frames.private[Seat(0)] for frames in told if Seat(0) in frames.private]
    assert [change.n for change in own] == list(range(1, len(own) + 1))
    assert (own[0].after, own[-1].after) == (0, 1)
    assert own[-1].hash == table.projector.private[Seat(0)].hashed.hash
    assert [frames.public.hash for frames in told if frames.public] == [table.projector.public.hashed.hash]


def test_a_step_that_changes_nothing_is_not_told() -> None:
    assert Watched().told(TableEvent("link", 2, "lost")) == SceneChanges(None, {})


def test_what_the_core_does_itself_is_told_to_all() -> None:
    table = Watched()
    table.told(Intended(0, ID, table.match.codec.encode_intent(Buy("bread"))))
    undone = table.told(Undo(0, ID)).public
    assert notes(undone) == [text("log.undone", seat=Text("seat.0"))]
    table.acts("chain")
    assert notes(table.told(Void("e-1")).public) == [text("log.voided", error="e-1")]
    table.acts("ask_self")
    assert notes(table.told(Expiry(question=1)).public)[0] == text("log.expired", seat=Text("seat.0"))
    changed = table.told(code_event(CHANGED, RuleCode("1.2", b"code"))).public
    assert notes(changed) == [text("log.rules_changed", version="1.2")]


@cue_template
def passed(seat: int) -> list[Cue]:
    """Make a note by template."""
    return [Cue("note", text("passed", seat=seat))]


def test_a_form_that_the_system_does_not_list_is_a_fault() -> None:
    class Formed(Haggle):
        def cues(self, event: Event[Market] | CoreEvent, before: Market, after: Market) -> list[Cue | TemplatedCues]:
            return [passed(1)] if isinstance(event, Passed) else []

    def told(system: Formed) -> SceneChanges:
        table = Observed(system, MatchDice(bytes(32), MatchId("m1")), RESOLVED, 3)
        step = table.match.propose(Expiry(seat=0))
        table.match.settle(step)
        return table.play.projector.advance(step)

    with pytest.raises(LookupError, match="haggle does not list the cue template 'passed'"):
        told(Formed())
    listed = Formed()
    listed.cue_templates = (passed,)
    public = told(listed).public
    assert public is not None
    assert public.cues == (passed(1),)


@pytest.mark.parametrize("name", ["gamble", "hidden_roll", "auction", "draw"])
def test_who_only_looks_sees_the_same(name: str) -> None:
    table = Watched()
    looking = Projector(table.match, "s", watched=False)
    table.acts(name)
    looking.invalidate()
    for seat in map(Seat, range(3)):
        assert looking.scene(seat) == table.projector.scene(seat)
        assert looking.prompt(seat) == table.projector.prompt(seat)
    assert looking.scene(None) == table.projector.scene(None)


# A prompt's id: by it a client knows what it has answered, and the server what an answer is to


def market() -> Observed[Market]:
    return Observed(HAGGLE, MatchDice(bytes(32), MatchId("m1")), RESOLVED, 3)


def prompts(table: Observed[Market]) -> list[Prompt]:
    """Return the prompt of each seat."""
    found = [table.play.projector.prompt(Seat(seat)) for seat in range(3)]
    return [prompt for prompt in found if prompt is not None]


def nameless(found: list[Prompt]) -> list[Prompt]:
    return [msgspec.structs.replace(prompt, id="") for prompt in found]


def test_the_same_question_asked_again_is_another_prompt() -> None:
    """An answer to the first question is none to the second, even with nothing shown in between."""
    table = market()
    table.play.submit(Seat(0), Reply("twice"))
    first = prompts(table)
    table.play.submit(Seat(0), Reply("yes"))
    assert prompts(table) == first
    table.play.expire()
    second = prompts(table)
    assert len(first) == len(second) == 3
    assert nameless(first) == nameless(second)
    assert all(before.id != after.id for before, after in zip(first, second, strict=True))
    table.check_views()


def test_an_act_that_leaves_the_choices_leaves_the_prompt() -> None:
    table = market()
    table.play.submit(Seat(0), Reply("gamble"))
    (before,) = (prompt for prompt in prompts(table) if prompt.choices)
    table.play.submit(Seat(0), Reply("gamble"))
    (after,) = (prompt for prompt in prompts(table) if prompt.choices)
    assert after is before
