"""Proven mutations in one small file: by rule id, operator and the mutated expression's text."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Result:
    """Result of one rule, with its carriers and tests as of `digest`.

    `killed` and `void` hold digests of mutants' names: void are those that every test breaks on without an assertion.
    `survived` holds names of those that are known to survive, and fail nothing until they are killed. `is_whole`:
    nothing is left to be tried.
    """

    digest: str
    killed: set[str] = field(default_factory=set)
    void: set[str] = field(default_factory=set)
    survived: set[str] = field(default_factory=set)
    is_whole: bool = False

    def known(self, name: str) -> str:
        """Return the outcome of a mutant of this name; empty where it is to be tried, as a survivor always is."""
        short = short_of(name)
        return "killed" if short in self.killed else "void" if short in self.void else ""

    def add(self, name: str, outcome: str) -> None:
        """Record an outcome. Of two mutants of one name the worse counts."""
        if outcome == "survived":
            self.survived.add(name)
        else:
            (self.killed if outcome == "killed" else self.void).add(short_of(name))


def short_of(name: str) -> str:
    """Return a digest of a mutant's name, long enough within one rule."""
    return hashlib.sha256(name.encode()).hexdigest()[:8]


def digest_of(parts: list[str]) -> str:
    """Return a digest of the sources of carriers and tests, in any order."""
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:16]


def load(path: Path) -> dict[str, Result]:
    """Load the results by rule; empty where there is no file."""
    if not path.exists():
        return {}
    raw: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return {
        rule: Result(one["digest"], set(one["killed"]), set(one["void"]), set(one["survived"]), one["whole"])
        for rule, one in raw.items()
    }


def save(path: Path, results: dict[str, Result]) -> None:
    """Write the results, a line a rule."""
    lines = []
    for rule, one in sorted(results.items()):
        row = {"digest": one.digest, "whole": one.is_whole, "killed": sorted(one.killed), "void": sorted(one.void)}
        lines.append(f"{json.dumps(rule)}: {json.dumps(row | {'survived': sorted(one.survived)}, ensure_ascii=False)}")
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def equivalents(path: Path) -> set[tuple[str, str]]:
    """Return rules and names of the mutants that behave as the original does. Raises ValueError for one without a
    reason."""
    if not path.exists():
        return set()
    rows = tomllib.loads(path.read_text("utf-8")).get("equivalent", [])
    for row in rows:
        if not row.get("why"):
            raise ValueError(f"{row['rule']}, {row['mutant']}: say why it is equivalent")
    return {(row["rule"], row["mutant"]) for row in rows}
