"""Repeated runs of tests that wait, beside busy loops, until each has passed often enough in a row; a run goes on where
the last one stopped, on another machine too, as the record is committed. Passes count while the module of their test
stays as it is."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from tests.support.runs.longrun import FOLDER, ROOT, commit
from tests.support.waits.marking import TIMES
from tests.support.waits.noting import BEGUN
from tests.support.waits.spinning import busy

RECORD: Final = ROOT / "tests" / "faults" / "waits.json"
SHARDS: Final = 6
"""Processes side by side; tests that wait for something else leave their share to the others."""
HANGING: Final = 240.0
"""Seconds that the last test of a run has to end."""
ROUNDS: Final = 5
"""How often each test is run by one process at most."""
DIGITS: Final = 16
"""Hexadecimal digits of a module's digest that are kept."""
Process = subprocess.Popen[bytes]


class Passes:
    """Passes in a row of each test, kept in `file`; `root` is the folder of their ids.

    A test begins anew when it has failed, and when its module has changed. Failures stay noted until the next commit.
    """

    def __init__(self, file: Path, due: Mapping[str, int], root: Path = ROOT) -> None:
        self._file = file
        self._due = due
        self._digests = {module: _digest(root / module) for module in sorted({_module(test) for test in due})}
        kept = json.loads(file.read_text()) if file.exists() else {}
        self._passed = dict(self._counted(kept.get("modules", {})))
        is_same = kept.get("commit") == commit()
        self.failed: dict[str, int] = kept["failed"] if is_same else {}
        self.skipped: set[str] = set(kept["skipped"]) if is_same else set()

    def _counted(self, modules: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, int]]:
        """Yield the tests of the modules that are as they were, with their passes."""
        for test in self._due:
            module = modules.get(_module(test), {})
            if module.get("digest") == self._digests[_module(test)]:
                yield test, module["others"].get(_name(test), module["passed"])

    def left(self) -> dict[str, int]:
        """Return the tests that are to pass more often, with the passes missing: first those without the TIMES that all
        are due."""
        return self._lacking(TIMES) or self._lacking(max(self._due.values(), default=0))

    def _lacking(self, most: int) -> dict[str, int]:
        lacking = {test: min(due, most) - self._passed.get(test, 0) for test, due in self._due.items()}
        return {test: times for test, times in lacking.items() if times > 0 and test not in self.skipped}

    def note(self, test: str, outcome: str) -> None:
        """Record the outcome of a test: passed, failed or skipped."""
        if outcome == "skipped":
            self.skipped.add(test)
        elif outcome == "passed":
            self._passed[test] = self._passed.get(test, 0) + 1
        else:
            self._passed[test] = 0
            self.failed[test] = self.failed.get(test, 0) + 1

    @property
    def told(self) -> str:
        """Return the progress of the run in words."""
        left = sum(self._lacking(max(self._due.values())).values())
        return f"{sum(self._passed.values())} passes of {len(self._due)} tests, {left} left; failed: {self.failed}"

    def keep(self) -> None:
        """Write all of it to the file, a line for each module: the passes that most of its tests have, and others."""
        modules: dict[str, dict[str, int]] = defaultdict(dict)
        for test in self._due:
            modules[_module(test)][test] = self._passed.get(test, 0)
        head = {"commit": commit(), "failed": self.failed, "skipped": sorted(self.skipped)}
        lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
        of_modules = [f"{json.dumps(name)}: {json.dumps(self._line(name, passed))}" for name, passed in modules.items()]
        fresh = self._file.with_suffix(".new")
        fresh.write_text("{\n" + ",\n".join([*lines, '"modules": {\n' + ",\n".join(of_modules) + "\n}"]) + "\n}\n")
        # written whole or not at all, even if the run is stopped
        fresh.replace(self._file)

    def _line(self, module: str, passed: Mapping[str, int]) -> dict[str, Any]:
        usual = Counter(passed.values()).most_common(1)[0][0]
        others = {_name(test): times for test, times in passed.items() if times != usual}
        return {"digest": self._digests[module], "passed": usual, "others": others}


def _module(test: str) -> str:
    return test.partition("::")[0]


def _name(test: str) -> str:
    return test.partition("::")[2]


def _digest(module: Path) -> str:
    return hashlib.sha256(module.read_bytes()).hexdigest()[:DIGITS]


def chosen(left: Mapping[str, int]) -> list[tuple[list[str], int]]:
    """Return the tests that each process runs now, those that are farthest behind, and how often it runs them.

    Each runs all of them, from another one on, so that all end together; where fewer passes are missing than there are
    processes, they share the tests.
    """
    behind = max(left.values())
    tests = [test for test, times in left.items() if times > behind - ROUNDS]
    fewest = min(left[test] for test in tests)
    if fewest < SHARDS:
        shares = [tests[n::SHARDS] for n in range(SHARDS)]
        return [(share, fewest) for share in shares if share]
    starts = [len(tests) * n // SHARDS for n in range(SHARDS)]
    return [(tests[start:] + tests[:start], min(ROUNDS, fewest // SHARDS)) for start in starts]


def repeat(
    due: Mapping[str, int],
    seconds: float,
    record: Path = RECORD,
    place: Path = FOLDER / "waits",
    root: Path = ROOT,
    beside: Callable[[], AbstractContextManager[object]] = busy,
) -> Passes:
    """Repeat tests (ids, with the passes that each is due) for these seconds, or until none is left.

    `record` keeps the passes; `place` is the path of the other files, without their endings; `root` is the folder of
    the ids; `beside` keeps the machine busy meanwhile. Failures do not stop it. A test that does not end long after
    that time is ended, and has failed.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    passes = Passes(record, due, root)
    until = time.time() + seconds
    with beside():
        while (left := passes.left()) and time.time() < until:
            noted = Path(f"{place}.noted")
            noted.unlink(missing_ok=True)
            hang = False
            try:
                hang = not _run(chosen(left), until, place, root)
            finally:
                # results so far survive a stop in between
                for test, outcome in _outcomes(noted, hang=hang):
                    passes.note(test, outcome)
                passes.keep()
            assert noted.exists(), f"no test has run: {place}.0.log"
    return passes


def _run(shares: Sequence[tuple[list[str], int]], until: float, place: Path, root: Path) -> bool:
    """Run shares of tests side by side, each a number of times; return False where one had to be ended."""
    running = [_begun(*share, until, Path(f"{place}.{n}"), root) for n, share in enumerate(shares)]
    try:
        for one in running:
            one.wait(max(until - time.time(), 0) + HANGING)
    except subprocess.TimeoutExpired:
        return False
    finally:
        for one in running:
            one.kill()
            one.wait()
    return True


def _outcomes(noted: Path, *, hang: bool) -> Iterator[tuple[str, str]]:
    """Yield the tests that have ended with their outcomes; with `hang` those that have not, as failures."""
    begun: Counter[str] = Counter()
    for test, what in map(json.loads, noted.read_text().splitlines() if noted.exists() else ()):
        if what == BEGUN:
            begun[test] += 1
        else:
            begun[test] -= 1
            yield test, what
    if hang:
        yield from ((test, "hangs") for test in sorted(+begun))


def _begun(tests: Sequence[str], times: int, until: float, place: Path, root: Path) -> Process:
    """Start one process with its share of the tests; its output goes to `place`.log."""
    listed = Path(f"{place}.tests")
    listed.write_text("\n".join(tests))
    how = ("--noted", str(place.with_suffix(".noted")), "--times", str(times), "--until", str(until))
    quiet = ("-q", "--no-header", "-n", "0", "-p", "no:cacheprovider", "-o", "tmp_path_retention_policy=failed")
    command = (sys.executable, "-m", "pytest", "-p", "tests.support.waits.noting", *how, *quiet, f"@{listed}")
    with Path(f"{place}.log").open("ab") as log:
        return subprocess.Popen(command, cwd=root, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=log, stderr=log)
