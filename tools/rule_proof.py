"""Proof that the tests of a rule test it: with the rule switched off, each of them must fail.

For each id that `@implements` names in engine/, or a TOML table there by `rule` or `rules`, the tests marked
`@pytest.mark.rule(id)` run once as they are and once with that rule switched off, all in this process.
Proven is a rule of which at least one such test fails for it and none passes.
Exit status: 0 when every rule is proven, 1 otherwise.
"""

from __future__ import annotations

import argparse
import functools
import gc
import importlib
import pkgutil
import signal
import sys
import time
import tomllib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

import pytest
from _pytest.runner import runtestprotocol

from engine.core import implements

ROOT: Final = Path(__file__).resolve().parent.parent
TOTAL_SECONDS: Final = 300
TEST_SECONDS: Final = 20
ROOMS: Final = frozenset({"engine", "server", "client", "protocol", "tests"})
CACHE: Final = type(functools.cache(len))
LOADS_CONTENT: Final = "content"  # the method of a System that reads and checks its TOML


class OverTime(Exception):
    """A test ran on and on: without the rule that it needs, or because the time for the whole proof is over."""


def rules_of(package: str) -> set[str]:
    """Import every module of a package, read every TOML file in it: all rule ids that they name."""
    root = importlib.import_module(package)
    for module in pkgutil.walk_packages(root.__path__, f"{package}."):
        importlib.import_module(module.name)
    carried = {rule for rule, names in implements.implemented().items() if any(n.startswith(package) for n in names)}
    files = [path for place in root.__path__ for path in Path(place).rglob("*.toml")]
    return carried.union(*(implements.rules_named(tomllib.loads(path.read_text("utf-8"))) for path in files))


def verdict(outcomes: Iterable[str]) -> str:
    """Why a rule is not proven by these outcomes of its tests while switched off; empty when it is."""
    seen = list(outcomes)
    if not seen:
        return "no test is marked with it"
    if "passed" in seen:
        return f"{seen.count('passed')} of its {len(seen)} tests pass without it"
    if "overdue" in seen:
        return "the time for the whole proof was over"
    if "failed" in seen:
        return ""
    return "without it its tests only fail to load content" if "loading" in seen else "all its tests are skipped"


class Proof:
    """A pytest plugin: in place of a plain run of the tests, it runs each marked one for each of its rules."""

    def __init__(self, package: str, only: Iterable[str] = ()) -> None:
        self.package = package
        self.only = set(only)
        self.proven: list[str] = []
        self.complaints: list[str] = []
        self.deadline = time.monotonic() + TOTAL_SECONDS
        self.failure: pytest.ExceptionInfo[BaseException] | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        if call.excinfo is not None and self.failure is None:
            self.failure = call.excinfo
        return (yield)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            self.complaints.append("collecting the tests failed")
            return True
        tests, rules = by_rule(session.items), rules_of(self.package)
        self.complaints += [
            f"{rule}: marked on a test, but nothing carries it" for rule in sorted(tests.keys() - rules)
        ]
        chosen = sorted(rules & self.only if self.only else rules)
        marked = list(dict.fromkeys(item for rule in chosen for item in tests.get(rule, [])))
        session.config.get_terminal_writer().line(f"Proving {len(chosen)} rules by {len(marked)} marked tests")
        forget_caches()
        self.complaints += [f"{item.nodeid}: fails as it is" for item in marked if self.run(item) == "failed"]
        for rule in chosen:
            self.prove(rule, tests.get(rule, []))
        forget_caches()
        return True

    def prove(self, rule: str, items: list[pytest.Item]) -> None:
        with implements.disabled([rule]):
            forget_caches()
            why = verdict(self.run(item) for item in items)
        if why:
            self.complaints.append(f"{rule}: {why}")
        else:
            self.proven.append(rule)

    def run(self, item: pytest.Item) -> str:
        """Run one test as the rules now stand: passed, failed, skipped, loading or overdue."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            return "overdue"
        self.failure = None
        with limit(min(TEST_SECONDS, left)):
            reports = runtestprotocol(item, log=False, nextitem=None)
        if any(report.failed for report in reports):
            return "loading" if self.failure and is_loading(self.failure) else "failed"
        return "passed" if all(report.passed for report in reports) else "skipped"


def by_rule(items: Iterable[pytest.Item]) -> dict[str, list[pytest.Item]]:
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        for rule in sorted({rule for mark in item.iter_markers("rule") for rule in mark.args}):
            tests.setdefault(rule, []).append(item)
    return tests


def is_loading(failure: pytest.ExceptionInfo[BaseException]) -> bool:
    """Whether this failure arose while a module was imported or content was read."""
    if failure.errisinstance((ImportError, SyntaxError)):
        return True
    codes = (entry.frame.code for entry in failure.traceback)
    return any(code.name == LOADS_CONTENT and Path(str(code.path)).is_relative_to(ROOT) for code in codes)


def forget_caches() -> None:
    """Empty the functools caches of the project: what they hold was made under other rules."""
    for thing in gc.get_objects():
        if isinstance(thing, CACHE) and (thing.__module__ or "").partition(".")[0] in ROOMS:
            thing.cache_clear()


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raise OverTime in the code within once it has run this long."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise OverTime(f"ran for more than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def main() -> int:
    parser = argparse.ArgumentParser(prog="rule_proof", description="Prove that the tests of each rule test it.")
    parser.add_argument("rules", nargs="*", help="these rules only")
    parser.add_argument("--package", default="engine", help="where rules are carried")
    parser.add_argument("--tests", default="tests", help="where the marked tests are")
    asked = parser.parse_args()
    proof = Proof(asked.package, asked.rules)
    # one process and no shrinking: see the proof profile in tests/conftest.py
    options = ["-qq", "--no-summary", "-p", "no:xdist", "-p", "no:cacheprovider", "--hypothesis-profile=proof"]
    status = pytest.main([*options, asked.tests], plugins=[proof])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and not proof.complaints:
        proof.complaints.append(f"pytest ended with status {int(status)}")
    print(*proof.complaints, sep="\n", end="\n" if proof.complaints else "")
    print(f"rule-proof: {len(proof.proven)} rules proven, {len(proof.complaints)} complaints")
    return 1 if proof.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
