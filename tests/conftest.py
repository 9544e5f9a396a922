"""Fixtures shared by all tests."""

import os
from collections.abc import AsyncIterator, Iterator
from importlib.util import find_spec
from uuid import uuid4

import pytest

from libs.eventlog.redis_log import RedisLog
from tests.kit import redis_server

collect_ignore_glob = [] if find_spec("scipy") and find_spec("sp80022suite") else ["evidence/*"]
"""Examples in what needs the extra `evidence` run where it is installed (`make evidence`)."""

# Their assertions explain themselves like those of test modules.
pytest.register_assert_rewrite(
    "tests.kit.contract_append", "tests.kit.contract_ownership", "tests.kit.contract_reading"
)

_CHOSEN = pytest.StashKey[str]()
_USED = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Decide once which Redis the tests use."""
    config.stash[_CHOSEN] = redis_server.choice()
    # Some hundreds of processes are started: none need compile the house anew.
    os.environ["PYTHONDONTWRITEBYTECODE"] = ""


def pytest_report_header(config: pytest.Config) -> str:
    """Say which Redis the tests use."""
    return f"redis for tests: {config.stash[_CHOSEN]}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say at the end which Redis the tests used; a quiet run has no header."""
    if _USED in config.stash:
        terminalreporter.write_line(f"redis for tests: {config.stash[_USED]}")


@pytest.fixture(scope="session")
def redis_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Address of the server that all tests with marker `redis` share; each uses a site of its own."""
    stash = request.config.stash
    with redis_server.running_server(stash[_CHOSEN]) as url:
        stash[_USED] = stash[_CHOSEN]
        yield url


@pytest.fixture
def site() -> str:
    """Name of a site that no other test uses."""
    return f"site-{uuid4().hex[:12]}"


@pytest.fixture
async def redis_log(redis_url: str, site: str) -> AsyncIterator[RedisLog]:
    """An event log on the shared server, with a site of its own."""
    log = RedisLog(redis_url, site)
    yield log
    await log.close()
