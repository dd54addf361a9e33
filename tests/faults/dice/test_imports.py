"""Replays from elsewhere are read by a child first, which has little memory and time and can do nothing else."""

import hashlib
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from client.errors import CannotPlay
from client.model.replay.replay_player import load_replay
from protocol.errors import BadReplay
from protocol.fairness.replay import Header, Replay, read, write
from protocol.fairness.replay_sandbox import command, raise_refusal
from protocol.ids import BEGINNING, MatchId, NodeId
from protocol.limits import READING, Limits
from protocol.wire.codec import encode
from protocol.wire.from_server import Snapshot
from server.match.checking import read_file
from server.runtime.errors import CommandError
from tests.support.fairness.signing import HOST
from tests.support.runs.patience import PATIENCE

pytestmark = pytest.mark.waits

LIMITS = Limits()
HEADER = Header("duel", "two", MatchId("m1"), "eschaton-server", "0.1.0", ())
HONEST = Replay(HEADER, bytes(32), bytes(32), (b"step",), {"public": (Snapshot("public", "s", BEGINNING, {}, 0),)}, ())


def spread(times: int) -> bytes:
    """A file of so many MB that is well-formed and becomes sixty times as large: empty lists, one byte each."""
    lists = b"\xdd" + (1_000_000).to_bytes(4, "big") + b"\x90" * 1_000_000
    plain = encode(Snapshot("public", "s", BEGINNING, {NodeId("a"): {"x": ()}}, 0))
    head, tail = plain.split(b"\xa1x\x90")
    frame = head + b"\xa1x" + lists + tail
    body = write(HONEST, HOST)
    start = body.index(b"strm")
    size = int.from_bytes(body[start + 4 : start + 8], "big")
    after = start + 8 + size
    records = b"".join(len(r).to_bytes(4, "big") + r for r in (b"public", *[frame] * times))
    body = body[:start] + b"strm" + len(records).to_bytes(4, "big") + records + body[after:-40]
    return body + b"hash" + (32).to_bytes(4, "big") + hashlib.sha256(body).digest()


def test_an_honest_file_is_read_by_client_and_server(tmp_path: Path) -> None:
    file = tmp_path / "honest.replay"
    file.write_bytes(write(HONEST, HOST))
    assert load_replay(file) == read_file(file) == read(file.read_bytes(), LIMITS)


@pytest.mark.long("imports")
def test_a_file_that_needs_too_much_memory_is_not_read_here(tmp_path: Path) -> None:
    file = tmp_path / "spread.replay"
    file.write_bytes(spread(1))
    assert len(load_replay(file).streams["public"]) == 1
    file.write_bytes(spread(8))
    assert file.stat().st_size <= LIMITS.replay_bytes
    with pytest.raises(CannotPlay):
        load_replay(file)
    with pytest.raises(CommandError):
        read_file(file)


def test_a_refusal_of_the_child_keeps_its_words_and_a_large_file_is_not_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "odd.replay"
    file.write_bytes(b"PK\x03\x04 an archive")
    with pytest.raises(CannotPlay, match="not a replay file"):
        load_replay(file)
    with file.open("wb") as huge:
        huge.truncate(2**40)
    for open_it, refused in ((load_replay, CannotPlay), (read_file, CommandError)):
        with pytest.raises(refused, match="larger than"):
            open_it(file)


def confined(code: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line as the child would be, under its limits."""
    whole = command()
    beginning, _, _ = whole[at := whole.index("-c") + 1].rpartition("from importlib")
    whole[at] = f"{beginning}from protocol.fairness.replay_sandbox import confine; confine(); {code}"
    return subprocess.run(whole, capture_output=True, timeout=PATIENCE, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of this kind on Windows")
@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("open('{}/written', 'w')", b"Too many open files"),
        ("import sqlite3", b"Too many open files"),
        ("bytes(300 * 2**20)", b"MemoryError"),
        ("import socket; socket.socket()", b"Too many open files"),
    ],
)
def test_the_child_can_write_open_load_and_call_nothing(tmp_path: Path, code: str, says: bytes) -> None:
    done = confined(code.format(tmp_path))
    assert done.returncode == 1
    assert says in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_childs_limits_are_those_that_are_promised() -> None:
    assert (READING.memory_bytes, READING.cpu_seconds) == (256 * 2**20, 5)
    assert (LIMITS.replay_bytes, LIMITS.replay_records) == (8 * 2**20, 50_000)


@pytest.mark.parametrize(("status", "output"), [(None, b""), (1, b""), (-9, b""), (0, b"\xc1"), (1, b"Traceback")])
def test_a_child_that_does_not_come_to_an_end_means_no(status: int | None, output: bytes) -> None:
    with pytest.raises(BadReplay, match="too-costly"):
        raise_refusal(status, output)
    raise_refusal(0, b"")
    with pytest.raises(BadReplay, match="replay/damaged"):
        raise_refusal(0, msgspec.msgpack.encode(("replay/damaged", {"k": "replay.damaged"})))


@pytest.mark.long("imports")
@pytest.mark.skipif(sys.platform == "win32", reason="no limits of this kind on Windows")
def test_long_a_child_that_computes_for_ever_is_ended() -> None:
    assert confined("x = 0\nwhile True: x += 1").returncode == -signal.SIGXCPU
