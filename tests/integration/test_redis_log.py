"""The log on Redis keeps the contract, and what only a real server can show."""

from collections.abc import AsyncIterator

import pytest

from libs.eventlog.api import EventLog
from libs.eventlog.redis_log import RedisLog
from tests.kit.eventlog_contract import EventLogContract

pytestmark = pytest.mark.redis


class TestRedisLog(EventLogContract):
    """The contract on Redis."""

    @pytest.fixture
    def log(self, redis_log: RedisLog) -> EventLog:
        """A log with a site of its own for each test."""
        return redis_log

    @pytest.fixture
    async def small_log(self, redis_url: str, site: str) -> AsyncIterator[EventLog]:
        """A log that keeps few entries on its feeds."""
        log = RedisLog(redis_url, site, feed_entries=100)
        yield log
        await log.close()
