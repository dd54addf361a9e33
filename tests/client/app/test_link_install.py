"""Registration for links: what is written for Linux and Windows, read back as their programs do."""

from __future__ import annotations

import configparser
import shlex
import subprocess
from pathlib import Path

import pytest

from client.app import link_install
from client.app.link_install import desktop_entry, install_links, link_command, registry_entry

pytestmark = pytest.mark.waits

HARD = ["/games/my games/Esch\\aton", 'say "50 %" for $HOME and `date`', "open", "--"]
BAD = 'eschaton://x.org/A" --profile=evil "'


def exec_of(entry: str) -> list[str]:
    """Return the words of the Exec key as a desktop reads them."""
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys have capitals
    parser.read_string(entry)
    value = parser["Desktop Entry"]["Exec"].replace("\\\\", "\\")
    return [word.replace("%%", "%") for word in shlex.split(value.replace("\\$", "$").replace("\\`", "`"))]


def test_the_desktop_runs_the_very_words_with_the_link_as_one_behind_them() -> None:
    assert exec_of(desktop_entry(HARD)) == [*HARD, "%u"]
    assert "MimeType=x-scheme-handler/eschaton;\n" in desktop_entry(HARD)


def test_the_registry_has_the_link_in_quotes_behind_the_end_of_options() -> None:
    text = registry_entry([r"C:\Games\Eschaton.exe", "open", "--"])
    assert "[HKEY_CURRENT_USER\\Software\\Classes\\eschaton]\r\n" in text
    assert '"URL Protocol"=""\r\n' in text
    assert text.endswith('\\shell\\open\\command]\r\n@="C:\\\\Games\\\\Eschaton.exe open -- \\"%1\\""\r\n')


def test_what_is_installed_on_linux_follows_no_bad_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "no xdg-mime" in install_links()
    words = exec_of((tmp_path / "applications" / link_install.ENTRY).read_text("utf-8"))
    assert words == [*link_command(), "%u"]
    done = subprocess.run([*words[:-1], BAD], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "no link" in done.stderr) == (2, True)
