"""The host signs, to a seat that was waited for, that its time has run out, and to that seat alone."""

from __future__ import annotations

from pathlib import Path

from engine.core.match.causes import Expiry
from engine.core.match.log import StoredStep
from engine.core.rules.events import QuestionClosed
from protocol.fairness.signatures import is_signed
from protocol.ids import match_of
from protocol.proof.signed_texts import expired_text
from protocol.wire import from_client as say
from protocol.wire.from_server import Expired
from server.content.systems import install
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.systems.haggle import HAGGLE


def told(client: Client) -> list[Expired]:
    """Return all expiries that this client has been told, each of them signed."""
    found = [message for message in client.heard if isinstance(message, Expired)]
    assert client.talk.welcome is not None
    assert client.talk.table is not None
    for late in found:
        words = expired_text(match_of(late.table), late.seat, late.question, late.version, late.head)
        assert is_signed(client.talk.welcome.key, words, late.signature)
        assert (late.table, late.seat) == (client.talk.table.id, client.talk.table.seat)
    return found


async def steps_of(run: Running) -> list[StoredStep[object]]:
    [live] = run.server.lobby.tables()
    assert live.host is not None
    return [live.host.match.codec.decode(stored.step) for stored in await run.server.store.read(live.record.match)]


async def test_a_turn_that_runs_out_is_signed_to_its_seat_alone(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, seconds=20)
        await run.clock.until_sleeping(2)
        run.clock.advance(20)
        await ben.my_turn()
        await ann.pinged()
        [late] = told(ann)
        assert late.question == -1
        assert not told(ben)
        cause = (await steps_of(run))[late.version - 1].cause
        assert isinstance(cause, Expiry)
        assert (cause.question, cause.seat) == (-1, 0)


async def test_a_secret_question_that_runs_out_is_signed_to_those_who_gave_no_answer(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert await ann.intend("parley") == ""
        await ann.my_turn("yes")
        await ben.my_turn("yes")
        assert await ann.intend("yes") == ""
        await run.clock.until_sleeping(2)
        run.clock.advance(10)
        await ben.my_turn("rest")
        await ann.pinged()
        [late] = told(ben)
        assert late.question == 0
        assert not told(ann)
        [closed] = [
            entry for entry in (await steps_of(run))[late.version - 1].entries if isinstance(entry, QuestionClosed)
        ]
        assert [given.seat for given in closed.answers if given.by_default] == [1]


async def test_a_window_that_closes_after_all_have_answered_is_nobodys_delay(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert await ann.intend("strike", target=["seat/1"]) == ""
        await ben.my_turn("yes")
        assert await ben.intend("yes") == ""
        await run.clock.until_sleeping()
        run.clock.advance(3)
        await ben.my_turn("strike")
        assert any(isinstance(step.cause, Expiry) for step in await steps_of(run))
        assert not told(ben)
        assert not told(ann)


async def test_at_a_moment_silence_is_an_answer_and_ones_own_answer_takes_its_place(tmp_path: Path) -> None:
    async with running(tmp_path, systems={"haggle": install(HAGGLE, {})}) as run:
        ann = await run.client("Ann")
        await ann.say(say.CreateTable(system="haggle", scenario="fair", name="Market", private=False))
        await ann.arrived()
        for seat in (1, 2):
            await ann.say(say.AddBot(kind="random", seat=seat))
        await ann.until(lambda: ann.talk.table is not None and all(s.bot or s.who for s in ann.talk.table.seats))
        await ann.ready()
        await ann.say(say.StartMatch())
        for answers in (False, True):
            await ann.my_turn("moment")
            assert await ann.intend("moment") == ""
            await ann.my_turn("yes")
            if answers:
                assert await ann.intend("yes") == ""
                assert await ann.intend("no") == "answer/given"
            await run.clock.until_sleeping()
            run.clock.advance(3)
        await ann.my_turn("moment")
        found = [entry for step in await steps_of(run) for entry in step.entries if isinstance(entry, QuestionClosed)]
        assert [(given.reply.choice, given.by_default) for entry in found for given in entry.answers[:1]] == [
            ("no", False),
            ("yes", False),
        ]
        assert not told(ann)
