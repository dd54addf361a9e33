"""Level 1 bot: finishes, repeats itself, stays within its budget, and plays better than chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pytest

from engine.core.bots.bot import Bot, run_inline
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay, SelfPlayView
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.bots.bot import Level1
from engine.rulesets.action_cards.bots.bot_beginner import BeginnerLook
from engine.rulesets.action_cards.bots.bot_odds import expected_kills, success
from engine.rulesets.action_cards.rules.scenario import conditions
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import MatchId
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Reply
from tests.support.systems.shipped import resolved_scenario

MATCH = MatchId("m")

pytestmark = pytest.mark.slow


def game(scenario: str, seed: int) -> SelfPlay[Skirmish]:
    resolved, seats = resolved_scenario(scenario)
    play: SelfPlay[Skirmish] = SelfPlay(Match(system, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH)))
    play.begin(Start(MATCH, seats, resolved))
    return play


def bots(seats: int, seed: int) -> dict[Seat, Bot]:
    return {Seat(seat): Level1(seed + seat) for seat in range(seats)}


@pytest.mark.parametrize(("scenario", "seats"), [("harrow_cross", 4), ("low_water", 6), ("salt_road", 4)])
def test_a_game_of_bots_ends_in_a_sensible_number_of_decisions(scenario: str, seats: int) -> None:
    play = game(scenario, 1)
    play.play(bots(seats, 1), 1_000)
    assert play.match.state.ending is not None
    assert 30 < play.intents < 600


def test_the_same_seed_plays_the_same_game() -> None:
    one, other = game("harrow_cross", 2), game("harrow_cross", 2)
    one.play(bots(4, 7), 40)
    other.play(bots(4, 7), 40)
    assert one.match.head == other.match.head


class Counted:
    """View that counts the details asked of it."""

    def __init__(self, view: SelfPlayView[Skirmish]) -> None:
        self.view, self.details = view, 0
        self.seat, self.nodes, self.prompt, self.known = view.seat, view.nodes, view.prompt, view.known

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        self.details += 1
        return await self.view.detail(choice, fields, bare=bare)

    def is_due(self) -> bool:
        return self.view.is_due()


def test_a_decision_asks_for_a_dozen_details_at_most() -> None:
    play, players = game("low_water", 3), bots(6, 3)
    for _ in range(60):
        seat = play.next_seat()
        prompt = play.projector.prompt(seat) if seat is not None else None
        if seat is None or prompt is None:
            break
        view = Counted(SelfPlayView(play, seat, prompt))
        reply = run_inline(players[seat].decide(view))
        assert view.details <= BeginnerLook.budget
        play.submit(seat, reply)


def _noted(refused: list[str], told: Callable[[Reply, str], None], reply: Reply, code: str) -> None:
    refused.append(code)
    told(reply, code)


def test_what_it_plays_is_hardly_ever_refused() -> None:
    play, players = game("harrow_cross", 4), bots(4, 4)
    refused: list[str] = []
    for player in players.values():
        assert isinstance(player, Level1)
        player.refused = partial(_noted, refused, player.refused)  # type: ignore[method-assign]  # to look on
    play.play(players, 400)
    assert len(refused) <= play.intents // 20, refused


def test_a_bot_that_is_refused_everything_ends_its_card() -> None:
    play = game("harrow_cross", 5)
    seat = play.next_seat()
    assert seat is not None
    prompt = play.projector.prompt(seat)
    assert prompt is not None
    bot = Level1(1)
    for _ in range(20):
        reply = run_inline(bot.decide(SelfPlayView(play, seat, prompt)))
        if reply.choice == "end":
            return
        bot.refused(reply, "test/no")
    pytest.fail("it never gave up")


def test_it_beats_players_who_act_at_random() -> None:
    """A level 1 seat plays against three random ones, in every seat."""
    points = {Level1: 0, RandomBot: 0}
    for seat in range(4):
        play = game("harrow_cross", 20 + seat)
        players: dict[Seat, Bot] = {Seat(s): Level1(s) if s == seat else RandomBot(s) for s in range(4)}
        play.play(players, 1_500)
        for s in range(4):
            points[Level1 if s == seat else RandomBot] += conditions.score(play.match.state, s)
    assert points[Level1] * 3 > 2 * points[RandomBot]


def test_expected_kills_follow_the_dice() -> None:
    assert expected_kills(8, 24, 3) == pytest.approx(0.81, abs=0.1)  # P(8D6 >= 24) is 0.82
    assert expected_kills(1, 7, 4) == 0
    assert expected_kills(12, 6, 4) == pytest.approx(4, abs=0.01)
    assert expected_kills(8, 6, 4) < expected_kills(8, 6, 6) < expected_kills(16, 6, 6)
    assert success(1) == pytest.approx(1 / 6)
