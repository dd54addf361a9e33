"""Leaks planted in the real server are found by twin matches: in each kind of message, and by time alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from engine.rulesets.action_cards.rules.cards import cards
from tests.support.twins import planted
from tests.support.twins.comparing import Told
from tests.support.twins.games import ALLIES, CARDS, DUEL, Game
from tests.support.twins.kinds import (
    no_answer,
    other_future,
    other_secrets,
    other_side_words,
    other_whispers,
    sealed_answers,
)
from tests.support.twins.planted import SERVER_MESSAGES, Planted
from tests.support.twins.playing import Planting, Played, again, improvise

pytestmark = pytest.mark.waits

SEED = 2
KINDS = [
    pytest.param(kind.__struct_config__.tag, how, id=kind.__name__)
    for kind, how in SERVER_MESSAGES.items()
    if isinstance(how, Planted)
]


@cache
def play_of(game: Game) -> Played:
    return improvise(game, SEED)


def with_leak(game: Game, planting: Planting) -> Played:
    """The play as it was on a server in which this is planted."""
    one = play_of(game)
    return again(game, one.acts, planting=planting)


def test_every_message_of_a_server_is_planted_or_knows_no_match() -> None:
    assert set(SERVER_MESSAGES) == planted.server_messages()
    reasons = [how for how in SERVER_MESSAGES.values() if isinstance(how, str)]
    assert all(reason.startswith(planted.NO_MATCH) for reason in reasons)


@pytest.mark.parametrize(("tag", "how"), KINDS)
def test_a_leak_in_each_kind_of_message_is_found(tag: str, how: Planted) -> None:
    planting = planted.in_messages(how)
    with pytest.raises(Told) as caught:
        other_secrets(DUEL, with_leak(DUEL, planting), SEED, planting)
    assert caught.value.kind == tag


@pytest.mark.parametrize("where", [planted.in_details_of_the_server, planted.in_details_of_the_core])
@pytest.mark.parametrize(("game", "deck"), [(CARDS, cards.DECK), (DUEL, "cards")])
def test_the_next_card_in_a_detail_is_found(game: Game, deck: str, where: Callable[[str], Planting]) -> None:
    planting = where(deck)
    with pytest.raises(Told) as caught:
        other_future(game, with_leak(game, planting), SEED, planting)
    assert caught.value.kind == "detail"


def test_the_next_card_in_the_ground_that_would_be_seen_is_found() -> None:
    planting = planted.in_seen_ground(cards.DECK)
    with pytest.raises(Told) as caught:
        other_future(CARDS, with_leak(CARDS, planting), SEED, planting)
    assert caught.value.kind == "proposed"


def test_a_frame_that_is_queued_later_is_found() -> None:
    with pytest.raises(Told, match="when: ") as caught:
        other_secrets(DUEL, with_leak(DUEL, planted.late_answers), SEED, planted.late_answers)
    assert caught.value.kind == "ack"


def test_clocks_that_show_who_has_answered_are_found() -> None:
    planting = planted.clocks_of_the_silent
    one = with_leak(DUEL, planting)
    with pytest.raises(Told):
        sum(no_answer(DUEL, one, answer, planting) for answer in sealed_answers(one))


def test_words_to_a_side_that_others_can_notice_are_found() -> None:
    planting = planted.stirring_side_words
    with pytest.raises(Told):
        other_side_words(ALLIES, with_leak(ALLIES, planting), planting)


def test_whispers_that_others_can_notice_are_found() -> None:
    planting = planted.stirring_whispers
    with pytest.raises(Told):
        other_whispers(DUEL, with_leak(DUEL, planting), planting)
