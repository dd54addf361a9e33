"""Powers by gestures: a survey knows the targets of all, a proposal those that fit the one that was clicked."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.record import Record
from engine.core.view.proposals import proposal_for
from engine.core.view.situations import Situation
from engine.core.view.surveys import survey_of
from engine.rulesets.one_page import system
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import NodeId
from protocol.scene.fields import PickOption
from tests.support.play.many_plays import SeededDice
from tests.support.systems.battle import battle, row, squad

CASTER, FRIEND, FOE = "group/0.1", "group/0.2", "group/1.1"


def situation() -> Situation[Battle]:
    caster = squad((3000, 1000), rules=("psyker.2",), discipline="ash")
    state = battle([caster, squad((3600, 1000), id="T-02")], [squad(*row(6, 3000, 1800))])
    ready = replace(state, seats=(replace(state.seats[0], dice=8), state.seats[1]))
    return Situation(system, Seat(0), ready, Record(seats=2, round=1), SeededDice(1))


def fitting(target: str) -> set[str]:
    """Return the powers that a proposal offers for a target."""
    filled = proposal_for(situation(), "power", {"unit": [CASTER], "target": [target]})
    field = next(field for field in filled.open if isinstance(field, PickOption))
    return {option.id for option in field.options}


@pytest.mark.rule("OP-SR-14")
def test_the_targets_of_every_power_are_known() -> None:
    now = situation()
    choice = next(choice for choice in now.choices() if choice.id == "power")
    targets = survey_of(now, choice, NodeId(CASTER)).targets
    assert {target.id for target in targets if target.why is None} >= {FRIEND, FOE}


@pytest.mark.rule("OP-SR-14")
def test_only_the_powers_that_fit_a_target_are_offered_for_it() -> None:
    friendly, hostile = fitting(FRIEND), fitting(FOE)
    assert friendly
    assert hostile
    assert not friendly & hostile
