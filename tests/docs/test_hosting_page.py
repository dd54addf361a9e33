"""docs/hosting.md takes ten commands, each of which names what is there; tests/deploy/test_hosting.py gives them."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.support.clients.programs import DEPLOY, ROOT
from tests.support.deploy.containerfile import CONTAINERFILE
from tests.support.deploy.page import COMMANDS, INLINE, PAGE, REPLACED, RESTORE, SECTION, UPGRADE, replaced
from tests.support.deploy.words import options_of, wrong_words
from tools.system_packages import DEPLOY as PACKAGES, SERVICES

pytestmark = pytest.mark.waits

ETC = DEPLOY / "systemd" / "etc"
UNITS = ETC / "systemd" / "system"
MADE = {"/usr/local/src/eschaton", "/srv/eschaton", "/etc/caddy/Caddyfile", "/var/lib/eschaton-before"}
"""Paths that the commands make, or a package."""
INSIDE = ("/srv/eschaton/bin/", "/var/lib/eschaton/host", "/var/lib/eschaton-before/host")
"""Beginnings of paths that a server or its installation makes."""
MOST = 10
LINES = [each.line for each in COMMANDS]
ALL = "\n".join([*LINES, *RESTORE, *INLINE.findall(SECTION)])


def words(line: str) -> list[str]:
    return shlex.split(line.replace("&&", " ").replace(">", " "))


def test_there_are_ten_commands_at_most_one_after_another() -> None:
    assert [each.number for each in COMMANDS] == list(range(1, len(COMMANDS) + 1))
    assert 1 < len(COMMANDS) <= MOST
    assert len(COMMANDS) == len(re.findall(r"^ {7,8}\S", SECTION, re.MULTILINE))
    assert all("You see nothing" in each.told or each.seen or each.number == 1 for each in COMMANDS)


def test_a_shell_takes_each_command() -> None:
    script = "\n".join([*LINES, *UPGRADE, *RESTORE])
    assert subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=True).stderr == ""


def test_packages_are_those_of_the_tests() -> None:
    _, _, named = LINES[0].partition("install --yes ")
    assert named.split()
    assert set(named.split()) <= PACKAGES.keys()


def test_files_are_there() -> None:
    named = {word for line in LINES for word in words(line) if word.startswith("deploy/")}
    assert len(named) > 2
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_paths_outside_of_the_checkout_are_made_by_the_commands_or_the_units() -> None:
    units = "".join(path.read_text("utf-8") for path in UNITS.iterdir())
    copied = {"/etc" / path.relative_to(ETC) for path in ETC.rglob("*")}
    states = {f"/var/lib/{name}" for line in re.findall(r"StateDirectory=(.*)", units) for name in line.split()}
    paths = {path.rstrip("./") for path in re.findall(r"(?<![\w.*:/-])/(?:usr|srv|etc|var)[\w./-]+", ALL)}
    assert {"/var/lib/eschaton-backups", "/etc/eschaton/settings.toml", "/srv/eschaton/bin/eschaton-server"} <= paths
    for path in paths - MADE - states:
        assert Path(path) in copied or path.startswith(INSIDE), path
    assert "/srv/eschaton/bin/eschaton-server" in units
    assert "settings.toml:/etc/eschaton/settings.toml" in units


def test_options_of_our_program_and_its_installation_are_known() -> None:
    assert list(wrong_words(PAGE)) == []
    assert {word for word in words(LINES[-1]) if word.startswith("--")} <= options_of("doctor")
    steps = CONTAINERFILE.read_text("utf-8").replace("--requirement", "-r").replace("-r req", "-r deploy/image/req")
    for line in (each for each in LINES if "/bin/pip " in each):
        assert line.partition("/bin/pip ")[2] in steps


def test_units_are_ours_or_of_a_package() -> None:
    calls = re.findall(r"systemctl (?:[a-z]+ )(?:--now )?([\w. -]+)|--unit=(\S+)", ALL)
    named = {name for call in calls for part in call for name in part.split()}
    assert {"eschaton.service", "eschaton-backup.timer", "caddy"} <= named
    ours = {path.name for path in UNITS.iterdir()}
    assert [name for name in named if not {name, f"{name}.service"} & ours and name not in SERVICES.values()] == []
    assert "LogNamespace=eschaton\n" in (UNITS / "eschaton.service").read_text("utf-8")


def test_as_many_backups_are_kept_as_the_page_says() -> None:
    (kept,) = re.findall(r"--keep (\d+)", (UNITS / "eschaton-backup.service").read_text("utf-8"))
    assert f"the newest {kept};" in SECTION


def test_the_host_s_name_gets_into_caddy_s_file() -> None:
    (line,) = [each for each in LINES if "Caddyfile" in each]
    filled = subprocess.run(
        ["bash", "-c", line.partition(" >")[0]], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "\nyour.host.example {\n" in filled
    assert "play.example.org" not in filled


def test_words_that_a_test_replaces_are_on_the_page_and_gone_then() -> None:
    for each in REPLACED:
        assert any(each.shown in line for line in LINES)
        assert each.why
    assert "example" not in "".join(replaced(line) for line in LINES).replace("play.example.org", "")
