"""Who may say what: every command of a table in every role."""

import pytest

from libs.games.paire_poker import messages as p
from libs.games.rampo import messages as r
from libs.games.rappel import messages as rappel
from libs.games.wheel import messages as w
from libs.kernel.actors import Actor, Role
from libs.kernel.allowances import Allowance
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.table import CreditSeat, MoveFloat, SetAllowance
from libs.kernel.messages import Command, Tick
from libs.kernel.refusals import Refusal
from libs.table import interruption_messages as i
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.decider import DECIDER
from libs.table.float_messages import CountFloat
from tests.kit.given import ALL_ROLES, given_wheel, opening

ALLOWED: list[tuple[Command, set[Role]]] = [
    (m.CheckEquipment(), {"technician", "committee_member"}),
    (opening(), {"committee_member"}),
    (m.AnnounceLastCoups(), {"pit_boss", "committee_member"}),
    (m.CloseSession(), {"committee_member"}),
    (i.InterruptSession(reason="x"), {"committee_member"}),
    (m.TakeSeat(seat=1), {"player"}),
    (m.LeaveSeat(), {"player"}),
    (m.CashOut(amount=1), {"player"}),
    (m.OpenBetting(), {"croupier", "pit_boss"}),
    (m.PlaceWager(spot="2", amount=100), {"player"}),
    (m.TakeBackWager(spot="2"), {"player"}),
    (m.CloseBetting(), {"croupier", "pit_boss"}),
    (m.VoidCoup(reason="x"), {"pit_boss", "committee_member"}),
    (o.RecordOutcome(name="main", faces=("1",)), {"croupier", "pit_boss", "committee_member", "device"}),
    (o.ConfirmOutcome(name="main"), {"croupier", "pit_boss", "committee_member"}),
    (o.CorrectOutcome(name="main", faces=("1",), reason="x"), {"pit_boss"}),
    (CreditSeat(transfer_id="t", player="p", seat=1, amount=1), {"service"}),
    (SetAllowance(player="p", allowance=Allowance(1, 0), known=0), {"service"}),
    (MoveFloat(number=1, request="r", amount=1), {"service"}),
    (CountFloat(counted=1), {"croupier", "pit_boss", "committee_member"}),
    (Answered(to="x"), {"service"}),
    (Tick(), {"service"}),
    (w.PressBuzzer(), {"player"}),
    (w.LaunchWheel(), {"croupier", "pit_boss", "committee_member"}),
    (w.ReportSpin(ring="main", turns=2, direction="clockwise"), {"device"}),
    (w.EnterSegment(ring="main", segment=1), {"committee_member"}),
    (p.TurnCard(place=1), {"croupier", "pit_boss"}),
    (p.PayWinners(), {"croupier", "pit_boss"}),
    (p.ReportIrregularity(kind="wrong_count"), {"pit_boss", "committee_member"}),
    (r.SetChipValue(value=500), {"player"}),
    (r.RefuseDice(), {"player"}),
    (r.ChangeDice(pair=2), {"player"}),
    (r.ThrowDice(), {"player"}),
    (r.AnswerRampo(tries=True), {"player"}),
    (r.CallCoupNul(throw=1, fault="other"), {"croupier", "pit_boss"}),
    (r.RemoveShooter(seat=1, reason="x"), {"pit_boss"}),
    (rappel.TryRappel(), {"player"}),
    (rappel.Decline(), {"player"}),
    (rappel.Follow(level=0), {"player"}),
    (rappel.Raise(level=0), {"player"}),
    (rappel.Pass(), {"player"}),
    (rappel.CallCocked(seat=1), {"croupier", "pit_boss"}),
]


@pytest.mark.parametrize("role", ALL_ROLES)
@pytest.mark.parametrize(("command", "allowed"), ALLOWED, ids=lambda value: type(value).__name__)
def test_role(command: Command, allowed: set[Role], role: Role) -> None:
    """A role that may not say it gets `role.not_allowed` and nothing changes; one that may gets another answer."""
    table = given_wheel().given_wagers()
    before = table.state
    decision = table.when(command, by=Actor("somebody-1", role))
    refused = isinstance(decision, Refusal) and decision.code == "role.not_allowed"
    assert (role not in allowed) == refused
    if refused:
        assert before == table.state


def test_every_command_is_in_the_list() -> None:
    """No command of the table or of a game is missing from the list above."""
    assert DECIDER.commands == {type(command) for command, _ in ALLOWED}
