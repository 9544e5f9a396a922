"""The RNG: answers draws once and for ever. Owns the shard `rng-0`; never learns of wagers."""

import secrets

from libs.kernel.ids import DRAWS, RNG_SHARD
from libs.runtime.kinds import RNG
from libs.runtime.owner import ShardPlan
from libs.runtime.service import Service, run

ENTROPY_BYTES = 32
"""Fresh bytes of the operating system's CSPRNG given to each draw (256 bits)."""


def main() -> None:
    """Run the service."""
    plan = ShardPlan(RNG_SHARD, frozenset({DRAWS}))
    run(Service("rng", RNG, lambda _floor: [plan], entropy=lambda: secrets.token_bytes(ENTROPY_BYTES)))


if __name__ == "__main__":
    main()
