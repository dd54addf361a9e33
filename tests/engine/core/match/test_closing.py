"""The closing property: every action that a system declares ends, and the log holds how."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from engine.core.rules.errors import RuleBug
from engine.core.rules.events import ActionDeclared, ActionResolved
from engine.core.rules.game import Game, Pending
from tests.engine.core.view.test_shown_rolls import table_of
from tests.proving.test_proving_chain import EAST, NORTH, Story, at_the_declaration
from tests.support.proving.events import Answered, Lapsed
from tests.support.proving.reacting import Reactions
from tests.support.proving.state import Field
from tests.support.proving.system import Proving
from tests.support.runs.cases import cases

SYSTEMS = ("low_water", "harrow_cross", "one_page", "loophole", "proving", "haggle")


def counted(name: str, seed: int, decisions: int) -> Counter[str]:
    """Play so many decisions, and check after each that what is declared has ended or waits for an answer. Return how
    often each kind was declared."""
    table, bots = table_of(name, seed)
    table.play.play(bots, decisions)
    match, found = table.match, Counter[str]()
    declared = resolved = 0
    for data in table.log:
        stored = match.codec.decode(data)
        for entry in stored.entries:
            declared += isinstance(entry, ActionDeclared)
            resolved += isinstance(entry, ActionResolved)
            if isinstance(entry, ActionDeclared):
                found[entry.kind] += 1
        assert stored.asked is not None or declared == resolved, f"open after step {stored.version}"
    assert declared - resolved == len(match.record.declared)
    return found


@cases(5, 50)
@given(st.integers(0, 2**32), st.sampled_from(SYSTEMS))
def test_every_declared_action_ends(seed: int, name: str) -> None:
    counted(name, seed, 40)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "decisions", "kinds"),
    [
        ("harrow_cross", 250, {"shot", "move", "combat"}),
        ("one_page", 120, {"shoot", "walk", "run", "hold"}),
        ("loophole", 80, {"move", "fire"}),
        ("proving", 250, {"advance", "reaction", "creep"}),
    ],
)
def test_what_systems_do_is_declared(name: str, decisions: int, kinds: set[str]) -> None:
    assert set(counted(name, 11, decisions)) >= kinds


class Forgetful(Reactions):
    """Ends its reactions, but not what was declared of them."""

    def carry_out(self, game: Game[Field], id: int, reaction: Pending[Field]) -> None:
        game.emit(Answered(id))

    async def test(self, game: Game[Field], id: int, reaction: Pending[Field]) -> None:
        game.emit(Lapsed(id))


def play_out(story: Story) -> None:
    """Let a unit of East react, and time run out for all that follows."""
    story.say(EAST, "react", units=["piece/u10"], at=2)
    story.say(NORTH, "none")
    while story.kind:
        story.table.play.expire()


def test_a_reaction_that_is_never_resolved_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.proving.test_proving_chain.system", Proving(Forgetful()))
    story = at_the_declaration()
    story.dice.push(1, 1, 1)
    with pytest.raises(RuleBug, match="never resolved: reaction"):
        play_out(story)
