"""Weighing of new passwords, and the making of hashes: in threads, a limited number at once, at the configured cost."""

import asyncio
import threading

import pytest

from protocol.limits import Limits
from server.accounts.password_strength import _DICTIONARIES, _PATTERNS, WEAK
from server.accounts.passwords import Passwords, nobodys_hash
from server.runtime.bounds import MemoryBounds
from server.runtime.refusals import Refused
from server.runtime.texts import ENGLISH
from tests.support.doubles.clock import JumpingClock
from tests.support.servers.registration import CHEAP, PASSWORD

pytestmark = pytest.mark.waits


async def refused(password: str, name: str = "Ann") -> str:
    passwords = Passwords(CHEAP)
    try:
        await passwords.check(password, name)
    except Refused as problem:
        return problem.code
    finally:
        passwords.close()
    return ""


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("seven77", "password/short"),
        (PASSWORD, ""),
        ("x" * 129, "password/long"),
        ("all lower case and no number", ""),
        ("\U0001f980\u00e9\u4e2d\t\x00 \u202e*@\u2603", ""),
        ("password", "password/common"),
        ("PassWord1", "password/common"),
        ("p4$$w0rd", "password/common"),
        ("\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18", "password/common"),
        ("battlefields", "password/word"),
        ("Schoenfeldt", "password/word"),
        ("xcvfdswert", "password/keys"),
        ("tartartartar", "password/repeat"),
        ("mnopqrstuv", "password/sequence"),
        ("23.11.2026", "password/date"),
        ("kwqz71xp", "password/weak"),
    ],
)
async def test_a_password_has_8_to_128_characters_of_any_kind_and_cannot_be_guessed(password: str, code: str) -> None:
    assert await refused(password) == code


async def test_a_name_is_no_password_however_it_is_written() -> None:
    for password in ("FIELD marshal", "fieldmarshal", "field marshal 12"):
        assert await refused(password, "Field Marshal") == "password/name", password
    assert await refused(f"{PASSWORD} marshal", "Field Marshal") == ""


async def test_the_name_of_one_person_says_nothing_about_the_password_of_another() -> None:
    assert await refused("Grzegorzk1", "Grzegorzk") == "password/name"
    assert await refused("Grzegorzk1 and so on", "Ann") == ""


async def test_what_stands_behind_64_characters_makes_no_password_better() -> None:
    assert await refused(f"{'a' * 64}{PASSWORD}") == "password/repeat"


def test_each_reason_of_a_weak_password_says_what_would_help() -> None:
    for reason in sorted({WEAK, *_DICTIONARIES.values(), *_PATTERNS.values()}):
        assert "Take three" in (said := ENGLISH[f"problem.password/{reason}"]) or "Add" in said, reason


def test_hashes_are_argon2id_at_19_mib_and_two_passes_unless_told_otherwise() -> None:
    made = asyncio.run(Passwords(Limits()).hash(PASSWORD))
    assert made.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert PASSWORD not in made
    dummy = nobodys_hash(Limits())
    assert [len(part) for part in dummy.split("$")] == [len(part) for part in made.split("$")]


async def test_a_password_is_the_same_in_all_forms_of_its_characters() -> None:
    passwords = Passwords(CHEAP)
    made = await passwords.hash("caf\u00e9 caf\u00e9")
    assert await passwords.verify(made, "cafe\u0301 cafe\u0301")
    assert not await passwords.verify(made, "cafe cafe")
    assert not await passwords.verify("", "")
    assert not await passwords.verify("no hash", PASSWORD)


async def test_hashes_are_made_beside_the_loop_by_few_threads_and_what_is_too_much_is_refused() -> None:
    passwords = Passwords(Limits(password_kib=1024, password_threads=99, password_queue=6))
    tasks = [asyncio.create_task(passwords.hash(PASSWORD)) for _ in range(12)]
    made = await asyncio.gather(*tasks, return_exceptions=True)
    assert [getattr(each, "code", "") for each in made] == [""] * 10 + ["session/sign-in-busy"] * 2
    assert sum(thread.name.startswith("passwords") for thread in threading.enumerate()) <= 4
    assert await passwords.hash(PASSWORD)
    passwords.close()


async def test_one_who_gives_up_makes_no_room_before_his_thread_has() -> None:
    passwords = Passwords(Limits(password_kib=1024, password_queue=0))
    first = asyncio.create_task(passwords.hash(PASSWORD))
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(Refused):
        await passwords.hash(PASSWORD)


def test_failures_are_forgotten_one_by_one_and_cannot_fill_the_memory() -> None:
    clock = JumpingClock()
    bounds = MemoryBounds(Limits(failures=5, failure_seconds=900.0), clock)
    for number in range(5):
        assert bounds.may_sign_in("ann", str(number))
        bounds.sign_in_begun("ann", str(number))
        clock.advance(100)
    assert not bounds.may_sign_in("ann", "5")
    assert bounds.may_sign_in("ben", "5")
    clock.advance(400)
    assert bounds.may_sign_in("ann", "5")
    bounds.sign_in_begun("ann", "5")
    assert not bounds.may_sign_in("ann", "6")
    bounds.sign_in_good("ann", "5")
    assert bounds.may_sign_in("ann", "6")
    for number in range(30_000):
        bounds.sign_in_begun(str(number), str(number))
    assert len(bounds._failed_names) <= 10_000
    assert len(bounds._failed_addresses) <= 10_000
