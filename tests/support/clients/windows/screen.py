"""A display without a screen (Xvfb), and a keyboard and mouse at it, with the X server's own reading of pressed
keys."""

from __future__ import annotations

import asyncio
import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from tests.support.runs.patience import PATIENCE

SIZE = (1280, 800)
SHIFTED = frozenset("+:")
NAMES = {
    "+": "plus",
    "-": "minus",
    "=": "equal",
    "Enter": "Return",
    "Esc": "Escape",
    "Backspace": "BackSpace",
    "PageUp": "Prior",
    "PageDown": "Next",
    "Space": "space",
    ".": "period",
    ",": "comma",
    ":": "colon",
}
"""The names that X gives to keys, where they are not those on the keys themselves."""
HELD = {"Ctrl": "Control_L", "Shift": "Shift_L", "Alt": "Alt_L"}


class Screen:
    """Starts with `async with`. `options` are Xvfb's own. It ends with whoever has started it, by its process id."""

    def __init__(self, *options: str) -> None:
        self._options = options
        self._process: asyncio.subprocess.Process | None = None
        self.name = ""

    async def __aenter__(self) -> Screen:
        reading, writing = os.pipe()
        size = f"{SIZE[0]}x{SIZE[1]}x24"
        self._process = await asyncio.create_subprocess_exec(
            *("Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-noreset"),
            *self._options,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            pass_fds=(writing,),
        )
        os.close(writing)
        with os.fdopen(reading, "rb") as told:
            number = await asyncio.wait_for(asyncio.to_thread(told.readline), PATIENCE)
        self.name = f":{int(number)}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.end()

    async def end(self) -> None:
        """End it, as the end of a person's session does."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            await process.wait()


class Keyboard:
    """Keys and the mouse's place on a screen, by its extension for tests. Raises OSError where there is none."""

    def __init__(self, screen: Screen) -> None:
        self._x = ctypes.CDLL("libX11.so.6")
        self._test = ctypes.CDLL("libXtst.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XStringToKeysym.restype = ctypes.c_ulong
        self._x.XKeysymToKeycode.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
        self._x.XKeysymToKeycode.restype = ctypes.c_ubyte
        self._x.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self._x.XCloseDisplay.argtypes = [ctypes.c_void_p]
        self._test.XTestFakeKeyEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
        self._test.XTestFakeMotionEvent.argtypes = [ctypes.c_void_p, *[ctypes.c_int] * 3, ctypes.c_ulong]
        self._test.XTestFakeButtonEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
        self._display = self._x.XOpenDisplay(screen.name.encode())
        if not self._display:
            raise OSError(f"there is no display {screen.name}")

    def press(self, keys: str) -> None:
        """Press and release a key as it is written on it, with those that are held: "Ctrl+Z", "Shift+Tab", "+"."""
        held, _, key = keys.rpartition("+")
        held, key = ("Ctrl", "+") if keys == "Ctrl++" else (held, key or "+")
        codes = [self._code(HELD[name]) for name in held.split("+") if name]
        codes += [self._code("Shift_L")] if key in SHIFTED else []
        codes.append(self._code(NAMES.get(key, key)))
        for down, code in [(1, code) for code in codes] + [(0, code) for code in reversed(codes)]:
            self._test.XTestFakeKeyEvent(self._display, code, down, 0)
        self._x.XSync(self._display, 0)

    def type(self, words: str) -> None:
        """Press the keys of lower-case letters and spaces, one after another."""
        for letter in words:
            self.press("Space" if letter == " " else letter)

    def point(self, x: float, y: float) -> None:
        """Move the mouse to a place, whose origin is the upper left; without a window manager the window under it has
        the keys."""
        self._test.XTestFakeMotionEvent(self._display, -1, round(x), round(y), 0)
        self._x.XSync(self._display, 0)

    def click(self, x: float, y: float, button: int = 1) -> None:
        """Press and release a button of the mouse there: 1 the left, 3 the right, 4 and 5 the wheel."""
        self.point(x, y)
        for down in (1, 0):
            self._test.XTestFakeButtonEvent(self._display, button, down, 0)
        self._x.XSync(self._display, 0)

    @contextmanager
    def held(self, key: str) -> Iterator[None]:
        """Hold a key ("Ctrl", "Shift") while something else is done."""
        code = self._code(HELD[key])
        self._test.XTestFakeKeyEvent(self._display, code, 1, 0)
        try:
            yield
        finally:
            self._test.XTestFakeKeyEvent(self._display, code, 0, 0)
            self._x.XSync(self._display, 0)

    def drag(self, start: tuple[float, float], end: tuple[float, float], button: int) -> None:
        """Press a button at one place and let it go at another."""
        self.point(*start)
        self._test.XTestFakeButtonEvent(self._display, button, 1, 0)
        self.point(*end)
        self._test.XTestFakeButtonEvent(self._display, button, 0, 0)
        self._x.XSync(self._display, 0)

    def close(self) -> None:
        self._x.XCloseDisplay(self._display)

    def _code(self, name: str) -> int:
        code = int(self._x.XKeysymToKeycode(self._display, self._x.XStringToKeysym(name.encode())))
        assert code, f"this keyboard has no key {name}"
        return code
