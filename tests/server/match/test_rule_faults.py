"""Rules that raise: the act is refused with an id that the log knows, and the match goes on."""

from pathlib import Path

from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Delta, Reject
from tests.support.clients.wire import duel, running, two_players


async def test_a_fault_is_a_refusal_with_an_id_and_changes_nothing(tmp_path: Path) -> None:
    async with running(tmp_path, systems=duel(faulty=True)) as run:
        ann, _ = await two_players(run)
        assert ann.talk.scene is not None
        before = ann.talk.scene.hashes
        id = ann.talk.intend(Reply("stumble"), b"s" * 16)
        await ann.flush()
        answer = await ann.answer(id)
        assert isinstance(answer, Reject)
        assert answer.code == "rules/fault"
        fault = next(line for line in run.lines if line["event"] == "rules")
        assert answer.text.a == {"error": fault["error"]}
        assert "ZeroDivisionError" in fault["exception"]
        assert "ZeroDivision" not in str(answer)
        assert ann.talk.scene.hashes == before
        assert await ann.intend("focus") == ""


async def test_a_procedure_that_no_answer_leads_out_of_is_given_up(tmp_path: Path) -> None:
    async with running(tmp_path, systems=duel(faulty=True)) as run:
        ann, _ = await two_players(run)
        assert await ann.intend("trip") == ""
        await ann.my_turn("yes")
        assert await ann.intend("yes") == "rules/fault"
        assert ann.offers("yes")
        ann.heard.clear()
        run.clock.advance(60)
        await ann.my_turn("focus")
        shown = [cue for message in ann.heard if isinstance(message, Delta) for cue in message.cues]
        assert [cue.text.k for cue in shown] == ["log.voided"]
        assert await ann.intend("focus") == ""


async def test_another_table_does_not_notice(tmp_path: Path) -> None:
    async with running(tmp_path, systems=duel(faulty=True)) as run:
        ann, _ = await two_players(run)
        eva, _ = await two_players(run)
        assert await ann.intend("stumble") == "rules/fault"
        await eva.say(say.Ping(n=1))
        assert await eva.intend("focus") == ""
