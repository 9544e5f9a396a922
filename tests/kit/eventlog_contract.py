"""What every event log must do. Run on both implementations: subclasses bring the fixtures `log` and `small_log`."""

from tests.kit.contract_append import AppendContract
from tests.kit.contract_ownership import OwnershipContract
from tests.kit.contract_reading import ReadingContract


class EventLogContract(OwnershipContract, AppendContract, ReadingContract):
    """The whole contract."""
