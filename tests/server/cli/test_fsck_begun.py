"""`fsck` on a match that is on without a first step: a kill may come between the two, but not after a question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from protocol.ids import TableId
from server.cli.data.fsck import Host, StoredMatch, check_table
from server.lobby.table.table_record import LIVE, SeatRecord, TableRecord
from server.store.port import MatchSnapshot, SealedAnswer

SNAPSHOT = MatchSnapshot(3, b"state")
ANSWER = SealedAnswer("question", 0, b"cause", b"answer")


@pytest.mark.parametrize(
    ("sealed", "snapshot", "harmless"), [((), None, True), ((ANSWER,), None, False), ((), SNAPSHOT, False)]
)
def test_a_live_match_without_steps_is_damaged_where_more_of_it_is_kept(
    tmp_path: Path, sealed: Sequence[SealedAnswer], snapshot: MatchSnapshot | None, *, harmless: bool
) -> None:
    seats = (SeatRecord("a", "Ann"), SeatRecord("b", "Ben"))
    table = TableRecord(TableId("t"), "CODE", "Table", "duel", "two", "a", seats, 0, 0, state=LIVE)
    host = Host({}, None, None, tmp_path)
    [finding, _] = check_table(table.match, table, StoredMatch([], sealed, snapshot), host)
    assert (finding.place, finding.harmless) == ("steps", harmless)
