"""docs/security.md names a test for each promise; all of them exist."""

import ast
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.waits

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_a_test_that_is_named_exists(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_rule_from_1_to_19_and_22_is_promised_with_a_test() -> None:
    promised = {int(number) for number in re.findall(r"^\| (\d+)[^|]*\|[^|]*\|[^|]*`tests/", PAGE, re.MULTILINE)}
    assert promised == set(range(1, 20)) | {22}
