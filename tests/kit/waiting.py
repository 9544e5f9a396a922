"""Wait for what will be true: tests have no other use for time."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

PATIENCE_S = 180.0
"""Only there so that a failing test ends; how long something takes decides nothing."""


async def until(
    true: Callable[[], bool | Awaitable[bool]],
    within_s: float = PATIENCE_S,
    why: str | Callable[[], str] = "it never became true",
) -> None:
    """Wait until something is true. The limit is only there so that a failing test ends; `why` is said then."""
    give_up = asyncio.get_running_loop().time() + within_s
    while True:
        answer = true()
        if await answer if inspect.isawaitable(answer) else answer:
            return
        if asyncio.get_running_loop().time() >= give_up:
            raise AssertionError(f"{why if isinstance(why, str) else why()} (waited for {within_s:.0f} s)")
        await asyncio.sleep(0.01)
