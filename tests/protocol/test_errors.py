"""The root of the exceptions and its three branches."""

from __future__ import annotations

import pytest

from protocol import errors
from protocol.errors import DamageError, EschatonError, FaultError, RefusedError
from tests.support.runs.exception_trees import drawn_in


@pytest.mark.parametrize("branch", [RefusedError, FaultError, DamageError])
def test_each_branch_stands_under_the_root_and_under_no_other_branch(branch: type[EschatonError]) -> None:
    assert branch.__bases__ == (EschatonError,)


def test_the_root_is_caught_with_other_failures_and_not_with_an_end_of_the_program() -> None:
    assert EschatonError.__bases__ == (Exception,)


def test_the_tree_drawn_in_the_module_is_that_of_the_classes() -> None:
    tree = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, EschatonError)}
    assert drawn_in(errors) == {kind.__name__: kind.__bases__[0].__name__ for kind in tree - {EschatonError}}
