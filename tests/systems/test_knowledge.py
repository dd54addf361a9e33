"""What a seat knows of the shipped games, and that it gets nothing beyond."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from engine.core.bots.random_bot import Chance, RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup, System
from engine.rulesets.action_cards import system as action_cards
from engine.rulesets.action_cards.state.state import SeatState, Skirmish
from engine.rulesets.action_cards.view.knowledge import OPEN
from engine.rulesets.one_page import system as one_page
from protocol.ids import MatchId
from tests.support.play.knowledge import check_knowledge, packed
from tests.support.systems.installed import shipped_systems

MATCH = MatchId("m1")


@pytest.fixture(scope="module")
def content() -> Mapping[str, Any]:
    """Return the content of every shipped system."""
    return {name: installed.content for name, installed in shipped_systems().items()}


def begun(system: System[Any], content: object, scenario: str, seed: int) -> SelfPlay[Any]:
    """Begin a match of a scenario with its usual factions."""
    info = next(one for one in system.scenarios(content) if one.id == scenario)
    resolved = system.setup(content, Setup(scenario, ("",) * info.seats))
    play = SelfPlay(Match(system, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH)), watched=False)
    play.begin(Start(MATCH, info.seats, resolved))
    return play


@pytest.mark.parametrize("scenario", ["low_water", "harrow_cross"])
def test_what_a_seat_of_the_card_game_gets_follows_from_what_it_knows(
    content: Mapping[str, Any], scenario: str
) -> None:
    play = begun(action_cards, content["action_cards"], scenario, 7)
    bots = {Seat(s): RandomBot(s) for s in range(play.match.record.seats)}
    hid = 0
    for turn in range(60):
        seat = play.next_seat()
        if seat is None:
            break
        if turn % 6 == 0:
            check_knowledge(play.match, seat, turn, {"level1": action_cards.bots["level1"]})
            hid += packed(play.match.known(seat)) != packed(play.match.state)
        play.decide(bots)
    assert hid


def test_a_seat_of_the_card_game_does_not_know_the_secrets_of_others(content: Mapping[str, Any]) -> None:
    play = begun(action_cards, content["action_cards"], "low_water", 7)
    state: Skirmish = play.match.state
    secret = [condition.id for condition in state.resolved.scenario.secrets]
    own = msgspec.structs.replace(state.seats[1], secrets=(secret[0],), met=(secret[0], "open"))
    other = msgspec.structs.replace(state.seats[1], secrets=(secret[-1],), met=("open",))
    one, two = (msgspec.structs.replace(state, seats=(state.seats[0], seat, *state.seats[2:])) for seat in (own, other))
    assert action_cards.known(one, Seat(1)).seats[1] is own
    assert packed(action_cards.known(one, Seat(0))) == packed(action_cards.known(two, Seat(0)))
    assert action_cards.known(one, Seat(0)).seats[1] == SeatState(own.faction, met=("open",))
    assert action_cards.known(one, Seat(0)).seats is action_cards.known(one, Seat(0)).seats
    imagined = action_cards.imagine(action_cards.known(one, Seat(0)), Chance(1))
    assert all(len(seat.secrets) == len(known.secrets) for seat, known in zip(imagined.seats, state.seats, strict=True))


def test_every_field_of_the_card_game_is_known_or_hidden_on_purpose() -> None:
    assert Skirmish.__struct_fields__ == ("resolved", "seats", *OPEN)


def test_one_page_has_no_secrets(content: Mapping[str, Any]) -> None:
    scenario = one_page.scenarios(content["one_page"])[0].id
    play = begun(one_page, content["one_page"], scenario, 3)
    assert all(play.match.known(Seat(seat)) is play.match.state for seat in range(play.match.record.seats))
    assert one_page.imagine(play.match.state, Chance(0)) is play.match.state
