"""Copies of matches: bots decide there as they would at the match itself, within their time; faults stay their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from engine.core.bots.bot import Bot, BotView
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from protocol.ids import MatchId
from protocol.scene.nodes import Reply
from server.cli.simulation.simulate import identity, installed, scenario_of, seeds_of, setup_of
from server.content.systems import Installed, import_path_of
from server.match.bots.bot_factory import make_bot
from server.match.bots.workers.match_copy import MatchCopy
from server.match.bots.workers.orders import (
    Close,
    DecisionRefused,
    Frames,
    GiveUp,
    Open,
    Order,
    Sit,
    Steps,
    Think,
    Thought,
    framed,
    order_of,
)
from server.match.bots.workers.worker import Minds
from tests.support.clients.wire import duel
from tests.support.systems.odd_bots import odd_duel

pytestmark = pytest.mark.slow


class Twin:
    """A bot whose every decision is made at the mirror, too."""

    def __init__(self, bot: Bot, mirror: MatchCopy, seat: int) -> None:
        self._bot = bot
        self._mirror = mirror
        self._seat = seat
        self.decisions = 0

    async def decide(self, view: BotView) -> Reply:
        reply = await self._bot.decide(view)
        assert self._mirror.decide(self._seat, lambda: False) == reply
        self.decisions += 1
        return reply

    def refused(self, reply: Reply, code: str) -> None:
        self._bot.refused(reply, code)
        self._mirror.refused(self._seat, code)


class Played:
    """A match of bots in memory, copied step by step."""

    def __init__(self, system: Installed, scenario: str, kind: str, number: int = 0) -> None:
        info = scenario_of(system, scenario)
        name, secret = identity(7, number)
        self.steps: list[bytes] = []
        self.mirror = MatchCopy(system.system, name, secret)

        def told(step: Step[Any], _: Any) -> None:
            self.steps.append(step.data)
            self.mirror.fold([step.data])

        self.game: SelfPlay[Any] = SelfPlay(Match(system.system, name, MatchDice(secret, name)), told)
        self.game.begin(Start(name, info.seats, system.system.setup(system.content, setup_of(system, info, 7, number))))
        self.twins: dict[Seat, Twin] = {}
        for seat, seed in enumerate(seeds_of(info, secret)):
            self.mirror.sit(seat, kind, seed)
            self.twins[Seat(seat)] = Twin(make_bot(system.system, kind, seed), self.mirror, seat)

    def play(self, most: int) -> int:
        """Play on; how many decisions were compared."""
        self.game.play(self.twins, most)
        return sum(twin.decisions for twin in self.twins.values())


@pytest.mark.parametrize("kind", ["random", "level1", "level2", "level3"])
def test_bots_decide_at_a_mirror_as_at_the_match_card_game(kind: str) -> None:
    assert Played(installed("action_cards"), "harrow_cross", kind).play(60) == 60


@pytest.mark.parametrize("kind", ["random", "level1"])
def test_bots_decide_at_a_mirror_as_at_the_match_one_page(kind: str) -> None:
    assert Played(installed("one_page"), "", kind).play(60) == 60


@pytest.mark.parametrize("kind", ["random", "hard"])
def test_bots_decide_at_a_mirror_as_at_the_match_duel(kind: str) -> None:
    """To the end, with secret answers, votes, refusals and parleys on the way."""
    played = Played(duel()["duel"], "six", kind)
    assert played.play(2_000) > 12
    assert played.game.match.result is not None


class Clocked:
    """Minds with a clock of the test, a bot of the duel to decide."""

    def __init__(self, kind: str, on_look: Callable[[Clocked], object] = lambda _: None) -> None:
        self.now = 100.0
        self.looks = 0
        self.said: list[Thought] = []
        self._on_look = on_look
        self.minds = Minds(self.said.append, self._look)
        system = odd_duel()["duel"]
        self.open(1, system, kind)
        self.open(2, system, kind)

    def _look(self) -> float:
        self.looks += 1
        self._on_look(self)
        return self.now

    def open(self, mirror: int, system: Installed, kind: str) -> None:
        played = Played(system, "two", "hard", mirror)
        name, secret = identity(7, mirror)
        for order in (
            Open(mirror, name, import_path_of(system.system), secret),
            Steps(mirror, tuple(played.steps)),
            Sit(mirror, 0, kind, 1),
        ):
            self.minds.carry_out(order, self.now)

    def think(self, mirror: int, thought: int, came: float) -> Thought:
        self.minds.carry_out(Think(mirror, 0, thought, 2.0), came)
        return self.said[-1]


def test_a_thought_ends_with_its_time_which_counts_from_the_asking() -> None:
    def pass_time(clocked: Clocked) -> None:
        clocked.now += 0.25

    clocked = Clocked("ponderer", pass_time)
    said = clocked.think(1, 1, came=100.0)
    assert said.reply is not None
    assert clocked.looks == 8
    # it has waited for its turn for so long that it answers at once
    said = clocked.think(2, 2, came=100.0)
    assert said.reply is not None
    assert clocked.looks == 9


def test_a_thought_that_nobody_waits_for_is_over_at_once() -> None:
    clocked = Clocked("stuck")
    clocked.minds.hear(GiveUp(1))
    assert clocked.think(1, 1, came=100.0) == Thought(1, None, "")
    clocked.minds.carry_out(GiveUp(1), 100.0)

    def give_up_meanwhile(clocked: Clocked) -> None:
        if clocked.looks == 5:
            clocked.minds.hear(GiveUp(1))

    pondering = Clocked("ponderer", give_up_meanwhile)
    assert pondering.think(1, 1, came=100.0).reply is not None
    assert pondering.looks == 5


def test_a_fault_is_told_and_harms_no_other_match() -> None:
    clocked = Clocked("broken")
    assert "RuntimeError: no idea" in clocked.think(1, 1, came=100.0).fault
    clocked.minds.carry_out(Steps(1, (b"no step",)), 100.0)
    folded = clocked.think(1, 2, came=100.0)
    assert folded.reply is None
    assert "fold" in folded.fault
    clocked.minds.carry_out(Sit(2, 0, "hard", 1), 100.0)
    assert clocked.think(2, 3, came=100.0).reply is not None
    clocked.minds.carry_out(Close(2), 100.0)
    assert "KeyError" in clocked.think(2, 4, came=100.0).fault


def test_nothing_is_asked_of_a_seat_that_has_no_prompt() -> None:
    clocked = Clocked("hard")
    clocked.minds.carry_out(Sit(1, 1, "hard", 1), 100.0)
    clocked.minds.carry_out(Think(1, 1, 1, 2.0), 100.0)
    assert "NotAsked" in clocked.said[-1].fault


def test_a_refusal_reaches_the_bot_that_was_refused() -> None:
    clocked = Clocked("hard")
    assert clocked.think(1, 1, came=100.0).reply is not None
    clocked.minds.carry_out(DecisionRefused(1, 0, "stale"), 100.0)
    # the hard bot takes no refusals
    assert "AssertionError: stale" in clocked.think(1, 2, came=100.0).fault


def test_the_secret_of_a_match_is_not_shown() -> None:
    assert "secret" not in repr(Open(1, MatchId("m1"), "", b"secret"))


def orders() -> Iterator[Order]:
    yield Open(1, MatchId("m1"), "engine.rulesets.one_page:system", bytes(32))
    yield Steps(1, (b"one", b"two"))
    yield Sit(1, 2, "level2", 7)
    yield Think(1, 2, 3, 2.0)
    yield GiveUp(3)
    yield DecisionRefused(1, 2, "stale")
    yield Close(1)


def test_orders_survive_the_pipe_in_any_pieces() -> None:
    sent = list(orders())
    data = b"".join(framed(order) for order in sent)
    frames = Frames()
    found = [order_of(frame) for at in range(0, len(data), 7) for frame in frames.take(data[at : at + 7])]
    assert found == sent
    with pytest.raises(msgspec.MsgspecError):
        order_of(b"\x93\xa4what")


def test_a_system_is_found_by_its_entry_point_else_made_of_its_class() -> None:
    assert import_path_of(installed("one_page").system) == "engine.rulesets.one_page:system"
    assert import_path_of(odd_duel()["duel"].system) == "tests.support.systems.odd_bots:OddDuel"
