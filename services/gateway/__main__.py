"""Run the door: `python -m services.gateway`."""

import asyncio

import uvloop

from libs.eventlog.person_keys import RedisPersonKeys
from libs.eventlog.redis_log import RedisLog
from libs.eventlog.server_check import REPLICAS
from libs.runtime.floor import Floor
from libs.runtime.front import refuse_to_start, run_front
from libs.runtime.keyfile import KeyFileError
from libs.runtime.kinds import PIT
from libs.runtime.persons.keyfile import PersonKeys, read_person_keys
from libs.runtime.persons.vault import Vault
from libs.runtime.service import start
from libs.runtime.settings import Settings
from libs.runtime.tokens import KeyUnusable, Verifier, load_public_keys
from libs.runtime.web import stop_on_signals
from services.gateway.answers import Desk
from services.gateway.app import gateway_app
from services.gateway.door import Door
from services.gateway.house import FollowedHouse
from services.gateway.keeper import Keeper
from services.gateway.rates import Rates
from services.gateway.register import Lockup, Register

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
        keys = read_person_keys(settings.person_keys_file) if settings.person_keys_file else None
    except (KeyUnusable, KeyFileError) as error:
        refuse_to_start(NAME, str(error))
    uvloop.run(_main(settings, floor, verifier, keys))


async def _main(settings: Settings, floor: Floor, verifier: Verifier, keys: PersonKeys | None) -> None:
    stopping = asyncio.Event()
    stop_on_signals(stopping)
    log = RedisLog(settings.redis_url, settings.site)
    house = FollowedHouse(log, floor)
    store = RedisPersonKeys(settings.redis_url, settings.site, REPLICAS[settings.durability])
    lockup = Lockup(store, Vault(keys, settings.site)) if keys is not None else None
    keeper = Keeper(log, house.register, lockup)
    door = Door(house, Rates(), Desk())
    app = gateway_app(door, Register(door, keeper, lockup), verifier, PIT.decider.commands)

    async def following() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(house.run())
            group.create_task(keeper.run())

    try:
        await run_front(settings, log, app, following, stopping)
    finally:
        await store.close()


if __name__ == "__main__":
    main()
