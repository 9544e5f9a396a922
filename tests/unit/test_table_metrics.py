"""What the table orchestrator counts."""

from libs.eventlog.api import Head
from libs.kernel.contracts.wallet import Leg
from libs.runtime import metrics
from libs.runtime.deciding import Book
from libs.table.messages import PostingConfirmed
from libs.table.state import Owed, TableState
from services.table_orchestrator.observe import TableMetrics


def test_gauges_of_a_shard_that_was_handed_over() -> None:
    """What was said of a table is taken back when its pit has another owner, so that two owners never contradict."""
    state = TableState("T9", pit="pit-9", phase="idle", owed={1: Owed("coup", (Leg("float:T9", 0),))})
    books = {"T9": Book("T9", 1, Head(), state)}
    observe = TableMetrics()
    observe("pit-9", [("T9", PostingConfirmed(number=0))], books)
    labels = {"table": "T9", "game": "none"}
    assert 1 == metrics.REGISTRY.get_sample_value("tapis_session_open", labels)
    assert 1 == metrics.REGISTRY.get_sample_value("tapis_postings_owed", {"table": "T9"})
    observe("pit-9", (), {})
    assert 0 == metrics.REGISTRY.get_sample_value("tapis_session_open", labels)
    assert 0 == metrics.REGISTRY.get_sample_value("tapis_postings_owed", {"table": "T9"})
