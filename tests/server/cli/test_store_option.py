"""The option `--store`: the place of the matches, and plain sentences for places that are refused."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from server.cli.main import app, main
from server.cli.settings.sources import all_settings
from server.store.redis.address import parse_address
from tests.support.doubles.redis_server import RedisServer
from tests.support.forks.forked_process import fork


async def refused(data: Path, *options: str, **environment: str) -> str:
    """Return the error text of a server that does not start, for a wrong call or for what it finds."""
    with TemporaryFile() as errors:
        command = ("server.cli.main", "serve", *place_of(data), *options)
        process = await fork(*command, stderr=errors.fileno(), environment={**os.environ, **environment})
        await process.communicate()
        assert process.returncode in (1, 2)
        errors.seek(0)
        said = errors.read().decode()
    assert "Traceback" not in said
    return said


async def listens(data: Path | None, *options: str, **environment: str) -> str:
    """Start a server and end it; return its log."""
    with TemporaryFile() as errors:
        command = ("server.cli.main", "serve", *place_of(data), *options)
        process = await fork(*command, stderr=errors.fileno(), environment={**os.environ, **environment})
        assert process.stdout is not None
        assert json.loads(await process.stdout.readline())["event"] == "listening"
        process.terminate()
        await process.communicate()
        assert process.returncode == 0
        errors.seek(0)
        return errors.read().decode()


async def listed(data: Path, *options: str, **environment: str) -> tuple[str, str]:
    """Start a server by its command line and end it; return its entry in the list of processes, and its log."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server.cli.main", "serve", *place_of(data), *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **environment},
    )
    assert process.stdout is not None
    assert json.loads(await process.stdout.readline())["event"] == "listening"
    words = Path(f"/proc/{process.pid}/cmdline").read_text()
    process.terminate()
    _, log = await process.communicate()
    assert process.returncode == 0
    return words, log.decode()


def place_of(data: Path | None) -> tuple[str, ...]:
    """Return the options of a place to listen at and of a data folder, none where there is none."""
    return () if data is None else ("--listen", "127.0.0.1:0", "--data", str(data))


async def test_a_file_of_ones_own_choice_is_used(tmp_path: Path) -> None:
    await listens(tmp_path / "data", "--store", f"sqlite:{tmp_path / 'elsewhere' / 'matches.db'}")
    assert (tmp_path / "elsewhere" / "matches.db").exists()
    assert not (tmp_path / "data" / "eschaton.db").exists()


async def test_redis_is_used_and_no_file_is_made(tmp_path: Path, redis_server: RedisServer) -> None:
    await listens(tmp_path, "--store", redis_server.place())
    assert not list(tmp_path.glob("*.db"))


async def test_a_redis_that_may_lose_writes_is_refused_until_its_loss_is_accepted(tmp_path: Path) -> None:
    server = RedisServer(tmp_path / "redis", ("--appendonly", "yes", "--appendfsync", "everysec"))
    said = await refused(tmp_path, "--store", server.place())
    assert "appendfsync always" in said
    assert "--durability second" in said
    for option in (("--durability", "second"), ("--accept-loss", "everysec")):
        log = await listens(tmp_path, "--store", server.place(), *option)
        assert "about a second of play may be gone" in log
    server.close()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            ("--store", "postgres://here"),
            "'postgres://here' is no store. Write sqlite:PATH or redis://HOST:PORT/NUMBER.",
        ),
        (("--store", "redis://127.0.0.1:1/0"), "Redis at 127.0.0.1:1 cannot be reached"),
        (("--accept-loss", "everysec"), "--durability and --accept-loss are for Redis"),
        (("--durability", "replica"), "--durability and --accept-loss are for Redis"),
        (("--durability", "disk", "--accept-loss", "everysec"), "give one of them"),
        (("--store", "rediss:/:hunter2@10.0.0.1/0"), "'rediss:/...@10.0.0.1/0' is no store."),
    ],
)
async def test_what_cannot_be_used_is_named(tmp_path: Path, options: tuple[str, ...], why: str) -> None:
    assert why in await refused(tmp_path, *options)


SECRET = "hun%2Fter2"


async def test_a_password_of_redis_is_in_no_list_of_processes_nor_logged(
    tmp_path: Path, redis_server: RedisServer
) -> None:
    assert redis_server.say("ACL", "SETUSER", "host", "on", ">hun/ter2", "~*", "+@all") == "+OK"
    place = redis_server.place().replace("//", f"//host:{SECRET}@")
    file = tmp_path / "store"
    file.touch(0o600)
    file.write_text(f"{place}\n")
    settings = tmp_path / "server.toml"
    settings.touch(0o600)
    settings.write_text(f'store = "{place}"\n')
    data = tmp_path / "data"
    for options, environment in (
        (("--store-file", str(file)), {}),
        (("--settings", str(settings)), {}),
        ((), {"ESCHATON_STORE": place}),
    ):
        words, log = await listed(data, *options, **environment)
        assert SECRET not in words + log
        assert "password-in-sight" not in log
        assert "open-to-others" not in log
    words, log = await listed(data, "--store", place)
    assert SECRET in words
    assert '"password-in-sight"' in log
    assert SECRET not in log
    for option, held in (("--store-file", file), ("--settings", settings)):
        held.chmod(0o644)
        assert f"chmod 600 {held}" in await listens(data, option, str(held))


async def test_every_setting_may_come_from_the_environment_and_the_command_line_goes_before_it(tmp_path: Path) -> None:
    data, others = tmp_path / "of environment", tmp_path / "named"
    given = {"LISTEN": "127.0.0.1:0", "DATA": str(data), "LOG_LEVEL": "debug", "METRICS": "127.0.0.1:0", "CONTENT": ""}
    environment = {f"ESCHATON_{name}": value for name, value in given.items()}
    environment["ESCHATON_ORIGIN"] = "https://one.example https://two.example"
    log = await listens(None, **environment)
    assert (data / "eschaton.db").exists()
    assert '"metrics": ' in log
    await listens(others, **environment, ESCHATON_STORE=f"sqlite:{tmp_path / 'the.db'}")
    assert (tmp_path / "the.db").exists()
    assert not (others / "eschaton.db").exists()
    log = await listens(others, ESCHATON_LISTN="127.0.0.1:1")
    assert '"unknown-setting"' in log
    assert "Did you mean ESCHATON_LISTEN?" in log
    assert "'two' is no origin" in await refused(others, **environment | {"ESCHATON_ORIGIN": "https://one.example two"})


def test_each_option_of_serve_but_that_of_windows_has_a_variable() -> None:
    arguments = app["serve"].assemble_argument_collection()
    found = {argument.name: argument.parameter.env_var for argument in arguments if argument.name.startswith("--")}
    assert found.pop("--until-unused") == ()
    assert found == {each.option: (each.variable,) for each in all_settings()}


@pytest.mark.parametrize(
    ("held", "why"),
    [
        (b"", "must hold one line"),
        (b"sqlite:a.db\nsqlite:b.db\n", "must hold one line"),
        (b"sqlite:" + b"a" * 5000, "must hold one line"),
        ("sqlite:\u00fc.db".encode(), "holds signs"),
        (None, "cannot be read: No such file"),
    ],
)
async def test_a_file_that_names_no_store_is_told_in_plain_words(
    tmp_path: Path, held: bytes | None, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "store"
    if held is not None:
        file.write_bytes(held)
    assert main(["fsck", "--store-file", str(file)]) == 1
    assert why in capsys.readouterr().err


def test_a_store_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fsck", "--store-file", str(tmp_path), "--store", "sqlite:a"]) == 2
    assert "give one of them" in capsys.readouterr().err


@pytest.mark.parametrize(
    "place", ["redis://:hun/ter2@10.0.0.1:1/0", "redis://:hun?ter2@10.0.0.1", "redis://x/hunter2@y"]
)
def test_an_address_that_cannot_be_read_is_refused_without_its_password(place: str) -> None:
    with pytest.raises(ValueError, match=r"Write redis://|options behind") as refused:
        parse_address(place)
    assert "ter2" not in str(refused.value)
    assert refused.value.__cause__ is None
