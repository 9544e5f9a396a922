"""Wait for what others do. A test fails when it never happens; how long it takes decides nothing."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

PATIENCE_S = 90.0


async def until(true: Callable[[], bool | Awaitable[bool]], within_s: float = PATIENCE_S) -> None:
    """Return as soon as something is true, or becomes true when awaited; fails after `within_s`."""
    async with asyncio.timeout(within_s):
        while True:
            answer = true()
            if await answer if inspect.isawaitable(answer) else answer:
                return
            await asyncio.sleep(0.01)
