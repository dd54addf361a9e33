"""`eschaton-server new-system`: a folder with a rule system that plays at once, to be changed into another game.

It is a copy of `server/cli/skeleton` under another name.
"""

from __future__ import annotations

import keyword
import re
import shutil
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from server.content.systems import installed_names
from server.runtime.errors import CommandError

TEMPLATE: Final = "skeleton"
HOME: Final = f"server.cli.{TEMPLATE}.{TEMPLATE}"
"""The template's package, as its tests import it."""
RENAMED: Final = {"project.toml": "pyproject.toml"}
TESTS: Final = "tests"
"""The folder beside the package."""
OURS: Final = "__init__.py"
"""The file that makes the template a package of this program."""
NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,29}")
NEXT: Final = """Wrote {folder}: a rule system that plays. Try it:

  cd {name}
  python -m pip install --editable ".[test]"
  python -m pytest
  eschaton-server simulate --system {name} --bots level1,random --matches 3
  eschaton-server serve

What its files are for, and how to change them into your game: docs/ruleset.md."""


def run(name: str) -> int:
    """Write the folder NAME here, and print what to do next. Raises CommandError; then nothing has been written."""
    folder = Path(name)
    check_name(name)
    files = dict(written(name))
    if f"{name}/__init__.py" not in files:
        raise CommandError("This installation has no source files to copy. Install Eschaton with pip.", 1)
    try:
        for path, text in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
    except OSError as problem:
        shutil.rmtree(folder, ignore_errors=True)
        raise CommandError(f"{folder} cannot be written: {problem}", 1) from problem
    print(NEXT.format(folder=folder, name=name))
    return 0


def check_name(name: str) -> None:
    """Refuse a name that no package can have, or that is taken here. Raises CommandError."""
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise CommandError(
            f"{name!r} cannot name a package. Use small letters, digits and underscores, a letter first."
        )
    if name in installed_names():
        raise CommandError(f"There is a rule system {name!r} already. Choose another name.")
    if Path(name).exists():
        raise CommandError(f"There is a folder {name!r} here already. Choose another name, or work in another folder.")
    if name == TESTS or find_spec(name) is not None:
        raise CommandError(f"There is a Python package {name!r} already. Choose another name.")


def written(name: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of every file of a new system."""
    for path, text in _texts_in(resources.files(f"server.cli.{TEMPLATE}"), ""):
        yield RENAMED.get(path, path.replace(TEMPLATE, name)), renamed(text, name)


def renamed(text: str, name: str) -> str:
    """Return a file of the template for a system of this name: its package, its title, its class."""
    words = {
        HOME: name,
        f'"{TEMPLATE.capitalize()}"': f'"{name.replace("_", " ").strip().capitalize()}"',
        TEMPLATE.capitalize(): "".join(map(str.capitalize, name.split("_"))),
        TEMPLATE: name,
    }
    return re.sub("|".join(map(re.escape, words)), lambda found: words[found.group()], text)


def _texts_in(folder: Traversable, above: str) -> Iterator[tuple[str, str]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _texts_in(item, f"{above}{item.name}/")
        elif item.name.endswith((".py", ".toml")) and f"{above}{item.name}" != OURS:
            yield f"{above}{item.name}", item.read_text("utf-8")
