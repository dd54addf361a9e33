"""Choice of the tests that are unit tests."""

import pytest
from hypothesis import given, strategies as st


@pytest.fixture
def window() -> None:
    """A stand-in for the fixture that opens a window."""


def is_unit(request: pytest.FixtureRequest) -> bool:
    return request.node.get_closest_marker("unit") is not None


def test_a_plain_test_of_a_room_is_one(request: pytest.FixtureRequest) -> None:
    assert is_unit(request)


@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_slow_case_is_none(request: pytest.FixtureRequest, number: int) -> None:
    assert is_unit(request) is (number == 1)


@pytest.mark.waits
def test_one_that_waits_is_none(request: pytest.FixtureRequest) -> None:
    assert not is_unit(request)


async def test_a_coroutine_is_none(request: pytest.FixtureRequest) -> None:
    assert not is_unit(request)


@pytest.mark.usefixtures("window")
def test_one_with_a_window_is_none(request: pytest.FixtureRequest) -> None:
    assert not is_unit(request)


class TestWithRandomCases:
    marked: list[str]

    @pytest.fixture(autouse=True)
    def _marks(self, request: pytest.FixtureRequest) -> None:
        type(self).marked = [mark.name for mark in request.node.iter_markers()]

    @given(number=st.integers())
    def test_one_with_random_cases_is_none(self, number: int) -> None:
        assert "unit" not in self.marked, number
