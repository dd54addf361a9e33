"""Fresh pins of all requirements, with the hashes of every build of each: requirements.lock of a checkout, and
deploy/image/requirements.lock of a server alone, which has no pin that the first does not have."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
LOCK: Final = ROOT / "requirements.lock"
SERVER_LOCK: Final = ROOT / "deploy" / "image" / "requirements.lock"
COMPILER: Final = "pip-tools==7.6.2"
MADE: Final = "pinned and hashed. Made by `make lock`, never by hand."
HEAD: Final = f"# Every distribution that a checkout installs, {MADE}"
SERVER_HEAD: Final = f"# Every distribution that a server and its build need, {MADE}"
# The source of packages differs between machines: nothing of it may reach the file.
WITHOUT: Final = ("index-url", "trusted-host", "find-links", "options")


def compile_lock(python: Path, into: Path, *extras: str) -> list[str]:
    """Resolve these extras and the build backend, keep what is pinned in `into`, and return the lines.

    Raises CalledProcessError when they cannot be had together.
    """
    command: list[str | Path] = [python, "-m", "piptools", "compile", "--quiet", "--generate-hashes", "--allow-unsafe"]
    command += [*extras, "--build-deps-for", "wheel", "--strip-extras", "--no-header", "--no-annotate"]
    command += [f"--no-emit-{what}" for what in WITHOUT]
    subprocess.run([*command, "--output-file", into, ROOT / "pyproject.toml"], cwd=ROOT, check=True)
    return [line for line in into.read_text().splitlines() if line and not line.lstrip().startswith("#")]


def write_lock(lock: Path, head: str, pins: list[str]) -> None:
    """Write a lock and say how much it holds."""
    lock.write_text("\n".join([head, *pins, ""]))
    print(f"{lock.relative_to(ROOT)}: {sum('==' in line for line in pins)} distributions pinned")


def main() -> int:
    with tempfile.TemporaryDirectory() as place:
        environment = Path(place) / "environment"
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        python = environment / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", COMPILER], check=True)
        fresh = Path(place) / "requirements.lock"
        fresh.write_text(LOCK.read_text())  # so that what is pinned stays, unless pyproject.toml wants another
        write_lock(LOCK, HEAD, compile_lock(python, fresh, "--all-extras"))
        fresh.write_text(LOCK.read_text())
        write_lock(SERVER_LOCK, SERVER_HEAD, compile_lock(python, fresh, "--extra", "server"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
