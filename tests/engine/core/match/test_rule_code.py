"""Rule code by name, and the table events that name another one."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.core.match.causes import Expiry, TableEvent
from engine.core.match.rule_code import CHANGED, SAME, UNNAMED, RuleCode, code_event, named_by, with_code
from engine.core.rules.errors import LogDamaged
from engine.core.rules.record import Record
from protocol.ids import MatchId

CODE = RuleCode("1.2 of June", b"\x01\xfe" * 16)


@given(st.sampled_from([SAME, CHANGED]), st.builds(RuleCode, st.text(), st.binary(max_size=40)))
def test_the_code_that_a_step_is_marked_with_is_read_again(kind: str, code: RuleCode) -> None:
    event = code_event(kind, code)
    assert event.kind == kind
    assert named_by(event) == code


@pytest.mark.parametrize("cause", [Expiry(seat=0), TableEvent("link", 1, "zz lost")])
def test_other_causes_name_none(cause: Expiry | TableEvent) -> None:
    assert named_by(cause) is None
    record = Record(code=b"before")
    assert with_code(record, cause) is record


def test_the_record_is_under_the_code_that_was_named_last() -> None:
    record = with_code(Record(match=MatchId("m1"), code=b"before"), code_event(CHANGED, CODE))
    assert record == Record(match=MatchId("m1"), code=CODE.digest)
    assert with_code(record, code_event(SAME, UNNAMED)).code == b""


@pytest.mark.parametrize("detail", ["zz 1.0", "abc 1.0"])
def test_a_mark_without_a_digest_is_damage(detail: str) -> None:
    with pytest.raises(LogDamaged, match="names no rule code"):
        named_by(TableEvent(SAME, detail=detail))
