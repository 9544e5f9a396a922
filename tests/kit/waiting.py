"""Wait for what will be true: tests have no other use for time."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

PATIENCE_S = 90.0
"""Only there so that a failing test ends; how long something takes decides nothing."""


async def until(true: Callable[[], bool | Awaitable[bool]], within_s: float = PATIENCE_S, why: str = "") -> None:
    """Wait until something is true. The limit is only there so that a failing test ends."""
    give_up = asyncio.get_running_loop().time() + within_s
    while True:
        answer = true()
        if await answer if inspect.isawaitable(answer) else answer:
            return
        assert asyncio.get_running_loop().time() < give_up, why or "it never became true"
        await asyncio.sleep(0.01)
