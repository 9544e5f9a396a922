"""The audit reads every golden log without finding a fault: it knows all that may happen at a table."""

from pathlib import Path

import pytest

from libs.runtime.audit.report import Faults
from libs.runtime.audit.table import TableAudit
from tests.golden.test_golden_logs import DECODER, LOGS, parts


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_the_audit_agrees_with_a_golden_log(log: Path) -> None:
    """Meters, stakes, settlements, releases, voids and the closing of every recorded session add up."""
    faults = Faults()
    audit = TableAudit("T1", faults)
    for version, line in enumerate(parts(log)[0], start=1):
        audit.see("T1/1", version, DECODER.decode(line))
    assert [] == list(faults.found)
