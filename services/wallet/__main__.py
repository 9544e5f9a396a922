"""The wallet: keeps the ledger. Owns the shard `wallet-0`."""

from libs.kernel.ids import LEDGER, WALLET_SHARD
from libs.runtime.kinds import WALLET
from libs.runtime.owner import ShardPlan
from libs.runtime.service import Service, run


def main() -> None:
    """Run the service."""
    plan = ShardPlan(WALLET_SHARD, frozenset({LEDGER}))
    run(Service("wallet", WALLET, lambda _floor: [plan]))


if __name__ == "__main__":
    main()
