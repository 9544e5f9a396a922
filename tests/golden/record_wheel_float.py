"""A golden session of a wheel whose float moves and is counted; `record_wheel` writes it."""

from libs.kernel.contracts.table import MoveFloat
from libs.table import messages as m
from libs.table.float_messages import CountFloat
from tests.kit.given import COMMITTEE, CROUPIER, PIT_BOSS, GivenTable, given_wheel, player


def float_moves() -> GivenTable:
    """A fill, a float credit, one of each that the table cannot make, and two counts at the end."""
    table = given_wheel().given_seated(1, credit=20_000)
    table.given(MoveFloat(number=1, request="croupier-1:2026-11-30/1", amount=100_000))
    table.given_wagers((1, "2", 1_000)).given_spin("4")
    table.given(MoveFloat(number=2, request="croupier-1:2026-11-30/2", amount=-250_000))
    table.given(MoveFloat(number=3, request="croupier-1:2026-11-30/3", amount=-900_000))
    table.given(CountFloat(counted=351_000), by=CROUPIER).given(CountFloat(counted=351_000), by=PIT_BOSS)
    table.given(m.LeaveSeat(), by=player(1)).given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()
    return table.given(MoveFloat(number=4, request="croupier-1:2026-11-30/4", amount=100))
