"""Names of the window: it overrides nothing of the toolkit's by accident, on any platform."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import arcade
import pyglet
import pytest

from client.app.frame_window import FrameWindow
from client.app.window import App
from tests.support.clients.windows.readable_app import ReadableApp

HANDLERS = {
    "dispatch_event",
    "dispatch_pending_events",
    "draw",
    "on_activate",
    "on_deactivate",
    "on_draw",
    "on_expose",
    "on_hide",
    "on_key_press",
    "on_key_release",
    "on_move",
    "on_mouse_drag",
    "on_mouse_leave",
    "on_mouse_motion",
    "on_mouse_press",
    "on_mouse_release",
    "on_mouse_scroll",
    "on_resize",
    "on_scale",
    "on_show",
    "on_text",
    "on_text_motion",
    "on_text_motion_select",
    "on_update",
    "__init__",
}
"""Names of the toolkit that the window overrides on purpose."""


def names_in(source: str) -> set[str]:
    """Return the names that the classes of a source define, and those that they set in their instances."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            members = [entry for entry in node.body if isinstance(entry, ast.FunctionDef)]
            targets = [target for entry in node.body for target in _targets(entry) if isinstance(target, ast.Name)]
            found |= {member.name for member in members} | {target.id for target in targets}
        found |= {
            target.attr
            for target in _targets(node)
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
        }
    return found


def _targets(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Assign():
            return [one for target in node.targets for one in getattr(target, "elts", [target])]
        case ast.AnnAssign():
            return [node.target]
        case _:
            return []


def toolkits() -> set[str]:
    """Return every name of the toolkit's windows, on all platforms."""
    window = Path(pyglet.__file__).parent / "window"
    platforms = [path.read_text() for path in sorted(window.rglob("*.py"))]
    assert len(platforms) > 5
    bases = {Path(inspect.getfile(base)) for base in arcade.Window.__mro__ if base is not object}
    return set().union(*map(names_in, platforms), *(names_in(path.read_text()) for path in sorted(bases)))


@pytest.mark.slow
def test_the_windows_own_names_are_not_the_toolkits() -> None:
    own = set().union(*(names_in(inspect.getsource(window)) for window in (FrameWindow, App, ReadableApp)))
    assert {"ui", "dirty", "show"} <= own
    assert {"_scale", "on_scale", "_x_display"} <= toolkits()
    assert own & toolkits() == HANDLERS
