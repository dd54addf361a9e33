"""Questions to the rules: charged by the CPU they use, one at a time, people in turn, and answered once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from time import thread_time

import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from protocol.limits import Limits, Rate, Rates
from protocol.scene.fields import AnyField
from protocol.wire.from_server import Detail
from server.content.systems import install
from server.net.rule_queries import RuleQueries
from server.runtime.bounds import Asker, MemoryBounds
from server.runtime.cpu_time import CpuTimes
from server.runtime.refusals import Refused
from tests.support.clients.wire import Client, running, two_players
from tests.support.doubles.clock import JumpingClock
from tests.support.systems.duel import TOML, Duel
from tests.support.systems.duel_state import DuelState

ANN, BEN, CLEO = (Asker(name, f"10.0.0.{n}") for n, name in enumerate(("ann", "ben", "cleo")))


def burn(seconds: float) -> None:
    """Use so much of this thread's CPU."""
    end = thread_time() + seconds
    while thread_time() < end:
        pass


async def test_people_take_turns_and_others_run_in_between() -> None:
    questions = RuleQueries(MemoryBounds(Limits(), JumpingClock()), 8, CpuTimes())
    done: list[str] = []
    over = asyncio.Event()

    def work(name: str, *, last: bool = False) -> None:
        burn(0.003)
        done.append(name)
        asyncio.get_running_loop().call_soon(done.append, "other")
        if last:
            over.set()

    for asker in (ANN, ANN, ANN, BEN, CLEO):
        questions.ask(asker, partial(work, asker.person))
    questions.ask(ANN, partial(work, "ann", last=True))
    # the first one alone is answered at once
    assert done == ["ann"]
    await asyncio.wait_for(over.wait(), 10)
    await asyncio.sleep(0)
    assert done == ["ann", "other", "ann", "other", "ben", "other", "cleo", "other", "ann", "other", "ann", "other"]


async def test_one_person_has_so_many_questions_waiting() -> None:
    questions = RuleQueries(MemoryBounds(Limits(), JumpingClock()), 2, CpuTimes())
    questions.ask(ANN, lambda: burn(0.05))
    for _ in range(2):
        questions.ask(ANN, lambda: None)
    with pytest.raises(Refused, match="questions/waiting"):
        questions.ask(ANN, lambda: None)
    questions.ask(BEN, lambda: None)
    questions.close()


async def test_a_person_and_an_address_have_so_much_cpu() -> None:
    clock = JumpingClock()
    limits = Limits(questions=Rates(Rate(0.02, 60), Rate(0.03, 60)))
    questions = RuleQueries(MemoryBounds(limits, clock), 8, CpuTimes())
    near = Asker("near", ANN.address)
    questions.ask(ANN, lambda: burn(0.025))
    with pytest.raises(Refused, match="bound/questions-person"):
        questions.ask(ANN, lambda: None)
    await questions.answer(near, lambda: burn(0.01))
    with pytest.raises(Refused, match="bound/questions-address"):
        await questions.answer(near, lambda: None)
    questions.ask(BEN, lambda: None)
    clock.advance(65)
    questions.ask(ANN, lambda: None)
    questions.close()


async def test_work_in_a_thread_leaves_the_loop_free_and_is_charged_even_where_it_fails() -> None:
    limits = Limits(questions=Rates(Rate(0.03, 60)))
    times = CpuTimes()
    questions = RuleQueries(MemoryBounds(limits, JumpingClock()), 8, times)
    goes_on = threading.Event()

    def work() -> str:
        assert goes_on.wait(30)
        burn(0.02)
        return threading.current_thread().name

    answer = asyncio.ensure_future(questions.answer_in_thread(ANN, work))
    await asyncio.sleep(0)
    # the loop runs while the thread waits
    goes_on.set()
    assert await answer != threading.current_thread().name

    def fail() -> None:
        burn(0.02)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await questions.answer_in_thread(ANN, fail)
    with pytest.raises(Refused, match="bound/questions-person"):
        await questions.answer_in_thread(ANN, work)
    await questions.answer_in_thread(BEN, lambda: None)


class Asked(Duel):
    """A rule system that counts the questions that reach it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def detail(self, game: Game[DuelState], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        self.asked += 1
        return super().detail(game, seat, choice, fields)


async def asks(client: Client, fields: Mapping[str, object]) -> Detail:
    number = client.talk.ask_detail("strike", fields)
    await client.flush()
    return await client.hear(Detail, lambda detail: detail.id == number)


async def test_the_same_question_reaches_the_rules_once_until_something_happens(tmp_path: Path) -> None:
    system = Asked()
    async with running(tmp_path, systems={"duel": install(system, {"duel.toml": TOML})}) as run:
        ann, ben = await two_players(run)
        await ann.my_turn()
        assert ann.prompt is not None
        first = await asks(ann, {})
        assert first.field is not None
        assert system.asked == 1
        assert (await asks(ann, {})).field == first.field
        assert system.asked == 1
        # a field that the choice does not have makes no other question
        assert (await asks(ann, {"unknown": "x"})).field == first.field
        assert system.asked == 1
        wrong = {field.key: 7 for choice in ann.prompt.choices if choice.id == "strike" for field in choice.fields[:1]}
        assert (await asks(ann, wrong)).code == (await asks(ann, wrong)).code != ""
        assert system.asked == 2
        assert await ann.intend("rest") == ""
        await ben.my_turn()
        assert await ben.intend("rest") == ""
        await ann.my_turn()
        await asks(ann, {})
        assert system.asked == 3


async def test_a_question_beyond_the_budget_is_refused_in_plain_words(tmp_path: Path) -> None:
    limits = Limits(questions=Rates(Rate(1e-6, 60)), handshakes_per_second=1000)
    async with running(tmp_path, limits=limits) as run:
        ann, _ = await two_players(run)
        await ann.my_turn()
        assert (await asks(ann, {})).field is not None
        refused = await asks(ann, {})
        assert refused.field is None
        assert refused.code == "bound/questions-person"
        assert refused.text is not None
        assert "ask again" in ann.talk.format(refused.text)
        assert await ann.intend("rest") == ""


async def test_an_answer_is_returned_in_its_turn_and_a_fault_is_raised_there() -> None:
    questions = RuleQueries(MemoryBounds(Limits(), JumpingClock()), 8, CpuTimes())
    questions.ask(ANN, lambda: burn(0.003))
    later = asyncio.gather(
        questions.answer(BEN, lambda: 5), questions.answer(CLEO, lambda: 1 // 0), return_exceptions=True
    )
    five, fault = await asyncio.wait_for(later, 10)
    assert five == 5
    assert isinstance(fault, ZeroDivisionError)


async def test_what_nobody_waits_for_any_more_is_not_worked_out() -> None:
    questions = RuleQueries(MemoryBounds(Limits(), JumpingClock()), 8, CpuTimes())
    done: list[str] = []
    questions.ask(ANN, lambda: burn(0.003))
    gone = asyncio.ensure_future(questions.answer(BEN, lambda: done.append("ben")))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.wait_for(questions.answer(BEN, lambda: done.append("ben again")), 10)
    assert done == ["ben again"]
