"""A new rule system: what is written plays, passes its own tests and checks, and is found once it is installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.cli.content import new_system
from server.cli.main import main
from server.content.systems import installed_names
from server.runtime.errors import CommandError
from tests.support.clients.programs import ROOT
from tests.support.runs.patience import PATIENCE

NAME = "iron_hills"
OFFLINE = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new system."""
    folder = tmp_path_factory.mktemp("work")
    for path, text in new_system.written(NAME):
        target = folder / NAME / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    return folder / NAME


def run(*words: str | Path, cwd: Path, path: tuple[Path, ...] = (ROOT,)) -> str:
    """Run a module of Python with these folders on its path; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path)), "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_command_writes_a_folder_and_says_what_to_do_next(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-system", NAME]) == 0
    told = capsys.readouterr().out
    assert f"cd {NAME}" in told
    assert f"simulate --system {NAME}" in told
    files = {path.relative_to(here).as_posix() for path in here.rglob("*") if path.is_file()}
    assert files >= {f"{NAME}/pyproject.toml", f"{NAME}/{NAME}/__init__.py", f"{NAME}/tests/test_{NAME}.py"}


@pytest.mark.parametrize("name", ["Iron", "iron-hills", "2nd", "", "class", "../iron", "a" * 40])
def test_a_name_that_no_package_can_have_is_refused(here: Path, name: str) -> None:
    with pytest.raises(CommandError, match="cannot name a package"):
        new_system.run(name)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [("one_page", "a rule system"), ("json", "a Python package"), ("engine", "a Python package"), ("tests", "package")],
)
def test_a_name_that_is_taken_is_refused(here: Path, name: str, reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        new_system.run(name)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("is_folder", [True, False])
def test_nothing_that_is_there_is_written_over(here: Path, *, is_folder: bool) -> None:
    there = here / NAME
    if is_folder:
        there.mkdir()
    else:
        there.write_text("mine")
    with pytest.raises(CommandError, match="already"):
        new_system.run(NAME)
    assert there.is_dir() or there.read_text() == "mine"
    assert not is_folder or list(there.iterdir()) == []


def test_nothing_is_left_of_a_folder_that_cannot_be_written(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def writing(name: str) -> Iterator[tuple[str, str]]:
        yield f"{name}/__init__.py", ""
        yield f"{name}/__init__.py/below_a_file", ""

    monkeypatch.setattr(new_system, "written", writing)
    with pytest.raises(CommandError, match="cannot be written"):
        new_system.run(NAME)
    assert list(here.iterdir()) == []


def test_an_installation_without_source_files_says_so(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_system, "written", lambda name: iter(()))
    with pytest.raises(CommandError, match="pip"):
        new_system.run(NAME)


def test_each_word_of_the_template_is_renamed_once() -> None:
    assert not [path for path, text in new_system.written(NAME) if "skeleton" in (path + text).lower()]
    texts = dict(new_system.written("skeleton_war"))
    assert 'skeleton_war = "skeleton_war:system"' in texts["pyproject.toml"]
    assert "class SkeletonWar(" in texts["skeleton_war/__init__.py"]
    assert '"Skeleton war"' in texts["skeleton_war/words.toml"]
    assert not [path for path, text in texts.items() if "war_war" in path + text or "server.cli" in text]


@pytest.mark.waits
def test_a_new_system_passes_checks_of_style_and_types(made: Path) -> None:
    run("ruff", "check", "--no-cache", ".", cwd=made)
    run("mypy", "--no-incremental", cwd=made)


@pytest.mark.waits
def test_a_new_system_passes_its_own_tests(made: Path) -> None:
    """Among them 60 pairs of its bot against the random player."""
    assert "passed" in run("pytest", "-q", "-p", "no:cacheprovider", cwd=made)


@pytest.mark.waits
def test_a_system_that_is_installed_as_a_wheel_is_found_by_its_entry_point(made: Path, tmp_path: Path) -> None:
    wheels, site, away = (tmp_path / name for name in ("wheels", "site", "away"))
    away.mkdir()
    run("pip", "wheel", *OFFLINE, "--no-build-isolation", "--wheel-dir", wheels, made, cwd=away)
    run("pip", "install", *OFFLINE, "--target", site, *wheels.glob("*.whl"), cwd=away)
    play = ("simulate", "--system", NAME, "--bots", "level1,random", "--matches", "2", "--json")
    told = json.loads(run("server.cli.main", *play, cwd=away, path=(site, ROOT)))
    assert (told["system"], told["finished"]) == (NAME, 2)
    assert NAME not in installed_names()
