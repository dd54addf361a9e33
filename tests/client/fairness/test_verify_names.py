"""Names beside a replay, and ids of people in its record: both checkers take the same files, and refuse the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final

import msgpack
import pytest

from client.fairness import verify, verify_report
from client.fairness.receipts import Receipts
from client.fairness.receipts_check import ReplayLog, _check_facts
from engine.core.match.causes import Seats
from protocol.fairness.replay_sections import BEGINNING_BYTES, MAGIC, hash_section, read_sections, section, signed_file
from protocol.limits import Limits
from tests.support.clients.dice.contributing import Contributed
from tests.support.fairness.sealing import packed, replay_of, sealed
from tests.support.fairness.signing import HOST
from tests.support.reference import second_checker

PEOPLE: Final = (b"a" * 16, b"b" * 16, b"")
OTHERS: Final = (b"a" * 16, b"c" * 16, b"")
HELD: Final = ("person", "person", "bot")


def played() -> Contributed:
    """A match whose people have ids; the second seat passes to another person."""
    match = Contributed(holders=("bot", "bot", "bot"))
    match.do(Seats(HELD, PEOPLE))
    match.tip(0)
    match.chain()
    match.do(Seats(HELD, OTHERS))
    match.chain()
    return match


PLAYED: Final = played()
GOOD: Final = sealed(PLAYED.replay())


def agree(data: bytes) -> bool:
    """Both checkers let the file pass, or both refuse it."""
    found = []
    for check, refused in ((verify.check, verify.VerificationFailed), (second_checker.check, second_checker.Refused)):
        try:
            check(data)
        except refused:
            found.append(False)
        else:
            found.append(True)
    assert found[0] == found[1]
    return found[0]


def with_ending(names: Sequence[bytes], version: int = 2) -> bytes:
    """The file with these sections of names in place of its own."""
    found = read_sections(GOOD, Limits())
    kept = [name for name in found if name not in (b"sign", b"name", b"hash")]
    body = [section(name, content) for name in kept for content in found[name]]
    return signed_file(version, body, HOST, b"".join(section(b"name", each) for each in names))


def test_a_file_with_names_holds_and_is_said_to_have_them_unsigned() -> None:
    assert agree(GOOD)
    assert verify_report.UNSIGNED in verify.check(GOOD)
    bare = with_ending([])
    assert agree(bare)
    assert verify_report.UNSIGNED not in verify.check(bare)
    assert any("seat 1" in line for line in verify.check(bare))


@pytest.mark.parametrize(
    "names",
    [
        [{"seats": ["Ada", "Bea"]}],
        [{"seats": ["Ada", "Bea", 3]}],
        [{"table": "Friday"}],
        [["Ada", "Bea", "Cyd"]],
        [{"seats": ["Ada", "Bea", "Cyd"]}] * 2,
    ],
)
def test_names_that_are_not_one_for_each_seat_are_refused(names: list[object]) -> None:
    assert not agree(with_ending([msgpack.packb(each) for each in names]))


def test_names_stand_nowhere_else_and_not_in_the_first_version() -> None:
    names = msgpack.packb({"seats": ["Ada", "Bea", "Cyd"]})
    assert agree(with_ending([names]))
    assert not agree(with_ending([names], version=1))
    assert agree(with_ending([], version=1))
    first = MAGIC + GOOD[len(MAGIC) : BEGINNING_BYTES] + section(b"name", names)
    body = first + GOOD[BEGINNING_BYTES:-40]
    assert not agree(body + hash_section(sha256(body).digest()))


Bend = Callable[[list[Any]], object]


def seats_of(log: list[Any], number: int) -> list[Any]:
    """The step in which seats pass for that time."""
    step: list[Any] = [step for step in log if step[1]["c"] == "seats"][number]
    return step


@pytest.mark.parametrize(
    "bend",
    [
        lambda log: seats_of(log, -1)[2][0].update(person=b"d" * 16),
        lambda log: seats_of(log, -1)[2][0].pop("person"),
        lambda log: seats_of(log, -1)[1].update(people=[b"a" * 16, b"b" * 16, b""]),
        lambda log: seats_of(log, -1)[1].update(people=[b"a" * 16, b"c" * 16]),
        lambda log: (
            seats_of(log, -1)[1].update(people=[b"a" * 16, b"c" * 15, b""]),
            seats_of(log, -1)[2][0].update(person=b"c" * 15),
        ),
        lambda log: (
            seats_of(log, -1)[1].update(people=[b"a" * 16, b"c" * 16, b"e" * 16]),
            seats_of(log, -1)[2].append({"e": "core.seat", "seat": 2, "by": "bot", "person": b"e" * 16}),
        ),
        lambda log: (
            seats_of(log, -1)[1].update(people=[b"a" * 16, "c" * 16, b""]),
            seats_of(log, -1)[2][0].update(person="c" * 16),
        ),
    ],
)
def test_ids_that_do_not_follow_from_the_cause_or_are_no_persons_are_refused(bend: Bend) -> None:
    log = [msgpack.unpackb(step, strict_map_key=False) for step in PLAYED.log]
    bend(log)
    replay = PLAYED.replay()
    assert not agree(sealed(replay_of(replay.header, replay.secret, [packed(step) for step in log], replay.streams)))


def test_facts_that_an_older_program_kept_without_ids_agree_with_the_replay() -> None:
    steps = ReplayLog(GOOD)
    facts = list(steps.facts(0))
    assert [fact["person"] for fact in facts if "person" in fact] == [b"a" * 16, b"b" * 16, b"c" * 16]
    for without in (False, True):
        kept = [{name: value for name, value in fact.items() if not (without and name == "person")} for fact in facts]
        records = [["fact", number, fact] for number, fact in enumerate(kept)]
        assert _check_facts(Receipts(steps.match, steps.key, 0, records), steps) == (len(facts), "")
    changed = [{**fact, "person": b"x" * 16} if "person" in fact else fact for fact in facts]
    records = [["fact", number, fact] for number, fact in enumerate(changed)]
    assert "the holder of a seat" in _check_facts(Receipts(steps.match, steps.key, 0, records), steps)[1]
