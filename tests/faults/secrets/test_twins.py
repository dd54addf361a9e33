"""Twin matches on the real server: whoever may not know in what they differ is sent the same bytes at the same times,
on every channel."""

from __future__ import annotations

from functools import cache

import pytest

from protocol.scene.nodes import PROMPT_NODE
from tests.support.runs.longrun import LongRun
from tests.support.twins.comparing import tag
from tests.support.twins.games import ALLIES, BATTLE, CARDS, DUEL, EARTH, PROVING, Game
from tests.support.twins.kinds import (
    no_answer,
    other_answer,
    other_future,
    other_place,
    other_secrets,
    other_settings,
    other_side_words,
    other_whispers,
    sealed_answers,
)
from tests.support.twins.planted import SERVER_MESSAGES, Planted
from tests.support.twins.playing import Played, again, all_but, improvise, same
from tests.support.twins.searching import search

pytestmark = pytest.mark.waits

SEED = 2
MATCHES = [pytest.param(game, id=game.system) for game in (DUEL, PROVING, CARDS, BATTLE, EARTH)]
WITH_SECRETS = [pytest.param(game, id=game.system) for game in (DUEL, PROVING, CARDS)]
ENOUGH = 50
KINDS = ("futures", "secrets", "whispers", "side words", "places", "settings", "answers", "silences")


@cache
def play_of(game: Game) -> Played:
    return improvise(game, SEED)


@pytest.mark.parametrize("game", WITH_SECRETS)
def test_a_match_is_the_same_when_nothing_differs(game: Game) -> None:
    one = play_of(game)
    assert same(one, again(game, one.acts), one.frames) > ENOUGH


@pytest.mark.parametrize("game", MATCHES)
def test_nobody_can_know_what_is_to_be_rolled_and_drawn(game: Game) -> None:
    assert other_future(game, play_of(game), SEED) > ENOUGH


@pytest.mark.parametrize("game", WITH_SECRETS)
def test_nobody_else_can_know_what_was_dealt_in_secret(game: Game) -> None:
    assert other_secrets(game, play_of(game), SEED) > ENOUGH


@pytest.mark.parametrize("game", WITH_SECRETS)
def test_nobody_else_can_know_what_is_answered_in_secret_nor_who_has(game: Game) -> None:
    one = play_of(game)
    answer = next(iter(sealed_answers(one)))
    assert other_answer(game, one, answer, SEED) > ENOUGH
    assert no_answer(game, one, answer) > ENOUGH


@pytest.mark.parametrize("game", MATCHES)
def test_nobody_else_can_know_of_what_two_say_to_each_other(game: Game) -> None:
    assert other_whispers(game, play_of(game)) > ENOUGH


@pytest.mark.parametrize("game", [pytest.param(game, id=game.system) for game in (PROVING, EARTH)])
def test_nobody_else_can_know_where_a_unit_hides(game: Game) -> None:
    assert other_place(game, play_of(game), SEED) > ENOUGH


def test_nobody_else_can_know_who_has_answered_a_march_or_what_is_said_to_a_side() -> None:
    one = play_of(EARTH)
    assert one.sides == (0, 0, 1, 1)
    answers = list(sealed_answers(one))[:2]
    assert sum(no_answer(EARTH, one, answer) for answer in answers) > ENOUGH
    assert other_side_words(EARTH, one) > ENOUGH


def test_nobody_else_can_know_what_a_seat_has_set_for_itself() -> None:
    assert other_settings(PROVING, play_of(PROVING)) > ENOUGH


@pytest.mark.parametrize("game", MATCHES)
def test_everybody_is_sent_what_they_should_be_in_these_plays(game: Game) -> None:
    """Twins that tell nobody anything would prove nothing."""
    one = play_of(game)
    sent = {tag(frame.data) for frames in one.frames.values() for frame in frames}
    planted = {kind.__struct_config__.tag for kind, how in SERVER_MESSAGES.items() if isinstance(how, Planted)}
    assert planted - sent <= {"clock_warning", "expired"}
    assert all(len(one.heard(viewer, None)) > 10 for viewer in all_but(one))


@pytest.mark.long("leaks")
def test_long_twins() -> None:
    total = LongRun("twins", batches=150).complete(search)
    assert total["plays"] >= 600
    assert all(total[kind] for kind in KINDS)


def test_allies_know_of_each_other_and_nobody_else_does() -> None:
    """What a side hides is other in the twin: its seats are told so, all others and spectators the same as before."""
    one = play_of(ALLIES)
    assert other_secrets(ALLIES, one, SEED) + other_place(ALLIES, one, SEED) > ENOUGH
    answers = list(sealed_answers(one))[:2]
    assert sum(other_answer(ALLIES, one, answer, SEED) for answer in answers) > 0
    assert other_side_words(ALLIES, one) > ENOUGH


def test_all_seats_of_a_side_are_shown_the_same() -> None:
    """Their pictures differ by their prompts alone."""
    one = play_of(ALLIES)
    assert one.sides == (0, 0, 1)
    first, second, foe = ({id: node for id, node in own.items() if id != PROMPT_NODE} for own in one.private)
    assert first == second != foe
    assert any(id.startswith("sheet/hand") for id in first)
