"""Switching a rule off: in functions, coroutines, classes and TOML, and on again."""

import inspect

import msgspec
import pytest

from engine.core.rules.errors import RuleDisabled
from engine.core.rules.implements import RULES, document_now, implements
from tools.rule_proof.switches import disabled, disabled_ids, drop_rule, rules_named


@implements("XX-ONE-01")
def one() -> int:
    return 1


@implements("XX-TWO-01", "XX-ONE-01")
async def two(given: int = 2, *, twice: bool = False) -> int:
    return given * (1 + twice)


@implements("XX-HIT-01")
class Hit(msgspec.Struct, frozen=True):
    """A stand-in for an event: msgspec makes it without a Python call, so its methods carry the rule."""

    losses: int

    def apply(self, figures: int) -> int:
        return figures - self.losses


@implements("XX-PHASE-01")
class Phase:
    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class Sheet:
    @property
    @implements("XX-SHEET-01")
    def skill(self) -> int:
        return 4

    @staticmethod
    @implements("XX-SHEET-02")
    def kinds() -> int:
        return 2


def finish(coroutine: object) -> object:
    assert inspect.iscoroutine(coroutine)
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")


def test_disabled_functions_raise_and_come_back() -> None:
    with disabled(["XX-ONE-01"]):
        assert disabled_ids() == {"XX-ONE-01"}
        with pytest.raises(RuleDisabled):
            one()
        with pytest.raises(RuleDisabled):
            finish(two(3, twice=True))
    assert one() == 1
    assert finish(two(3, twice=True)) == 6
    assert disabled_ids() == frozenset()


def test_what_is_kept_can_tell_that_rules_were_switched() -> None:
    before = RULES.now
    with disabled(["XX-ONE-01"]):
        within = RULES.now
        assert within is not before
        assert RULES.now is within
    assert RULES.now not in (before, within)


def test_a_coroutine_raises_when_awaited_and_not_when_made() -> None:
    with disabled(["XX-TWO-01"]):
        waiting = two()
        with pytest.raises(RuleDisabled):
            finish(waiting)


def test_nested_rules_of_one_function_come_back_with_the_outer_one() -> None:
    with disabled(["XX-ONE-01"]):
        with disabled(["XX-TWO-01", "XX-ONE-01"]):
            pass
        with pytest.raises(RuleDisabled):
            finish(two())
    assert finish(two()) == 2


def test_a_class_is_off_when_made_and_when_used() -> None:
    hit, phase = Hit(2), Phase("before")
    with disabled(["XX-HIT-01", "XX-PHASE-01"]):
        with pytest.raises(RuleDisabled):
            hit.apply(5)
        with pytest.raises(RuleDisabled):
            Phase("within")
    assert (hit.apply(5), phase.name, Phase("after").name) == (3, "before", "after")


def test_below_property_and_staticmethod() -> None:
    with disabled(["XX-SHEET-01", "XX-SHEET-02"]):
        with pytest.raises(RuleDisabled):
            _ = Sheet().skill
        with pytest.raises(RuleDisabled):
            Sheet.kinds()
    assert (Sheet().skill, Sheet.kinds()) == (4, 2)


DOCUMENT = {
    "name": "militia",
    "weapons": {"rifle": {"rule": "XX-GUN-01", "dice": 4}, "fist": {"dice": 1}},
    "units": [{"rules": ["XX-UNIT-01", "XX-UNIT-02"], "size": 5}, {"size": 3, "skill": {"rule": "XX-UNIT-03"}}],
}


def test_dropping_a_rule_takes_the_innermost_table_and_nothing_else() -> None:
    assert drop_rule(DOCUMENT, "XX-GUN-01") == DOCUMENT | {"weapons": {"fist": {"dice": 1}}}
    assert drop_rule(DOCUMENT, "XX-UNIT-02")["units"] == [{"size": 3, "skill": {"rule": "XX-UNIT-03"}}]
    assert drop_rule(DOCUMENT, "XX-UNIT-03")["units"][1] == {"size": 3}
    assert drop_rule(DOCUMENT, "XX-NONE-01") == DOCUMENT


def test_a_rule_at_the_root_cannot_be_dropped() -> None:
    with pytest.raises(ValueError, match="root"):
        drop_rule({"rule": "XX-GUN-01"}, "XX-GUN-01")


def test_documents_follow_what_is_disabled() -> None:
    assert document_now(DOCUMENT) is DOCUMENT
    with disabled(["XX-GUN-01", "XX-UNIT-03"]):
        assert rules_named(document_now(DOCUMENT)) == {"XX-UNIT-01", "XX-UNIT-02"}
    assert rules_named(DOCUMENT) == {"XX-GUN-01", "XX-UNIT-01", "XX-UNIT-02", "XX-UNIT-03"}
