"""What both logs ask of a batch before they look at the shard: a batch that fails here is a defect of the caller."""

from libs.eventlog.api import Batch
from libs.kernel.limits import BATCH_STREAMS


def check_batch(batch: Batch) -> None:
    """Raise `ValueError` when a batch contradicts itself."""
    streams = [one.stream for one in batch.appends]
    if len(set(streams)) != len(streams):
        raise ValueError("a stream stands twice in the batch")
    if len(streams) > BATCH_STREAMS:
        raise ValueError(f"a batch of {len(streams)} streams; {BATCH_STREAMS} are allowed")
    for one in batch.appends:
        if not one.records:
            raise ValueError(f"nothing to append to {one.stream}")
        if one.after.version != one.expected.version + len(one.records):
            raise ValueError(f"{one.stream}: {len(one.records)} records do not lead to version {one.after.version}")
    if entry_order(batch.cursor_to) < entry_order(batch.cursor_from):
        raise ValueError(f"the cursor cannot go back from {batch.cursor_from} to {batch.cursor_to}")


def entry_order(entry: str) -> tuple[int, int]:
    """Return what an entry id sorts by.

    >>> entry_order("1790000000000-2")
    (1790000000000, 2)
    """
    time, _, number = entry.partition("-")
    return int(time), int(number)
