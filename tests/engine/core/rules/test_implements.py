"""Marks of rules: on functions and classes, and told to caches where rules change."""

import inspect

import pytest

from engine.core.rules.implements import RULES, document_now, implemented, implements, rules_changed


@implements("XX-MARK-01")
def one() -> int:
    return 1


@implements("XX-MARK-02", "XX-MARK-01")
async def two(given: int = 2, *, twice: bool = False) -> int:
    return given * (1 + twice)


def test_a_marked_function_is_the_function_itself() -> None:
    assert inspect.isfunction(one)
    assert not hasattr(one, "__wrapped__")
    assert inspect.iscoroutinefunction(two)
    assert implemented()["XX-MARK-01"] == [f"{__name__}.one", f"{__name__}.two"]


def test_who_keeps_results_and_reads_documents_is_told_of_other_rules() -> None:
    before, document = RULES.now, {"dice": 4}
    assert document_now(document) is document
    rules_changed(lambda read: read | {"dice": 5})
    try:
        assert RULES.now is not before
        assert document_now(document) == {"dice": 5}
    finally:
        rules_changed(None)
    assert document_now(document) is document


@pytest.mark.parametrize("ids", [(), ("A", "B", "C", "D")])
def test_one_to_three_ids(ids: tuple[str, ...]) -> None:
    with pytest.raises(TypeError, match="1 to 3"):
        implements(*ids)


def test_what_holds_no_function_cannot_be_marked() -> None:
    with pytest.raises(TypeError, match="switched off"):
        implements("XX-BARE-01")(property(lambda _: 1))
