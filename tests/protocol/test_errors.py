"""The root of the exceptions and its three branches."""

from __future__ import annotations

import pytest

from protocol.errors import DamageError, EschatonError, FaultError, RefusedError


@pytest.mark.parametrize("branch", [RefusedError, FaultError, DamageError])
def test_each_branch_stands_under_the_root_and_under_no_other_branch(branch: type[EschatonError]) -> None:
    assert branch.__bases__ == (EschatonError,)


def test_the_root_is_caught_with_other_failures_and_not_with_an_end_of_the_program() -> None:
    assert EschatonError.__bases__ == (Exception,)
