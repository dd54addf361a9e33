"""The program that makes films, where it is on this computer."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable


def find_ffmpeg() -> str | None:
    """Return the path of the program that makes films, None where it is not there."""
    return shutil.which("ffmpeg")


def ffmpeg_command(platform: str = sys.platform, which: Callable[[str], str | None] = shutil.which) -> str:
    """Return the command that installs the program that makes films on this system."""
    if platform == "win32":
        return "winget install ffmpeg"
    if platform == "darwin":
        return "brew install ffmpeg"
    found = next((tool for tool in ("apt", "dnf", "zypper", "apk") if which(tool)), "")
    if not found:
        return "sudo pacman -S ffmpeg" if which("pacman") else "sudo apt install ffmpeg"
    return f"sudo {found} {'add' if found == 'apk' else 'install'} ffmpeg"
