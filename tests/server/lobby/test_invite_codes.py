"""Invite codes: how long they are good, that there can be new ones, and that guessing is slow."""

from pathlib import Path

import pytest

from engine.core.rules.errors import ContentRefused
from protocol.limits import Limits
from protocol.wire import from_client as say
from server.content.systems import install
from server.lobby.seat_codes import new_code
from tests.support.clients.wire import Client, running
from tests.support.systems.duel import TOML, Duel

DAY = 24 * 3600


async def tries(client: Client, code: str) -> str:
    """The code with which an invite code is refused."""
    await client.say(say.JoinTable(code=code))
    return await client.problem()


async def test_the_code_of_a_private_table_ends_after_a_day_and_the_owner_makes_another(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        old = await ann.create("three", private=True)
        run.clock.advance(DAY)
        assert await tries(ben, old) == "table/code-expired"
        await ben.say(say.NewCode())
        assert await ben.problem() == "table/none"
        await ann.say(say.NewCode())
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.code not in ("", old))
        assert ann.talk.table is not None
        run.clock.advance(60)
        assert await tries(ben, old) == "table/unknown-code"
        await ben.join(ann.talk.table.code)
        await ben.say(say.NewCode())
        assert await ben.problem() == "table/not-owner"


async def test_the_code_of_a_private_table_ends_when_its_last_seat_is_taken(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, eve = [await run.client(name) for name in ("Ann", "Ben", "Eve")]
        code = await ann.create("two", private=True)
        await ben.join(code)
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.code == "")
        assert await tries(eve, code) == "table/code-expired"
        await eve.say(say.WatchTable(code=code))
        assert await eve.problem() == "table/code-expired"
        await ann.say(say.NewCode())
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.code != "")
        assert ann.talk.table is not None
        await eve.say(say.WatchTable(code=ann.talk.table.code))
        await eve.arrived()


async def test_a_public_table_is_found_by_its_code_for_ever(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        code = await ann.create("two")
        run.clock.advance(DAY - 60)
        await ben.join(code)
        assert ben.talk.table is not None
        assert ben.talk.table.code == code


def test_a_code_has_forty_nine_bits() -> None:
    codes = {new_code() for _ in range(2_000)}
    assert len(codes) == 2_000
    assert all(len(code) == 10 for code in codes)
    assert len({letter for code in codes for letter in code}) == 30


async def test_guests_made_anew_for_each_guess_are_slowed_down_by_their_address(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        guests = [await run.client(f"Guest {number}") for number in range(6)]
        refused = [await tries(guest, "A" * 10) for guest in guests for _ in range(4)]
        assert refused == ["table/unknown-code"] * 20 + ["table/code-tries"] * 4
        run.clock.advance(3)
        assert await tries(guests[0], "A" * 10) == "table/unknown-code"


def test_no_table_has_more_seats_than_the_limit() -> None:
    most = Limits().seats
    crowd = TOML + f"\n[scenario.crowd]\nseats = {most + 1}\nturns = 6\n"
    with pytest.raises(ContentRefused, match=f"crowd: {most + 1} seats"):
        install(Duel(), {"duel.toml": crowd})
