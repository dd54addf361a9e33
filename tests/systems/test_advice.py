"""Surveys and proposals of the shipped games, at the prompts of matches that bots play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Intended, Start
from engine.core.match.match import Match
from engine.core.rules.advice import Lookouts
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.steps import Steps
from engine.core.rules.system import Setup
from engine.core.view.prompts import cause_of
from engine.core.view.proposals import proposal_for, proposal_steps
from engine.core.view.situations import Situation
from engine.core.view.surveys import survey_of, survey_steps, surveyed_choices, targets_from
from protocol.ids import MatchId, NodeId
from protocol.scene.nodes import Choice, Reply
from server.content.systems import Installed
from tests.support.play.calls import calls_of
from tests.support.systems.installed import shipped_systems

pytestmark = pytest.mark.slow

MATCH = MatchId("m1")
PLACES = (("one_page", "open_field_3000"), ("action_cards", "low_water"), ("apocalypse_earth", "loophole"))
MOST_CALLS: Final = {"one_page": 60_000, "action_cards": 60_000, "apocalypse_earth": 100_000}
"""A thousand take about 0.1 ms where they are of the rules' small functions."""
MOST_CALLS_OF_A_STEP: Final = {"one_page": 15_000, "action_cards": 15_000, "apocalypse_earth": 100_000}
"""Where units of eight and more are placed one by one, that is one step."""


@pytest.fixture(scope="module")
def systems() -> Mapping[str, Installed]:
    return shipped_systems()


def prompts(installed: Installed, scenario: str, turns: int, every: int) -> Iterator[tuple[Match[Any], Seat]]:
    """Every so many decisions of a match of bots, with the seat that is to act."""
    system, content = installed.system, installed.content
    info = next(one for one in system.scenarios(content) if one.id == scenario)
    play = SelfPlay(Match(system, MATCH, MatchDice((7).to_bytes(32, "big"), MATCH)), watched=False)
    play.begin(Start(MATCH, info.seats, system.setup(content, Setup(scenario, ("",) * info.seats))))
    bots = {Seat(seat): system.bots["level1"](seat) for seat in range(info.seats)}
    for turn in range(turns):
        seat = play.next_seat()
        if seat is None:
            return
        if turn % every == 0:
            yield play.match, seat
        play.decide(bots)


def subjects(choice: Choice) -> tuple[NodeId, ...]:
    """Return a few things that a choice could be made with."""
    if choice.gesture is None:
        return ()
    field = next((field for field in choice.fields if field.key == choice.gesture.subject), None)
    return choice.about if field is None else tuple(NodeId(o.id) for o in getattr(field, "options", ())[:2])


@pytest.mark.parametrize(("system", "scenario"), PLACES)
def test_what_is_proposed_is_taken_and_what_is_surveyed_has_reach_targets_or_a_reason(
    systems: Mapping[str, Installed], system: str, scenario: str
) -> None:
    done: Counter[str] = Counter()
    for match, seat in prompts(systems[system], scenario, 180, 12):
        situation = Situation.of(match, seat)
        for choice in situation.choices():
            for subject in subjects(choice):
                assert choice in surveyed_choices(situation, subject)
                found = survey_of(situation, choice, subject)
                done["reach"] += bool(found.reach)
                done["targets"] += any(target.chance for target in found.targets)
                assert all(target.why is not None or target.loss >= 0 for target in found.targets)
                hopeless = bool(found.targets) and all(target.why is not None for target in found.targets)
                assert not hopeless or found.why is not None
                done["hopeless"] += hopeless
            try:
                filled = proposal_for(situation, choice.id, {})
            except IllegalIntent:
                continue
            done["proposed"] += 1
            cause = cause_of(match, seat, bytes(16), Reply(choice.id, dict(filled.fields)))
            if isinstance(cause, Intended):
                match.withdraw(match.propose(cause))
            if filled.ghosts and filled.after is not None and subjects(choice):
                done["moved"] += 1
                subject = next((NodeId(v[0]) for v in filled.fields.values() if isinstance(v, list) and v), NodeId(""))
                targets_from(filled.after, subject)
                looks = match.system
                assert isinstance(looks, Lookouts)
                for at in looks.lookouts(filled.after.state, subject):
                    done["seen"] += len(looks.seen_from(filled.after.state, subject, at)) > 2
    assert done["proposed"] > 20
    assert min(done["reach"], done["targets"], done["moved"], done["seen"], done["hopeless"]) > 0, done


def calls_of_steps(steps: Steps[object]) -> list[int]:
    """Return the number of calls that each step makes, up to the answer or a refusal."""
    calls, ended = [], [False]

    def step() -> None:
        try:
            next(steps)
        except (StopIteration, IllegalIntent):
            ended[0] = True

    while not ended[0]:
        calls.append(calls_of(step))
    return calls


@pytest.mark.parametrize(("system", "scenario"), PLACES)
def test_no_survey_or_proposal_is_dear(systems: Mapping[str, Installed], system: str, scenario: str) -> None:
    """In calls, which no load of the machine changes; and no step of one is half as dear, for a server serves nobody
    else until it is done."""
    calls: list[list[int]] = []
    for match, seat in prompts(systems[system], scenario, 60, 20):
        situation = Situation.of(match, seat)
        for choice in situation.choices():
            for subject in subjects(choice)[:1]:
                calls.append(calls_of_steps(survey_steps(situation, choice, subject)))
            calls.append(calls_of_steps(proposal_steps(situation, choice.id, {})))
    assert len(calls) > 10
    assert max(map(sum, calls)) < MOST_CALLS[system]
    assert max(map(max, calls)) < MOST_CALLS_OF_A_STEP[system]
