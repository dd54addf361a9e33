"""The proof of rules, on a sample whose tests are good and bad on purpose."""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import FunctionType
from typing import cast

import pytest

from engine.core.content.toml_source import TomlSource
from engine.core.rules.implements import document_now
from tests.support.runs.patience import PATIENCE
from tools.rule_proof.mutants import bare, carriers_of, compiled, tree_of
from tools.rule_proof.operators import errors_in
from tools.rule_proof.proof import verdict
from tools.rule_proof.results import equivalents
from tools.rule_proof.trial import has_looked

pytestmark = pytest.mark.waits

ROOT = Path(__file__).resolve().parents[2]
CASES = "tests/support/sample_rules/cases.py"
BOUND = "bound moved: number > 10"
FOUND = [
    "SA-BAD-01: survived: never called: add",
    "SA-BAD-01: survived: switched off: 1 of its 1 tests pass without it",
    "SA-BAD-02: survived: never called: never_tested",
    "SA-BAD-02: survived: switched off: no test is marked with it",
    "SA-BAD-03: survived: switched off: without it its tests only fail to load content",
    "SA-BAD-04: survived: min and max exchanged: max(numbers[0], numbers[-1])",
    "SA-BAD-05: survived: never called: never_called",
    f"SA-BAD-06: survived: {BOUND}",
    "SA-BAD-06: survived: condition dropped: 10 if number > 10 else number",
    "SA-BAD-07: survived: number changed: weapons: dice = 2",
    "SA-BAD-08: survived: identity: lowest()",
    "SA-BAD-08: survived: min and max exchanged: min(one, other) of lowest",
]


class Proofs:
    """Proofs of the sample that keep their results in one folder."""

    def __init__(self, folder: Path) -> None:
        self.results, self.equivalents = folder / "proven.json", folder / "equivalents.toml"
        self.status = 0
        self.checkout, self.hash_seed = ROOT, "0"

    def prove(self, *arguments: str) -> list[str]:
        """Return the output, without the line of counts that ends with the time."""
        sample = ["--package", "tests.support.sample_rules", "--tests", CASES, "--processes", "1"]
        kept = ["--results", str(self.results), "--equivalents", str(self.equivalents)]
        command = [sys.executable, "-m", "tools.rule_proof", *sample, *kept, *arguments]
        seeded = os.environ | {"PYTHONHASHSEED": self.hash_seed}
        done = subprocess.run(
            command, cwd=self.checkout, env=seeded, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        self.status = done.returncode
        assert done.stderr == ""
        return [line for line in done.stdout.splitlines() if line and not line.startswith("Mutants tried")]


@pytest.fixture
def proofs(tmp_path: Path) -> Proofs:
    return Proofs(tmp_path)


def test_each_survivor_has_a_line_and_the_status_is_1(proofs: Proofs) -> None:
    said = proofs.prove()
    assert said == ["Proving 15 of 15 rules", *FOUND, "rule-proof: 7 rules proven, 0 left, 12 complaints"]
    assert proofs.status == 1


def test_what_is_proven_is_not_tried_again_and_what_survived_is(proofs: Proofs) -> None:
    proofs.prove()
    said = proofs.prove()
    assert (said[0], said[1:-1]) == ("Proving 8 of 15 rules", FOUND)
    proofs.prove("--accept")
    assert proofs.status == 0
    assert proofs.prove()[0] == "Proving 0 of 15 rules"
    assert proofs.prove("--anew")[0] == "Proving 15 of 15 rules"
    assert proofs.status == 0, "they are known"
    kept = json.loads(proofs.results.read_text())
    assert [f"{rule}: survived: {name}" for rule, one in kept.items() for name in one["survived"]] == FOUND


def test_an_equivalent_mutant_has_a_reason_and_is_no_survivor(proofs: Proofs) -> None:
    row = f'[[equivalent]]\nrule = "SA-BAD-06"\nmutant = "{BOUND}"\nwhy = "10 is 10 either way"\n'
    proofs.equivalents.write_text(row)
    assert proofs.prove("SA-BAD-06")[1:-1] == ["SA-BAD-06: survived: condition dropped: 10 if number > 10 else number"]
    proofs.equivalents.write_text(row.replace("10 is 10 either way", ""))
    with pytest.raises(ValueError, match="say why"):
        equivalents(proofs.equivalents)


def test_a_rule_is_stale_once_it_is_not_as_it_was_proven(proofs: Proofs) -> None:
    proofs.prove("--accept")
    kept = json.loads(proofs.results.read_text())
    kept["SA-GOOD-01"]["digest"] = "other"
    proofs.results.write_text(json.dumps(kept))
    assert proofs.prove() == ["Proving 1 of 15 rules", "rule-proof: 1 rules proven, 0 left, 0 complaints"]


def test_what_was_proven_elsewhere_counts_in_another_checkout(proofs: Proofs, tmp_path: Path) -> None:
    proofs.prove("--accept")
    for room in ("engine", "protocol", "tests", "tools"):
        shutil.copytree(ROOT / room, tmp_path / "clone" / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "clone")
    proofs.checkout, proofs.hash_seed = tmp_path / "clone", "1"
    assert proofs.prove()[0] == "Proving 0 of 15 rules"
    changed = tmp_path / "clone" / "tests" / "support" / "sample_rules" / "rules.py"
    changed.write_text(changed.read_text("utf-8").replace("number > 10", "number > 11"), "utf-8")
    assert proofs.prove()[0] == "Proving 1 of 15 rules", "it is this checkout that is looked at"


def test_what_there_is_no_time_for_is_left_and_fails_nothing(proofs: Proofs) -> None:
    assert proofs.prove("--seconds", "0.001")[-1] == "rule-proof: 0 rules proven, 15 left, 0 complaints"
    assert proofs.status == 0
    assert proofs.prove("SA-GOOD-01")[0] == "Proving 1 of 1 rules"


@pytest.mark.long("rule-proof")
def test_all_rules_are_proven_anew() -> None:
    """Only known survivors survive; the proof takes at most 20 minutes on two cores."""
    command = [sys.executable, "-m", "tools.rule_proof", "--anew"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=1200, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("outcomes", "proven"),
    [
        (["broke", "looked"], True),
        (["broke", "loading"], True),
        (["looked", "skipped"], True),
        (["looked", "passed"], False),
        (["overdue"], False),
        (["loading"], False),
        (["skipped"], False),
        ([], False),
    ],
)
def test_a_rule_is_proven_to_be_called_when_a_test_fails_and_none_passes(outcomes: list[str], proven: bool) -> None:
    assert (verdict(outcomes) == "") is proven


def test_an_entry_with_decimals_is_changed_where_content_is_read(tmp_path: Path) -> None:
    text = '[bow]\nrule = "SA-DEC-01"\nreach = 1.4\n'
    (tmp_path / "bows.toml").write_text(text)
    [carrier] = carriers_of("SA-DEC-01", [tmp_path])
    [mutant] = carrier.mutants
    with mutant.planted():
        assert document_now(TomlSource(text).values)["bow"]["reach"] == Decimal("2.4")


def nearest(places: list[int], rank: Callable[[int], int] = lambda place: -place) -> int:
    return min(places, key=rank)


def test_a_function_is_told_from_a_lambda_among_its_defaults() -> None:
    code = compiled(cast("FunctionType", nearest), tree_of(cast("FunctionType", nearest)))
    assert (code.co_name, code.co_argcount) == ("nearest", 2)
    assert nearest([1, 2]) == 2


SOURCE = """
@implements("XX-ONE-01")
def spent(state: State, cost: int) -> State:
    '''What is left.'''
    if cost > state.left:
        raise Refused
    game.tell(cost)
    return replace(state, left=min(state.left - cost, 9) if wanted and able else 0)
"""


def function_of(source: str) -> ast.FunctionDef:
    [function] = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    return function


def test_every_operator_finds_its_place() -> None:
    found = [(error.operator, error.text) for error in errors_in(function_of(SOURCE))]
    assert sorted(found) == [
        ("bound moved", "0 in min(state.left - cost, 9) if wanted and able else 0"),
        ("bound moved", "9 in min(state.left - cost, 9)"),
        ("bound moved", "cost > state.left"),
        ("comparison flipped", "cost > state.left"),
        ("condition dropped", "able in wanted and able"),
        ("condition dropped", "if cost > state.left"),
        ("condition dropped", "min(state.left - cost, 9) if wanted and able else 0"),
        ("condition dropped", "wanted in wanted and able"),
        ("identity", "game.tell(cost)"),
        ("identity", "replace(state, left=min(state.left - cost, 9) if wanted and able else 0)"),
        ("identity", "spent()"),
        ("min and max exchanged", "min(state.left - cost, 9)"),
    ]


@pytest.mark.parametrize(
    ("operator", "text", "line"),
    [
        ("bound moved", "cost > state.left", "if cost >= state.left:"),
        ("comparison flipped", "cost > state.left", "if cost <= state.left:"),
        ("condition dropped", "if cost > state.left", "if False:"),
        ("condition dropped", "able in wanted and able", "if wanted and True else 0)"),
        ("identity", "spent()", "return state"),
        ("identity", "game.tell(cost)", "    None"),
        ("min and max exchanged", "min(state.left - cost, 9)", "max(state.left - cost, 9)"),
    ],
)
def test_an_error_is_planted_where_it_was_found(operator: str, text: str, line: str) -> None:
    function = function_of(SOURCE)
    next(error for error in errors_in(function) if (error.operator, error.text) == (operator, text)).plant()
    assert line in ast.unparse(function)


def test_docstrings_and_marks_are_no_part_of_what_is_proven() -> None:
    plain = SOURCE.replace("    '''What is left.'''\n", "").replace('@implements("XX-ONE-01")\n', "")
    assert bare(ast.parse(plain)) == bare(ast.parse(SOURCE))
    assert bare(ast.parse(plain)) != bare(ast.parse(plain.replace("9", "8")))


def test_only_what_a_test_says_itself_is_looking() -> None:
    def caught(act: object) -> BaseException:
        with pytest.raises((Exception, pytest.fail.Exception)) as found:
            act()  # type: ignore[operator]
        return found.value

    def refuse() -> None:
        with pytest.raises(ValueError, match="anything"):
            pass

    def wrap() -> None:
        try:
            raise AssertionError
        except AssertionError as error:
            raise RuntimeError from error

    assert has_looked(caught(refuse)), "an expected refusal did not come"
    assert has_looked(caught(wrap))
    assert not has_looked(caught(lambda: 1 // 0))
    assert not has_looked(caught(lambda: ast.parse("(")))
