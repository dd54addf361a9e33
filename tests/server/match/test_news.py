"""News of a match is plain data: it comes out of a message as it went in."""

from __future__ import annotations

from typing import get_args

import msgspec

from protocol.ids import TableId
from protocol.scene.nodes import Result
from protocol.text import Text
from protocol.wire.from_server import EntropyWanted
from server.match.news import (
    ClocksChanged,
    DefaultPlayed,
    MatchEnded,
    MatchNews,
    MatchParked,
    PartWanted,
    SeatActed,
    SeatCleared,
    StepsLost,
    StepVoided,
    TableState,
    TimeRanOut,
    TimeRunsShort,
)

EXAMPLES: tuple[MatchNews, ...] = (
    ClocksChanged((1, 2), (600_000, 1_000), players_told=True),
    SeatActed(1),
    TimeRunsShort((0, 3), 9.5),
    DefaultPlayed(2),
    TimeRanOut(2, -1, 17, bytes(32)),
    SeatCleared(3),
    PartWanted(0, EntropyWanted(TableId("m1"), 3, 17, bytes(32), bytes(64))),
    MatchEnded(Result(Text("result.won"), ())),
    MatchParked(),
    StepVoided(),
    StepsLost(),
)


def test_every_kind_of_news_can_be_sent() -> None:
    assert {type(news) for news in EXAMPLES} == set(get_args(MatchNews))
    for news in (*EXAMPLES, MatchEnded(None)):
        data = msgspec.msgpack.encode(news)
        assert msgspec.msgpack.decode(data, type=MatchNews) == news


def test_the_state_of_a_table_can_be_sent() -> None:
    state = TableState(("person", "bot"), frozenset({0}), frozenset({0}), frozenset(), 3, (600_000, 0))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=TableState) == state
