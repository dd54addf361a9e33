"""What goes into the bundle, without making it: tests/e2e/test_bundle.py makes it, in `make long PART=bundle`."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest

from client.text.phrases import ENGLISH
from tests.support.runs.patience import PATIENCE
from tools import bundle, lock

SPEC = bundle.SPEC.read_text("utf-8")
PROJECT = tomllib.loads((bundle.ROOT / "pyproject.toml").read_text("utf-8"))
PIN = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)


def pins(path: Path) -> dict[str, str]:
    return dict(PIN.findall(path.read_text("utf-8")))


def test_all_files_that_are_named_are_there() -> None:
    named = {*re.findall(r'HERE / "([^"]+)"', SPEC), *bundle.FILES}
    assert {"start.py", "eschaton.desktop"} <= named
    assert [name for name in sorted(named) if not (bundle.PLACE / name).is_file()] == []


def test_the_sheet_beside_the_program_names_the_buttons_that_are_there() -> None:
    named = re.findall(r'"([^"]+)"', (bundle.PLACE / "README.txt").read_text("utf-8"))
    assert len(named) > 2
    assert [words for words in named if words not in ENGLISH.values()] == []


def test_all_rooms_and_all_kinds_of_their_data_are_collected() -> None:
    assert f"ROOMS = {list(bundle.ROOMS)!r}".replace("'", '"') in SPEC
    kinds = PROJECT["tool"]["setuptools"]["package-data"]["*"]
    assert 'PROJECT["tool"]["setuptools"]["package-data"]["*"]' in SPEC
    files = [path for room in bundle.ROOMS for path in (bundle.ROOT / room).rglob("*.*") if path.is_file()]
    read = [path for path in files if path.suffix not in (".py", ".pyc", ".md")]
    assert len(read) > 30
    assert [str(path) for path in read if not any(path.match(kind) for kind in kinds)] == []


def test_its_lock_agrees_with_that_of_a_checkout_and_holds_what_each_system_needs() -> None:
    ours, checkout = pins(bundle.LOCK), pins(lock.CHECKOUT.path)
    assert {name: pin for name, pin in ours.items() if checkout.get(name, pin) != pin} == {}
    assert {"pyinstaller", "macholib", "pefile", "pywin32-ctypes", "arcade", "uvloop", "redis", "setuptools"} <= {*ours}
    assert {"pytest", "mypy", "hypothesis"}.isdisjoint(ours)
    assert "pyinstaller" not in checkout
    # as many hashes as there are builds, and at least one for each
    assert all("--hash=sha256:" in part for part in re.split(PIN, bundle.LOCK.read_text("utf-8"))[3::3])


def test_the_archive_does_not_name_who_made_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "OUT", tmp_path)
    monkeypatch.setattr(bundle, "ROOT", tmp_path)
    shutil.copy(lock.ROOT / "pyproject.toml", tmp_path)
    program = tmp_path / bundle.NAME / bundle.NAME
    program.parent.mkdir()
    program.touch(mode=0o755)
    with suppress(PermissionError):
        os.chown(program, 12345, 12345)
    with tarfile.open(bundle.pack(program.parent)) as archive:
        found = {member.name: (member.uid, member.gid, member.uname, member.gname) for member in archive}
    assert found == dict.fromkeys((bundle.NAME, f"{bundle.NAME}/{bundle.NAME}"), (0, 0, "root", "root"))


@pytest.mark.waits
@pytest.mark.parametrize("words", [("--version",), ("server", "--version")])
def test_its_beginning_finds_the_commands_of_client_and_server(words: tuple[str, ...], tmp_path: Path) -> None:
    command = [sys.executable, str(bundle.PLACE / "start.py"), *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.strip() == PROJECT["project"]["version"]


@pytest.mark.waits
def test_the_menu_starts_the_program_where_its_folder_lies(tmp_path: Path) -> None:
    folder = tmp_path / "a folder & more" / bundle.NAME
    folder.mkdir(parents=True)
    for name in bundle.FILES:
        shutil.copy(bundle.PLACE / name, folder)
    settings = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    subprocess.run([folder / "install.sh"], env=settings, capture_output=True, timeout=PATIENCE, check=True)
    lines = (tmp_path / ".local/share/applications/eschaton.desktop").read_text().splitlines()
    entry = dict(line.split("=", 1) for line in lines if "=" in line)
    assert shlex.split(entry["Exec"]) == [str(folder / bundle.NAME)]
    assert entry["Icon"] == str(folder / "eschaton.png")
    assert entry["Terminal"] == "false"
