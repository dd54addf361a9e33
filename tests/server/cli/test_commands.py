"""The command line: plain sentences when something is wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

from protocol.host_addresses import is_loopback
from server.cli.main import main
from server.cli.serving import certificate, parse_address
from server.runtime.errors import CommandError
from server.runtime.version import program_version

pytestmark = pytest.mark.waits


def test_listening_to_the_network_without_tls_is_refused_with_the_command_that_mends_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["serve", "--listen", "0.0.0.0:8440"]) == 2
    said = capsys.readouterr().err
    assert "eschaton-server serve --listen 0.0.0.0:8440 --tls-cert CERT.pem --tls-key KEY.pem" in said


@pytest.mark.parametrize("address", ["nowhere", "host:", "host:port", "host:70000", ":1"])
def test_a_bad_address_is_named(address: str) -> None:
    with pytest.raises(CommandError, match="HOST:PORT"):
        parse_address(address)


def test_addresses() -> None:
    assert parse_address("127.0.0.1:0") == ("127.0.0.1", 0)
    assert parse_address("[::1]:8440") == ("::1", 8440)
    assert is_loopback("::1")
    assert is_loopback("LocalHost")
    assert is_loopback("127.9.9.9")
    assert not is_loopback("example.org")
    assert not is_loopback("192.168.0.1")


def test_certificate_and_key_belong_together(tmp_path: Path) -> None:
    assert certificate(None, None) is None
    with pytest.raises(CommandError, match="both"):
        certificate(tmp_path / "cert.pem", None)
    with pytest.raises(CommandError, match=r"cert\.pem"):
        certificate(tmp_path / "cert.pem", tmp_path / "key.pem")


def test_help_and_wrong_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "simulate" in capsys.readouterr().out
    assert main(["serve", "--colour", "red"]) == 2
    assert main(["serve", "--bot-pause", "-1"]) == 2
    assert main(["check", "/nowhere/at.all"]) == 1
    assert "cannot be read" in capsys.readouterr().err
    assert main(["simulate", "--system", "chess"]) == 2


@pytest.mark.parametrize("command", ["server.cli.main", "client.app.main"])
def test_a_program_says_its_version(command: str) -> None:
    asked = subprocess.run([sys.executable, "-m", command, "--version"], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == program_version() != "0.0.0"


def test_a_damaged_replay_is_refused_with_its_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.replay").write_bytes(b"eschaton replay\n\x00\x00")
    assert main(["check", str(tmp_path / "x.replay")]) == 1
    assert "replay/truncated" in capsys.readouterr().err
