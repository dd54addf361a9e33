"""The ten commands of docs/hosting.md, given on a machine that boots for the test; then people come, who play over TLS.

Replaced are the words in `tests.support.deploy.page.REPLACED`, and beside them:

| what | here | why |
| --- | --- | --- |
| a fresh Debian 12 | this one's files, below a layer that is thrown away | what a test does must leave nothing |
| packages | of this machine, so that apt-get finds them installed | the same |
| Caddy, started by its installation | `systemctl start caddy` before all | its package was there before |
| other services and timers | none is started | they are this machine's own |
| the network | loopback alone; what fetches has this machine's | so ports 80 and 443 are free, and nobody comes |
| DNS | a line of /etc/hosts | no public name points here |
| the authority that players trust | Caddy's own, by SSL_CERT_FILE | it signs names below localhost |
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.clients.programs import until
from tests.support.deploy.machine import Machine
from tests.support.deploy.page import COMMANDS, RESTORE, UPGRADE, Command, replaced
from tests.support.runs.patience import PATIENCE
from tools.system_packages import missing

HOST: Final = replaced("your.host.example")
AUTHORITY: Final = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
ACTS: Final = 3
"""Of each person, before the restart and after it."""
CHECK: Final = "runuser -u eschaton -- /srv/eschaton/bin/eschaton-server fsck --data /var/lib/eschaton"
"""As docs/operating.md has it."""
UNTRUSTED: Final = 60
"""Status of curl where it does not trust a certificate's authority."""
Tell = Callable[[str], None]


@pytest.fixture
async def machine() -> AsyncIterator[Machine]:
    lacking = missing({"git": "", "python3-venv": "", "caddy": ""})
    if why := Machine.why_not() or " ".join(lacking):
        pytest.skip(f"not here: {why}")
    with tempfile.TemporaryDirectory() as folder:
        booted = Machine(Path(folder), HOST)
        try:
            await booted.boot()
            yield booted
        finally:
            await booted.end()


@pytest.mark.waits
@pytest.mark.long("deploy")
async def test_ten_commands_make_a_server_that_strangers_play_on(machine: Machine, tell: Tell) -> None:
    began = time.monotonic()
    await asyncio.to_thread(machine.paste, "systemctl start caddy")
    for command in COMMANDS[:-1]:
        await give(machine, command)
    await until(lambda: is_healthy(machine))
    assert machine.run(f"curl --fail https://{HOST}/healthz").returncode == UNTRUSTED
    seen = await give(machine, COMMANDS[-1])
    tell(f"{len(COMMANDS)} commands in {time.monotonic() - began:.0f} s; the doctor: {seen.strip().splitlines()[-1]}")
    assert machine.run("stat --format=%U%a /etc/eschaton/settings.toml /var/lib/eschaton").stdout.split() == [
        "root600",
        "eschaton700",
    ]
    await play_back_up_and_upgrade(machine, tell)
    await give(machine, COMMANDS[-1])
    for line in RESTORE:
        await asyncio.to_thread(machine.paste, line)
    await until(lambda: is_healthy(machine))
    await give(machine, COMMANDS[-1])
    held = machine.paste(CHECK)
    assert '"damaged": 0' in held
    tell(f"restored: {held.strip().splitlines()[-1]}")
    machine.paste("systemctl stop eschaton")
    lines = log_of(machine, "eschaton")
    assert lines[-1]["event"] == "stopped"
    assert [line for line in lines if line.get("level") in ("warning", "error")] == []


def is_healthy(machine: Machine) -> bool:
    """Return True where the server answers over TLS."""
    return machine.run(f"curl --fail --cacert {AUTHORITY} https://{HOST}/healthz").returncode == 0


async def give(machine: Machine, command: Command) -> str:
    """Give a command of the page, and look that what it says is seen; return all that is."""
    seen = await asyncio.to_thread(machine.paste, replaced(command.line))
    for words in command.seen:
        assert words in seen
    return seen


async def play_back_up_and_upgrade(machine: Machine, tell: Tell) -> None:
    """Let two people come over TLS, back up and upgrade the server as the page says, and let them play on."""
    words = machine.python(
        "tests.support.deploy.two_people", f"wss://{HOST}:443", str(ACTS), variables={"SSL_CERT_FILE": AUTHORITY}
    )
    pipe = asyncio.subprocess.PIPE
    people = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, stderr=pipe)
    assert people.stdin is not None
    try:
        before = await told(people)
        await asyncio.to_thread(machine.paste, "systemctl start eschaton-backup")
        drill = log_of(machine, "eschaton-backup")[-1]
        assert (drill["outcome"], drill["matches"], drill["keys"]) == ("good", 1, True)
        assert drill["steps"] > 0
        for line in UPGRADE:
            await asyncio.to_thread(machine.paste, line)
        people.stdin.write(b"\n")
        await people.stdin.drain()
        after = await told(people)
        assert await asyncio.wait_for(people.wait(), PATIENCE) == 0
    finally:
        with suppress(ProcessLookupError):
            people.kill()
        await people.communicate()
    assert min(before["acts"]) >= ACTS
    assert min(after["links"]) > 1
    saved = f"backup and drill of {drill['steps']} steps"
    tell(f"two people over TLS: {before['acts']} acts, {saved}, upgrade, {after['acts']} acts")


async def told(people: asyncio.subprocess.Process) -> dict[str, Any]:
    """Return what the people say next. Raises AssertionError with their complaint."""
    assert people.stdout is not None
    assert people.stderr is not None
    line = await asyncio.wait_for(people.stdout.readline(), PATIENCE)
    assert line, (await people.stderr.read()).decode()[-3000:]
    said: dict[str, Any] = json.loads(line)
    return said


def log_of(machine: Machine, unit: str) -> list[dict[str, Any]]:
    """Return the lines of a service's log, as the page reads it."""
    shown = machine.paste(f"journalctl --namespace=eschaton --output=cat --unit={unit}")
    return [json.loads(line) for line in shown.splitlines() if line.startswith("{")]
