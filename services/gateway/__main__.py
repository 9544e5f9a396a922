"""Run the door: `python -m services.gateway`."""

import asyncio

import uvloop

from libs.eventlog.redis_log import RedisLog
from libs.runtime.floor import Floor
from libs.runtime.front import refuse_to_start, run_front
from libs.runtime.kinds import PIT
from libs.runtime.service import start
from libs.runtime.settings import Settings
from libs.runtime.tokens import KeyUnusable, Verifier, load_public_keys
from libs.runtime.web import stop_on_signals
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
        refuse_to_start(NAME, "TAPIS_FLOOR is missing: the door must know which tables there are")
    if settings.token_public_key_file is None:
        refuse_to_start(NAME, "TAPIS_TOKEN_PUBLIC_KEY_FILE is missing: the door must know whose tokens are good")
    try:
        verifier = Verifier(load_public_keys(settings.token_public_key_file), settings.site)
    except KeyUnusable as error:
        refuse_to_start(NAME, str(error))
    uvloop.run(_main(settings, floor, verifier))


async def _main(settings: Settings, floor: Floor, verifier: Verifier) -> None:
    stopping = asyncio.Event()
    stop_on_signals(stopping)
    log = RedisLog(settings.redis_url, settings.site)
    house = FollowedHouse(log, floor)
    app = gateway_app(Door(house, Rates(), Desk()), verifier, PIT.decider.commands)
    await run_front(settings, log, app, house.run, stopping)


if __name__ == "__main__":
    main()
