"""An installation that the Containerfile describes, wherever it was made: its commands run as its user, in a tree that
cannot be written."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.deploy.containerfile import Stage

PATIENCE: Final = 600.0
"""Most seconds of a step that installs."""


class Installed(NamedTuple):
    """`way`: how it was made, for people; `before`: words that go before a command of it; `environment`: of its
    commands, and nothing else; `kept`: its volume, as this machine sees it; `volume`: the same as its commands do."""

    way: str
    image: Stage
    before: Sequence[str | Path]
    environment: Mapping[str, str]
    kept: Path
    volume: str
    ports: tuple[int, int]
    """Ports at which it is to listen for people, and for the operator."""

    @property
    def serve(self) -> list[str]:
        """Command that the image runs by itself."""
        return [*self.image.last("ENTRYPOINT").words, *self.image.last("CMD").words]

    @property
    def health_check(self) -> list[str]:
        """The image's health check, at the port where the operator's listener is here."""
        own = self.image.last("EXPOSE").words[-1]
        return [word.replace(own, str(self.ports[1])) for word in self.image.health_check]

    def command(self, *words: str) -> list[str | Path]:
        """Return the whole command for this machine."""
        play, operate = self.ports
        here = {"ESCHATON_LISTEN": f"127.0.0.1:{play}", "ESCHATON_METRICS": f"127.0.0.1:{operate}"}
        variables = [f"{name}={value}" for name, value in {**self.environment, **here}.items()]
        return [*self.before, "env", "-i", *variables, *words]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(self.command(*words), capture_output=True, text=True, timeout=PATIENCE, check=False)


def done(*command: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Run a command and return its output. Raises StepFailed."""
    told = " ".join(map(str, command))[:200]
    try:
        finished = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired as problem:
        raise StepFailed(f"{told}: not done after {PATIENCE:.0f} s") from problem
    if finished.returncode != 0:
        raise StepFailed(f"{told}: {(finished.stdout + finished.stderr)[-1500:]}")
    return finished.stdout


class StepFailed(Exception):
    """A step that did not succeed; its text says which and why."""


def ways_to_packages() -> dict[str, str]:
    """Return the variables that tell pip where this machine has its packages from, and whom it trusts."""
    return {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "REQUESTS_"))}


def is_root() -> bool:
    """Return True where this process may be any user."""
    return os.geteuid() == 0
