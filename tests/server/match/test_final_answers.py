"""A sealed answer is final, and whatever is durable is acknowledged with a receipt that says what it was."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import msgspec
import pytest

from client.fairness import verify
from engine.core.rules.audience import Seat
from engine.core.rules.events import QuestionClosed
from protocol.ids import MatchId, match_of
from protocol.proof.signed_texts import receipt_text, receipts_root, said_digest
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack, Reject
from server.match.stored_log import CLOSED_ANSWERS
from server.store.port import Fence, SealResult, StoreUnavailable
from server.store.sqlite.store import SqliteStore
from tests.support.clients.wire import Client, Running, rest_to_the_end, running, two_players
from tests.support.doubles.memory_store import MemoryStore
from tests.support.faults.kills.crash_server import UNHURRIED
from tests.support.servers.data_folder import findings

TRIES = 600
AT_ONCE = 100


class CountingStore(SqliteStore):
    """Counts the answers that it is asked to seal."""

    seals = 0

    async def seal(
        self, match: MatchId, fence: Fence, question: str, seat: int, cause: bytes, answer: bytes
    ) -> SealResult:
        self.seals += 1
        return await super().seal(match, fence, question, seat, cause, answer)


class DoubtfulStore(MemoryStore):
    """Says of the first answer that it could not be kept, and keeps it."""

    doubts = 1

    async def seal(
        self, match: MatchId, fence: Fence, question: str, seat: int, cause: bytes, answer: bytes
    ) -> SealResult:
        outcome = await super().seal(match, fence, question, seat, cause, answer)
        self.doubts -= 1
        if self.doubts >= 0:
            raise StoreUnavailable("The disk was busy.")
        return outcome


def intent(client: Client, choice: str, id: bytes | None = None, **fields: Any) -> say.Intent:
    """This choice at the prompt shown now."""
    assert client.prompt is not None
    return say.Intent(id=id or secrets.token_bytes(16), prompt=client.prompt.id, choice=choice, fields=fields)


async def told(client: Client, said: say.Intent) -> Ack | Reject:
    await client.say(said)
    return await client.answer(said.id)


async def receipted(client: Client, said: say.Intent) -> Ack:
    """Return the acknowledgement of this intent: a receipt that holds."""
    ack = await told(client, said)
    assert isinstance(ack, Ack), ack
    assert client.talk.welcome is not None
    assert client.talk.table is not None
    digest, table = said_digest(said.choice, said.fields), client.talk.table
    text = receipt_text(match_of(table.id), table.seat, ack.id, digest, ack.question, ack.version, ack.head)
    root = receipts_root(text, ack.place, ack.path)
    assert root is not None
    verify.check_signature(client.talk.welcome.key, ack.signature, "receipts", root)
    return ack


async def code(client: Client, said: say.Intent) -> str:
    answer = await told(client, said)
    return answer.code if isinstance(answer, Reject) else ""


async def asked(run: Running, **changes: Any) -> tuple[Client, Client]:
    """Ann has struck, and Ben is to answer."""
    ann, ben = await two_players(run, **changes)
    assert await ann.intend("strike", target=["seat/1"]) == ""
    await ben.my_turn("yes")
    return ann, ben


async def closed(run: Running) -> list[tuple[int, str]]:
    """Version of each step that closed a question, and what seat 1 has answered there."""
    [live] = run.server.lobby.tables()
    assert live.host is not None
    steps = [live.host.match.codec.decode(s.step) for s in await run.server.store.read(live.record.match)]
    found = [(step.version, entry) for step in steps for entry in step.entries if isinstance(entry, QuestionClosed)]
    return [(version, given.reply.choice) for version, entry in found for given in entry.answers if given.seat == 1]


async def back(client: Client, run: Running) -> None:
    run.clients.append(client)
    client.port = run.port
    await client.connect()
    await client.arrived()


async def test_another_answer_is_refused_and_the_first_one_counts(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        _, ben = await asked(run)
        first = intent(ben, "yes")
        assert (await receipted(ben, first)).question == 0
        assert [await code(ben, intent(ben, choice)) for choice in ("no", "yes")] == ["answer/given"] * 2
        assert (await receipted(ben, first)).question == 0
        await run.clock.until_sleeping()
        run.clock.advance(3)
        await ben.my_turn("strike")
        assert [choice for _, choice in await closed(run)] == ["yes"]


async def test_an_answer_is_final_after_a_restart_too(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        _, ben = await asked(run)
        first = intent(ben, "yes")
        await receipted(ben, first)
    async with running(tmp_path) as run:
        await back(ben, run)
        await ben.my_turn("no")
        assert await code(ben, intent(ben, "no")) == "answer/given"
        assert (await receipted(ben, first)).question == 0


async def test_six_hundred_tries_in_one_window_are_one_durable_write(tmp_path: Path) -> None:
    store = CountingStore(tmp_path / "eschaton.db")
    async with running(tmp_path, store=store, limits=UNHURRIED) as run:
        _, ben = await asked(run)
        commits = store.commits
        codes: list[str] = []
        while len(codes) < TRIES:
            tries = [intent(ben, ("yes", "no")[number % 2]) for number in range(AT_ONCE)]
            for said in tries:
                ben.talk.say(said)
            await ben.flush()
            answers = [await ben.answer(said.id) for said in tries]
            codes += [answer.code if isinstance(answer, Reject) else "" for answer in answers]
        assert codes == ["", *["answer/given"] * (TRIES - 1)]
        assert (store.seals, store.commits - commits) == (1, 1)


async def test_an_answer_that_was_kept_against_what_the_store_said_stays(tmp_path: Path) -> None:
    async with running(tmp_path, store=DoubtfulStore()) as run:
        _, ben = await asked(run)
        first = intent(ben, "yes")
        assert await code(ben, first) == "store/unavailable"
        assert await code(ben, intent(ben, "no")) == "answer/given"
        assert (await receipted(ben, first)).question == 0
        await run.clock.until_sleeping()
        run.clock.advance(3)
        await ben.my_turn("strike")
        assert [choice for _, choice in await closed(run)] == ["yes"]


@pytest.mark.parametrize("restarts", [False, True])
async def test_an_answer_whose_question_has_closed_has_its_receipt(tmp_path: Path, restarts: bool) -> None:
    async with running(tmp_path) as run:
        ann, ben = await asked(run, reaction_seconds=0)
        said = intent(ben, "yes")
        assert (await receipted(ben, said)).question == 0
        await ben.my_turn("strike")
        if not restarts:
            await check_closed(run, ann, ben, said)
    if restarts:
        async with running(tmp_path) as run:
            await back(ann, run)
            await back(ben, run)
            await check_closed(run, ann, ben, said)
    assert await findings(tmp_path) == []


async def check_closed(run: Running, ann: Client, ben: Client, said: say.Intent) -> None:
    [(version, choice)] = await closed(run)
    ack = await receipted(ben, said)
    assert (choice, ack.question) == ("yes", 0)
    assert ack.version >= version
    assert await code(ben, msgspec.structs.replace(said, choice="no")) == "id/used"
    await ben.my_turn("strike")
    # not even where it would fit what is asked now
    assert await code(ben, intent(ben, "rest", said.id)) == "id/used"
    # the same id is another seat's own
    assert await code(ann, said) == "stale"


@pytest.mark.parametrize("restarts", [False, True])
async def test_an_act_said_again_with_other_content_is_refused(tmp_path: Path, restarts: bool) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        focus = intent(ann, "focus")
        first = await receipted(ann, focus)
        if not restarts:
            await check_acts(ann, focus, first)
    if restarts:
        async with running(tmp_path) as run:
            await back(ann, run)
            await back(ben, run)
            await check_acts(ann, focus, first)


async def check_acts(ann: Client, focus: say.Intent, first: Ack) -> None:
    await ann.my_turn("draw")
    again = await receipted(ann, focus)
    assert (again.question, again.version) == (-1, first.version)
    others = [intent(ann, "draw", focus.id), intent(ann, "core:undo", focus.id), intent(ann, "focus", focus.id, n=1)]
    assert [await code(ann, other) for other in others] == ["id/used"] * 3
    undo = intent(ann, "core:undo")
    assert (await receipted(ann, undo)).version == first.version + 1
    assert await code(ann, intent(ann, "core:undo", undo.id, n=1)) == "id/used"
    await ann.my_turn("strike")
    strike = intent(ann, "strike", target=["seat/1"])
    await receipted(ann, strike)
    assert (await receipted(ann, strike)).question == -1
    assert await code(ann, msgspec.structs.replace(strike, fields={"target": ["seat/0"]})) == "id/used"


async def test_an_act_that_was_made_by_an_older_server_is_acknowledged_again(tmp_path: Path) -> None:
    """Its log does not tell what was said, so that nothing can be held against it."""
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        [live] = run.server.lobby.tables()
        assert live.host is not None
        focus = intent(ann, "focus")
        await live.host._stepper.act(Seat(0), focus.id, focus.prompt, Reply("focus"), said=b"")
        assert (await receipted(ann, focus)).question == -1


async def test_ids_of_closed_answers_that_an_older_server_has_kept_are_left_out(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert ann.talk.table is not None
        table = ann.talk.table.id
    store = SqliteStore(tmp_path / "eschaton.db")
    await store.put_record(CLOSED_ANSWERS, table, msgspec.msgpack.encode([bytes(16), b"\1" * 16]))
    await store.close()
    assert await findings(tmp_path) == []
    async with running(tmp_path) as run:
        await back(ann, run)
        await back(ben, run)
        assert await ann.intend("strike", target=["seat/1"]) == ""
        await ben.my_turn("yes")
        said = intent(ben, "yes")
        await receipted(ben, said)
        await run.clock.until_sleeping()
        run.clock.advance(3)
        await ben.my_turn("strike")
        assert (await receipted(ben, said)).question == 0


async def test_what_is_over_is_acknowledged_with_its_receipt(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        focus = intent(ann, "focus")
        await receipted(ann, focus)
        await rest_to_the_end(ann, ben)
        assert (await receipted(ann, focus)).question == -1
        assert await code(ann, say.Intent(id=focus.id, prompt=focus.prompt, choice="draw")) == "id/used"
