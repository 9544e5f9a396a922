"""Wait for what processes do. A test fails when it never happens; how long it takes decides nothing."""

import asyncio
from collections.abc import Callable

PATIENCE_S = 90.0


async def until(true: Callable[[], bool]) -> None:
    """Return as soon as something is true; fails after `PATIENCE_S`."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():  # noqa: ASYNC110 - what is waited for happens in other processes
            await asyncio.sleep(0.02)
