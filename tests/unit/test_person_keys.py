"""The store of keys in memory keeps the contract."""

import pytest

from libs.eventlog.person_keys import KeyLost, MemoryPersonKeys, PersonKeyStore
from tests.kit.person_keys_contract import ANNA, BRUNO, PersonKeysContract


class TestMemoryPersonKeys(PersonKeysContract):
    """The contract in this process."""

    @pytest.fixture
    def store(self) -> PersonKeyStore:
        """An empty store."""
        return MemoryPersonKeys()


async def test_a_damaged_store_is_noticed() -> None:
    """An identity whose key is missing is not given a second pseudonym: money may be on the first."""
    store = MemoryPersonKeys()
    await store.claim("imprint-a", ANNA, "k.1")
    del store.keys[ANNA]
    with pytest.raises(KeyLost):
        await store.claim("imprint-a", BRUNO, "k.2")
