"""The in-memory log keeps the contract."""

import pytest

from libs.eventlog.api import EventLog, Held, Owned
from libs.eventlog.memory import MemoryLog
from tests.kit.eventlog_contract import EventLogContract


class TestMemoryLog(EventLogContract):
    """The contract on the in-memory log."""

    @pytest.fixture
    def log(self) -> EventLog:
        """A log of its own for each test."""
        return MemoryLog()

    @pytest.fixture
    def small_log(self) -> EventLog:
        """A log that keeps few entries on its feeds."""
        return MemoryLog(feed_entries=100)


async def test_clock_is_given() -> None:
    """Leases go by the clock that was given."""
    now = [1_000]
    log = MemoryLog(lambda: now[0])
    await log.acquire("s", "one", 500)
    now[0] = 1_499
    assert Held("one", 1) == await log.acquire("s", "two", 500)
    now[0] = 1_500
    assert isinstance(await log.acquire("s", "two", 500), Owned)
