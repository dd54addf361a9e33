"""The glossary: few terms, one line each, and no class name with two meanings but for those that it lists."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from tests.support.clients.programs import ROOT
from tests.support.runs.pages import page

GLOSSARY: Final = page("glossary.md")
ROOMS: Final = ("engine", "server", "client", "protocol")
SYSTEMS: Final = Path("engine/rulesets")
TEMPLATE: Final = Path("server/cli/skeleton/skeleton")
"""The rule system that others begin as."""
MOST_TERMS: Final = 40
SENSES: Final = {"bot": "wire bot", "host": "match host", "round": "game round", "table": "on the table"}
"""Terms with a second sense, and the words for that one."""
TERMS, _, TWICE = GLOSSARY.partition("## Names that stand twice")


def rows(part: str) -> list[tuple[str, ...]]:
    """Return the cells of all rows of the part's table, without its head."""
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[2:]]


@cache
def homes() -> Mapping[str, list[Path]]:
    """Return the files of each class name."""
    found: defaultdict[str, list[Path]] = defaultdict(list)
    for file in (file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(file.relative_to(ROOT))
    return found


def stands_twice(files: list[Path]) -> bool:
    """Tell if these homes of one name are more than one in each rule system."""
    systems = {file.relative_to(SYSTEMS).parts[0] for file in files if file.is_relative_to(SYSTEMS)}
    systems |= {TEMPLATE.name for file in files if file.is_relative_to(TEMPLATE)}
    return len(files) > 1 and len(systems) < len(files)


def listed() -> Mapping[str, str]:
    """Return the names that the page lets stand twice, each with its reason."""
    return {name: reason for names, reason in rows(TWICE)[1:] for name in re.findall(r"`(\w+)`", names)}


def test_there_are_few_terms_each_with_one_line() -> None:
    found = rows(TERMS)
    assert 0 < len(found) <= MOST_TERMS
    assert all(len(row) == 2 and all(row) for row in found)
    names = [name for name, _ in found]
    assert names == sorted(set(names)), "terms stand in order, each once"


def test_a_term_with_two_senses_has_both_in_its_row() -> None:
    both = {term for term, line in rows(TERMS) if f"*{SENSES.get(term)}*" in line}
    assert both == set(SENSES)


def test_who_looks_on_is_a_spectator_in_every_row() -> None:
    assert [term for term, line in rows(TERMS) if "watcher" in line] == []


def test_no_class_name_has_two_homes_without_a_reason() -> None:
    twice = {name: files for name, files in homes().items() if stands_twice(files)}
    unlisted = {name: [str(file) for file in files] for name, files in twice.items() if name not in listed()}
    assert not unlisted, "rename one of each, or list the name with its reason in docs/glossary.md"


def test_each_listed_name_stands_twice_and_has_a_reason() -> None:
    found = homes()
    assert listed()
    assert [name for name in listed() if not stands_twice(found.get(name, []))] == []
    assert all(listed().values())


def test_one_in_each_system_is_no_clash_and_more_is() -> None:
    one, other = SYSTEMS / "one_page/a.py", SYSTEMS / "action_cards/b.py"
    assert not stands_twice([one])
    assert not stands_twice([one, other])
    assert not stands_twice([one, TEMPLATE / "a.py"])
    assert stands_twice([TEMPLATE / "a.py", TEMPLATE / "b.py"])
    assert stands_twice([one, one])
    assert stands_twice([one, other, Path("protocol/c.py")])
    assert stands_twice([Path("server/a.py"), Path("server/b.py")])
