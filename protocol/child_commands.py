"""Command lines of child processes that run modules of this program: the one place that knows how this program starts.

An interpreter is told the module in a line of code. A program that was frozen into a bundle has no interpreter beside
it: it starts itself, and `run_as_child` takes it to the module.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

RUN_MODULE: Final = "--run-module"
"""First argument of a frozen program that is to be a child; then come the module's name and its arguments."""
_ROOT: Final = __file__.rsplit("protocol", 1)[0]
_MAIN: Final = "from importlib import import_module; sys.exit(import_module({module!r}).main())"


def is_frozen() -> bool:
    """Return True for a program in a bundle, whose executable is no Python interpreter."""
    return bool(getattr(sys, "frozen", False))


def child_command(module: str, *arguments: str) -> list[str]:
    """Return the command line of a child that runs `main` of a module, with this process's module search path."""
    return _command(module, arguments, [], f"sys.path[:] = {sys.path!r}")


def confined_command(module: str, *arguments: str) -> list[str]:
    """Return the command line of a child that is to read hostile data: no current folder on its path, no site of the
    user."""
    return _command(module, arguments, ["-P", "-s"], f"sys.path.insert(0, {_ROOT!r})")


def _command(module: str, arguments: Sequence[str], options: list[str], path: str) -> list[str]:
    if is_frozen():
        return [sys.executable, RUN_MODULE, module, *arguments]
    return [sys.executable, *options, "-c", f"import sys; {path}; {_MAIN.format(module=module)}", *arguments]


def run_as_child() -> None:
    """End the process with `main` of a module, where a frozen program was started by one of the commands above."""
    if sys.argv[1:2] == [RUN_MODULE] and len(sys.argv) > 2:
        module = sys.argv[2]
        del sys.argv[1:3]
        sys.exit(import_module(module).main())
