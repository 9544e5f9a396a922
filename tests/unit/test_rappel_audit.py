"""The audit of a table finds no fault in games with raises, pots, rakes and voids; what is false it finds."""

from collections.abc import Callable, Sequence

import msgspec
import pytest

from libs.kernel.messages import Event
from libs.runtime.audit.report import Faults
from libs.runtime.audit.table import TableAudit
from libs.table import messages as m
from tests.golden import record_rappel as sessions
from tests.kit.given import GivenTable
from tests.kit.rappel import first_game

SESSIONS = [
    sessions.bets_session,
    sessions.rappels_session,
    sessions.double_rappels_session,
    sessions.bank_session,
    sessions.silence_session,
    sessions.voids_session,
    sessions.real_dice_session,
    sessions.console_session,
]


def faults(events: Sequence[Event]) -> list[str]:
    """Return the codes of the faults that the audit finds in a stream."""
    found = Faults()
    audit = TableAudit("T1", found)
    for version, event in enumerate(events, start=1):
        audit.see("T1/1", version, event)
    return [fault.code for fault in found.found]


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.__name__)
def test_recorded_sessions_pass_the_audit(session: Callable[[], GivenTable]) -> None:
    """Meters, stakes, settlements and postings of every kind of ending agree when they are added up anew."""
    assert [] == faults(session().log)


def test_a_stake_out_of_time_is_found() -> None:
    """A raise that is not marked as one is a late wager; an entry marked as one comes too early."""
    log = first_game((2, 9), "A:declines B:declines A:raises B:passes").log
    placed = [place for place, event in enumerate(log) if isinstance(event, m.WagerPlaced)]
    for place, code in ((placed[0], "wager.early"), (placed[-1], "wager.late")):
        false = list(log)
        event = log[place]
        assert isinstance(event, m.WagerPlaced)
        false[place] = msgspec.structs.replace(event, charged=not event.charged)
        assert [code] == faults(false)
