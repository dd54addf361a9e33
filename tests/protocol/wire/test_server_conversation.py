"""Server's conversation: who may speak, how often, how much is queued, and how it ends."""

from __future__ import annotations

import msgpack
import pytest

from protocol.ids import BEGINNING, PromptId, Seq
from protocol.limits import Limits
from protocol.text import text
from protocol.version import VERSION
from protocol.wire.codec import decode_message, encode_request
from protocol.wire.from_client import Chat, DetailRequest, Hello, Intent, ListTables, Message, Ping
from protocol.wire.from_server import Detail, FromServer, Pong, Problem, Reject
from protocol.wire.server_conversation import RecentFrames, ServerConversation

LIMITS = Limits()
HELLO = Hello(version=VERSION, name="Ada")
LIST = ListTables()


def intent(number: int) -> Intent:
    return Intent(id=number.to_bytes(16, "big"), prompt=PromptId("p"), choice="go")


def said(conversation: ServerConversation) -> list[FromServer]:
    return [decode_message(data, LIMITS) for data in conversation.take()]


def codes(conversation: ServerConversation) -> list[str]:
    return [message.code for message in said(conversation) if isinstance(message, Problem | Reject | Detail)]


def greeted() -> ServerConversation:
    conversation = ServerConversation(LIMITS, 0.0)
    assert conversation.receive(encode_request(HELLO), 0.0) == [HELLO]
    return conversation


def test_nothing_comes_before_the_hello_and_no_second_one() -> None:
    conversation = ServerConversation(LIMITS, 0.0)
    assert conversation.receive(encode_request(LIST), 0.0) == []
    assert said(conversation) == [Problem("session/hello-first", text("session.hello_first"), True)]
    assert conversation.closing == (1002, "session/hello-first")
    conversation = greeted()
    assert conversation.receive(encode_request(LIST), 0.0) == [LIST]
    assert conversation.receive(encode_request(HELLO), 0.0) == []
    assert conversation.closing == (1002, "session/hello-once")
    assert conversation.receive(encode_request(LIST), 9.0) == []


def test_a_late_hello_closes() -> None:
    conversation = ServerConversation(LIMITS, 10.0)
    conversation.expire(14.9)
    assert conversation.closing is None
    conversation.expire(15.0)
    assert conversation.closing == (1008, "session/late")
    conversation = greeted()
    conversation.expire(99.0)
    assert conversation.closing is None


@pytest.mark.parametrize(
    ("frame", "code", "status"),
    [
        (bytes(20_000), "frame/too-large", 1009),
        (b"\xc1", "frame/unreadable", 1002),
        (b"\x81\xa1t" + b"\x91" * 20 + b"\x90", "frame/too-deep", 1002),
        (msgpack.packb({"t": "hello", "version": 9}), "frame/wrong-version", 1002),
        (msgpack.packb({"t": "dance"}), "frame/unknown-type", 1002),
        (msgpack.packb({"t": "hello", "version": VERSION, "name": ""}), "frame/bad-field", 1002),
    ],
)
def test_a_bad_first_frame_closes_with_its_code(frame: bytes, code: str, status: int) -> None:
    conversation = ServerConversation(LIMITS, 0.0)
    assert conversation.receive(frame, 0.0) == []
    (problem,) = said(conversation)
    assert isinstance(problem, Problem)
    assert (problem.code, problem.fatal, conversation.closing) == (code, True, (status, code))


def test_a_wrong_message_is_answered_where_it_belongs_and_the_link_stays() -> None:
    conversation = greeted()
    wrong = {"t": "intent", "id": bytes(16), "prompt": "p", "choice": ""}
    conversation.receive(msgpack.packb(wrong), 0.0)
    conversation.receive(msgpack.packb({"t": "detail", "id": 4, "prompt": "p", "choice": ""}), 0.0)
    conversation.receive(msgpack.packb({"t": "chat"}), 0.0)
    reject, detail, problem = said(conversation)
    assert isinstance(reject, Reject)
    assert isinstance(detail, Detail)
    assert isinstance(problem, Problem)
    assert (reject.id, reject.code, detail.id, detail.code) == (bytes(16), "frame/bad-field", 4, "frame/bad-field")
    assert (problem.code, problem.fatal, conversation.closing) == ("frame/bad-field", False, None)


def test_a_ping_is_answered_at_once() -> None:
    conversation = greeted()
    assert conversation.receive(encode_request(Ping(n=7)), 0.0) == []
    assert said(conversation) == [Pong(7)]


def test_too_many_intents_are_busy_and_go_on_later() -> None:
    conversation = greeted()
    taken = [conversation.receive(encode_request(intent(n)), 0.0) for n in range(25)]
    assert sum(map(bool, taken)) == LIMITS.intents.burst
    assert codes(conversation) == ["busy"] * 5
    assert conversation.receive(encode_request(intent(99)), 0.2)


@pytest.mark.parametrize(
    ("message", "burst"),
    [
        (Chat(text="hm"), LIMITS.chat.burst),
        (DetailRequest(id=1, prompt=PromptId(""), choice="go"), LIMITS.details.burst),
        (LIST, LIMITS.frames.burst - 1),
    ],
)
def test_every_kind_has_its_bucket(message: Message, burst: int) -> None:
    conversation = greeted()
    taken = [conversation.receive(encode_request(message), 0.0) for _ in range(burst + 3)]
    assert sum(map(bool, taken)) == burst
    assert codes(conversation) == ["busy"] * 3


@pytest.mark.parametrize("frame", [encode_request(LIST), encode_request(intent(1)), msgpack.packb({"t": "x"})])
def test_a_flood_is_closed_within_a_second(frame: bytes) -> None:
    conversation = greeted()
    for tick in range(1000):
        conversation.receive(frame, tick / 1000)
        conversation.take()
        if conversation.closing is not None:
            break
    assert conversation.closing == (1008, "session/flood")


def test_taking_over_tells_the_older_connection() -> None:
    conversation = greeted()
    conversation.take_over()
    assert said(conversation) == [Problem("session/taken-over", text("session.taken_over"), True)]
    assert conversation.closing == (1008, "session/taken-over")


def test_a_full_queue_drops_the_scene_and_asks_for_one_snapshot() -> None:
    conversation = greeted()
    conversation.offer(b"ack")
    for _ in range(LIMITS.outbound_messages - 1):
        conversation.offer(b"delta", droppable=True)
    assert not conversation.overflowed
    conversation.offer(b"delta", droppable=True)
    assert conversation.overflowed
    conversation.offer(b"late delta", droppable=True)
    conversation.offer(b"ack 2")
    conversation.overflowed = False
    conversation.offer(b"snapshot", droppable=True)
    assert conversation.take() == [b"ack", b"ack 2", b"snapshot"]
    assert conversation.closing is None


def test_bytes_are_bounded_too_but_a_single_snapshot_of_any_size_is_sent() -> None:
    conversation = greeted()
    conversation.offer(bytes(10**6), droppable=True)
    assert not conversation.overflowed
    conversation.offer(b"ack")
    assert conversation.overflowed
    assert conversation.take() == [b"ack"]


def test_who_never_reads_is_closed() -> None:
    conversation = greeted()
    for _ in range(2):
        conversation.overflowed = False
        for _ in range(LIMITS.outbound_messages + 1):
            conversation.offer(b"delta", droppable=True)
    assert conversation.closing == (1013, "session/slow")
    (problem,) = conversation.take()
    assert decode_message(problem, LIMITS) == Problem("session/slow", text("session.slow"), True)
    conversation.offer(b"more")
    assert conversation.take() == []


def test_a_spectator_gets_the_newest_state_as_often_as_it_falls_behind() -> None:
    conversation = greeted()
    conversation.coalesces = True
    for time in range(50):
        for _ in range(3 * LIMITS.outbound_messages):
            conversation.offer(b"delta", droppable=True)
        assert conversation.overflowed
        assert conversation.next() is None
        conversation.overflowed = False
        conversation.offer(b"snapshot %d" % time, droppable=True)
    assert conversation.closing is None
    assert conversation.take() == [b"snapshot 49"]


def test_a_player_gets_one_snapshot_and_must_have_read_it_before_the_next() -> None:
    conversation = greeted()
    for _ in range(3):
        for _ in range(LIMITS.outbound_messages + 1):
            conversation.offer(b"delta", droppable=True)
        conversation.overflowed = False
        conversation.offer(b"snapshot", droppable=True)
        assert (conversation.next(), conversation.next(), conversation.closing) == (b"snapshot", None, None)
    for _ in range(2):
        conversation.overflowed = False
        for _ in range(LIMITS.outbound_messages + 1):
            conversation.offer(b"delta", droppable=True)
    assert conversation.closing == (1013, "session/slow")


def test_what_cannot_be_dropped_is_bounded_as_well() -> None:
    conversation = greeted()
    for _ in range(LIMITS.outbound_messages + 1):
        conversation.offer(b"said")
    assert conversation.closing == (1013, "session/slow")


def test_kept_frames_have_no_holes() -> None:
    kept = RecentFrames(3)
    assert kept.since(BEGINNING) == []
    for n in range(1, 6):
        kept.add(Seq(n), b"%d" % n)
    assert kept.since(Seq(5)) == []
    assert kept.since(Seq(2)) == [b"3", b"4", b"5"]
    assert kept.since(Seq(1)) is None
    assert kept.since(Seq(6)) is None
    kept.add(Seq(9), b"9")
    assert kept.since(Seq(8)) == [b"9"]
    assert kept.since(Seq(5)) is None
