"""`eschaton-server content new`: a file of one's own, begun as a copy of one that is shipped."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.core.rules.system import System
from protocol import near_names
from server.cli.new_file import making
from server.content.systems import find_systems, own_faults, texts_of
from server.runtime.errors import CommandError

ID: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
LONGEST: Final = 80
"""Characters of the longest words that may stand wherever a key of the catalogue may."""
_RULES: Final = re.compile(r"^rules? = .*\n", re.MULTILINE)
_HEAD: Final = re.compile(r"^\[", re.MULTILINE)
_WORDS: Final = re.compile(r'"((?:[^"\\\n]|\\.)+)"')


class Model(NamedTuple):
    """Something shipped that can be copied: a table of a file, with an id."""

    system: System[Any]
    table: str
    id: str
    text: str


def run(id: str, like: str, folder: Path) -> int:
    """Write FOLDER/SYSTEM/ID.toml like a shipped table; without `like` print what there is. Raises CommandError."""
    models = shipped_models()
    if not like:
        print(_list(models))
        return 0
    if ID.fullmatch(id) is None:
        raise CommandError(f"{id!r} is no id: write small letters, digits and underscores, a letter first.")
    if like not in models:
        near = near_names.nearest(like, models)
        raise CommandError(f"Nothing shipped is called {like!r}. {f'Did you mean {near}?' if near else _list(models)}")
    model = models[like]
    text = begun(model, id)
    path = folder / model.system.name / f"{id}.toml"
    with making(path, "Choose another id."):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    print(f"{path}: written, a {model.table} like {like}.")
    name = path.relative_to(folder).as_posix()
    for fault in own_faults(model.system, texts_of(model.system), {name: text}):
        print(f"to do: {fault}")
    print(f"Change it, and see what is wrong with it: eschaton-server content check {folder}")
    return 0


def begun(model: Model, id: str) -> str:
    """Return the file of something new: the shipped one under another id and name, its words in place of their keys."""
    entries = model.system.catalogue("en")
    text = _WORDS.sub(lambda found: _said(found, entries), _RULES.sub("", model.text))
    start = text.index(f"[{model.table}]")
    inside = _HEAD.search(text, start + 1)
    end = inside.start() if inside is not None else len(text)
    head = re.sub(r"^id = .*$", f'id = "{id}"', text[start:end], count=1, flags=re.MULTILINE)
    name = id.replace("_", " ").capitalize()
    head = re.sub(r"^name = .*$", f'name = "{name}"', head, count=1, flags=re.MULTILINE)
    return text[:start] + head + text[end:]


def _said(found: re.Match[str], entries: Mapping[str, str]) -> str:
    """Return a string of the file: the words themselves in place of the key of the catalogue."""
    words = entries.get(found[1], "")
    is_plain = words and len(words) <= LONGEST and words.isprintable() and "{" not in words
    return json.dumps(words, ensure_ascii=False) if is_plain and "." in found[1] else found[0]


def shipped_models() -> dict[str, Model]:
    """Return everything shipped by its id; by TABLE.ID where two tables have the same one."""
    found = list(_models())
    counts = Counter(model.id for model in found)
    return {model.id if counts[model.id] == 1 else f"{model.table}.{model.id}": model for model in found}


def _models() -> Iterator[Model]:
    for system in find_systems().values():
        for text in texts_of(system).values():
            for table, own in tomllib.loads(text).items():
                if isinstance(own, dict) and isinstance(own.get("id"), str):
                    yield Model(system, table, own["id"], text)


def _list(models: Mapping[str, Model]) -> str:
    """Write what there is, a line for each kind of table of each system."""
    kinds: dict[str, list[str]] = {}
    for name, model in models.items():
        kinds.setdefault(f"{model.system.name}, {model.table}", []).append(name)
    return "\n".join(["Say --like one of these:", *(f"  {kind}: {', '.join(ids)}" for kind, ids in kinds.items())])
