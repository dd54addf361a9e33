"""What no file of the repository may hold."""

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.waits

ROOT = Path(__file__).resolve().parents[1]
CODE = {".py", ".glsl", ".sql", ".sh", ".mk", ".toml", ""}

# Written in pieces, so that this file does not find itself.
MACHINE_PATH = re.compile(rb"(?:^|[^a-zA-Z0-9_.])/(?:" + rb"|".join([b"work", b"root", b"home", b"opt"]) + rb")/", re.M)
REGISTRY = re.compile(
    rb"(?:py" + rb"pi|pythonho" + rb"sted|npm" + rb"js|deb" + rb"ian)\.(?:org|com|io|net)|ind" + rb"ex-url[ =]+\S"
)
LEFT_UNDONE = re.compile(rb"\b(?:TO" + rb"DO|FIX" + rb"ME|X" + rb"XX|HA" + rb"CK)\b")


def tracked() -> list[Path]:
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def code() -> list[Path]:
    return [path for path in tracked() if path.suffix in CODE]


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY], ids=["machine path", "registry address"])
def test_no_file_names_a_machine_or_a_registry(pattern: re.Pattern[bytes]) -> None:
    found = {str(path.relative_to(ROOT)): pattern.findall(path.read_bytes())[:3] for path in tracked()}
    assert {name: hits for name, hits in found.items() if hits} == {}


def test_nothing_is_left_undone_in_code() -> None:
    assert [str(path.relative_to(ROOT)) for path in code() if LEFT_UNDONE.search(path.read_bytes())] == []


@pytest.mark.parametrize(
    ("room", "tested_in"),
    [("engine/core", ["tests/engine/core"]), ("engine/space", ["tests/space", "tests/engine/space"])],
    ids=["core", "space"],
)
def test_each_module_of_the_engines_base_has_a_test_module_of_its_name(room: str, tested_in: list[str]) -> None:
    """Wherever it lies in a package of the room; rule systems have their tests by rule, in tests/rules."""
    tests = {path.name for folder in tested_in for path in (ROOT / folder).rglob("test_*.py")}
    modules = {path.stem for path in (ROOT / room).rglob("*.py")} - {"__init__"}
    assert modules
    assert sorted(module for module in modules if f"test_{module}.py" not in tests) == []
