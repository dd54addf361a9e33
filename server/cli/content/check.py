"""`eschaton-server content check`: everything that is wrong with a user's own content, listed at once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.core.rules.errors import ContentRefused
from engine.core.rules.system import System
from protocol.limits import Limits
from server.content.content_folder import read_folder
from server.content.scenario_checks import unfit_factions
from server.content.systems import find_systems, load
from server.runtime.errors import CommandError


def run(folder: Path) -> int:
    """Print a line for every fault, or the new scenarios. Raises CommandError where there is nothing to check."""
    if not folder.is_dir():
        raise CommandError(f"There is no folder {folder}. Name the one that your content is in.", 1)
    try:
        systems = list(find_systems().values())
        added, notes = examine_folder(systems, folder)
    except ContentRefused as problem:
        print("\n".join(problem.problems))
        count = len(problem.problems)
        raise CommandError(f"{count} {'fault' if count == 1 else 'faults'} in {folder}.", 1) from problem
    texts, _ = read_folder(folder, {system.name for system in systems}, Limits())
    files = sum(map(len, texts.values()))
    print(f"{folder}: nothing is wrong with its {files} {'file' if files == 1 else 'files'}.")
    for note in notes:
        print(f"note: {note}")
    for name, scenarios in added.items():
        print(f"{name}: new scenarios: {', '.join(scenarios) or 'none'}")
    return 0


def examine_folder(systems: Iterable[System[Any]], folder: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Return the scenarios that a folder adds, by system that it has content for, and the factions that do not fit.

    Raises ContentRefused.
    """
    found = [system for system in systems if (folder / system.name).is_dir()]
    own, without = load(found, folder), load(found)
    added = {name: [id for id in i.scenarios if id not in without[name].scenarios] for name, i in own.items()}
    return added, [note for name, installed in own.items() for note in unfit_factions(installed, without[name])]
