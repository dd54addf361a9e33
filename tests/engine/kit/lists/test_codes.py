"""Short codes: any numbers come back, and a slip of the pen is noticed."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, strategies as st

from engine.kit.lists.codes import ALPHABET, LONGEST, bounded, coded, looks_like_code, taken_apart

numbers = st.lists(st.integers(0, (1 << 14) - 1), min_size=1, max_size=30)


@given(numbers, st.integers(1, 999))
def test_numbers_come_back_however_they_are_typed(given: list[int], version: int) -> None:
    code = coded(f"IM{version}", given)
    sloppy = code.lower().replace("0", "o").replace("1", "l")
    for written in (code, f"  {code}\n"):
        parts = taken_apart(written)
        assert parts is not None
        assert (parts.letters, parts.version, parts.numbers()) == ("IM", version, given)
    head, _, body = sloppy.partition("-")
    parts = taken_apart(f"im{version}-{body}")
    assert head
    assert parts is not None
    assert parts.numbers() == given


@given(numbers, st.data())
def test_another_letter_is_noticed(given: list[int], data: st.DataObject) -> None:
    code = coded("IM1", given)
    at = data.draw(st.integers(4, len(code) - 1))
    letter = data.draw(st.sampled_from(ALPHABET))
    assume(code[at] not in ("-", letter))
    spare = (len(code.replace("-", "")) - 3) * 5 % 8
    assume(at < len(code) - 1 or not spare)  # the last letter may hold bits that stand for nothing
    parts = taken_apart(code[:at] + letter + code[at + 1 :])
    assert parts is not None
    with pytest.raises(ValueError, match="checksum"):
        parts.numbers()


@pytest.mark.parametrize("written", ["", "IM", "IM0-AAAA", "I1-AAAA", "IM1000-AAAA", "IM1-" + "A" * LONGEST])
def test_what_is_no_code_has_no_parts(written: str) -> None:
    assert taken_apart(written) is None


@pytest.mark.parametrize("body", ["", "A", "AAAAA", "UUUUU-UUUUU", "====="])
def test_a_body_without_a_checksum_is_damaged(body: str) -> None:
    parts = taken_apart(f"IM1-{body}")
    assert parts is not None
    with pytest.raises(ValueError, match="checksum"):
        parts.numbers()


def test_numbers_are_bounded() -> None:
    assert bounded(3, 3, 5) == 3
    for wrong in (2, 6):
        with pytest.raises(ValueError, match="bounds"):
            bounded(wrong, 3, 5)


def test_files_and_codes_are_told_apart() -> None:
    assert looks_like_code(coded("IM1", [1, 2, 3]) + "\n")
    assert not looks_like_code("[list]\narmy = 'x'")
    assert not looks_like_code("army = 'x'")
