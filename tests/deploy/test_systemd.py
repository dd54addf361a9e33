"""deploy/systemd and deploy/logrotate: units by systemd's own tools, where they are, and what they name."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.support.clients.company import two_people
from tests.support.clients.programs import DEPLOY, Program, ServerProgram, until
from tests.support.deploy.words import GRACE
from tests.support.runs.patience import PATIENCE

pytestmark = pytest.mark.waits

SYSTEMD = DEPLOY / "systemd"
ETC = SYSTEMD / "etc"
UNITS = ETC / "systemd" / "system"
PROGRAM = "/srv/eschaton/bin/"
MOST_EXPOSED = 1.6
"""Of ten, by `systemd-analyze security`."""


def tool(name: str) -> str:
    """Return a tool of the system. Skips the test where it is not."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found


def said(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def options(name: str) -> Mapping[str, Sequence[str]]:
    """Return all values of each option of a unit."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in (UNITS / name).read_text("utf-8").splitlines():
        if line and line[0] not in "#[":
            key, _, value = line.partition("=")
            found[key].append(value)
    return found


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units with this installation's program, since systemd looks whether it is there."""
    scripts = sysconfig.get_path("scripts")
    for path in UNITS.iterdir():
        (tmp_path / path.name).write_text(path.read_text("utf-8").replace(PROGRAM, f"{scripts}/"))
    drop_in = tmp_path / "eschaton.service.d"
    drop_in.mkdir()
    shutil.copy(SYSTEMD / "redis.conf", drop_in)
    return tmp_path


def test_systemd_takes_the_units(units: Path) -> None:
    files = [*units.glob("*.service"), *units.glob("*.timer")]
    assert len(files) == 3
    assert said(tool("systemd-analyze"), "verify", "--man=no", *files) == ""


def test_an_unknown_option_would_be_seen(units: Path) -> None:
    with (units / "eschaton.service").open("a") as unit:
        unit.write("\n[Service]\nProtectSystems=strict\n")
    done = subprocess.run(
        [tool("systemd-analyze"), "verify", "--man=no", units / "eschaton.service"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "ProtectSystems" in done.stderr


@pytest.mark.parametrize("name", ["eschaton.service", "eschaton-backup.service"])
def test_a_service_is_hardly_exposed(units: Path, name: str) -> None:
    report = said(tool("systemd-analyze"), "security", "--offline=yes", "--no-pager", units / name)
    level = re.search(r"Overall exposure level for \S+: ([\d.]+)", report)
    assert level is not None, report
    assert float(level[1]) <= MOST_EXPOSED


def test_the_user_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    said(tool("systemd-sysusers"), f"--root={tmp_path}", ETC / "sysusers.d" / "eschaton.conf")
    users = (tmp_path / "etc" / "passwd").read_text()
    for name in ("eschaton.service", "eschaton-backup.service"):
        (user,) = options(name)["User"]
        assert f"\n{user}:" in f"\n{users}"


def test_log_rotation_is_understood() -> None:
    # with --debug nothing is rotated
    report = said(tool("logrotate"), "--debug", "--state", "/dev/null", DEPLOY / "logrotate" / "eschaton")
    assert "error" not in report.lower()
    assert "/var/log/eschaton/*.log" in report


def test_units_and_settings_name_the_same_places() -> None:
    settings = tomllib.loads((ETC / "eschaton" / "settings.toml").read_text("utf-8"))
    server, backup = options("eschaton.service"), options("eschaton-backup.service")
    assert settings["data"] == f"/var/lib/{server['StateDirectory'][0]}"
    first, second = backup["StateDirectory"][0].split()
    assert (first, backup["RequiresMountsFor"]) == (server["StateDirectory"][0], [f"/var/lib/{second}"])
    assert [line.split()[1:3] for line in backup["ExecStart"]] == [
        [each, f"/var/lib/{second}"] for each in ("backup", "drill")
    ]
    for unit in (server, backup):
        assert unit["LoadCredential"] == ["settings.toml:/etc/eschaton/settings.toml"]
        assert unit["Environment"] == ["ESCHATON_SETTINGS=%d/settings.toml"]
        assert all(line.startswith(PROGRAM) for line in unit["ExecStart"])
    assert server["TimeoutStopSec"] == [str(GRACE)]


@pytest.mark.long("image")
async def test_the_backup_unit_saves_and_drills_a_server_under_play(tmp_path: Path) -> None:
    server = ServerProgram(tmp_path)
    await server.start()
    told = []
    try:
        async with two_people(server.url) as (host, _, playing):
            await until(lambda: host.intents, tasks=playing)
            (tmp_path / "settings.toml").write_text(f'data = "{server.data}"\n')
            settings = {"ESCHATON_SETTINGS": str(tmp_path / "settings.toml")}
            for line in options("eschaton-backup.service")["ExecStart"]:
                here = line.replace(f"{PROGRAM}eschaton-server", "server.cli.main").replace("/var/lib", str(tmp_path))
                words = here.split()
                command = Program(tmp_path, words[1], *words, settings=settings)
                await command.start()
                told.append([await command.said(), await command.said()])
                assert await command.wait(PATIENCE) == 0
    finally:
        await server.end()
    (saved, thinned), (checked, drilled) = told
    assert (saved["matches"], thinned["kept"]) == (1, 1)
    assert (checked["matches"], checked["damaged"], checked["notes"]) == (1, 0, 0)
    assert (drilled["outcome"], drilled["keys"], drilled["steps"]) == ("good", True, saved["steps"])
