"""The proof itself: a pytest plugin that runs marked tests again and again, each time with one error.

The trials of one carrier run in a process of its own, forked once the tests are collected.
"""

from __future__ import annotations

import importlib
import pkgutil
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Final

import pytest

from engine.core.rules import implements
from tools.rule_proof import forks, mutants, results, switches, tested
from tools.rule_proof.mutants import Carrier, Mutant
from tools.rule_proof.results import Result
from tools.rule_proof.trial import Trial, forget_caches

TEST_SECONDS: Final = 20
MUTANT_SECONDS: Final = 20
MOST_DRAWN: Final = 3  # for each mutant that counts, where others are void
UNIT_SECONDS: Final = 600.0


@dataclass(frozen=True)
class Options:
    """The request of a proof. `seconds`: the time for which new trials are begun; 0 is without end.

    `is_anew`: earlier results do not count. `is_accepting`: survivors are known from then on.
    """

    package: str
    results: Path
    only: frozenset[str] = frozenset()
    equivalents: frozenset[tuple[str, str]] = frozenset()
    is_anew: bool = False
    is_accepting: bool = False
    seconds: float = 0
    processes: int = 2


@dataclass
class Work:
    """A rule that is being proven. `known`: the mutants that were known to survive before."""

    items: tuple[pytest.Item, ...]
    carriers: list[Carrier]
    result: Result
    known: frozenset[str]
    open_units: int = field(init=False)

    def __post_init__(self) -> None:
        self.open_units = 1 + len(self.carriers)


Unit = tuple[str, Carrier | None]  # a rule, and what carries it; without it the whole rule, to be switched off
Outcomes = list[tuple[str, str]]  # names of mutants, and killed, void or survived


class Proof:
    """Plugin that, in place of a plain run of the tests, runs each marked one for each of its rules."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.trial = Trial()
        self.complaints: list[str] = []
        self.counts = Counter[str]()
        self.works: dict[str, Work] = {}
        self.proven = self.left = self.known = 0
        self._deadline = time.monotonic() + (options.seconds or float("inf"))
        self._reached: dict[str, set[str] | None] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            self.complaints.append("collecting the tests failed")
            return True
        session.config.pluginmanager.register(self.trial)
        tests, rules = tested.by_rule(session.items), rules_of(self.options.package)
        if not self.options.only:
            lost = sorted(tests.keys() - rules)
            self.complaints += [f"{rule}: marked on a test, but nothing carries it" for rule in lost]
        chosen = sorted(rules & self.options.only if self.options.only else rules)
        kept = {rule: one for rule, one in results.load(self.options.results).items() if rule in rules}
        for rule, name in self.options.equivalents:
            if rule in kept:
                kept[rule].survived.discard(name)
        for rule in chosen:
            self._begin(rule, kept.get(rule), tests.get(rule, []))
        session.config.get_terminal_writer().line(f"Proving {len(self.works)} of {len(chosen)} rules")
        for (rule, _), outcomes in forks.each(
            self._units(), self._outcomes, self.options.processes, UNIT_SECONDS, self._deadline
        ):
            work = self.works[rule]
            self._take(work, rule, outcomes)
            if not work.open_units:
                kept[rule] = self._concluded(rule, work)
                results.save(self.options.results, kept)
        forget_caches()
        kept |= {rule: self._concluded(rule, work) for rule, work in self.works.items() if work.open_units}
        self.known = sum(len(one.survived) for one in kept.values())
        results.save(self.options.results, kept)
        return True

    def _begin(self, rule: str, before: Result | None, items: list[pytest.Item]) -> None:
        """Begin a rule, unless its result is current. One that was never proven is left where time is short: proving it
        is a part of writing it."""
        if before is None and self.options.seconds and not self.options.only:
            self.left += 1
            return
        carriers = mutants.carriers_of(rule, folders_of(self.options.package))
        digest = results.digest_of([mutants.SEED, *(one.source for one in carriers), *map(tested.source_of, items)])
        result, known = Result(digest), frozenset(before.survived if before is not None else ())
        if before is not None and before.digest == digest and not self.options.is_anew:
            if before.is_whole:
                return
            result = Result(digest, before.killed, before.void)
        self.works[rule] = Work(tuple(items), carriers, result, known)

    def _units(self) -> Iterator[Unit]:
        """Yield the trials, rule by rule; a rule's tests run as they are before it."""
        functions = {
            function: carrier.name
            for work in self.works.values()
            for carrier in work.carriers
            for function in carrier.functions
        }
        for rule, work in self.works.items():
            failing = [item for item in work.items if not self._passes(item, functions)]
            forget_caches()
            self.complaints += [f"{item.nodeid}: fails as it is" for item in failing]
            if not failing:
                yield from ((rule, carrier) for carrier in (None, *work.carriers))

    def _passes(self, item: pytest.Item, functions: dict[FunctionType, str]) -> bool:
        """Run a test once on the unchanged rules, and note the carriers that it reaches."""
        if item.nodeid not in self._reached:
            with tested.noting(functions) as seen:
                forget_caches()
                outcome = self.trial.run(item, TEST_SECONDS)
            self._reached[item.nodeid] = seen if outcome in ("passed", "skipped") else None
        return self._reached[item.nodeid] is not None

    def _take(self, work: Work, rule: str, outcomes: Outcomes | None) -> None:
        if outcomes is None:
            return
        work.open_units -= 1
        for name, outcome in outcomes:
            same = outcome == "survived" and (rule, name) in self.options.equivalents
            work.result.add(name, "killed" if same else outcome)
            self.counts["equivalent" if same else outcome] += 1

    def _concluded(self, rule: str, work: Work) -> Result:
        new = work.result.survived - work.known
        work.result.is_whole = not work.open_units and (not new or self.options.is_accepting)
        if work.open_units:
            # a known survivor counts as one until it is tried
            work.result.survived |= work.known
        if not self.options.is_accepting:
            self.complaints += [f"{rule}: survived: {name}" for name in sorted(new)]
            work.result.survived &= work.known
        self.left += bool(work.open_units)
        self.proven += work.result.is_whole
        return work.result

    # what follows runs in a process of its own

    def _outcomes(self, unit: Unit) -> Outcomes:
        rule, carrier = unit
        work = self.works[rule]
        return self._switched_off(rule, work) if carrier is None else self._mutated(rule, work, carrier)

    def _switched_off(self, rule: str, work: Work) -> Outcomes:
        with switches.disabled([rule]):
            forget_caches()
            why = verdict(self.trial.run(item, TEST_SECONDS) for item in work.items)
        return [(f"switched off: {why}", "survived")] if why else []

    def _mutated(self, rule: str, work: Work, carrier: Carrier) -> Outcomes:
        key = carrier.name if carrier.functions else tested.toml_key(rule)
        items = [item for item in work.items if key in (self._reached[item.nodeid] or ())]
        if not items:
            return [(f"never called: {carrier.name.rpartition('.')[2]}", "survived")]
        outcomes: Outcomes = []
        wanted = carrier.most
        for mutant in carrier.mutants[: carrier.most * MOST_DRAWN]:
            if not wanted:
                break
            outcome = work.result.known(mutant.name)
            if not outcome:
                outcome = self._outcome(mutant, items)
                outcomes.append((mutant.name, outcome))
            wanted -= outcome != "void"
        return outcomes

    def _outcome(self, mutant: Mutant, items: list[pytest.Item]) -> str:
        """Return "killed" once a test fails by its own assertion; "void" where every test breaks otherwise; else
        "survived"."""
        end = time.process_time() + MUTANT_SECONDS
        has_passed = False
        with mutant.planted():
            forget_caches()
            for place, item in enumerate(items):
                if time.process_time() > end:
                    break
                outcome = self.trial.run(item, end - time.process_time())
                if outcome == "looked":
                    items.insert(0, items.pop(place))
                    return "killed"
                has_passed |= outcome == "passed"
        return "survived" if has_passed else "void"


def verdict(outcomes: Iterable[str]) -> str:
    """Return the reason why a rule is not proven by these outcomes of its tests while switched off; empty when it
    is."""
    seen = list(outcomes)
    if not seen:
        return "no test is marked with it"
    if "passed" in seen:
        return f"{seen.count('passed')} of its {len(seen)} tests pass without it"
    if "looked" in seen or "broke" in seen:
        return ""
    if "overdue" in seen:
        return "its tests only run on without it"
    return "without it its tests only fail to load content" if "loading" in seen else "all its tests are skipped"


def rules_of(package: str) -> set[str]:
    """Import every module of a package, read every TOML file in it, and return all rule ids that they name."""
    root = importlib.import_module(package)
    for module in pkgutil.walk_packages(root.__path__, f"{package}."):
        importlib.import_module(module.name)
    carried = {rule for rule, names in implements.implemented().items() if any(n.startswith(package) for n in names)}
    files = [path for place in folders_of(package) for path in place.rglob("*.toml")]
    return carried.union(*(switches.rules_named(tomllib.loads(path.read_text("utf-8"))) for path in files))


def folders_of(package: str) -> list[Path]:
    """Return the folder of an imported package."""
    return [Path(place) for place in importlib.import_module(package).__path__]
