"""Run the door: `python -m services.gateway`."""

import asyncio
import sys
from typing import NoReturn

import uvloop

from libs.runtime.floor import Floor
from libs.runtime.kinds import PIT
from libs.runtime.logs import log as logger
from libs.runtime.service import EXIT_SETTINGS, open_log, start
from libs.runtime.settings import Settings
from libs.runtime.tokens import KeyUnusable, Verifier, load_public_keys
from libs.runtime.web import serve, stop_on_signals
from services.gateway.answers import Desk
from services.gateway.app import gateway_app
from services.gateway.door import Door
from services.gateway.house import FollowedHouse
from services.gateway.rates import Rates

NAME = "gateway"


def main() -> None:
    """Run until told to stop; exits with 2 when a setting is missing or a key cannot be used."""
    settings, floor = start(NAME)
    if floor is None:
        _refuse("TAPIS_FLOOR is missing: the door must know which tables there are")
    if settings.token_public_key_file is None:
        _refuse("TAPIS_TOKEN_PUBLIC_KEY_FILE is missing: the door must know whose tokens are good")
    try:
        verifier = Verifier(load_public_keys(settings.token_public_key_file), settings.site)
    except KeyUnusable as error:
        _refuse(str(error))
    uvloop.run(_main(settings, floor, verifier))


async def _main(settings: Settings, floor: Floor, verifier: Verifier) -> None:
    stopping = asyncio.Event()
    stop_on_signals(stopping)
    log = await open_log(settings, stopping)
    house = FollowedHouse(log, floor)
    following = asyncio.create_task(house.run())
    door = Door(house, Rates(), Desk())
    logger().info("service started")
    await serve(gateway_app(door, verifier, PIT.decider.commands), settings, stopping)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    await log.close()
    logger().info("service stopped")


def _refuse(reason: str) -> NoReturn:
    sys.stderr.write(f"{NAME}: {reason}\n")
    raise SystemExit(EXIT_SETTINGS)


if __name__ == "__main__":
    main()
