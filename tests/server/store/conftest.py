"""Assertion rewriting for the store contract, as for a test module."""

import pytest

pytest.register_assert_rewrite("tests.support.doubles.store_contract")
