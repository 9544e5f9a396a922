"""The table orchestrator: runs the tables of the pits it owns. One shard per pit of the floor."""

import sys
from collections.abc import Sequence

from libs.runtime.floor import Floor
from libs.runtime.kinds import PIT
from libs.runtime.owner import ShardPlan
from libs.runtime.service import EXIT_SETTINGS, Service, run
from services.table_orchestrator.observe import TableMetrics


def plans(floor: Floor | None) -> Sequence[ShardPlan]:
    """Return one shard per pit; without a floor there is nothing to run."""
    if floor is None:
        sys.stderr.write("table_orchestrator: TAPIS_FLOOR must name the floor file\n")
        raise SystemExit(EXIT_SETTINGS)
    wallets = floor.site.wallets
    return [ShardPlan(pit.name, frozenset(table.name for table in pit.tables), wallets) for pit in floor.pits]


def main() -> None:
    """Run the service."""
    run(Service("table_orchestrator", PIT, plans, observe=TableMetrics()))


if __name__ == "__main__":
    main()
