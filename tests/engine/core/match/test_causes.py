"""Causes as they are stored: each under its own tag, and read again as it was."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from engine.core.match.causes import (
    Answered,
    AnyCause,
    Aside,
    Cause,
    Conceded,
    Deferred,
    EntropyCall,
    EntropyTip,
    Expiry,
    Intended,
    PartsOpened,
    RoundOpened,
    Seats,
    Start,
    TableEvent,
    Undo,
    Void,
)
from engine.core.rules.record import SeatSettings
from protocol.ids import MatchId
from protocol.scene.nodes import Reply

ID = bytes(range(16))
CAUSES: dict[str, AnyCause] = {
    "start": Start(MatchId("m1"), 3, b"content", parts=True, version="1.0", code=b"c" * 32),
    "seats": Seats(("person", "bot", "empty")),
    "call": EntropyCall(),
    "round": RoundOpened((b"l" * 32, b""), (b"p" * 64, b"")),
    "intent": Intended(1, ID, b"intent", b"s" * 32),
    "answer": Answered(2, ID, 7, Reply("yes", {"units": ["group/1"]})),
    "expiry": Expiry(question=4),
    "conceded": Conceded(1),
    "deferred": Deferred(Expiry(question=4)),
    "opened": PartsOpened((b"l" * 32, b""), (b"p" * 64, b"")),
    "undo": Undo(1, ID, b"s" * 32),
    "aside": Aside(1, ID, SeatSettings(("before-sale",), {"before-sale": Reply("yes")})),
    "void": Void("e-1", (b"l" * 32,), (b"p" * 64,)),
    "tip": EntropyTip(1, b"t" * 32, b"k" * 32),
    "table": TableEvent("link", 2, "lost"),
}


def test_every_cause_has_a_tag_of_its_own() -> None:
    assert {type(cause) for cause in CAUSES.values()} == set(get_args(AnyCause))
    assert set(get_args(AnyCause)) == set(Cause.__subclasses__())


@pytest.mark.parametrize("tag", CAUSES)
def test_a_cause_is_stored_under_its_tag_and_read_again(tag: str) -> None:
    data = msgspec.msgpack.encode(CAUSES[tag])
    assert msgspec.msgpack.decode(data)["c"] == tag
    assert msgspec.msgpack.decode(data, type=AnyCause) == CAUSES[tag]


def test_what_is_as_usual_is_not_stored() -> None:
    """Leave defaults out, so that a field added later does not change the bytes of earlier steps."""
    started = msgspec.msgpack.decode(msgspec.msgpack.encode(Start(MatchId("m1"), 3, b"")))
    assert started == {"c": "start", "match": "m1", "seats": 3, "resolved": b""}
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(Expiry(seat=0))) == {"c": "expiry", "seat": 0}


def test_an_act_from_before_receipts_is_read() -> None:
    data = msgspec.msgpack.encode({"c": "intent", "seat": 1, "id": ID, "intent": b"intent"})
    assert msgspec.msgpack.decode(data, type=AnyCause) == Intended(1, ID, b"intent")


def test_an_unknown_cause_is_not_read() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode({"c": "tilted"}), type=AnyCause)
