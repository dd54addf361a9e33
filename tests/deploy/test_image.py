"""The image as people get it: built from the Containerfile, started, looked at, played on, backed up, and ended."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.clients.company import two_people
from tests.support.clients.programs import until
from tests.support.deploy.buildah import Buildah
from tests.support.deploy.installed import Installed, is_root
from tests.support.deploy.steps import Steps
from tests.support.deploy.words import GRACE
from tests.support.doubles.redis_server import free_port

Tell = Callable[[str], None]
ACTS = 3
"""As many acts of each person, and of the server's own bots, are waited for."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that all users may reach, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield Path(place)


@pytest.mark.long("image")
async def test_the_image_that_buildah_builds(folder: Path, tell: Tell) -> None:
    if why := Buildah.why_not():
        tell(f"not built by buildah: {why}")
        pytest.skip(why)
    began = time.monotonic()
    buildah = Buildah(folder / "buildah")
    try:
        image = await asyncio.to_thread(buildah.build, (free_port(), free_port()))
        tell(f"{image.way}; {time.monotonic() - began:.0f} s, {buildah.size}")
        await keeps_its_word(image, folder / "server.log", tell)
    finally:
        buildah.end()


@pytest.mark.long("image")
async def test_the_steps_without_a_container_program(folder: Path, tell: Tell) -> None:
    began = time.monotonic()
    image = await asyncio.to_thread(Steps(folder).build, (free_port(), free_port()))
    tell(f"{image.way}; {time.monotonic() - began:.0f} s")
    await keeps_its_word(image, folder / "server.log", tell)


async def keeps_its_word(image: Installed, log: Path, tell: Tell) -> None:
    """Start it, and see that it does what its Containerfile and docs/operating.md say."""
    began = time.monotonic()
    with log.open("wb") as errors:
        server = await asyncio.create_subprocess_exec(
            *image.command(*image.serve), stdout=asyncio.subprocess.PIPE, stderr=errors
        )
    try:
        assert server.stdout is not None
        said = await server.stdout.readline()
        assert said, log.read_text()
        assert json.loads(said)["port"] == image.ports[0]
        tell(f"listens after {time.monotonic() - began:.1f} s")
        await is_shut_in(image, server.pid, tell)
        await is_played_on(f"ws://127.0.0.1:{image.ports[0]}", image.ports[1], tell)
        await is_backed_up(image, tell)
        began = time.monotonic()
        server.terminate()
        assert await asyncio.wait_for(server.wait(), GRACE) == 0
        tell(f"ended by SIGTERM with 0 after {time.monotonic() - began:.1f} s")
        assert (await asyncio.to_thread(image.run, *image.health_check)).returncode != 0
    finally:
        with suppress(ProcessLookupError):
            server.kill()
        await server.communicate()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["event"] for line in lines if line["level"] in ("warning", "error")] == []
    assert lines[-1]["event"] == "stopped"


async def is_shut_in(image: Installed, pid: int, tell: Tell) -> None:
    """Look who the process is, where it may write, and whether it is healthy."""
    status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    user = status["Uid"].split()[0]
    if is_root():
        assert {*status["Uid"].split()} == {image.image.last("USER").text.partition(":")[0]}
        assert int(status["CapEff"], 16) == 0
        assert status["NoNewPrivs"] == "1"
    program = (await asyncio.to_thread(image.run, "sh", "-c", "command -v eschaton-server")).stdout.strip()
    writing = await asyncio.to_thread(image.run, "sh", "-c", f"touch {program}.new")
    assert writing.returncode != 0, "the program's folder can be written"
    health = await asyncio.to_thread(image.run, *image.health_check)
    assert health.returncode == 0, health.stderr
    data = image.kept / "data"
    assert {path.stat().st_mode & 0o077 for path in (data, data / "host.key", data / "host.ed25519")} == {0}
    why = writing.stderr.strip().rpartition(": ")[2]
    tell(f"user {user}, {program} cannot be written ({why}), health check 0")


async def is_played_on(url: str, operate: int, tell: Tell) -> None:
    """Let two people come, who play beside the server's own bots, over the wire."""

    def bots_acts() -> int:
        with urllib.request.urlopen(f"http://127.0.0.1:{operate}/metrics") as answer:
            numbers = answer.read().decode()
        found = re.findall(r'^eschaton_bot_intents_total\{outcome="done"\} ([\d.]+)', numbers, re.MULTILINE)
        return int(sum(map(float, found)))

    async with two_people(url) as (host, guest, playing):
        await until(lambda: min(host.intents, guest.intents) >= ACTS, tasks=playing)
        await until(lambda: asyncio.to_thread(lambda: bots_acts() >= ACTS), tasks=playing)
        tell(f"{host.intents} and {guest.intents} acts of two people, {bots_acts()} of its bots")


async def is_backed_up(image: Installed, tell: Tell) -> None:
    """Make a backup while it runs, and restore and check it, as the timers of deploy/ do."""
    backups = f"{image.volume}/backups"
    made = await asyncio.to_thread(image.run, "eschaton-server", "backup", backups, "--keep", "2")
    assert made.returncode == 0, made.stderr
    drill = await asyncio.to_thread(image.run, "eschaton-server", "drill", backups)
    assert drill.returncode == 0, drill.stdout + drill.stderr
    found = json.loads(drill.stdout.splitlines()[-1])
    assert (found["outcome"], found["keys"]) == ("good", True)
    assert found["steps"] > 0
    tell(f"backed up while it runs, restored and checked: {found['matches']} matches, {found['steps']} steps")
