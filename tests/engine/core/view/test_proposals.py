"""Proposals: choices filled in so that the rules take them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given, strategies as st

from engine.core.bots.random_bot import Chance, RandomBot
from engine.core.match.causes import Answered, Intended
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.system import Intent, Part, Procedure, Section
from engine.core.view.prompts import cause_of
from engine.core.view.proposals import FilledChoice, proposal_for, proposal_steps, values_of
from engine.core.view.situations import Situation
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.fields import Option
from protocol.scene.nodes import Reply
from protocol.text import text
from tests.support.play.proving_checks import table_of
from tests.support.proving import system
from tests.support.proving.play import ProvingRules
from tests.support.proving.reacting import Reactions
from tests.support.proving.state import GRID, Field
from tests.support.proving.system import SEATS, Proving

WEST = Seat(0)
ABC = tuple(map(Option, "abc"))


def begun(seed: int = 3) -> Match[Any]:
    table = table_of(system, seed)
    while table.match.question is not None:
        table.play.expire()
    return table.match


def proposed(match: Match[Any], choice: str, **fields: object) -> FilledChoice:
    return proposal_for(Situation.of(match, WEST), choice, fields)


def test_fields_that_are_given_stay_and_the_others_take_their_defaults() -> None:
    found = proposed(begun(), "advance", unit=["piece/u01"], cell=[1, 1])
    assert found.fields == {"unit": ["piece/u01"], "cell": [1, 1], "facing": 0}
    assert [field.key for field in found.open] == ["facing"]


def test_a_field_that_was_not_given_is_open_with_its_options() -> None:
    found = proposed(begun(), "advance")
    assert [field.key for field in found.open] == ["unit", "cell", "facing"]
    assert all(not field.lazy for field in found.open)


def test_pieces_that_an_act_moves_have_ghosts() -> None:
    match = begun()
    assert proposed(match, "flags").ghosts.keys() == {f"piece/flag-0-{n}" for n in range(6)}
    dark = next(match.state.of(0, hidden=True))
    cell = proposed(match, "creep").fields["cell"]
    assert isinstance(cell, list)
    assert proposed(match, "creep").ghosts == {dark.node: GRID.centre((cell[0], cell[1]))}
    assert proposed(match, "watch").ghosts == {}


class InSections(Proving):
    """The proving game with each public part in a section of its own, and the sections that are looked into."""

    def __init__(self) -> None:
        super().__init__()
        self.looked: list[str] = []

    def public(self, state: Field) -> Iterable[Section]:  # type: ignore[override]  # parts in sections are a scene too
        for part in super().public(state):
            yield Section(f"of {part.id}", part.key, partial(self._look, part))

    def _look(self, part: Part) -> list[Part]:
        self.looked.append(part.id)
        return [part]


def test_only_what_an_act_changes_of_a_scene_is_looked_into_for_its_ghosts() -> None:
    situation = replace(Situation.of(begun(), WEST), system=(rules := InSections()))
    found = proposal_for(situation, "flags", {})
    assert len(found.ghosts) == 6
    assert set(rules.looked) == found.ghosts.keys()


class Counted(ProvingRules):
    """Rules whose procedures are counted."""

    begun = 0

    def procedure(self, game: Game[Field], seat: Seat, intent: Intent) -> Procedure:
        self.begun += 1
        return super().procedure(game, seat, intent)


def test_no_step_of_a_proposal_carries_out_its_act_twice() -> None:
    """To try it and to see where it leads, so that others are served in between."""
    own = Proving()
    own.rules = counted = Counted(Reactions())
    situation = replace(Situation.of(begun(), WEST), system=own)
    steps, before = proposal_steps(situation, "advance", {}), 0
    for _ in steps:
        assert counted.begun <= before + 1
        before = counted.begun
    assert before == 2


@pytest.mark.parametrize(
    ("choice", "fields", "code"),
    [
        ("fly", {}, "reply/unknown-choice"),
        ("watch", {"force": 3}, "reply/unknown-field"),
        ("watch", {"unit": 3}, "reply/bad-field"),
        ("march", {"unit": ["piece/u00"], "way": [8, 6]}, "way/none"),
        ("flags", {"places": {f"piece/flag-0-{n}": [9, 9999] for n in range(6)}}, "flags/far"),
    ],
)
def test_what_the_rules_do_not_take_is_refused_by_their_own_code(
    choice: str, fields: dict[str, object], code: str
) -> None:
    with pytest.raises(IllegalIntent, match=code):
        proposed(begun(), choice, **fields)


def test_where_it_is_not_ones_turn_there_is_nothing_to_propose() -> None:
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        proposal_for(Situation.of(begun(), Seat(1)), "watch", {})


@given(st.integers(0, 2**32), st.integers(0, 40))
def test_an_intent_with_exactly_a_proposals_fields_is_never_refused(seed: int, turns: int) -> None:
    table = table_of(system, seed)
    bots = {Seat(s): RandomBot(seed + s) for s in range(SEATS)}
    table.play.play(bots, turns)
    match, chance = table.match, Chance(seed)
    for seat in match.may_act():
        if match.given(seat) is not None:
            continue
        situation = Situation.of(match, seat)
        for choice in situation.choices():
            first = choice.fields[0] if choice.fields else None
            given: dict[str, object] = {}
            if first is not None and chance.below(2):
                values = list(values_of(first))
                given = {first.key: chance.pick(values)} if values else {}
            try:
                fields = dict(proposal_for(situation, choice.id, given).fields)
            except IllegalIntent:
                continue
            assert given.items() <= fields.items()
            cause = cause_of(match, seat, bytes(16), Reply(choice.id, fields))
            assert isinstance(cause, Answered | Intended)
            match.withdraw(match.propose(cause)) if match.question is None else situation.check(
                Reply(choice.id, fields)
            )


@pytest.mark.parametrize(
    ("field", "values"),
    [
        (scene.Pieces("f", text("f"), options=ABC, default=("b",)), [["b"], ["a"], ["c"]]),
        (scene.Pieces("f", text("f"), options=ABC, least=2, most=3), [["a", "b"]]),
        (scene.Pieces("f", text("f"), options=ABC, least=0), [[], ["a"], ["b"], ["c"]]),
        (scene.PickOption("f", text("f"), options=ABC, default="c"), ["c", "a", "b"]),
        (scene.PickPoint("f", text("f"), start=(1, 2)), [[1, 2]]),
        (scene.Template("f", text("f"), default=(3, 4), start=(1, 2)), [[3, 4], [1, 2]]),
        (scene.PickCell("f", text("f"), options=((0, 0), (1, 0)), default=(1, 0)), [[1, 0], [0, 0]]),
        (scene.Facing("f", text("f"), angles=(0, 90), default=90), [90, 0]),
        (scene.PathPoint("f", text("f"), path=((0, 0), (1, 0)), default=1), [1, 0]),
        (scene.Number("f", text("f"), least=2, most=4), [2]),
        (scene.Placement("f", text("f"), default={NodeId("piece/1"): (1, 2)}), [{"piece/1": [1, 2]}]),
        (scene.Assign("f", text("f"), default={"a": "x"}), [{"a": "x"}]),
        (scene.Order("f", text("f"), items=ABC), [["a", "b", "c"]]),
        (scene.Way("f", text("f"), default=(1, 2)), [[1, 2]]),
        (scene.Words("f", text("f")), ["?"]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, scene.Field) else "",
)
def test_values_are_tried_from_the_default_on(field: scene.AnyField, values: list[object]) -> None:
    assert list(values_of(field)) == values
