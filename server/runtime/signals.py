"""Signals to a process: SIGINT and SIGTERM end it; SIGHUP tells that its terminal has been closed, or asks it to read
its files anew."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
from collections.abc import Callable
from contextlib import suppress
from typing import Final

TERMINAL: Final = "/dev/tty"


def on_stop(stop: Callable[[], object]) -> None:
    """Let SIGINT and SIGTERM call `stop` from the running loop."""
    with suppress(NotImplementedError):  # Windows has no signal handlers on its loop
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop)


def on_hangup(gone: Callable[[], None], asked: Callable[[], None]) -> None:
    """Let SIGHUP call `gone` where the terminal that this process was started from has been closed, else `asked`.

    Where the process was started so that SIGHUP does nothing (nohup), that stays so; systems without SIGHUP have none.
    """
    if os.name != "posix" or signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return
    had_one = _has_terminal()

    def hung_up() -> None:
        if had_one and not _has_terminal():
            _let_go()
            gone()
        else:
            asked()

    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, hung_up)


def _has_terminal() -> bool:
    try:
        os.close(os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _let_go() -> None:
    """Redirect all output to the null device, since writing to a terminal that is gone fails."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        with suppress(OSError):
            if stat.S_ISCHR(os.fstat(number).st_mode):
                os.dup2(nowhere, number)
    os.close(nowhere)
