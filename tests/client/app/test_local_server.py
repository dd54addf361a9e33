"""The server that a window starts for itself."""

from pathlib import Path

import pytest

from client.app.local_server import LocalServer

pytestmark = pytest.mark.waits


def test_a_windows_own_server_takes_no_settings_of_one_that_is_hosted_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESCHATON_STORE", "postgres://elsewhere")
    monkeypatch.setenv("ESCHATON_LOG_LEVEL", "loud")
    server = LocalServer(tmp_path, ("--listen", "127.0.0.1:0", "--data", str(tmp_path)))
    try:
        assert server.find_or_start().port
    finally:
        server.close()
