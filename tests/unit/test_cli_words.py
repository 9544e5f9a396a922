"""How the command line tells a state."""

from libs.cli.words import table_lines
from libs.table.interruption_messages import InterruptSession
from tests.kit.given import COMMITTEE, given_wheel


def test_of_a_closed_session_only_what_stands_is_told() -> None:
    """Coup and float are told while the session lasts; of one that is over, what was staked in it."""
    table = given_wheel("ROUE-MAISON-1").given_seated(1, credit=10_000).given_wagers((1, "2", 100))
    (session, *_) = table_lines(table.state)
    assert "session 1 (wheel, ROUE-MAISON-1), betting, coup 1, float 5000.00, handle 0.00" == session
    table.given(InterruptSession(reason="power"), by=COMMITTEE)
    assert ["session 1 (wheel, ROUE-MAISON-1), closed, handle 0.00"] == table_lines(table.state)[:1]
