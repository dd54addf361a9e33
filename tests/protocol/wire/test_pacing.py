"""Pace of a person's messages, and how much of it is remembered."""

from __future__ import annotations

from protocol.ids import PromptId
from protocol.limits import Bucket, Limits
from protocol.token_buckets import PerKey, bucket_per_key
from protocol.version import VERSION
from protocol.wire.codec import encode_request
from protocol.wire.from_client import Chat, DetailRequest, Hello, Intent, ListTables, SetReady
from protocol.wire.pacing import Pace
from protocol.wire.server_conversation import ServerConversation

LIMITS = Limits()


def test_the_figures_are_those_that_are_promised() -> None:
    assert (LIMITS.intents, LIMITS.details, LIMITS.chat) == (Bucket(5, 20), Bucket(20, 40), Bucket(1, 5))
    assert LIMITS.frames == Bucket(40 / 10, 20)
    assert LIMITS.overflow_factor == 10


def test_each_kind_has_its_bucket_and_the_rest_share_one() -> None:
    pace = Pace(LIMITS, 0.0)
    own = [pace.bucket(kind) for kind in (Intent, DetailRequest, Chat)]
    assert len({id(bucket) for bucket in (*own, pace.rest)}) == 4
    assert pace.bucket(ListTables) is pace.bucket(SetReady) is pace.rest


def test_a_person_who_connects_anew_has_the_buckets_of_before() -> None:
    pace = Pace(LIMITS, 0.0)
    taken = 0
    for _ in range(3):
        conversation = ServerConversation(LIMITS, 0.0)
        assert conversation.receive(encode_request(Hello(version=VERSION, name="Ann")), 0.0)
        conversation.pace = pace
        act = Intent(id=bytes(16), prompt=PromptId(""), choice="go")
        taken += sum(bool(conversation.receive(encode_request(act), 0.0)) for _ in range(30))
    assert taken == LIMITS.intents.burst


def test_the_memory_of_buckets_is_bounded_and_forgets_the_forgiven_first() -> None:
    tries = bucket_per_key(Bucket(1, 2), most=10)
    for _ in range(2):
        tries.of("guilty", 0.0).take(0.0)
    for number in range(100):
        assert tries.of(f"a{number}", 0.0).tokens >= 1
    assert len(tries) <= 10
    assert tries.of("guilty", 0.0).tokens < 1


def test_where_nobody_is_forgiven_one_is_forgotten_all_the_same() -> None:
    paces = PerKey(lambda now: Pace(LIMITS, now), most=4)
    for number in range(5):
        paces.of(str(number), 0.0).rest.take(0.0)
    assert len(paces) == 4
    assert paces.of("4", 0.0).rest.tokens < LIMITS.frames.burst


def test_those_who_have_gone_are_forgotten_as_others_come() -> None:
    paces = PerKey(lambda now: Pace(LIMITS, now))
    known = []
    for number in range(1000):
        paces.of(str(number), float(number)).rest.take(float(number))
        known.append(len(paces))
    # each is forgiven within a second
    assert max(known) <= 5


def test_as_many_are_remembered_as_are_not_forgiven() -> None:
    tries = bucket_per_key(Bucket(1 / 100, 2))
    for number in range(1000):
        assert tries.of(str(number), float(number)).take(float(number))
    assert 100 <= len(tries) <= 210
    assert all(tries.of(str(number), 999.0).tokens < 2 for number in range(900, 1000))


def test_a_record_that_somebody_holds_is_found_again() -> None:
    paces = PerKey(lambda now: Pace(LIMITS, now))
    held = paces.of("Ann", 0.0)
    for number in range(100):
        paces.of(str(number), float(number)).rest.take(float(number))
    held.rest.take(100.0)
    assert paces.of("Ann", 100.0) is held
    assert len(paces) <= 5
