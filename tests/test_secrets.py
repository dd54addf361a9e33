"""Secrets come from the system's generator, and the ordinary one is for looks and pauses only."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ORDINARY = {
    "client/draw/die.py": "how dice tumble before they lie",
    "client/draw/board/terrain/canvas.py": "how terrain looks",
    "client/draw/board/terrain/ground.py": "how the ground looks",
    "client/draw/board/terrain/textures.py": "how surfaces look",
    "client/net/connection.py": "how long to wait before the next attempt",
}


def imports_of(path: Path) -> set[str]:
    """The modules that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module)
    return found


@pytest.mark.parametrize("room", ["server", "protocol", "engine", "client"])
def test_the_ordinary_generator_is_used_for_looks_and_bots_only(room: str) -> None:
    named = [path for path in (ROOT / room).rglob("*.py") if "random" in path.read_text("utf-8")]
    users = {str(path.relative_to(ROOT)) for path in named if "random" in imports_of(path)}
    assert {user for user in users if "bot" not in user} <= ORDINARY.keys()


def test_nothing_is_read_by_pickle_or_run_from_text() -> None:
    forbidden = {"pickle", "shelve", "marshal", "zipfile", "tarfile", "xml", "yaml"}
    for room in ("server", "protocol", "engine", "client"):
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text("utf-8")
            if any(word in text for word in forbidden):
                assert not imports_of(path) & forbidden, path
            if "eval" in text or "exec" in text:
                calls = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
                names = {call.id for call in calls if isinstance(call, ast.Name)}
                assert not names & {"eval", "exec"}, path
