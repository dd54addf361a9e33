"""A server that has stopped without closing anything: told after three seconds, and taken back when it goes on."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from client.model.session import ClientSession
from client.net.address import Address
from client.net.silence import Silence
from client.storage.profile import UserProfile
from protocol.wire.from_client import ListTables
from tests.support.clients.programs import ServerProgram, until


def test_silence_counts_from_the_first_thing_said_that_nothing_has_followed() -> None:
    silence = Silence()
    assert not silence.is_long(100.0)
    silence.said(10.0)
    silence.said(12.0)
    assert silence.asks(11.5)
    assert not silence.asks(11.6)
    assert not silence.is_long(12.9)
    assert silence.is_long(13.0)
    silence.heard()
    assert not silence.is_long(20.0)
    silence.said(21.0)
    assert silence.asks(22.0)


@pytest.mark.waits
async def test_a_frozen_server_is_told_and_found_again(tmp_path: Path) -> None:
    server = ServerProgram(tmp_path)
    await server.start()
    now = [0.0]
    session = ClientSession(
        Address("127.0.0.1", server.port, secure=False), UserProfile("Ann"), lambda: True, lambda: now[0]
    )
    session.start()
    assert server.pid is not None

    def status() -> tuple[str, bool]:
        session.pump()
        return session.status()

    try:
        await until(lambda: status() == ("connected", True))
        await until(lambda: session.conversation.lobby is not None or session.pump())
        session.say(ListTables())
        now[0] += 1.0
        await until(lambda: session.pump() is False and session.silence._since is None)
        os.kill(server.pid, signal.SIGSTOP)
        session.say(ListTables())
        now[0] += 1.5
        assert status() == ("connected", True)
        now[0] += 1.5
        assert status() == ("the server does not answer", False)
        os.kill(server.pid, signal.SIGCONT)
        await until(lambda: status() == ("connected", True))
    finally:
        os.kill(server.pid, signal.SIGCONT)
        session.close()
        await server.end()
