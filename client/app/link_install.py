"""Registration of this program for links: an entry of the desktop on Linux, of the registry on Windows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from client.text.phrases import phrase
from protocol.child_commands import child_command
from protocol.game_links import SCHEME

ENTRY: Final = "eschaton-links.desktop"
_CLASS: Final = rf"HKEY_CURRENT_USER\Software\Classes\{SCHEME}"


def link_command() -> list[str]:
    """Return the command line that follows the link behind it, which is no option whatever it says."""
    return child_command("client.app.main", "open", "--")


def desktop_entry(command: Sequence[str]) -> str:
    """Return the entry for a Linux desktop (Desktop Entry Specification, "The Exec key")."""
    words = " ".join(_desktop_word(word) for word in command)
    lines = ("[Desktop Entry]", "Type=Application", "Name=Eschaton", f"Exec={words} %u", "Terminal=false")
    return "\n".join((*lines, "NoDisplay=true", f"MimeType=x-scheme-handler/{SCHEME};", ""))


def registry_entry(command: Sequence[str]) -> str:
    """Return the text of a .reg file for Windows, for this user alone."""
    line = subprocess.list2cmdline(command) + ' "%1"'
    value = line.replace("\\", "\\\\").replace('"', '\\"')
    head = f'Windows Registry Editor Version 5.00\r\n\r\n[{_CLASS}]\r\n@="URL:Eschaton"\r\n"URL Protocol"=""\r\n\r\n'
    return f'{head}[{_CLASS}\\shell\\open\\command]\r\n@="{value}"\r\n'


def install_links() -> str:
    """Register this program for links of this user; return in words what was done. On macOS nothing
    is: programs are told of links there in a way of its own. Raises OSError, CalledProcessError."""
    if sys.platform == "win32":
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "links.reg"
            file.write_text(registry_entry(link_command()), "utf-16", newline="")
            subprocess.run(["reg", "import", str(file)], check=True, capture_output=True)
        return phrase("install.windows", place=_CLASS)
    if sys.platform == "darwin":
        return phrase("install.macos")
    data = os.environ.get("XDG_DATA_HOME", "")
    path = (Path(data) if data else Path.home() / ".local" / "share") / "applications" / ENTRY
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(desktop_entry(link_command()), "utf-8")
    if shutil.which("xdg-mime") is None:
        return phrase("install.no_tool", path=str(path))
    subprocess.run(["xdg-mime", "default", ENTRY, f"x-scheme-handler/{SCHEME}"], check=True, capture_output=True)
    return phrase("install.linux", path=str(path))


def _desktop_word(word: str) -> str:
    """Quote a word of the Exec key: for the command line first, then for the file, which has backslashes of its own."""
    for special in ("\\", '"', "`", "$"):
        word = word.replace(special, f"\\{special}")
    return '"' + word.replace("\\", "\\\\").replace("%", "%%") + '"'
