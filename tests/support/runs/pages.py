"""Pages of the documentation, followed as their readers do: files written, commands run, step by step."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.support.clients.programs import ROOT
from tests.support.runs.patience import PATIENCE

STEP = re.compile(r"^(\d+)\. (.*?)^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w/]+\.\w+)`")
APPENDED = "add them to the end of"
OFFLINE = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", "installed")


def page(name: str) -> str:
    """Return the text of a page of docs/."""
    return (ROOT / "docs" / name).read_text("utf-8")


def follow(text: str, folder: Path) -> list[str]:
    """Follow the numbered steps of a page in an empty folder: a step of `sh` is run, any other is written to the file
    that its words name last, or added to its end, or changes it (`diff`). Return the output of the commands; servers,
    which do not end, are not started."""
    steps = STEP.findall(text)
    assert [int(number) for number, *_ in steps] == list(range(1, len(steps) + 1))
    assert steps
    said: list[str] = []
    for _, words, kind, block in steps:
        if kind == "diff":
            _change(folder, words, block)
        elif kind != "sh":
            _write(folder, words, block)
        elif not block.startswith("eschaton-server serve"):
            said.append(_run(block, folder))
    return said


def written(text: str, folder: Path) -> list[str]:
    """Write the files of a page's steps into an empty folder, and return the commands without running them."""
    lines: list[str] = []
    for _, words, kind, block in STEP.findall(text):
        if kind == "sh":
            lines.append(block.strip())
        else:
            _write(folder, words, block)
    return lines


def _write(folder: Path, words: str, block: str) -> None:
    target = folder / FILE.findall(words)[-1]
    target.parent.mkdir(parents=True, exist_ok=True)
    before = target.read_text("utf-8") if APPENDED in " ".join(words.split()) else ""
    target.write_text(before + block)


def _change(folder: Path, words: str, block: str) -> None:
    """Change the lines of a file that a block shows as they were and as they are to be."""
    target = folder / FILE.findall(words)[-1]
    text, lines = target.read_text("utf-8"), block.splitlines(keepends=True)
    before, after = ("".join(line[1:] or line for line in lines if line[0] != other) for other in "+-")
    assert text.count(before) == 1, f"{target.name} has no such lines:\n{before}"
    target.write_text(text.replace(before, after), "utf-8")


def _run(line: str, folder: Path) -> str:
    """Run a line of the page, with the files here and in `folder`, and without a network. Projects in folders there go
    before what was installed of them, as after an editable installation."""
    projects = [file.parent for file in sorted(folder.glob("*/pyproject.toml"))]
    path = os.pathsep.join(map(str, (*projects, folder / "installed", ROOT)))
    done = subprocess.run(
        _command(line),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _command(line: str) -> list[str]:
    words = shlex.split(line)
    if words[0] == "eschaton-server":
        return [sys.executable, "-m", "server.cli.main", *words[1:]]
    if words[:3] == ["python", "-m", "pytest"]:
        return [sys.executable, *words[1:], "-p", "no:cacheprovider"]
    assert words[:4] == ["python", "-m", "pip", "install"]
    return [sys.executable, *words[1:4], *OFFLINE, *(word for word in words[4:] if word != "--editable")]
