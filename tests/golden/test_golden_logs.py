"""Every log that was ever recorded folds to the state that was recorded with it, under the code of today."""

import functools
import operator
from pathlib import Path

import msgspec
import pytest

from libs.kernel.messages import Event
from libs.table.board import board_of
from libs.table.decider import DECIDER
from tests.kit.given import folds

LOGS = sorted(Path(__file__).parent.glob("*/*.jsonl"))
DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(functools.reduce(operator.or_, DECIDER.events))


def parts(log: Path) -> tuple[list[bytes], dict[str, object]]:
    """Return the events of a golden log as bytes, and its end state."""
    *events, end = log.read_bytes().splitlines()
    state: dict[str, object] = msgspec.json.decode(end)["state"]
    return events, state


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_a_golden_log_folds_to_its_state(log: Path) -> None:
    """Each part of the recorded state is what the events fold to; parts that were added since do not matter."""
    lines, expected = parts(log)
    state = folds([DECODER.decode(line) for line in lines], str(expected["table"]))
    actual = msgspec.json.decode(msgspec.json.encode(state))
    assert expected == {key: actual.get(key) for key in expected}
    assert state.table == board_of(state).table


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_the_events_of_a_golden_log_keep_their_wire_form(log: Path) -> None:
    """Reading an old event and writing it again keeps every field that was written, with its value and tag."""
    for line in parts(log)[0]:
        written = msgspec.json.decode(line)
        again = msgspec.json.decode(msgspec.json.encode(DECODER.decode(line)))
        assert written == {key: again.get(key) for key in written}


def test_the_golden_logs_know_every_event() -> None:
    """Every event of a table and of its games occurs in some golden log, so that none can change its form unseen."""
    seen = {msgspec.json.decode(line)["type"] for log in LOGS for line in parts(log)[0]}
    tags = {str(kind.__struct_config__.tag) for kind in DECIDER.events}
    assert tags == seen
