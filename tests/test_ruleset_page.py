"""docs/ruleset.md, followed step by step from an empty folder."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STEP = re.compile(r"^(\d+)\. (.*?)^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w/]+\.\w+)`")
OFFLINE = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", "installed")


def command(line: str) -> list[str]:
    """A line of the page, run with what lies here and without a network."""
    words = shlex.split(line)
    if words[0] == "eschaton-server":
        return [sys.executable, "-m", "server.main", *words[1:]]
    assert words[:4] == ["python", "-m", "pip", "install"]
    return [sys.executable, *words[1:4], *OFFLINE, *words[4:]]


def test_the_page_makes_a_rule_system_that_the_random_player_plays(tmp_path: Path) -> None:
    steps = STEP.findall((ROOT / "docs" / "ruleset.md").read_text())
    assert [int(number) for number, *_ in steps] == list(range(1, 9))
    said: list[str] = []
    for _, words, kind, block in steps:
        if kind != "sh":
            target = tmp_path / FILE.findall(words)[-1]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block)
        elif not block.startswith("eschaton-server serve"):
            path = os.pathsep.join((str(tmp_path / "installed"), str(ROOT)))
            done = subprocess.run(
                command(block),
                cwd=tmp_path,
                env=os.environ | {"PYTHONPATH": path},
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            said.append(done.stdout)
    summary = json.loads(said[-1])
    assert summary["finished"] == 3
