"""A fault of a client's own program is told to whoever waits for it, at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.wire.from_server import FromServer
from tests.support.clients.wire import running

pytestmark = pytest.mark.waits


async def test_who_waits_for_a_client_is_told_of_its_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: FromServer) -> None:
        raise ZeroDivisionError

    async with running(tmp_path) as run:
        client = await run.client(adds=True)
        monkeypatch.setattr(client.proof, "hear", fails)
        with pytest.raises(ZeroDivisionError):
            await client.pinged()
        with pytest.raises(ZeroDivisionError):
            await client.close()
