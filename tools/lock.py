"""Fresh pins of all requirements, with the hashes of every build of each: requirements.lock."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
LOCK: Final = ROOT / "requirements.lock"
COMPILER: Final = "pip-tools==7.6.2"
HEAD: Final = "# Every distribution that a checkout installs, pinned and hashed. Made by `make lock`, never by hand."
# The source of packages differs between machines: nothing of it may reach the file.
WITHOUT: Final = ("index-url", "trusted-host", "find-links", "options")


def compile_lock(python: Path, into: Path) -> None:
    """Resolve all extras and the build backend. Raises CalledProcessError when they cannot be had together."""
    command: list[str | Path] = [python, "-m", "piptools", "compile", "--quiet", "--generate-hashes", "--allow-unsafe"]
    command += ["--all-extras", "--build-deps-for", "wheel", "--strip-extras", "--no-header", "--no-annotate"]
    command += [f"--no-emit-{what}" for what in WITHOUT]
    subprocess.run([*command, "--output-file", into, ROOT / "pyproject.toml"], cwd=ROOT, check=True)


def main() -> int:
    with tempfile.TemporaryDirectory() as place:
        environment = Path(place) / "environment"
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        python = environment / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", COMPILER], check=True)
        fresh = Path(place) / "requirements.lock"
        fresh.write_text(LOCK.read_text())  # so that what is pinned stays, unless pyproject.toml wants another
        compile_lock(python, fresh)
        pins = [line for line in fresh.read_text().splitlines() if line and not line.lstrip().startswith("#")]
    LOCK.write_text("\n".join([HEAD, *pins, ""]))
    print(f"{LOCK.name}: {sum('==' in line for line in pins)} distributions pinned")
    return 0


if __name__ == "__main__":
    sys.exit(main())
