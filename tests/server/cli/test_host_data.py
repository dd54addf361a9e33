"""Commands on a host's data: back up, restore, export, check."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from protocol.fairness.replay import read
from protocol.fairness.replay_sections import signed_bytes
from protocol.limits import Limits
from server.cli.data import backup, export
from server.cli.data.fsck import examine
from server.cli.main import main
from server.runtime.errors import CommandError
from server.store.port import StoreDamaged, StoreUnavailable
from server.store.redis.store import RedisStore
from server.store.sqlite.reader import SqliteReader
from tests.support.clients.wire import running
from tests.support.doubles.redis_server import RedisServer
from tests.support.doubles.stored import records_of
from tests.support.servers.data_folder import findings, host_of, kept, play_some


@pytest.fixture(scope="module")
def whole_host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host's data folder, to be copied."""
    return asyncio.run(kept(tmp_path_factory.mktemp("host")))


async def command(*words: str | Path) -> int:
    """Run the program as a person would."""
    return await asyncio.to_thread(main, [str(word) for word in words])


def digests(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


async def dump(data: Path) -> list[export.Line]:
    reader = SqliteReader(data / "eschaton.db")
    try:
        return [line async for line in export.exported(reader, data / "replays")]
    finally:
        await reader.close()


async def test_a_running_host_is_backed_up_and_goes_on_elsewhere(tmp_path: Path) -> None:
    data, copy, other = tmp_path / "data", tmp_path / "copy", tmp_path / "other"
    data.mkdir()
    async with running(data) as run:
        await play_some(run)
        made = backup.back_up(data, copy, keys=True)
        before = await dump(data)
    assert (made.matches, made.keys) == (1, True)
    assert set(made.files) >= {"eschaton.db", "host.key", "host.ed25519"}
    assert {path.stat().st_mode & 0o077 for path in copy.rglob("*") if path.is_file()} == {0}
    assert backup.restore(copy, other) == made
    assert await dump(other) == before
    assert await findings(other) == []
    async with running(other) as run:
        tables = run.server.lobby.tables()
        assert sorted(table.record.state for table in tables) == ["finished", "live", "open"]
        assert not any(table.is_parked for table in tables)


async def test_the_keys_are_copied_only_when_told(tmp_path: Path, whole_host: Path) -> None:
    data = Path(shutil.copytree(whole_host, tmp_path / "data"))
    made = backup.back_up(data, tmp_path / "copy", keys=False)
    assert not made.keys
    assert not any(name.startswith("host.") for name in digests(tmp_path / "copy"))


@pytest.mark.parametrize("harm", ["flip", "remove", "shorten"])
async def test_a_backup_that_has_changed_is_not_restored(tmp_path: Path, whole_host: Path, harm: str) -> None:
    data = Path(shutil.copytree(whole_host, tmp_path / "data"))
    backup.back_up(data, tmp_path / "copy", keys=False)
    for path in [file for file in (tmp_path / "copy").rglob("*") if file.is_file()]:
        whole = path.read_bytes()
        if harm == "flip":
            path.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
        elif harm == "shorten":
            path.write_bytes(whole[:-1] if path.name != "manifest.json" else whole[:-3])
        else:
            path.unlink()
        with pytest.raises(CommandError) as refused:
            backup.restore(tmp_path / "copy", tmp_path / "other")
        assert path.name in str(refused.value) or path.name == "manifest.json"
        assert not (tmp_path / "other").exists()
        assert not list(tmp_path.glob(".*.part"))
        path.write_bytes(whole)
    backup.restore(tmp_path / "copy", tmp_path / "other")


async def test_nothing_is_overwritten(tmp_path: Path, whole_host: Path) -> None:
    data = Path(shutil.copytree(whole_host, tmp_path / "data"))
    backup.back_up(data, tmp_path / "copy", keys=False)
    before = digests(tmp_path)
    with pytest.raises(CommandError, match="not empty"):
        backup.back_up(data, tmp_path / "copy", keys=False)
    with pytest.raises(CommandError, match="not empty"):
        backup.restore(tmp_path / "copy", data)
    with pytest.raises(CommandError, match="no backup"):
        backup.restore(data, tmp_path / "new")
    assert digests(tmp_path) == before


async def test_a_backup_cannot_name_files_outside_of_it(tmp_path: Path, whole_host: Path) -> None:
    data = Path(shutil.copytree(whole_host, tmp_path / "data"))
    backup.back_up(data, tmp_path / "copy", keys=False)
    manifest = tmp_path / "copy" / "manifest.json"
    said = json.loads(manifest.read_text())
    for name in ("../evil", "/etc/passwd", "replays/../../evil"):
        said["files"][name] = {"bytes": 1, "sha256": "00"}
        manifest.write_text(json.dumps(said))
        with pytest.raises(CommandError, match="outside"):
            backup.restore(tmp_path / "copy", tmp_path / "other")
        del said["files"][name]


def change(data: Path, statement: str, *values: object) -> None:
    database = sqlite3.connect(data / "eschaton.db")
    with database:
        assert database.execute(statement, values).rowcount
    database.close()


STEP = "(match, version, cause, step)"
OF_SECOND = "FROM steps WHERE match = 2"


def put_back(data: Path) -> None:
    """Put the steps of the finished match into the store again, all but the last."""
    [file] = (data / "replays").iterdir()
    replay = read(file.read_bytes(), Limits())
    for version, step in enumerate(replay.log[:-1], start=1):
        values = (replay.header.match, version, version.to_bytes(16), step)
        change(data, f"INSERT INTO steps {STEP} SELECT id, ?2, ?3, ?4 FROM matches WHERE name = ?1", *values)


FIRST = "(SELECT name FROM matches ORDER BY id LIMIT 1)"
Harm = Callable[[Path], object]
HARMS: dict[str, tuple[Harm, str]] = {
    "a step is missing": (
        lambda d: change(d, "DELETE FROM steps WHERE match = 2 AND version = 2"),
        "step 2 is missing",
    ),
    "a step cannot be read": (
        lambda d: change(d, "UPDATE steps SET step = X'C1', sum = NULL WHERE match = 2 AND version = 2"),
        "a stored step cannot be read",
    ),
    "a step is there twice": (
        lambda d: change(d, f"INSERT INTO steps {STEP} SELECT match, 2, X'00', step {OF_SECOND} LIMIT 1"),
        "step 2 is there twice",
    ),
    "a cause has made two steps": (
        lambda d: change(d, f"UPDATE steps SET sum = NULL, cause = (SELECT min(cause) {OF_SECOND}) WHERE match = 2"),
        "has made a step before",
    ),
    "a step is nobody's": (
        lambda d: change(d, f"INSERT INTO steps {STEP} VALUES (99, 1, zeroblob(16), X'00')"),
        "1 steps are of a match that is not there (number 99)",
    ),
    "a step is another match's": (
        lambda d: change(d, "UPDATE steps SET match = 1 WHERE match = 2 AND version = 2"),
        "The step 2 of match",
    ),
    "a step is not as it was written": (
        lambda d: change(d, "UPDATE steps SET step = X'00' WHERE match = 2 AND version = 2"),
        "The step 2 of match",
    ),
    "a record is not as it was written": (
        lambda d: change(d, "UPDATE records SET data = X'00' WHERE kind = 'token'"),
        "is not as it was written",
    ),
    "the last steps are gone": (put_back, "its steps are not those of the store"),
    "a table cannot be read": (
        lambda d: change(d, f"UPDATE records SET data = X'C1' WHERE kind = 'table' AND key = {FIRST}"),
        "its record cannot be read",
    ),
    "an account cannot be read": (
        lambda d: change(d, "UPDATE records SET data = X'C1' WHERE kind = 'account'"),
        "cannot be read",
    ),
    "an answer cannot be read": (
        lambda d: change(d, "UPDATE sealed SET answer = X'C1', sum = NULL"),
        "the answer of seat",
    ),
    "a replay is changed": (
        lambda d: next((d / "replays").iterdir()).write_text("eschaton replay\n"),
        "",
    ),
    "a replay is gone": (lambda d: next((d / "replays").iterdir()).unlink(), "it cannot be read"),
    "the sealing key is another": (lambda d: (d / "host.key").write_bytes(bytes(32)), "cannot be opened"),
    "the signing key is another": (lambda d: (d / "host.ed25519").write_bytes(bytes(32)), "not signed by"),
}


@pytest.mark.parametrize("harm", HARMS)
async def test_damage_is_found_and_named(tmp_path: Path, whole_host: Path, harm: str) -> None:
    data = Path(shutil.copytree(whole_host, tmp_path / "data"))
    assert await findings(data) == []
    act, said = HARMS[harm]
    act(data)
    before = digests(data)
    found = [finding for finding in await findings(data) if not finding.harmless]
    assert any(said in finding.what for finding in found), found
    after = digests(data)
    assert {name: after[name] for name in before} == before


async def test_a_bit_flipped_anywhere_in_the_file_is_found_or_harms_nothing(tmp_path: Path, whole_host: Path) -> None:
    data = Path(shutil.copytree(whole_host, tmp_path / "data"))
    whole = (data / "eschaton.db").read_bytes()
    lines = await dump(data)
    for place in range(101, len(whole), len(whole) // 40):
        (data / "eschaton.db").write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        try:
            found = await findings(data)
        except (StoreDamaged, StoreUnavailable):
            continue
        assert found or await dump(data) == lines, place


async def test_an_export_can_be_read_and_holds_no_secret(
    tmp_path: Path, whole_host: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = Path(shutil.copytree(whole_host, tmp_path / "data"))
    reader = SqliteReader(data / "eschaton.db")
    tokens, [match, *_] = await records_of(reader, "token"), await reader.matches()
    await reader.close()
    assert await command("export", "--data", data) == 0
    said = capsys.readouterr().out
    lines = [json.loads(line) for line in said.splitlines()]
    kinds = [line["kind"] for line in lines]
    assert kinds.count("table") == 3
    assert kinds.count("account") == 5
    assert kinds.count("answer") == 1
    assert tokens
    assert not any(token in said for token in tokens)
    assert '"sealed"' not in said
    steps = [line for line in lines if line["kind"] == "step" and line["match"] == match]
    assert [line["version"] for line in steps] == list(range(1, len(steps) + 1))
    assert any(line["cause"].get("intent") for line in steps)
    assert await command("export", "--data", data, "--match", "no") == 1


async def test_the_replay_of_a_finished_match_is_given_out(tmp_path: Path, whole_host: Path) -> None:
    data = Path(shutil.copytree(whole_host, tmp_path / "data"))
    [replay] = (data / "replays").iterdir()
    out = tmp_path / "out.replay"
    asked = ("export", "--data", data, "--match", replay.stem, "--out", out)
    assert await command(*asked) == 0
    stored, given = replay.read_bytes(), out.read_bytes()
    assert signed_bytes(given) == signed_bytes(stored)
    assert not any(seat.name for seat in read(stored, Limits()).header.seats)
    assert all(seat.name for seat in read(given, Limits()).header.seats)
    assert await command(*asked) == 2  # it is there already
    shutil.copyfile(replay, replay.with_stem("strange"))
    other = ("--match", "strange", "--out", tmp_path / "z.replay")
    assert await command("export", "--data", data, *other) == 1  # no table has it
    assert await command("export", "--data", data, "--match", "../x", "--out", tmp_path / "y.replay") == 1


async def test_the_commands_say_what_they_did(
    tmp_path: Path, whole_host: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = Path(shutil.copytree(whole_host, tmp_path / "data"))
    assert await command("backup", tmp_path / "copy", "--data", data) == 0
    assert await command("restore", tmp_path / "copy", "--data", tmp_path / "new") == 0
    assert await command("fsck", "--data", tmp_path / "new") == 0
    out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("event") for line in out if "event" in line] == ["backed-up", "restored", "checked"]
    assert out[-1]["matches"] == 1
    assert out[-1]["damaged"] == 0
    assert await command("fsck", "--data", tmp_path / "nowhere") == 1
    assert await command("backup", tmp_path / "copy2", "--data", tmp_path / "nowhere") == 1
    assert not list(tmp_path.glob(".*"))


async def test_what_redis_keeps_is_exported_and_checked_and_its_backup_is_its_own(
    tmp_path: Path, redis_server: RedisServer, capsys: pytest.CaptureFixture[str]
) -> None:
    place = redis_server.place()
    async with running(tmp_path / "data", store=await RedisStore.open(place)) as run:
        await play_some(run)
    here = ("--data", tmp_path / "data", "--store", place)
    assert await command("export", *here) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["kind"] for line in lines].count("table") == 3
    assert len({line["match"] for line in lines if line["kind"] == "step"}) == 2
    assert await command("fsck", *here) == 0
    host = host_of(tmp_path / "data")
    store = await RedisStore.open(place)
    try:
        assert [finding async for finding in examine(store, host)] == []
    finally:
        await store.close()
    capsys.readouterr()
    assert await command("backup", tmp_path / "copy", *here) == 2
    assert "Redis backs up its own data" in capsys.readouterr().err
    assert not (tmp_path / "copy").exists()
