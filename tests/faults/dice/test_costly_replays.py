"""Cost of a hostile host's replay when a match is checked: a child's memory and time, not the window's."""

from __future__ import annotations

import resource
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgpack
import pytest

from client.fairness.confined_process import ConfinedProcess
from client.fairness.dice_round_check import Verdict
from client.fairness.finished_match_check import FinishedMatchCheck
from client.fairness.replay_check import MOST_LETTERS, ReplayCase, check_in_child, check_process
from client.fairness.verify_command import check_file
from client.text.texts import Texts
from protocol.ids import MatchId
from protocol.limits import CHECKING, READING, ChildLimits, Limits
from protocol.wire.from_server import FilePart
from tests.faults.dice.test_forgeries import honest
from tests.support.fairness.sealing import packed, replay_of, sealed
from tests.support.fairness.signing import HOST
from tests.support.faults.hostile.forger import first
from tests.support.runs.patience import PATIENCE

MATCH = MatchId("m1")

pytestmark = [
    pytest.mark.waits,
    pytest.mark.skipif(sys.platform == "win32", reason="no limits of this kind on Windows"),
]

LISTS = 7_000_000
HASTY = replace(CHECKING, cpu_seconds=1)


@cache
def of_memory() -> bytes:
    """7 MB, well-formed and signed by its host, of empty lists that become 64 bytes each."""
    match = honest()
    log = [msgpack.unpackb(step, strict_map_key=False) for step in match.log]
    first(log, "core.dice")["more"] = bytes(LISTS)
    replay = replay_of(match.header, match.secret, [packed(step) for step in log], match.streams)
    size = LISTS.to_bytes(4, "big")
    costly = tuple(step.replace(b"\xc6" + size + bytes(LISTS), b"\xdd" + size + b"\x90" * LISTS) for step in replay.log)
    return sealed(replay._replace(log=costly))


@cache
def of_time() -> bytes:
    """A roll of seven million dice, each of which has to be made again."""
    match = honest()
    log = [msgpack.unpackb(step, strict_map_key=False) for step in match.log]
    first(log, "core.dice")["faces"] = bytes(7_000_000)
    steps = [packed(step) for step in log]
    return sealed(replay_of(match.header, match.secret, steps, match.streams))


def checked(data: bytes, limits: ChildLimits = CHECKING) -> FinishedMatchCheck:
    """Return the window's findings on this replay."""
    after = FinishedMatchCheck(MATCH, HOST.public, None, lambda work: work(), limits)
    after.take(FilePart("m1.replay", 0, 1, data))
    assert after.is_done
    return after


def test_an_honest_replay_is_checked_by_a_child() -> None:
    match = honest()
    after = checked(sealed(match))
    assert (after.verdict, after.why.k) == (Verdict.CHECKED, "fair.after.checked")


def test_a_replay_that_asks_for_too_much_memory_is_unproven_in_plain_words_and_costs_the_window_nothing() -> None:
    data = of_memory()
    assert len(data) <= Limits().replay_bytes
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    after = checked(data)
    assert after.verdict is Verdict.UNPROVEN
    assert Texts().say(after.why).endswith("could not be checked: it asks for more memory than 256 MiB")
    # the file itself, as a case and on its way
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024


def test_a_replay_that_computes_without_end_is_unproven_in_plain_words() -> None:
    after = checked(of_time(), HASTY)
    assert after.verdict is Verdict.UNPROVEN
    assert Texts().say(after.why).endswith("could not be checked: it asks for more time than 1 s")


def test_a_child_that_is_kept_waiting_is_given_up() -> None:
    after = checked(of_time(), replace(CHECKING, patience=0.01))
    assert (after.verdict, after.why.k) == (Verdict.UNPROVEN, "fair.after.time")


@pytest.mark.waits(times=200)
def test_the_check_ends_with_the_window_and_none_begins_after_it() -> None:
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    threads: list[threading.Thread] = []
    begun = threading.Event()

    class Watched(ConfinedProcess):
        def _talk(self, child: subprocess.Popen[bytes], data: bytes) -> bytes:
            begun.set()
            return super()._talk(child, data)

    def start(work: Callable[[], None]) -> None:
        threads.append(threading.Thread(target=work))
        threads[-1].start()

    after = FinishedMatchCheck(MATCH, HOST.public, None, start)
    after._checker = Watched("client.fairness.replay_check", CHECKING)
    after.take(FilePart("m1.replay", 0, 1, of_time()))
    assert begun.wait(PATIENCE)
    after.close()
    threads[0].join(PATIENCE)
    child = after._checker._child
    assert not threads[0].is_alive()
    assert child is not None
    assert child.returncode == -9
    # otherwise it would have been ended for its time
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used < CHECKING.cpu_seconds
    late = FinishedMatchCheck(MATCH, HOST.public, None, lambda work: work())
    late.close()
    late.take(FilePart("m1.replay", 0, 1, of_time()))
    assert late._checker._child is None


def test_what_a_child_answers_is_bounded() -> None:
    match = honest()
    log = [msgpack.unpackb(step, strict_map_key=False) for step in match.log]
    first(log, "core.card")["deck"] = "d" * 100_000
    data = sealed(replay_of(match.header, match.secret, [packed(step) for step in log], match.streams))
    finding = check_in_child(ReplayCase(data, b"", [], []), check_process(CHECKING))
    assert finding.kind == "wrong"
    assert [len(said) for said in finding.said] == [MOST_LETTERS]
    ended = ConfinedProcess("client.fairness.replay_check", replace(CHECKING, answer_bytes=8)).run(b"")
    assert ended.output == b""
    assert (
        check_in_child(
            ReplayCase(data, b"", [], []),
            ConfinedProcess("client.fairness.replay_check", replace(CHECKING, answer_bytes=8)),
        ).kind
        == "broken"
    )


def test_the_command_says_so_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "costly.replay"
    file.write_bytes(of_memory())
    assert check_file(file, []) == 2
    assert "it asks for more than 256 MiB of memory" in capsys.readouterr().err
    file.write_bytes(of_time())
    assert check_file(file, [], HASTY) == 2
    assert "it asks for more than 1 s of computing" in capsys.readouterr().err


def test_the_limits_are_those_that_are_promised() -> None:
    assert (CHECKING.memory_bytes, CHECKING.cpu_seconds, READING.cpu_seconds) == (256 * 2**20, 20, 5)
