"""The wallet: keeps the ledger and opens its gaming days. Owns the shard `wallet-0`, or as many as the floor says."""

from collections.abc import Sequence

from libs.kernel.wallets import wallet_at
from libs.runtime.floor import Floor
from libs.runtime.gaming_day import clock_of_days
from libs.runtime.kinds import WALLET
from libs.runtime.owner import ShardPlan
from libs.runtime.service import Service, run


def plans(floor: Floor | None) -> Sequence[ShardPlan]:
    """Return one shard per part of the wallet."""
    count = floor.site.wallets if floor is not None else 1
    parts = [wallet_at(index, count) for index in range(count)]
    return [ShardPlan(part.shard, frozenset({part.book}), count) for part in parts]


def main() -> None:
    """Run the service."""
    run(Service("wallet", WALLET, plans, timed=lambda floor, plan: clock_of_days(floor, plan.known)))


if __name__ == "__main__":
    main()
