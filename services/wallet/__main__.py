"""The wallet: keeps the ledger and opens its gaming days; keeps the register of persons.

Owns the shard `wallet-0`, or as many as the floor says, and `persons-0`. It has no key of the register: it orders
sealed facts, and can read none of them.
"""

from collections.abc import Sequence

from libs.kernel.ids import PERSONS, PERSONS_SHARD
from libs.kernel.wallets import wallet_at
from libs.runtime import kinds
from libs.runtime.floor import Floor
from libs.runtime.gaming_day import clock_of_days
from libs.runtime.owner import ShardPlan
from libs.runtime.service import Service, run

REGISTER = ShardPlan(PERSONS_SHARD, frozenset({PERSONS}), kind=kinds.PERSONS)


def plans(floor: Floor | None) -> Sequence[ShardPlan]:
    """Return one shard per part of the wallet, and the register's."""
    count = floor.site.wallets if floor is not None else 1
    parts = [wallet_at(index, count) for index in range(count)]
    ledgers = [ShardPlan(part.shard, frozenset({part.book}), count) for part in parts]
    return [*ledgers, REGISTER]


def main() -> None:
    """Run the service."""
    run(Service("wallet", kinds.WALLET, plans, timed=lambda floor, plan: clock_of_days(floor, plan.known - {PERSONS})))


if __name__ == "__main__":
    main()
