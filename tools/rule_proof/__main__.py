"""Proof that the tests of each rule check it.

For each id that `@implements` names in engine/, or a TOML table there by `rule` or `rules`, the tests marked
`@pytest.mark.rule(id)` must fail with that rule switched off. Then errors are planted in its carriers, one at a time,
and one of its tests must fail by an assertion of its own. Rules are tried whose carriers or tests have changed since
they were last proven. Exit status: 0 where no mutant survived that was not known to, 1 otherwise.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import pytest

from tools.rule_proof import results
from tools.rule_proof.proof import Options, Proof
from tools.rule_proof.tested import files_of
from tools.rule_proof.trial import ROOT

RESULTS = ROOT / "tests" / "rules" / "proven.json"
EQUIVALENTS = ROOT / "tests" / "rules" / "equivalents.toml"


def main() -> int:
    parser = argparse.ArgumentParser(prog="rule_proof", description="Prove that the tests of each rule look at it.")
    parser.add_argument("rules", nargs="*", help="these rules only")
    parser.add_argument("--package", default="engine", help="where rules are carried")
    parser.add_argument("--tests", default="tests", help="where the marked tests are")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where it is kept what has been proven")
    parser.add_argument("--equivalents", type=Path, default=EQUIVALENTS, help="mutants that change nothing")
    parser.add_argument("--anew", action="store_true", help="as if nothing had been proven before")
    parser.add_argument("--accept", action="store_true", help="what survives is known, and fails nothing from then on")
    parser.add_argument("--seconds", type=float, default=0, help="begin nothing new after that long")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    asked = parser.parse_args()
    options = Options(
        asked.package,
        asked.results,
        frozenset(asked.rules),
        frozenset(results.equivalents(asked.equivalents)),
        asked.anew,
        asked.accept,
        asked.seconds,
        asked.processes,
    )
    proof, begun = Proof(options), time.monotonic()
    # nothing is shown of failures, and hypothesis does not shrink them: see the proof profile in tests/conftest.py
    plain = ["-qq", "--no-summary", "-p", "no:xdist", "-p", "no:cacheprovider", "--hypothesis-profile=proof", "--tb=no"]
    status = pytest.main([*plain, *files_of(asked.tests)], plugins=[proof])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and not proof.complaints:
        proof.complaints.append(f"pytest ended with status {int(status)}")
    print(*proof.complaints, sep="\n", end="\n" if proof.complaints else "")
    counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(proof.counts.items())) or "none"
    print(f"Mutants tried: {counts}; {proof.known} are known to survive; {time.monotonic() - begun:.0f} s")
    print(f"rule-proof: {proof.proven} rules proven, {proof.left} left, {len(proof.complaints)} complaints")
    return 1 if proof.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
