"""A rotation of the signing key that was interrupted is done again, and the store still knows its host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.cli.data.keys import rotate
from server.runtime.former_keys import FORMER, KEY, LABEL, former_keys
from server.runtime.signing import HostKey
from server.store.host_keys import check_host_keys
from tests.support.doubles.memory_store import MemoryStore

NOW = 1_800_000_000


async def known(folder: Path) -> MemoryStore:
    """Return a store that was made with the keys of a folder, which are made first."""
    HostKey.at(folder / KEY)
    (folder / "host.key").touch(mode=0o600)
    (folder / "host.key").write_bytes(b"k" * 32)
    store = MemoryStore()
    await check_host_keys(store, folder)
    return store


def interrupt(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rotate, up to the moment before the new key comes into use."""
    replace = Path.replace

    def killed(path: Path, target: Path) -> Path:
        if target.name == KEY:
            raise OSError("the computer has lost power")
        return replace(path, target)

    with monkeypatch.context() as dying:
        dying.setattr(Path, "replace", killed)
        with pytest.raises(OSError, match="power"):
            rotate(folder, NOW)


async def test_the_store_is_opened_after_it_was_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await known(tmp_path)
    rotate(tmp_path, NOW)
    present = HostKey.at(tmp_path / KEY).public
    for _ in range(2):
        interrupt(tmp_path, monkeypatch)
        await check_host_keys(store, tmp_path)
    before, after = rotate(tmp_path, NOW)
    assert before.public == present
    assert [former.following for former in former_keys(tmp_path)] == [before.public, after.public]
    await check_host_keys(store, tmp_path)


async def test_a_key_that_names_two_since_a_program_of_before_did_it_again_leads_to_both(tmp_path: Path) -> None:
    store = await known(tmp_path)
    lost = HostKey(bytes(32)).public
    before, after = rotate(tmp_path, NOW)
    named = {"public": before.public.hex(), "until": NOW, "next": lost.hex()}
    line = named | {"signature": before.sign(LABEL + lost).hex()}
    (tmp_path / FORMER).write_text(json.dumps(line) + "\n" + (tmp_path / FORMER).read_text())
    await check_host_keys(store, tmp_path)
    assert HostKey.at(tmp_path / KEY).public == after.public
