"""deploy/image: the Containerfile by hadolint, what it promises, and its lock beside that of the checkout."""

from __future__ import annotations

import re
import subprocess
import sysconfig
import tomllib
from pathlib import Path

import pytest

from tests.support.clients.programs import ROOT
from tests.support.deploy.containerfile import CONTAINERFILE, STAGES

pytestmark = pytest.mark.waits

IMAGE = CONTAINERFILE.parent
BUILD, FINAL = STAGES
PIN = re.compile(r"^[a-z].*?(?=^[a-z]|\Z)", re.MULTILINE | re.DOTALL)


def pins(lock: Path) -> dict[str, str]:
    """Return each distribution's pin with its hashes."""
    return {pin.partition("==")[0]: pin for pin in PIN.findall(lock.read_text("utf-8"))}


def test_hadolint_finds_nothing() -> None:
    hadolint = Path(sysconfig.get_path("scripts")) / "hadolint"
    command: list[str | Path] = [hadolint, "--no-color", "--failure-threshold", "style", CONTAINERFILE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_both_stages_stand_on_one_base_named_by_its_tag_alone() -> None:
    """A short name and a tag: which registry it comes from is the builder's to say."""
    assert BUILD.base == FINAL.base
    assert re.fullmatch(r"python:3\.\d+-slim-[a-z]+", BUILD.base)
    lowest = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    assert f">={BUILD.base.removeprefix('python:').partition('-')[0]}" == lowest


def test_the_image_is_not_root_and_holds_the_server_alone() -> None:
    user = FINAL.last("USER").text
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user)
    assert "RUN" not in {each.word for each in FINAL.instructions}
    copied = [each for each in FINAL.instructions if each.word == "COPY"]
    kept = [each.words[-1] for each in copied if "chown" in each.options]
    assert kept == ["/var/lib/eschaton", "/var/lib/eschaton-backups"]
    assert FINAL.last("VOLUME").words == kept[:1]
    assert {each.options["chown"] for each in copied if "chown" in each.options} == {user}
    assert {each.words[0] for each in BUILD.instructions if each.word == "COPY"}.isdisjoint({"client", "tests", "."})


def test_settings_of_the_image_are_what_it_opens_and_asks() -> None:
    settings = tomllib.loads((IMAGE / "settings.toml").read_text("utf-8"))
    ports = [settings[name].rpartition(":")[2] for name in ("listen", "metrics")]
    assert FINAL.last("EXPOSE").words == ports
    assert f"HTTPConnection('127.0.0.1', {ports[1]}, " in FINAL.health_check[-1]
    assert settings["data"].startswith(f"{FINAL.last('VOLUME').words[0]}/")


def test_what_is_copied_is_there_and_let_in() -> None:
    let_in = (IMAGE / "Containerfile.dockerignore").read_text("utf-8").splitlines()
    for each in [*BUILD.instructions, *FINAL.instructions]:
        if each.word == "COPY" and "from" not in each.options:
            for source in each.words[:-1]:
                assert (ROOT / source).exists(), source
                assert f"!{source}" in let_in


def test_the_servers_lock_is_a_part_of_the_checkouts() -> None:
    every, servers = pins(ROOT / "requirements.lock"), pins(IMAGE / "requirements.lock")
    assert servers.items() <= every.items()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = project["project"]["dependencies"] + project["project"]["optional-dependencies"]["server"]
    names = {re.split(r"[<>=;]", each)[0] for each in wanted + project["build-system"]["requires"]}
    assert names <= servers.keys()
    assert servers.keys().isdisjoint({"arcade", "pytest", "mypy"})
