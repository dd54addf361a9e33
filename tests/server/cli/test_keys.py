"""Rotation of the signing key: what it signed before still verifies, and each key names the next."""

import json
import stat
from pathlib import Path

import pytest

from client.fairness import verify
from protocol.ids import MatchId
from protocol.proof.signed_texts import head_text
from server.cli import main
from server.cli.data.keys import rotate, run_rotate
from server.runtime.errors import CommandError, KeyDamaged
from server.runtime.former_keys import FORMER, KEY, former_keys
from server.runtime.signing import HostKey
from tests.support.clients.wire import rest_to_the_end, running, two_players


async def played(folder: Path) -> None:
    """Play a match to its end."""
    async with running(folder) as run:
        ann, ben = await two_players(run)
        await rest_to_the_end(ann, ben)


async def test_old_matches_verify_under_the_old_key_and_new_ones_under_the_new(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await played(tmp_path)
    [old] = (tmp_path / "replays").iterdir()
    before = HostKey.at(tmp_path / KEY).public
    rotate(tmp_path, 1_800_000_000)
    after = HostKey.at(tmp_path / KEY).public
    await played(tmp_path)
    [new] = set((tmp_path / "replays").iterdir()) - {old}
    assert before != after
    assert "Everything holds" in verify.check(old.read_bytes(), before)[0]
    assert "Everything holds" in verify.check(new.read_bytes(), after)[0]
    with pytest.raises(verify.VerificationFailed, match="another host"):
        verify.check(old.read_bytes(), after)
    [former] = former_keys(tmp_path)
    assert (former.public, former.following) == (before, after)
    assert former.holds()
    assert main.main(["key", "show", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{after.hex()}  in use\n{before.hex()}  until 2027-01-15\n"


def test_the_former_key_signs_no_more_and_the_new_one_is_its_owners_alone(tmp_path: Path) -> None:
    first = HostKey.at(tmp_path / KEY)
    seed = (tmp_path / KEY).read_bytes()
    keys = [rotate(tmp_path, day)[1].public for day in (1, 2)]
    assert [former.following for former in former_keys(tmp_path)] == keys
    assert [former.public for former in former_keys(tmp_path)] == [first.public, keys[0]]
    assert not any(seed in path.read_bytes() for path in tmp_path.iterdir())
    assert stat.S_IMODE((tmp_path / KEY).stat().st_mode) == 0o600
    assert first.sign_head(MatchId("m"), 1, bytes(32)) == first.sign(head_text(MatchId("m"), 1, bytes(32)))


def test_a_handover_that_the_former_key_did_not_sign_is_found(tmp_path: Path) -> None:
    HostKey.at(tmp_path / KEY)
    rotate(tmp_path, 1)
    line = json.loads((tmp_path / FORMER).read_text())
    (tmp_path / FORMER).write_text(json.dumps(line | {"next": bytes(32).hex()}) + "\n")
    with pytest.raises(KeyDamaged, match="did not sign"):
        former_keys(tmp_path)


async def test_no_key_is_rotated_while_the_server_runs_or_a_match_is_live(
    tmp_path: Path,
) -> None:
    with pytest.raises(CommandError, match="no server has run"):
        await run_rotate(tmp_path, "")
    async with running(tmp_path) as run:
        await two_players(run)
        with pytest.raises(CommandError, match="Another server"):
            await run_rotate(tmp_path, "")
    with pytest.raises(CommandError, match="1 matches are live"):
        await run_rotate(tmp_path, "")
    assert not (tmp_path / FORMER).exists()


async def test_the_key_of_a_host_at_rest_is_rotated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await played(tmp_path)
    before = HostKey.at(tmp_path / KEY).public
    assert await run_rotate(tmp_path, "") == 0
    after = HostKey.at(tmp_path / KEY).public
    assert capsys.readouterr().out == f"former key {before.hex()}\nnew key    {after.hex()}\n"
