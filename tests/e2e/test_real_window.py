"""Every key that the documentation names, pressed in a real window on an X server: it does what it should."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from client.input.key_table import ACTIONS, KeyTable, words_of_chord
from client.text.phrases import named, phrase
from tests.support.clients.programs import ROOT, Program
from tests.support.clients.windows.screen import SIZE, Keyboard, Screen
from tests.support.runs.patience import PATIENCE

Seen = dict[str, Any]
Check = Callable[[Seen, Seen], object]
"""Condition after a key, on what was seen before and is seen now."""
BOARD = (530.0, 400.0)
"""Place on the board, in pixels from the lower left."""


def said(*words: str) -> Check:
    """Check that exactly this was sent and, where it was an act, answered: all can be chosen again."""
    return lambda before, now: now["said"][len(before["said"]) :] == list(words) and not now["busy"]


def sent(word: str) -> Check:
    """Check that this was sent, and answered."""
    return lambda before, now: word in now["said"][len(before["said"]) :] and not now["busy"]


def sees(label: str) -> Check:
    return lambda before, now: label in now["labels"] and label not in before["labels"]


def other(what: str) -> Check:
    return lambda before, now: now[what] != before[what]


def more(what: str) -> Check:
    return lambda before, now: now[what] > before[what]


def less(what: str) -> Check:
    return lambda before, now: now[what] < before[what]


def is_now(what: str, value: object) -> Check:
    return lambda before, now: now[what] == value


def anything(before: Seen, now: Seen) -> bool:
    """Hold always: only the window must be there."""
    return True


BACK = ("Esc", is_now("stage", "choosing"))
CLOSED = ("Esc", sees("Move a group"))
NO_FIELD = ("Esc", is_now("focus", ""))
FILLS = is_now("stage", "filling")

GROUP = "group/11"
SAY = "Say something (Ctrl+T)"

TYPED = ("A", other("written"))
FIELD = [("Ctrl+T", is_now("focus", SAY))]

ARROWS = ("Left", "Right", "Up", "Down")

PRESSED: dict[str, list[tuple[str, Check]]] = {
    "help": [("F1", is_now("help", True)), ("F1", is_now("help", False))],
    "settings": [("Ctrl+K", sees("Back to the defaults")), CLOSED],
    "preferences": [("Ctrl+,", sees("Confirm acts")), CLOSED],
    "mute": [("Ctrl+S", is_now("sound", False)), ("Ctrl+S", is_now("sound", True))],
    "full": [("F11", is_now("size", [*SIZE, True])), ("F11", is_now("size", [*SIZE, False])), *FIELD, TYPED, NO_FIELD],
    "numbers": [
        *(step for number in (1, 2, 3) for step in ((str(number), FILLS), BACK)),
        ("4", said("Intent end")),
        *((str(number), anything) for number in range(5, 10)),
    ],
    "next": [("Tab", other("cursor")), ("Shift+Tab", other("cursor"))],
    "take": [("3", FILLS), ("Enter", said("Intent offer"))],
    "back": [("3", FILLS), BACK],
    "turn": [("H", sees("Winning")), ("PageDown", anything), ("PageUp", anything), CLOSED],
    "size": [
        ("Ctrl++", more("scale")),
        ("Ctrl+=", more("scale")),
        ("Ctrl+KP_Add", more("scale")),
        ("Ctrl+-", less("scale")),
        ("Ctrl+-", less("scale")),
        ("Ctrl+KP_Subtract", less("scale")),
    ],
    "click": [("click Move a group", FILLS), ("click Iron Shells 1", is_now("stage", "asking")), ("Esc", FILLS), BACK],
    "drag_group": [("drag group", sent("Intent move"))],
    "bend": [("Shift+click", more("corners")), ("Esc", less("corners"))],
    "hold": [("Ctrl+click", sees("Accept")), ("Enter", sent("Intent move"))],
    "take_back": [("right click", is_now("aside", ""))],
    "go_on": [("Space", said())],
    "past": [("Backspace", other("labels")), ("Backspace", other("labels"))],
    "undo": [("Ctrl+Z", said("Intent core:undo"))],
    "buttons": [("Ctrl+Tab", other("marked")), ("Ctrl+Shift+Tab", other("marked")), ("Esc", is_now("marked", ""))],
    "cursor": [(way, other("cursor")) for way in ARROWS],
    "far": [(f"Ctrl+{way}", other("cursor")) for way in ARROWS],
    "things": [(".", other("cursor")), (",", other("cursor"))],
    "all_here": [("Right", other("cursor")), ("Alt+Enter", anything)],
    "keep": [("Right", other("cursor")), ("Ctrl+Enter", anything)],
    "corner": [("Right", other("cursor")), ("Shift+Enter", anything), ("Esc", anything)],
    "point_out": [("Right", other("cursor")), ("Ctrl+M", said("PointAt"))],
    "alt_click": [("Alt+click", anything)],
    "nudge": [("3", FILLS), *((f"Shift+{way}", anything) for way in ARROWS), BACK],
    "nudge_fine": [("3", FILLS), *((f"Ctrl+Shift+{way}", anything) for way in ARROWS), BACK],
    "zoom": [
        ("3", FILLS),
        ("+", is_now("offer", 3)),
        ("Esc", is_now("offer", 2)),
        ("-", is_now("offer", 1)),
        ("Esc", is_now("offer", 2)),
        BACK,
        ("+", more("zoom")),
        ("-", less("zoom")),
    ],
    "wheel": [("wheel up", more("zoom")), ("wheel down", less("zoom"))],
    "pan": [("+", more("zoom")), *((f"Alt+{way}", other("centre")) for way in ARROWS)],
    "drag": [("right drag", other("centre"))],
    "fold": [("Ctrl+B", other("labels")), ("Ctrl+B", other("labels"))],
    "whole": [("+", more("zoom")), ("Home", is_now("zoom", 1.0))],
    "ruler": [("R", is_now("tool", "ruler")), ("R", is_now("tool", ""))],
    "sight": [("L", is_now("tool", "sight")), ("Esc", is_now("tool", ""))],
    "talk": [*FIELD, TYPED, NO_FIELD],
    "hearer": [("Ctrl+Shift+T", sees(f"to {name}")) for name in ("Ada", "Chris", "All")],
    "offers": [("F12", sees("Shown to all")), CLOSED],
    "vote": [("F3", said("CastVote True")), ("F4", said("CastVote False"))],
    "pause": [("F5", said("CallVote pause")), ("F6", said("CallVote adjourn"))],
    "end": [("F7", sees("Ask the others")), CLOSED, ("F8", sees("A bot plays on")), CLOSED],
    "again": [("F9", said("OpenTable"))],
    "rules": [("H", sees("picture of cards")), CLOSED],
    "question_mark": [("click Rules: Move a group", sees("Back")), CLOSED],
    "fair": [("F2", sees("Save the proof")), CLOSED],
    "menu": [("F10", sees("Give up my seat")), CLOSED],
    "sections": [("H", sees("Winning")), ("Right", anything), ("Left", anything), CLOSED],
    "lines": [("H", sees("Winning")), ("Down", anything), ("Up", anything), CLOSED],
    "answer": [("F12", sees("Shown to all")), ("Ctrl+Y", anything), ("Ctrl+N", anything), CLOSED],
    "yes": [
        ("F7", sees("Ask the others")),
        ("N", sees("Move a group")),
        ("F7", sees("Ask the others")),
        ("Y", said("CallVote end")),
    ],
    "clipboard": [*FIELD, TYPED, ("Ctrl+V", anything), NO_FIELD],
}
"""Steps at a table in which each of an action's keys is pressed."""
IN_REPLAY: dict[str, list[tuple[str, Check]]] = {
    "steps": [("Right", is_now("step", 1)), ("Left", is_now("step", 0))],
    "ends": [("Ctrl+Right", more("step")), ("Ctrl+Left", is_now("step", 0))],
    "play": [("Space", is_now("playing", True)), ("Space", is_now("playing", False))],
    "speeds": [("Up", is_now("speed", 2.0)), ("Down", is_now("speed", 1.0))],
    "eyes": [("E", is_now("eyes", "all"))],
    "clip": [("X", sees("GIF clip")), ("Esc", lambda before, now: "GIF clip" not in now["labels"])],
}
"""Steps in a replay, likewise."""
ELSEWHERE = frozenset(("rows", "change", "notice", "map", "factions"))
"""Actions of the army list, of notices and before the start, whose keys are pressed in their own tests."""


def seen_on(screen: str) -> dict[str, str]:
    """Return the settings of a program whose window is on this screen."""
    return {"DISPLAY": screen, "WAYLAND_DISPLAY": "", "ARCADE_HEADLESS": "", "LIBGL_ALWAYS_SOFTWARE": "1"}


class RealWindow(Program):
    """A program's window on a screen, with its reports about itself and a person's keyboard and mouse."""

    def __init__(self, folder: Path, screen: Screen, *options: str) -> None:
        super().__init__(
            folder,
            "window",
            "tests.support.clients.windows.real_window",
            str(folder),
            *options,
            settings=seen_on(screen.name),
        )
        self.keys = Keyboard(screen)
        self.now: Seen = {}

    async def until(self, check: Check, before: Seen, what: str) -> None:
        """Read the window's reports until `check` holds. Raises AssertionError where it ends first, or that never
        comes."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not self.now or not check(before, self.now):
                    self.now = await self.said()
        except TimeoutError:
            seen = json.dumps({**self.now, "labels": sorted(self.now.get("labels", ()))})
            raise AssertionError(f"{what}: {seen}") from None

    async def do(self, deed: str, check: Check) -> None:
        """Do one key, click, drag or turn of the wheel, and wait for its effect."""
        before, (x, y) = self.now, (BOARD[0], SIZE[1] - BOARD[1])
        if deed.startswith("click "):
            across, up = before["labels"][deed.removeprefix("click ")]
            self.keys.click(across, SIZE[1] - up)
        elif deed == "resize":
            assert self.pid is not None
            os.kill(self.pid, signal.SIGUSR1)
        elif deed == "drag group":
            across, up = before["places"][GROUP]
            self.keys.drag((across, SIZE[1] - up), (across + 40, SIZE[1] - up - 60), button=1)
        elif deed in ("Shift+click", "Ctrl+click"):
            with self.keys.held(deed.partition("+")[0]):
                self.keys.click(x, y)
        elif deed == "right click":
            self.keys.click(x, y, button=3)
        elif deed == "right drag":
            self.keys.drag((x, y), (x + 60, y + 20), button=3)
        elif deed.startswith("wheel"):
            self.keys.click(x, y, button=4 if deed == "wheel up" else 5)
        else:
            self.keys.press(deed)
        await self.until(check, before, deed)


def test_the_manual_names_every_key_as_the_table_of_keys_has_it() -> None:
    table = (
        (ROOT / "docs/playing.md")
        .read_text()
        .split("| where | key | what it does |\n| --- | --- | --- |\n")[1]
        .split("\n\n")[0]
    )
    keys = KeyTable()
    assert table.splitlines() == [
        f"| {named('key_place', action.on[0])} | {keys.shown(action.id)} | {phrase(f'help.{action.id}')} |"
        for action in ACTIONS.values()
    ]


def test_every_key_of_the_table_of_keys_is_pressed_here() -> None:
    assert set(PRESSED) | set(IN_REPLAY) | ELSEWHERE == set(ACTIONS)
    pressed = PRESSED | IN_REPLAY
    keys = {id: action.keys for id, action in ACTIONS.items() if not action.fixed and id not in ELSEWHERE}
    unpressed = {id: {*map(words_of_chord, wanted)} - {deed for deed, _ in pressed[id]} for id, wanted in keys.items()}
    assert {id: missing for id, missing in unpressed.items() if missing} == {}


@asynccontextmanager
async def on_screen(folder: Path, *options: str) -> AsyncIterator[RealWindow]:
    """Open the window on a screen of its own, with the mouse over the board."""
    async with Screen() as screen:
        window = RealWindow(folder, screen, *options)
        await window.start()
        try:
            window.keys.point(BOARD[0], SIZE[1] - BOARD[1])
            await window.until(anything, {}, "the window opens")
            yield window
        finally:
            await window.end()
            window.keys.close()


async def test_every_documented_key_is_pressed_in_a_real_window(tmp_path: Path) -> None:
    async with on_screen(tmp_path) as window:
        for key, steps in PRESSED.items():
            for deed, check in steps:
                await window.do(deed, check)
            assert window.is_running, (key, window.end_told)


async def test_every_key_of_the_replay_is_pressed_in_a_real_window(tmp_path: Path) -> None:
    async with on_screen(tmp_path, "--replay") as window:
        for steps in IN_REPLAY.values():
            for deed, check in steps:
                await window.do(deed, check)


async def test_a_fault_in_the_toolkits_own_loop_does_not_end_the_window(tmp_path: Path) -> None:
    async with on_screen(tmp_path, "--stumbles") as window:
        await window.until(lambda before, now: "Begin anew" in now["labels"], {}, "the fault is told")
        await window.do("Esc", sees("Menu"))
        await window.do("R", is_now("tool", "ruler"))
    (report,) = (tmp_path / "reports").iterdir()
    assert "the toolkit has stumbled" in report.read_text()


async def test_the_systems_list_of_windows_shows_one_that_calls_and_its_table_is_painted_beside_it(
    tmp_path: Path,
) -> None:
    async with on_screen(tmp_path, "--calls") as window:
        await window.until(is_now("ground", "painted"), {}, "the table is painted")
        assert "_NET_WM_STATE_DEMANDS_ATTENTION" in window.now["states"]


async def test_the_window_fits_its_screen_and_opens_next_time_as_it_was_left(tmp_path: Path) -> None:
    async with on_screen(tmp_path, "--remembers") as window:
        assert window.now["size"] == [1152, 688, False]
        await window.do("resize", is_now("size", [1100, 660, False]))
        await window.until(is_now("place", [90, 70]), {}, "the window is moved")
        await window.do("F11", is_now("size", [*SIZE, True]))
    async with on_screen(tmp_path, "--remembers") as window:
        await window.until(is_now("size", [*SIZE, True]), {}, "the window fills the screen")
        await window.do("F11", is_now("size", [1100, 660, False]))
        await window.until(is_now("place", [90, 70]), {}, "the window is where it was")


async def told(folder: Path, screen: str, *words: str) -> tuple[int, str]:
    """Run the program on a screen; return its exit code and its output."""
    program = Program(folder, "play", "client.app.main", *words, settings=seen_on(screen))
    await program.start()
    try:
        status = await program.wait(PATIENCE)
    finally:
        await program.end()
    return status, program.log.read_text()


async def test_a_screen_that_no_window_can_be_opened_on_is_said_in_a_sentence(tmp_path: Path) -> None:
    assert await told(tmp_path, ":1999", "play", "127.0.0.1:9") == (
        1,
        "No window can be opened here: the display :1999 does not answer.\n",
    )
    (tmp_path / "play.log").unlink()
    async with Screen("-extension", "GLX") as screen:
        status, words = await told(tmp_path, screen.name, "play", "127.0.0.1:9")
    assert status == 1
    assert words.endswith("No window can be opened here: this display has no OpenGL 3.3.\n")
    assert "Traceback" not in words


async def test_a_screen_that_goes_ends_the_program_with_a_sentence(tmp_path: Path) -> None:
    called, lines = asyncio.Event(), list[asyncio.StreamWriter]()

    def hear(_: asyncio.StreamReader, line: asyncio.StreamWriter) -> None:
        lines.append(line)
        called.set()

    async with Screen() as screen, await asyncio.start_server(hear, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        program = Program(
            tmp_path, "play", "client.app.main", "play", f"127.0.0.1:{port}", settings=seen_on(screen.name)
        )
        await program.start()
        try:
            await asyncio.wait_for(called.wait(), PATIENCE)  # the window is there, and begins to connect
            await screen.end()
            assert await program.wait(PATIENCE) == 1
        finally:
            await program.end()
            for line in lines:
                line.close()
    words = program.log.read_text()
    assert "The display has gone" in words
    assert "Traceback" not in words
