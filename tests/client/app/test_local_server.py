"""The server that a window starts for itself."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.app.local_server import LocalServer, running_server
from client.app.navigator import Navigator
from client.storage.profile import UserProfile
from tests.support.clients.programs import until
from tests.support.clients.windows.readable_app import ReadableApp

pytestmark = pytest.mark.waits


def kill(server: LocalServer) -> None:
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGKILL)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    server = LocalServer(tmp_path, ("--data", str(tmp_path)))
    yield server
    server.close()


async def test_a_windows_own_server_takes_no_settings_of_one_that_is_hosted_here_and_starts_again_at_its_port(
    server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESCHATON_STORE", "postgres://elsewhere")
    monkeypatch.setenv("ESCHATON_LOG_LEVEL", "loud")
    address = server.find_or_start()
    kill(server)
    await until(lambda: server.process is not None and server.process.poll() is not None)
    server.keep_running()
    await until(lambda: running_server(tmp_path) == address)


@pytest.mark.long("client")
async def test_a_windows_own_server_that_is_killed_is_found_again_by_the_same_session(
    app: ReadableApp, server: LocalServer, tmp_path: Path
) -> None:
    navigator = Navigator(app, UserProfile("Ada"), "ada", tmp_path / "client")
    navigator.local = server

    def connected(times: int) -> bool:
        app.step(0.02)
        session = navigator.session
        return session is not None and session.links_made == times and session.conversation.is_welcome

    try:
        assert navigator.play_here() == ""
        session = navigator.session
        await until(lambda: connected(1))
        kill(server)
        await until(lambda: connected(2))
        assert navigator.session is session
    finally:
        navigator.close()
