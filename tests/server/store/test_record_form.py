"""Records are written back with the fields that this program does not know."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, strategies as st

from server.store.record_form import encode_record, unknown_fields


class Sketch(msgspec.Struct, frozen=True):
    """A record with two fields."""

    name: str
    size: int = 0


FIELDS = st.dictionaries(
    st.text(max_size=4), st.none() | st.binary(max_size=3) | st.lists(st.integers(0, 9)), max_size=4
)


@given(others=FIELDS, size=st.integers(0, 9))
def test_unknown_fields_are_kept_and_known_ones_are_those_of_the_record(others: dict[str, object], size: int) -> None:
    others = {name: value for name, value in others.items() if name not in ("name", "size")}
    stored = msgspec.msgpack.encode({"name": "before", "size": 3, **others})
    unknown = unknown_fields(stored, Sketch)
    assert unknown == others
    written = msgspec.msgpack.decode(encode_record(Sketch("after", size), unknown))
    assert written == {"name": "after", "size": size, **others}


def test_former_fields_of_its_own_are_not_kept() -> None:
    stored = msgspec.msgpack.encode({"name": "before", "tokens": ["t"], "hue": "red"})
    assert unknown_fields(stored, Sketch, ("tokens",)) == {"hue": "red"}


def test_what_is_no_record_is_damage() -> None:
    for stored in (b"", b"\xc1", msgspec.msgpack.encode([1])):
        with pytest.raises(msgspec.MsgspecError):
            unknown_fields(stored, Sketch)
