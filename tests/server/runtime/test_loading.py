"""Objects loaded in a block that collects nothing are left out of collections, and these go on after it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from server.runtime.loading import load_uncollected


class Knot:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.other = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Leave what stays to the end of all tests out of collections again."""
    yield
    gc.enable()
    gc.freeze()


def test_what_is_loaded_is_not_looked_through_and_what_comes_after_is() -> None:
    with load_uncollected():
        assert not gc.isenabled()
        loaded = weakref.ref(Knot())
    assert gc.isenabled()
    later = weakref.ref(Knot())
    gc.collect()
    assert later() is None
    assert loaded() is not None
    gc.unfreeze()
    gc.collect()
    assert loaded() is None


def test_it_leaves_the_collector_off_where_it_was_and_turns_it_on_after_a_fault() -> None:
    with pytest.raises(ZeroDivisionError), load_uncollected():
        _ = 1 // 0
    assert gc.isenabled()
    gc.disable()
    with load_uncollected():
        pass
    assert not gc.isenabled()
