"""The RNG: answers draws once and for ever. Owns the shard `rng-0`; never learns of wagers."""

from libs.kernel.ids import DRAWS, RNG_SHARD
from libs.runtime.kinds import RNG
from libs.runtime.owner import ShardPlan
from libs.runtime.service import Service, run
from services.rng.chance import SERVICE, chance_of


def main() -> None:
    """Run the service."""
    plan = ShardPlan(RNG_SHARD, frozenset({DRAWS}))
    run(Service(SERVICE, RNG, lambda _floor: [plan], chance_of))


if __name__ == "__main__":
    main()
