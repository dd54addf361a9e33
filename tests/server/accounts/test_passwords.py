"""Rules for passwords, and the making of hashes: in threads, a limited number at once, at the configured cost."""

import asyncio
import threading

import pytest

from protocol.limits import Limits
from server.accounts.passwords import Passwords, common, nobodys_hash
from server.runtime.bounds import MemoryBounds
from server.runtime.refusals import Refused
from tests.support.doubles.clock import JumpingClock
from tests.support.servers.registration import CHEAP, PASSWORD

pytestmark = pytest.mark.waits


def refused(password: str, name: str = "Ann") -> str:
    try:
        Passwords(CHEAP).check(password, name)
    except Refused as problem:
        return problem.code
    return ""


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("seven77", "password/short"),
        ("seven777", ""),
        ("x " * 64, ""),
        ("x" * 129, "password/long"),
        ("all lower case and no number", ""),
        ("\U0001f980\u00e9\u4e2d\t\x00 \u202e*", ""),
        ("password", "password/common"),
        ("PassWord1", "password/common"),
        ("\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18", "password/common"),
        ("Qwertyuiop", "password/common"),
        ("ann12345678", "password/name"),
    ],
)
def test_a_password_has_8_to_128_characters_of_any_kind_and_is_not_one_of_the_commonest(
    password: str, code: str
) -> None:
    assert refused(password) == code


def test_a_name_is_no_password_however_it_is_written() -> None:
    assert refused("FIELD marshal", "Field Marshal") == refused("fieldmarshal", "Field Marshal") == "password/name"


def test_the_list_is_of_passwords_that_would_be_taken_otherwise() -> None:
    assert len(common()) > 2_500
    assert all(len(word) >= 8 and word == word.casefold() for word in common() - {""})


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
