"""Fresh pins of requirements, with the hashes of every build of each: requirements.lock of a checkout, and those in
deploy/ of what is made of it. A pin that two of them have is the same."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent


class Lock(NamedTuple):
    """A file of pins: its place, the extras of pyproject.toml that it is for, and what it holds."""

    path: Path
    extras: tuple[str, ...]
    holds: str

    @property
    def head(self) -> str:
        """First line of the file."""
        return f"# Every distribution that {self.holds}, pinned and hashed. Made by `make lock`, never by hand."


CHECKOUT: Final = Lock(ROOT / "requirements.lock", ("client", "server", "dev"), "a checkout installs")
SERVER: Final = Lock(ROOT / "deploy" / "image" / "requirements.lock", ("server",), "a server and its build need")
BUNDLE: Final = Lock(
    ROOT / "deploy" / "bundle" / "requirements.lock", ("client", "server", "bundle"), "a bundle is made with"
)
COMPILER: Final = "pip-tools==7.6.2"
# The source of packages differs between machines: nothing of it may reach the file.
WITHOUT: Final = ("index-url", "trusted-host", "find-links", "options")


def compile_lock(python: Path, into: Path, extras: tuple[str, ...]) -> list[str]:
    """Resolve these extras and the build backend, keep what is pinned in `into`, and return the lines.

    Raises CalledProcessError when they cannot be had together.
    """
    command: list[str | Path] = [python, "-m", "piptools", "compile", "--quiet", "--generate-hashes", "--allow-unsafe"]
    command += [f"--extra={extra}" for extra in extras]
    command += ["--build-deps-for", "wheel", "--strip-extras", "--no-header", "--no-annotate"]
    command += [f"--no-emit-{what}" for what in WITHOUT]
    subprocess.run([*command, "--output-file", into, ROOT / "pyproject.toml"], cwd=ROOT, check=True)
    return [line for line in into.read_text().splitlines() if line and not line.lstrip().startswith("#")]


def write_lock(lock: Lock, pins: list[str]) -> None:
    """Write a lock and say how much it holds."""
    lock.path.write_text("\n".join([lock.head, *pins, ""]))
    print(f"{lock.path.relative_to(ROOT)}: {sum('==' in line for line in pins)} distributions pinned")


def main() -> int:
    with tempfile.TemporaryDirectory() as place:
        environment = Path(place) / "environment"
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        python = environment / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", COMPILER], check=True)
        fresh = Path(place) / "requirements.lock"
        for lock in (CHECKOUT, SERVER, BUNDLE):
            # what is pinned stays, unless pyproject.toml wants another; of two pins the later one counts
            fresh.write_text(f"{lock.path.read_text()}\n{CHECKOUT.path.read_text()}")
            write_lock(lock, compile_lock(python, fresh, lock.extras))
    return 0


if __name__ == "__main__":
    sys.exit(main())
