"""A table in a casino, for tests that need no more; and what a failure tells, so that it need not happen twice."""

import asyncio
from collections.abc import AsyncIterator, Generator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
import pytest_asyncio

from tests.kit.casino import OPEN, plan_in, running
from tests.kit.play import TableParty
from tests.kit.story import story


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def party(redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TableParty]:
    """An open table, in a casino where nobody else plays; each test has a player of its own."""
    plan = plan_in(tmp_path_factory.mktemp("casino"), f"site-{uuid4().hex[:12]}", redis_url=redis_url, bots=False)
    async with running(plan) as scene:
        party = TableParty(scene)
        await party.open()
        yield party


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell the story of the casinos that outlive a failed test; those that ended with it have told theirs."""
    report = yield
    if call.when == "call" and report.failed:
        with ThreadPoolExecutor(1) as thread:  # this thread's event loop is the test's
            for scene in OPEN:
                report.sections.append(("the casino", thread.submit(asyncio.run, story(scene)).result()))
    return report
