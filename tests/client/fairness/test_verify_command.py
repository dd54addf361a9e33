"""`eschaton verify` as a process: whose key has signed a file, as profiles and receipts of this computer know it."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import msgspec

from client.fairness import finished_match_check
from client.fairness.dice_round_check import Verdict
from client.fairness.replay_check import ReplayCase, check_replay
from client.fairness.verify_command import NAMED_KEY, NO_RECEIPTS, UNKNOWN_KEY
from client.net.address import Address
from client.storage.profile import MOST_KEYS, KnownKey, UserProfile, load_profile, save_profile
from protocol.fairness.replay import read
from protocol.limits import CHECKING, Limits
from protocol.text import text
from server.runtime.signing import HostKey
from tests.support.clients.people import duellists, rest_to_the_end, strike
from tests.support.clients.programs import ROOT
from tests.support.clients.wire import running
from tests.support.fairness.sealing import replay_of, sealed
from tests.support.faults.hostile.forger import FORGER
from tests.support.runs.patience import PATIENCE

HERE = Address("table.example.org", 8440, secure=True)
FIRST, SECOND = date(2026, 11, 22), date(2026, 12, 1)


class Computer:
    """Computer of a person after a match: the host's file, and the folder of profiles with the receipts of it."""

    def __init__(self, folder: Path, file: Path) -> None:
        self.folder = folder
        self.file = file
        self.profiles = folder / "config" / "eschaton"
        self.key = check_replay(ReplayCase(file.read_bytes(), b"", [], [])).key

    def keep(self, receipts: Path, suffix: str = ".receipts") -> None:
        """Write the receipts that the person was given in the match."""
        place = self.profiles / "receipts" / "default" / receipts.with_suffix(suffix).name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(receipts, place)

    def meet(self, key: bytes, today: date, name: str = "default") -> None:
        """Note in a profile that it has met this key at HERE."""
        profile = load_profile(name, self.profiles)
        profile.pin(HERE, key, today)
        save_profile(profile, name, self.profiles)

    async def verify(self, file: Path, *options: str) -> tuple[int, str]:
        """Run the command, and return its exit code and output."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "client.app.main", "verify", str(file), *options),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=os.environ | {"XDG_CONFIG_HOME": str(self.folder / "config"), "PYTHONPATH": str(ROOT)},
            cwd=self.folder,
        )
        told, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
        assert process.returncode is not None
        return process.returncode, told.decode()


def counterfeit(file: Path, key: HostKey) -> Path:
    """Return the same match as a host with another key would seal it: every sum and signature fits."""
    made = read(file.read_bytes(), Limits())
    path = file.with_name("counterfeit.replay")
    path.write_bytes(sealed(replay_of(made.header, made.secret, made.log, made.streams, key), key))
    return path


async def played(folder: Path) -> tuple[Computer, Sequence[Path]]:
    """Play a match of two, with the receipts of both."""
    async with running(folder) as run, duellists(run, folder) as (ann, ben):
        await strike(ann, ben, 1)
        await rest_to_the_end(ann, ben)
        for person in (ann, ben):
            await person.checked()
    [file] = (folder / "replays").iterdir()
    return Computer(folder, file), sorted(folder.glob("*/*/*.receipts"))


async def test_a_key_is_named_with_its_server_or_said_to_be_unknown(tmp_path: Path) -> None:
    computer, _ = await played(tmp_path)
    code, told = await computer.verify(computer.file)
    assert code == 0
    assert UNKNOWN_KEY in told
    assert NO_RECEIPTS in told
    computer.meet(computer.key, FIRST)
    code, told = await computer.verify(computer.file)
    assert code == 0
    assert UNKNOWN_KEY not in told
    assert f"Signed by the host of {HERE.url}, known to profile default since 2026-11-22." in told
    computer.meet(FORGER.public, SECOND)
    code, told = await computer.verify(computer.file)
    since = "as profile default knew it from 2026-11-22 to 2026-12-01: its key is another one now."
    assert code == 0
    assert f"Signed by the host of {HERE.url}, {since}" in told


async def test_a_counterfeit_under_another_key_is_not_the_match_of_the_receipts(tmp_path: Path) -> None:
    computer, (mine, theirs) = await played(tmp_path)
    false = counterfeit(computer.file, FORGER)
    assert (await computer.verify(false))[0] == 0
    computer.meet(computer.key, FIRST)
    code, told = await computer.verify(false, "--receipts", str(theirs))
    assert code == 2
    assert "another host" in told
    finding = check_replay(ReplayCase(false.read_bytes(), b"", [], [theirs.read_bytes()]))
    assert finished_match_check.verdict_on(finding, CHECKING) == (Verdict.WRONG, text("fair.after.other"))
    computer.keep(mine)
    code, told = await computer.verify(false)
    assert code == 3
    assert FORGER.public.hex() in told
    assert computer.key.hex() in told
    assert HERE.url in told
    assert (await computer.verify(computer.file))[0] == 0


async def test_receipts_that_were_put_aside_for_another_key_still_speak(tmp_path: Path) -> None:
    computer, (mine, _) = await played(tmp_path)
    computer.keep(mine, ".old")
    assert (await computer.verify(counterfeit(computer.file, FORGER)))[0] == 3
    assert (await computer.verify(computer.file))[0] == 0


async def test_a_key_that_is_named_must_be_the_one_of_the_file(tmp_path: Path) -> None:
    computer, (mine, _) = await played(tmp_path)
    code, told = await computer.verify(computer.file, "--key", computer.key.hex())
    assert code == 0
    assert NAMED_KEY in told
    code, told = await computer.verify(computer.file, "--key", FORGER.public.hex())
    assert code == 3
    assert "not under the key that you have named" in told
    for nonsense in ("abc", "00" * 31, "zz" * 32):
        code, told = await computer.verify(computer.file, "--key", nonsense)
        assert code == 2
        assert "64 hexadecimal digits" in told
    code, told = await computer.verify(mine, "--key", FORGER.public.hex())
    assert code == 1, "what does not hold does not hold under any key"


def test_a_key_keeps_its_first_day_and_a_rotated_one_stays_known() -> None:
    profile = UserProfile()
    profile.pin(HERE, b"a" * 32, FIRST)
    profile.pin(HERE, b"a" * 32, SECOND)
    assert profile.known_as(b"a" * 32) == [KnownKey(HERE.url, (b"a" * 32).hex(), "2026-11-22")]
    profile.pin(HERE, b"b" * 32, SECOND)
    assert profile.hosts == {HERE.key: (b"b" * 32).hex()}
    assert [(known.since, known.until) for known in profile.keys] == [("2026-11-22", "2026-12-01"), ("2026-12-01", "")]
    profile.pin(HERE, b"a" * 32, SECOND)
    assert [known.until for known in profile.keys] == ["", "2026-12-01"]
    for number in range(MOST_KEYS):
        profile.pin(HERE, number.to_bytes(32, "big"), SECOND)
    assert len(profile.keys) == MOST_KEYS


def test_what_a_profile_pinned_before_it_kept_days_is_known_too(tmp_path: Path) -> None:
    key = b"a" * 32
    older = msgspec.json.encode({"name": "Ann", "hosts": {HERE.key: key.hex()}})
    (tmp_path / "profile-default.json").write_bytes(older)
    profile = load_profile("default", tmp_path)
    assert profile.known_as(key) == [KnownKey(HERE.key, key.hex())]
    profile.pin(HERE, b"b" * 32, SECOND)
    assert profile.known_as(key) == [KnownKey(HERE.url, key.hex(), "", "2026-12-01")]
