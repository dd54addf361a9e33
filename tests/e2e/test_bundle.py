"""The bundle as a friend has it: made, unpacked elsewhere, started without arguments, played with keys and mouse."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PIL import Image

from client.ui import theme
from server.content.systems import find_systems
from server.runtime.rule_code import code_of
from tests.support.clients.bundled import FriendsComputer, boxes_of, picture_of
from tests.support.clients.programs import until
from tests.support.clients.windows.screen import Keyboard, Screen
from tools.bundle import OUT, ROOT, size_of

pytestmark = [pytest.mark.long("bundle"), pytest.mark.waits]

BUILD_SECONDS = 1800
TURN_SECONDS = 300
MOST_BYTES = 110e6
MOST_PACKED = 50e6
MOST_START_SECONDS = 10
LOOK_SECONDS = 0.2
PROMPT = (980, 96, 1280, 620)
FIRST_SCREEN = (380, 168, 900, 632)
NEW_TABLE = (886, 64, 1274, 794)
LIT = ((190, 112), (1200, 149), (1200, 186))
UNLIT = (1200, 167)
FIRST_GROUP = (1130, 196)
A_PLACE = (330, 400)
"""In pixels from the upper left of the window."""
GOLDEN = sorted((ROOT / "tests" / "golden").glob("action_cards-*.replay"))[-1]


@pytest.fixture(scope="module")
def archive() -> Path:
    """Make the bundle; return the archive that people send to their friends."""
    subprocess.run([sys.executable, "-m", "tools.bundle"], cwd=ROOT, timeout=BUILD_SECONDS, check=True)
    (packed,) = OUT.glob("Eschaton-*.tar.gz")
    return packed


@pytest.fixture
async def friend(archive: Path, tmp_path: Path) -> AsyncIterator[FriendsComputer]:
    computer = FriendsComputer(tmp_path, archive)
    yield computer
    await computer.end()


@asynccontextmanager
async def opened(friend: FriendsComputer, screen: Screen) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start the program without arguments, wait until the window is drawn, and end it as the system does when a person
    logs out: no process of it stays."""
    window = await friend.start(screen=screen)
    await until(lambda: boxes_of(picture_of(screen), theme.ACCENT), pause=LOOK_SECONDS)
    yield window
    window.terminate()
    said, complaint = await window.communicate()
    assert (window.returncode, said, complaint) == (0, b"", b"")
    await until(lambda: not friend.processes())


@asynccontextmanager
async def desktop() -> AsyncIterator[tuple[Screen, Keyboard]]:
    """Start a screen with a keyboard and a mouse."""
    async with Screen() as screen:
        keys = Keyboard(screen)
        try:
            yield screen, keys
        finally:
            keys.close()  # before the screen ends, which would end the test with it


def test_it_is_small_and_knows_nothing_of_the_place_where_it_was_made(archive: Path, tmp_path: Path) -> None:
    folder = FriendsComputer(tmp_path, archive).program.parent
    assert size_of(folder) < MOST_BYTES
    assert archive.stat().st_size < MOST_PACKED
    place = str(ROOT).encode()
    assert [path.name for path in folder.rglob("*") if path.is_file() and place in path.read_bytes()] == []
    assert {"arcade", "eschaton", "python", "redis"} <= {place.name for place in folder.rglob("licences/*")}
    assert not list(folder.rglob("tests")) + list(folder.rglob("PyInstaller"))


async def test_commands_of_both_programs_are_in_it_and_its_rules_are_those_of_this_checkout(
    friend: FriendsComputer, tmp_path: Path
) -> None:
    assert await friend.told("--version") == await friend.told("server", "--version") == "0.1.0\n"
    assert "Everything holds" in await friend.told("verify", str(GOLDEN))
    assert "come out the same under the rules" in await friend.told("server", "check", str(GOLDEN))
    await friend.told("replay", str(GOLDEN), "--png", str(tmp_path / "replay.png"))
    assert (tmp_path / "replay.png").stat().st_size > 10_000
    content = json.loads(await friend.told("server", "simulate", "--system", "one_page", "--json"))
    assert content


async def test_a_double_click_opens_the_window_and_a_turn_is_played_with_bots(friend: FriendsComputer) -> None:
    async with desktop() as (screen, keys):
        began = time.monotonic()
        async with opened(friend, screen):
            seconds = time.monotonic() - began
            print(f"the window was drawn {seconds:.1f} s after the start")
            assert seconds < MOST_START_SECONDS
            (start,) = boxes_of(picture_of(screen, "first"), theme.ACCENT)
            keys.click(*start)
            await play_a_turn(friend, screen, keys)
            picture_of(screen, "table")
            running = sorted(words[:2] for words in friend.processes().values())
            assert running[0] == []
            assert {module for _, module in running[1:]} == {"server.cli.main", "server.match.bots.workers.worker"}
            assert [path for path in friend.mapped() if path.startswith((str(ROOT), sys.prefix, sys.base_prefix))] == []
        played = await friend.steps()
        match = played[0]["match"]
        rules = code_of(find_systems(["action_cards"])["action_cards"])
        (started,) = (entry for entry in played[0]["entries"] if entry["e"] == "core.started")
        assert (started["version"], started["code"]) == (rules.version, rules.digest.hex())

        async with opened(friend, screen):  # the match goes on
            (start,) = boxes_of(picture_of(screen), theme.ACCENT)
            keys.click(*start)
            await until(lambda: is_asked(screen), TURN_SECONDS, pause=LOOK_SECONDS)
            picture_of(screen, "again")
        assert {step["match"] for step in await friend.steps()} == {match}


async def play_a_turn(friend: FriendsComputer, screen: Screen, keys: Keyboard) -> None:
    """Move a group when the first card comes up, and end all cards until the next turn is called."""
    async with asyncio.timeout(TURN_SECONDS):
        await until(lambda: is_asked(screen), TURN_SECONDS, pause=LOOK_SECONDS)
        # the action, the group, who leads it as proposed, where to, and the places of the others as proposed
        for deed in ("1", FIRST_GROUP, "Enter", A_PLACE, "Enter"):
            before = prompt_on(screen)
            if isinstance(deed, str):
                keys.press(deed)
            else:
                keys.click(*deed)
            await until(lambda before=before: prompt_on(screen) != before, pause=LOOK_SECONDS)  # type: ignore[misc]  # a default has no type
        picture_of(screen, "moved")
        await until(lambda: has_moved(friend), pause=LOOK_SECONDS)
        while not any(entry.get("round") == 2 for step in await friend.steps() for entry in step["entries"]):
            if is_asked(screen):
                keys.press("Space")


def prompt_on(screen: Screen) -> Image.Image:
    """Return the picture of what the person is asked."""
    return picture_of(screen).crop(PROMPT)


def is_asked(screen: Screen) -> bool:
    """Return True where the person has a choice between actions: their seat and the first two buttons are lit, and
    not what lies between these."""
    picture = picture_of(screen)
    return picture.getpixel(UNLIT) == theme.PANEL[:3] and all(
        picture.getpixel(place) == theme.RAISED[:3] for place in LIT
    )


async def has_moved(friend: FriendsComputer) -> bool:
    """Return True where the person, who has the first seat, has moved a group."""
    causes = [step["cause"] for step in await friend.steps()]
    return any(cause["c"] == "intent" and cause["seat"] == 0 and cause["intent"]["i"] == "move" for cause in causes)


async def test_one_friend_hosts_from_it_and_another_types_the_address(friend: FriendsComputer, tmp_path: Path) -> None:
    place = ("--listen", "127.0.0.1:0", "--data", str(tmp_path / "data"))
    server = await friend.start("server", "serve", *place)
    assert server.stdout is not None
    assert server.stderr is not None
    port = json.loads(await server.stdout.readline())["port"]
    async with desktop() as (screen, keys):
        window = await friend.start(screen=screen)
        await until(lambda: boxes_of(picture_of(screen), theme.ACCENT), pause=LOOK_SECONDS)
        _, address, _ = boxes_of(picture_of(screen), theme.FIELD)
        keys.click(*address)
        for key in f"127.0.0.1:{port}":
            keys.press(key)
        keys.press("Enter")
        async for line in server.stderr:
            if json.loads(line)["event"] == "entered":
                break
        await until(lambda: not boxes_of(picture_of(screen).crop(FIRST_SCREEN), theme.FIELD), pause=LOOK_SECONDS)
        await until(lambda: boxes_of(picture_of(screen).crop(NEW_TABLE), theme.RAISED), pause=LOOK_SECONDS)
        picture_of(screen, "lobby")
        window.terminate()
        assert await window.wait() == 0
    server.terminate()
    assert await server.wait() == 0


def test_the_menus_entry_starts_it(archive: Path, tmp_path: Path) -> None:
    friend = FriendsComputer(tmp_path, archive)
    folder = friend.program.parent
    subprocess.run([folder / "install.sh"], env={"HOME": str(friend.home), "PATH": "/usr/bin:/bin"}, check=True)
    entry = (friend.home / ".local/share/applications/eschaton.desktop").read_text()
    assert f'Exec="{friend.program}"\n' in entry
    assert (folder / "eschaton.png").is_file()
