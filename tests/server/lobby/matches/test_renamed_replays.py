"""Replays of version 1, whose names are signed: those of deleted people are overwritten, and all checkers hold."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import msgpack
import pytest

from client.fairness import verify
from protocol.errors import BadReplay
from protocol.fairness.replay import read
from protocol.fairness.replay_sections import read_sections
from protocol.ids import TableId
from protocol.limits import Limits
from server.accounts.display_names import DELETED, UNNAMED, holds_one_of
from server.lobby.matches.renamed_replays import without_people
from server.runtime.signing import HostKey
from tests.server.lobby.commands.test_deleted_accounts import deletes, everything
from tests.support.clients.wire import Client, Running, rest_to_the_end, running, two_players
from tests.support.examples.golden import FOLDER
from tests.support.fairness.first_version import as_first_version
from tests.support.fairness.signing import HOST
from tests.support.reference import second_checker

pytestmark = pytest.mark.waits

NAMES = ("Xanthippe", "Zebedee")
OLD_TITLE = "The table of Xanthippe"


async def played(run: Running, folder: Path) -> tuple[Client, Client, Path]:
    """A match that is over, with its replay as a server of before wrote it."""
    ann, ben = await two_players(run, names=NAMES, name=OLD_TITLE)
    await rest_to_the_end(ann, ben)
    assert ann.talk.table is not None
    file = folder / "replays" / f"{ann.talk.table.id}.replay"
    file.write_bytes(as_first_version(file.read_bytes(), NAMES, OLD_TITLE, run.server.lobby.matches._services.key))
    return ann, ben, file


def hold(data: bytes) -> dict[str, Any]:
    """Both checkers let the file pass; its head."""
    verify.check(data)
    second_checker.check(data)
    head: dict[str, Any] = msgpack.unpackb(read_sections(data, Limits())[b"head"][0])
    return head


async def test_a_deleted_person_is_overwritten_in_a_file_of_the_first_version_and_the_others_are_not(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as run:
        ann, ben, file = await played(run, tmp_path)
        before = file.read_bytes()
        assert [seat["name"] for seat in hold(before)["seats"]] == list(NAMES)
        await deletes(run, ann)
        after = file.read_bytes()
        assert b"Xanthippe" not in after
        head = hold(after)
        assert [seat["name"] for seat in head["seats"]] == [DELETED, "Zebedee"]
        assert head["table"] == UNNAMED
        assert read(after, Limits())._replace(header=None) == read(before, Limits())._replace(header=None)  # type: ignore[arg-type]
        assert "Xanthippe" not in await everything(run.server.store)
        await deletes(run, ben)
        assert [seat["name"] for seat in hold(file.read_bytes())["seats"]] == [DELETED, DELETED]


async def test_a_damaged_file_is_named_in_the_log_and_the_rest_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _, file = await played(run, tmp_path)
        data = bytearray(file.read_bytes())
        data[-200] ^= 1
        file.write_bytes(data)
        await deletes(run, ann)
        await run.logged("replay-not-renamed")
        assert file.read_bytes() == data
        assert "Xanthippe" not in await everything(run.server.store)
        assert ann.talk.table is not None
        assert run.server.lobby.table(TableId(ann.talk.table.id)).record.seats[0].name == DELETED


async def test_a_file_that_cannot_be_written_now_is_tried_again_with_the_next_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError("No space left on device")

    async with running(tmp_path) as run:
        ann, _, file = await played(run, tmp_path)
        with monkeypatch.context() as patched:
            patched.setattr("server.lobby.forgotten_people.save", full)
            await deletes(run, ann)
            await run.logged("replay-not-renamed")
        assert b"Xanthippe" in file.read_bytes()
        await run.server._account_expiry.sweep()
        assert b"Xanthippe" not in file.read_bytes()
        assert "Xanthippe" not in await everything(run.server.store)


async def test_what_is_no_replay_any_more_is_named_too(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, file = await played(run, tmp_path)
        file.write_bytes(b"nothing")
        await deletes(run, ann)
        await run.logged("replay-not-renamed")
        file.unlink()
        await deletes(run, ben)
        assert not [name for name in NAMES if name in await everything(run.server.store)]


GOLDEN = (FOLDER / "duel-rules1-log2-dice2.replay").read_bytes()


def renamed(data: bytes, key: HostKey, former: tuple[bytes, ...] = (), seats: tuple[int, ...] = (0,)) -> bytes:
    return without_people(data, seats, partial(holds_one_of, names=["Nobody"]), key, former)


def test_a_file_of_a_former_key_is_signed_by_the_one_of_now_in_all_its_parts() -> None:
    new = HostKey(b"n" * 32)
    data = renamed(GOLDEN, new, (HOST.public,))
    assert verify.check(data, new.public)
    second_checker.check(data)
    assert renamed(data, new) == data


def test_a_file_of_another_host_is_not_signed_as_ones_own() -> None:
    with pytest.raises(BadReplay, match="bad-section"):
        renamed(GOLDEN, HostKey(b"n" * 32))


@pytest.mark.parametrize("cut", [1, 40, 1000])
def test_a_damaged_file_is_refused(cut: int) -> None:
    with pytest.raises(BadReplay):
        renamed(GOLDEN[:-cut], HOST)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*-log2-dice2.replay")), ids=lambda path: path.stem)
def test_golden_replays_hold_without_their_names(path: Path) -> None:
    data = path.read_bytes()
    seats = tuple(range(len(read(data, Limits()).header.seats)))
    after = renamed(data, HOST, seats=seats)
    assert {seat["name"] for seat in hold(after)["seats"]} == {DELETED}
    assert read(after, Limits()).log == read(data, Limits()).log
