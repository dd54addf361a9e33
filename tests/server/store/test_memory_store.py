"""The in-memory store keeps the contract of stores."""

import pytest

from server.store.port import Store
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.store_contract import StoreContract


class TestMemoryStore(StoreContract):
    @pytest.fixture
    async def store(self) -> Store:
        return MemoryStore()
