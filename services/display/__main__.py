"""Run the display: `python -m services.display`."""

import asyncio
import sys

import uvloop

from libs.runtime.floor import Floor
from libs.runtime.floorview import FloorView
from libs.runtime.logs import log as logger
from libs.runtime.service import EXIT_SETTINGS, open_log, start
from libs.runtime.settings import Settings
from libs.runtime.web import serve, stop_on_signals
from services.display.app import Site, display_app
from services.display.hub import Hub

NAME = "display"


def main() -> None:
    """Run until told to stop; exits with 2 when a setting is missing."""
    settings, floor = start(NAME)
    if floor is None:
        sys.stderr.write(f"{NAME}: TAPIS_FLOOR is missing: the display must know which tables there are\n")
        raise SystemExit(EXIT_SETTINGS)
    uvloop.run(_main(settings, floor))


async def _main(settings: Settings, floor: Floor) -> None:
    stopping = asyncio.Event()
    stop_on_signals(stopping)
    log = await open_log(settings, stopping)
    view, hub = FloorView(log, floor), Hub()
    following = asyncio.create_task(view.run())
    closing = asyncio.create_task(_close(hub, stopping))
    logger().info("service started")
    await serve(display_app(view, hub, Site(floor.site.name, floor.site.currency)), settings, stopping)
    following.cancel()
    closing.cancel()
    await asyncio.gather(following, closing, return_exceptions=True)
    await log.close()
    logger().info("service stopped")


async def _close(hub: Hub, stopping: asyncio.Event) -> None:
    """End all live streams the moment the process is told to stop: the server waits for open ones."""
    await stopping.wait()
    hub.close()


if __name__ == "__main__":
    main()
