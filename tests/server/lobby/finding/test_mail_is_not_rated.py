"""Play by mail, where dice rest on the host alone, is neither listed nor looked for as rated, nor does it count."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.ids import TableId
from protocol.scene.nodes import Result, SeatResult
from protocol.text import Text
from protocol.wire import from_client as say
from protocol.wire.table_lists import Found
from server.lobby.matches.match_results import MatchOutcome, match_result
from server.lobby.table.table_record import SeatRecord, TableRecord, finished
from tests.support.clients.wire import running


async def test_nobody_looks_for_a_rated_match_by_mail(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        await ann.say(say.SeekMatch(systems=["duel"], seats=[2], mail=True, rated=True))
        assert await ann.problem() == "quick/rated-mail"


async def test_a_table_by_mail_is_not_listed_as_rated(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, eve = await run.client("Ann"), await run.client("Eve")
        await ann.create("two")
        await ann.change(mail=True)
        for rated, count in ((True, 0), (False, 1)):
            run.clock.advance(2)
            await eve.say(say.FindTables(rated=rated))
            assert len((await eve.hear(Found)).rows) == count


@pytest.mark.parametrize(("mail", "unrated"), [(True, "unproven"), (False, "")])
def test_a_match_by_mail_does_not_count_though_it_had_no_dice(mail: bool, unrated: str) -> None:
    seats = SeatRecord("ann", "Ann"), SeatRecord("ben", "Ben")
    table = TableRecord(TableId("t"), "c", "n", "s", "x", "ann", seats, 0, 0, mail=mail)
    result = Result(Text("won"), seats=(SeatResult(0, won=True, score=1), SeatResult(1, won=False, score=0)))
    over = finished(table, Text("won"), "")
    assert match_result(MatchOutcome(table, (), result), over).unrated == unrated
