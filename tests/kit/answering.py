"""A process that answers over HTTP with its own process id, on the socket that it inherits."""

import asyncio
import os

from libs.runtime.settings import load_settings
from libs.runtime.web import health_app, serve, stop_on_signals


async def main() -> None:
    """Answer until told to end."""
    stopping = asyncio.Event()
    stop_on_signals(stopping)
    await serve(health_app(lambda: (True, str(os.getpid()))), load_settings(), stopping)


if __name__ == "__main__":
    asyncio.run(main())
