"""Setup of a checkout: system packages, .venv, the locked requirements, the project itself.

Run as `python3.11 -m tools.setup play|test`. Quick when nothing changed, as the installation is stamped. Standard
library only.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tools import system_packages

ROOT: Final = Path(__file__).resolve().parent.parent
ENVIRONMENT: Final = ROOT / ".venv"
PYTHON: Final = ENVIRONMENT / "bin" / "python"
STAMP: Final = ENVIRONMENT / ".installed"
LOCK: Final = ROOT / "requirements.lock"
QUIET: Final = ("--quiet", "--disable-pip-version-check", "--no-input")
"""Options of pip for an installation without questions."""
DECIDES: Final = (LOCK, ROOT / "pyproject.toml", Path(__file__))


def fingerprint(environment: Path, decides: Iterable[Path]) -> str:
    """Return a digest of everything that decides the content of an environment: these files, its own place, Python."""
    digest = hashlib.sha256(f"{sys.version}{environment}".encode())
    for path in decides:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def runs(python: Path) -> bool:
    """Tell if this Python starts and is of the version that sets up."""
    same = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return python.exists() and subprocess.run([python, "-c", same], capture_output=True, check=False).returncode == 0


def pip(*arguments: str) -> None:
    """Run pip of .venv without questions. Raises CalledProcessError when it fails."""
    environment = os.environ | {"PIP_REQUIRE_VIRTUALENV": "1"}
    subprocess.run([PYTHON, "-m", "pip", "install", *QUIET, *arguments], cwd=ROOT, env=environment, check=True)


def install() -> None:
    """Make .venv, afresh where its Python does not run, and install the locked requirements."""
    print("Setting up .venv (Python packages, about a minute the first time)", flush=True)
    afresh = [] if runs(PYTHON) else ["--clear"]
    subprocess.run([sys.executable, "-m", "venv", *afresh, ENVIRONMENT], check=True)
    pip("--require-hashes", "--only-binary", ":all:", "-r", str(LOCK))
    print("Installing Eschaton itself into .venv", flush=True)
    pip("--no-deps", "--no-build-isolation", "--no-index", "-e", str(ROOT))


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - whatever `python3` is there starts this
        print(f"Eschaton needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try: make PYTHON=python3.11")
        return 1
    group = sys.argv[1] if len(sys.argv) > 1 else "test"
    if status := system_packages.ensure(group):
        return status
    wanted = fingerprint(ENVIRONMENT, DECIDES)
    if STAMP.exists() and STAMP.read_text() == wanted:
        return 0
    try:
        install()
    except subprocess.CalledProcessError as failure:
        print(f"Setting up stopped: {failure.cmd[2]} ended with status {failure.returncode}; its reason is above.")
        return 1
    STAMP.write_text(wanted)
    print("Ready.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
