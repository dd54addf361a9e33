"""Secrets at rest: only this host key opens them, and only for their match."""

import stat
from pathlib import Path

import pytest

from protocol.ids import MatchId
from server.runtime.errors import KeyDamaged, SealDamaged
from server.runtime.sealing import SealingKey
from server.runtime.signing import HostKey

MATCH = MatchId("match")


def test_a_secret_comes_back_under_the_same_key(tmp_path: Path) -> None:
    sealed = SealingKey.at(tmp_path / "host.key").seal(b"s" * 32, MATCH)
    assert b"s" * 8 not in sealed
    assert SealingKey.at(tmp_path / "host.key").open(sealed, MATCH) == b"s" * 32


def test_the_key_is_its_owners_alone(tmp_path: Path) -> None:
    SealingKey.at(tmp_path / "host.key")
    assert stat.S_IMODE((tmp_path / "host.key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["host.key"]


def test_another_match_key_or_byte_does_not_open_it(tmp_path: Path) -> None:
    sealing_key = SealingKey(b"k" * 32)
    sealed = sealing_key.seal(b"s" * 32, MATCH)
    with pytest.raises(SealDamaged):
        sealing_key.open(sealed, MatchId("other"))
    with pytest.raises(SealDamaged):
        SealingKey(b"x" * 32).open(sealed, MATCH)
    with pytest.raises(SealDamaged):
        sealing_key.open(sealed[:-1] + bytes([sealed[-1] ^ 1]), MATCH)
    with pytest.raises(SealDamaged):
        sealing_key.open(b"", MATCH)


def test_a_key_of_another_length_is_refused(tmp_path: Path) -> None:
    (tmp_path / "host.key").write_bytes(b"short")
    with pytest.raises(SealDamaged, match="32 bytes"):
        SealingKey.at(tmp_path / "host.key")


def test_the_signing_key_is_the_same_after_a_restart_and_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "host.ed25519"
    one, two = HostKey.at(file), HostKey.at(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert one.public == two.public
    assert (
        one.sign_head(MatchId("m"), 1, bytes(32))
        == two.sign_head(MatchId("m"), 1, bytes(32))
        != one.sign_head(MatchId("m"), 2, bytes(32))
    )
    file.write_bytes(b"short")
    with pytest.raises(KeyDamaged, match="32 bytes"):
        HostKey.at(file)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602])
def test_a_key_that_others_may_read_is_refused_with_the_command_that_mends_it(tmp_path: Path, mode: int) -> None:
    for name, read, damaged in (("host.key", SealingKey.at, SealDamaged), ("host.ed25519", HostKey.at, KeyDamaged)):
        file = tmp_path / name
        read(file)
        file.chmod(mode)
        with pytest.raises(damaged, match=f"chmod 600 {file}"):
            read(file)
        file.chmod(0o600)
        read(file)
