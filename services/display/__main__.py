"""Run the display: `python -m services.display`."""

import asyncio

import uvloop

from libs.eventlog.redis_log import RedisLog
from libs.runtime.floor import Floor
from libs.runtime.floorview import FloorView
from libs.runtime.front import refuse_to_start, run_front
from libs.runtime.service import start
from libs.runtime.settings import Settings
from libs.runtime.web import stop_on_signals
from services.display.app import Site, display_app
from services.display.boards import Show
from services.display.hub import Hub

NAME = "display"


def main() -> None:
    """Run until told to stop; exits with 2 when a setting is missing."""
    settings, floor = start(NAME)
    if floor is None:
        refuse_to_start(NAME, "TAPIS_FLOOR is missing: the display must know which tables there are")
    uvloop.run(_main(settings, floor))


async def _main(settings: Settings, floor: Floor) -> None:
    stopping = asyncio.Event()
    stop_on_signals(stopping)
    log = RedisLog(settings.redis_url, settings.site)
    view, hub = FloorView(log, floor), Hub()
    closing = asyncio.create_task(_close(hub, stopping))
    app = display_app(Show(view, hub), Site(floor.site.name, floor.site.currency))
    await run_front(settings, log, app, view.run, stopping)
    await closing


async def _close(hub: Hub, stopping: asyncio.Event) -> None:
    """End all live streams the moment the process is told to stop: the server waits for open ones."""
    await stopping.wait()
    hub.close()


if __name__ == "__main__":
    main()
