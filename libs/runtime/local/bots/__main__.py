"""`python -m libs.runtime.local.bots`: staff and players for every table of the floor, until told to stop."""

import asyncio
import os
import signal
from pathlib import Path

import httpx

from libs.runtime.floor import load_floor
from libs.runtime.local.bots.door import Door, Speaker
from libs.runtime.local.bots.journal import Journal
from libs.runtime.local.bots.players import Player
from libs.runtime.local.bots.staff import Habits, Staff
from libs.runtime.local.bots.watch import Watch
from libs.runtime.tokens import load_private_key

ANSWER_S = 10.0
"""How long a bot waits for the gateway before it repeats, in seconds; longer than the gateway waits itself."""


async def play() -> None:
    """Run all bots until SIGTERM or Ctrl-C."""
    environ = os.environ
    floor = load_floor(Path(environ["TAPIS_FLOOR"]))
    key = load_private_key(Path(environ["TAPIS_TOKEN_PRIVATE_KEY_FILE"]))
    players, fast = int(environ.get("TAPIS_BOT_PLAYERS", "5")), bool(environ.get("TAPIS_BOT_FAST"))
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    limits = httpx.Limits(max_connections=100, max_keepalive_connections=100)
    async with httpx.AsyncClient(
        base_url=environ["TAPIS_GATEWAY_URL"], timeout=ANSWER_S, limits=limits, trust_env=False
    ) as http:
        journal = Journal(Path(environ["TAPIS_BOT_JOURNAL"])) if environ.get("TAPIS_BOT_JOURNAL") else None
        door = Door(http, key, floor.site.name, journal)
        async with asyncio.TaskGroup() as group:
            tasks = []
            for pit in floor.pits:
                for plan in pit.tables:
                    reader = Speaker(door, f"bot-auditor-{plan.name}", "auditor")
                    watch = Watch(plan.name, reader, every_s=0.05 if fast else 0.3)
                    tasks.append(group.create_task(watch.run()))
                    tasks.append(group.create_task(Staff(door, watch, plan, Habits(fast)).run()))
                    seats = range(1, min(players, plan.seats) + 1)
                    table_players = [Player(door, watch, plan, pit.name, seat) for seat in seats]
                    tasks += [group.create_task(player.run()) for player in table_players]
            await stopping.wait()
            for task in tasks:
                task.cancel()


if __name__ == "__main__":
    asyncio.run(play())
