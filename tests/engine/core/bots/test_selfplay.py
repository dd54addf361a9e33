"""A match played in memory: windows close after all answers, and time runs out for a seat refused again and again."""

from __future__ import annotations

import pytest

from engine.core.bots.bot import BotView, run_inline
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import MOST_REFUSALS, SelfPlay, SelfPlayView
from engine.core.match.causes import Expiry, Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.view.projection import SceneChanges
from protocol.ids import MatchId
from protocol.scene.nodes import Reply
from tests.support.systems.haggle import HAGGLE, LAST_TURN, Market

MATCH = MatchId("m1")

BOTS = {Seat(seat): RandomBot(seat) for seat in range(3)}


class Stubborn:
    """A bot that always gives the same reply."""

    def __init__(self, reply: Reply) -> None:
        self.codes: list[str] = []
        self._reply = reply

    async def decide(self, view: BotView) -> Reply:
        return self._reply

    def refused(self, reply: Reply, code: str) -> None:
        self.codes.append(code)


class Played:
    """A market that has begun, with the changes that were told of it."""

    def __init__(self, *, is_watched: bool = True) -> None:
        self.told: list[tuple[Step[Market], SceneChanges | None]] = []
        self.play = SelfPlay(
            Match(HAGGLE, MATCH, MatchDice(bytes(32), MATCH)),
            lambda step, frames: self.told.append((step, frames)),
            watched=is_watched,
        )
        self.play.begin(Start(MATCH, 3, b""))

    @property
    def state(self) -> Market:
        return self.play.match.state


def test_a_match_begins_with_a_picture_and_its_first_round() -> None:
    table = Played()
    (first, no_frames), (opened, frames) = table.told
    assert (first.version, no_frames) == (1, None)
    assert opened.version == 2
    assert frames is not None
    assert table.state.ready
    assert table.play.next_seat() == 0


def test_a_sealed_question_closes_with_the_last_answer() -> None:
    table = Played()
    table.play.submit(Seat(0), Reply("auction"))
    for seat, bid in ((0, "1"), (1, "2")):
        assert table.play.next_seat() == seat
        table.play.submit(Seat(seat), Reply(bid))
        assert table.play.match.question is not None
    table.play.submit(Seat(2), Reply("0"))
    assert table.play.match.question is None
    assert table.state.coins == (3, 1, 3)
    assert isinstance(table.told[-1][0].cause, Expiry)
    assert table.play.intents == 4


def test_a_question_of_one_closes_at_once() -> None:
    table = Played()
    table.play.submit(Seat(0), Reply("ask_self"))
    table.play.submit(Seat(0), Reply("yes"))
    assert table.state.coins == (4, 3, 3)


def test_a_refused_reply_is_no_intent() -> None:
    table = Played()
    with pytest.raises(IllegalIntent, match="turn/not-yours"):
        table.play.submit(Seat(1), Reply("pass"))
    assert (table.play.intents, len(table.told)) == (0, 2)


def test_time_runs_out_for_a_question_or_a_turn() -> None:
    table = Played()
    table.play.submit(Seat(0), Reply("ask_self"))
    table.play.expire()
    assert table.state.coins[0] == 4
    table.play.expire()
    assert table.state.turn == 1


def test_time_runs_out_for_a_bot_that_is_refused_for_ever() -> None:
    table, bot = Played(), Stubborn(Reply("buy", {"good": "gold"}))
    for _ in range(MOST_REFUSALS - 1):
        assert table.play.decide({Seat(0): bot})
    assert (table.state.turn, table.play.intents) == (0, 0)
    assert table.play.decide({Seat(0): bot})
    assert table.state.turn == 1
    assert bot.codes == ["buy/no-such-good"] * MOST_REFUSALS


def test_an_act_that_succeeds_makes_refusals_forgotten() -> None:
    table, bad, good = Played(), Stubborn(Reply("buy", {"good": "gold"})), Stubborn(Reply("gamble"))
    for bot in (*[bad] * (MOST_REFUSALS - 1), good, *[bad] * (MOST_REFUSALS - 1)):
        table.play.decide({Seat(0): bot})
    assert table.state.turn == 0


@pytest.mark.parametrize("is_watched", [False, True])
def test_a_match_is_played_to_its_end_and_no_further(*, is_watched: bool) -> None:
    table = Played(is_watched=is_watched)
    table.play.play({seat: Stubborn(Reply("pass")) for seat in BOTS})
    assert table.state.turn == LAST_TURN
    assert table.play.match.result is not None
    assert table.play.next_seat() is None
    assert not table.play.decide(BOTS)
    assert {frames is None for _, frames in table.told[1:]} == {not is_watched}


def test_no_more_decisions_are_made_than_are_asked_for() -> None:
    table = Played()
    table.play.play({seat: Stubborn(Reply("pass")) for seat in BOTS}, most=5)
    assert table.state.turn == 5


def test_whether_anybody_watches_changes_nothing_of_the_match() -> None:
    heads = []
    for is_watched in (False, True):
        table = Played(is_watched=is_watched)
        table.play.play({Seat(seat): RandomBot(seat) for seat in range(3)}, most=60)
        heads.append(table.play.match.head)
    assert heads[0] == heads[1]


def test_a_bot_sees_what_its_seat_sees() -> None:
    table = Played()
    prompt = table.play.projector.prompt(Seat(0))
    assert prompt is not None
    view = SelfPlayView(table.play, Seat(0), prompt)
    assert (view.seat, view.prompt, view.is_due()) == (0, prompt, False)
    assert view.nodes == table.play.projector.scene(Seat(0))
    assert run_inline(view.detail("buy", {})) is None
    table.play.submit(Seat(0), Reply("draw"))
    assert "counter/hand" in view.nodes
