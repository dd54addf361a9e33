"""Setting up: what is missing is named, what is there is left alone."""

import subprocess
from pathlib import Path

import pytest

from tools import system_packages

pytestmark = pytest.mark.waits


def test_only_what_is_missing_is_named() -> None:
    assert system_packages.missing({"dpkg": "", "no-such-package-anywhere": ""}) == ["no-such-package-anywhere"]


def test_without_the_right_to_install_the_command_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system_packages, "privilege", lambda: None)
    assert system_packages.install(["libegl1", "xvfb"]) == 1
    assert "apt-get install --no-install-recommends -y libegl1 xvfb" in capsys.readouterr().out


def test_tests_need_a_display_a_redis_and_strace_and_play_does_not() -> None:
    assert system_packages.needed("test").keys() - system_packages.needed("play").keys() == {
        "xvfb",
        "libxtst6",
        "redis-tools",
        "strace",
    }


def test_this_machine_has_what_the_tests_need() -> None:
    assert system_packages.missing(system_packages.needed("test")) == []


def test_a_package_that_is_a_service_is_named_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system_packages, "install", lambda names: 0)
    monkeypatch.setattr(system_packages, "missing", lambda packages: ["libnginx-mod-stream"])
    assert system_packages.ensure("deploy") == 0
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(system_packages, "missing", lambda packages: ["nginx-light", "caddy"])
    assert system_packages.ensure("deploy") == 0
    assert "systemctl disable --now nginx caddy" in capsys.readouterr().out


def test_services_do_not_start_while_their_packages_are_installed(tmp_path: Path) -> None:
    policy = tmp_path / "policy-rc.d"
    script = system_packages.NO_SERVICES.replace("/usr/sbin/policy-rc.d", str(policy))
    shown = subprocess.run(["sh", "-c", script, "sh", "cat", policy], capture_output=True, text=True, check=True)
    assert shown.stdout == "#!/bin/sh\nexit 101\n"
    assert not policy.exists()
    policy.write_text("the machine's own")
    subprocess.run(["sh", "-c", script, "sh", "true"], check=True)
    assert policy.read_text() == "the machine's own"
    assert subprocess.run(["sh", "-c", script, "sh", "false"], check=False).returncode == 1
