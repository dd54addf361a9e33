"""The marker of tests that wait, `pytest.mark.waits`. Coroutines and long tests have it by default; another test that
starts a process, a thread or an event loop, or sleeps, fails without it. Modules have it as a whole, as the things that
one of their tests has started are often kept for the others."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from functools import wraps
from multiprocessing.process import BaseProcess
from typing import Any, Final

import pytest

TIMES: Final = 20
STARTING: Final = (
    (threading.Thread, "start"),
    (subprocess.Popen, "__init__"),
    (BaseProcess, "start"),
    (asyncio, "run"),
    (time, "sleep"),
)
"""Calls of this process after which something else decides when it goes on."""

due: dict[str, int] = {}
"""The marked tests that were found, long ones apart, and how often each is to pass in a row."""
_started: list[str] = []


def mark(items: Iterable[pytest.Item]) -> None:
    """Mark all coroutines and all long tests among the tests; the long ones are not repeated."""
    for item in items:
        if inspect.iscoroutinefunction(getattr(item, "obj", None)) or item.get_closest_marker("long"):
            item.add_marker("waits")
        if item.get_closest_marker("waits") and item.get_closest_marker("long") is None:
            due[item.nodeid] = max(mark.kwargs.get("times", TIMES) for mark in item.iter_markers("waits"))


def watch() -> None:
    """Note all calls of STARTING from now on."""
    for owner, name in STARTING:
        setattr(owner, name, _noted(getattr(owner, name), f"{owner.__name__}.{name}"))


def _noted(call: Callable[..., Any], name: str) -> Callable[..., Any]:
    @wraps(call)
    def noting(*arguments: Any, **named: Any) -> Any:
        # a thread of an earlier test may still be at work
        if threading.current_thread() is threading.main_thread():
            _started.append(name)
        return call(*arguments, **named)

    return noting


def forget() -> None:
    """Begin another test."""
    _started.clear()


def check(item: pytest.Item) -> None:
    """Fail where the test has called one of STARTING and has no marker."""
    if _started and item.get_closest_marker("waits") is None:
        names = ", ".join(sorted(set(_started)))
        pytest.fail(
            f"calls {names}, so that it waits: mark its module by pytestmark = pytest.mark.waits", pytrace=False
        )
