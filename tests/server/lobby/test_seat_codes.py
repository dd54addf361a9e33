"""Seat codes, logging out: who may come back, where to, and how often one may guess."""

from __future__ import annotations

from pathlib import Path

from protocol.wire import from_client as say
from protocol.wire.from_server import Problem, SeatCode
from server.accounts.name_keepers import digest
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.memory_store import MemoryStore
from tests.support.results.made import leave_two_of_five


async def code_of(client: Client) -> str:
    """A seat code as the person reads it."""
    await client.say(say.GetSeatCode())
    told = await client.hear(SeatCode)
    assert len(told.code) == 10
    assert told.seconds == 600
    return told.code


async def use(client: Client, code: str) -> str:
    """Try a code; the code of the refusal, or empty."""
    client.heard.clear()
    await client.say(say.UseSeatCode(code=code))
    await client.until(lambda: client.talk.table is not None or any(isinstance(m, Problem) for m in client.heard))
    return "" if client.talk.table is not None else await client.problem()


async def test_a_seat_passes_to_another_device_and_the_old_one_is_closed(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        phone = await run.client("Ann on the train")
        code = await code_of(ann)
        assert await use(phone, code.lower()) == ""
        assert (await ann.hear(Problem)).code == "session/moved"
        await ann.until(lambda: ann.closed is not None)
        await phone.my_turn()
        assert phone.talk.table is not None
        assert (phone.talk.table.seat, phone.talk.table.owner) == (0, phone.talk.you)
        assert await phone.intend("focus") == ""
        await ann.connect()
        assert ann.talk.table is not None
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seat == -1)
        assert await ann.intend("rest") == "match/no-seat"
        await ben.until(lambda: ben.scene.hashes[0] == phone.scene.hashes[0])


async def test_a_code_is_good_once_for_ten_minutes_and_the_newest_counts(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        older, newer = await code_of(ann), await code_of(ann)
        first, second = await run.client("First"), await run.client("Second")
        assert await use(first, older) == "seat-code/unknown"
        assert await use(first, newer) == ""
        assert await use(second, newer) == "seat-code/unknown"
        late = await code_of(first)
        run.clock.advance(601)
        assert await use(second, late) == "seat-code/unknown"


async def test_codes_are_stored_as_hashes_and_never_logged(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        code = await code_of(ann)
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert code.encode() not in stored
    assert digest(code).encode() in stored
    assert code not in run.log.getvalue()


async def test_guessing_is_slow_for_an_account_and_for_an_address(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        code = await code_of(ann)
        eve = await run.client("Eve")
        assert [await use(eve, "A" * 10) for _ in range(7)] == ["seat-code/unknown"] * 5 + ["seat-code/tries"] * 2
        other = await run.client("Eve again")
        assert await use(other, code) == "seat-code/tries", "another account, but the same address"
        run.clock.advance(60)
        assert await use(other, code) == ""


async def test_one_who_is_seated_or_was_removed_cannot_take_a_second_seat(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert ann.talk.table is not None
        code = await code_of(ann)
        ben.heard.clear()
        await ben.say(say.UseSeatCode(code=code))
        assert await ben.problem() == "seat-code/seated"
        eve = await run.client("Eve")
        await eve.say(say.GetSeatCode())
        assert await eve.problem() == "table/none"


async def test_who_leaves_too_many_matches_gets_no_seat_by_a_code_which_stays_good(tmp_path: Path) -> None:
    store = MemoryStore()
    async with running(tmp_path, store=store) as run:
        ann, _ = await two_players(run, staying=61)
        eve, phone = await run.client("Eve"), await run.client("Phone")
        await leave_two_of_five(store, eve.talk.you)
        code = await code_of(ann)
        assert await use(eve, code) == "table/staying"
        assert await use(phone, code) == ""


async def logged_out(run: Running, client: Client) -> None:
    await client.say(say.Logout())
    await client.until(lambda: client.closed is not None)
    run.clock.advance(1)


async def test_after_a_logout_no_token_is_good_and_the_seat_is_kept(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        token = ann.talk.token
        await logged_out(run, ann)
        assert ann.closed == (1000, "session/logged-out")
        thief = await run.client("Ann", token)
        assert thief.talk.ended is not None
        assert thief.talk.ended.code == "session/unknown-token"
        assert ben.talk.table is not None
        assert ben.talk.table.seats[0].who == ann.talk.you
