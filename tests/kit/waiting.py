"""Wait for what will be true: tests have no other use for time."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable


async def until(true: Callable[[], bool | Awaitable[bool]], within_s: float = 20.0, why: str = "") -> None:
    """Wait until something is true. The limit is only there so that a failing test ends."""
    give_up = asyncio.get_running_loop().time() + within_s
    while True:
        answer = true()
        if await answer if inspect.isawaitable(answer) else answer:
            return
        assert asyncio.get_running_loop().time() < give_up, why or "it never became true"
        await asyncio.sleep(0.01)
