"""What a failure of this suite tells, so that it need not happen twice."""

import asyncio
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.kit.casino import OPEN
from tests.kit.story import story


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
