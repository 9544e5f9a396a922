"""Record the golden logs of Rampo: `python -m tests.golden.record_rampo`. Existing ones are never overwritten.

Inputs are fixed; `recording.py` says what a file holds.
"""

from typing import get_args

from libs.games.rampo import messages as r
from libs.games.rampo.paytables import COLOUR_OF_NUMBER, SEVEN
from libs.kernel.contracts.answers import Answered
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.interruption_messages import InterruptSession
from tests.golden.recording import write
from tests.kit.given import (
    BETTING_MS,
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    DEVICE,
    PIT_BOSS,
    GivenTable,
    player,
)
from tests.kit.rampo import HOUSE, HOUSE_2, LETTER, answered, given_rampo, given_trying, rampo_opening, thrown

GAME = "rampo"
LONG_MS = 3_600_000


def drawn_by_the_rng() -> GivenTable:
    """The whole-table example with the RNG: tries, silence, chip values, the other pair, a 7, the last three throws."""
    table = given_rampo(players=3)
    table.given(r.SetChipValue(value=1_000), by=player(2))
    table.given_wagers((1, "ROUGE", 1_000), (1, "8", 500), (2, "8", 1_000), (3, "VERT", 2_000))
    table.given(r.ChangeDice(pair=2), by=player(1)).given(m.CloseBetting(), by=CROUPIER)
    table.given(r.ThrowDice(), by=player(1))
    answered(thrown(table, 8, close=False), (1, True), (2, False))
    table.given_wagers((2, "8", 1_000), (3, "NOIR", 1_000), (3, "2", 500)).given(
        m.TakeBackWager(spot="2"), by=player(3)
    )
    table.later(BETTING_MS)
    answered(thrown(table, 8, close=False), (2, True))
    thrown(table.given_wagers((1, "BLANC", 1_000), (1, "7", 500)), 7)
    table.given_wagers((2, "12", 1_000), (3, "12", 500)).given(r.RefuseDice(), by=player(2))
    answered(thrown(table, 12), (3, True)).later(DECISION_MS)
    table.given_ledger_confirms().given(m.AnnounceLastCoups(), by=PIT_BOSS)
    thrown(table.given_wagers((1, "JAUNE", 700)), 4)
    answered(thrown(table.given_wagers((1, "6", 500)), 6), (1, True))
    thrown(table.given_wagers((3, "6", 500), (3, "NOIR", 501)), 6)
    table.given(m.LeaveSeat(), by=player(2)).given(m.CloseSession(), by=COMMITTEE)
    return table.given_ledger_confirms()


def thrown_by_hand() -> GivenTable:
    """The decree's paytable at the console: *coup nul*, a broken die, removal, corrections, a void, nothing entered."""
    table = given_trying(given_rampo(LETTER, players=3, source="console"), 4)
    table.given_wagers((2, "ROUGE", 1_000), (3, "4", 500)).given(m.CloseBetting(), by=CROUPIER)
    table.given(r.CallCoupNul(throw=1, fault="broken"), by=CROUPIER)
    table.given(o.RecordOutcome(name="throw-2", faces=("1", "3")), by=CROUPIER)
    table.given(r.CallCoupNul(throw=2, fault="on_chip"), by=PIT_BOSS)
    table.given(r.RemoveShooter(seat=1, reason="throws onto the chips again and again"), by=PIT_BOSS)
    answered(thrown(table, 4, close=False), (3, True))
    table.given_wagers((1, "10", 500), (2, "9", 500)).given(m.CloseBetting(), by=CROUPIER)
    table.given(o.RecordOutcome(name="throw-1", faces=("6", "4")), by=CROUPIER)
    table.later(DECISION_MS)
    table.given(r.AnswerRampo(tries=False), by=player(1))
    table.given_wagers((1, "10", 500), (2, "9", 500), (3, "9", 1_000)).given(m.CloseBetting(), by=CROUPIER)
    table.given(o.RecordOutcome(name="throw-1", faces=("6", "4")), by=CROUPIER)
    table.given(o.CorrectOutcome(name="throw-1", faces=("6", "3"), reason="one die misread"), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="throw-1"), by=CROUPIER)
    answered(table, (2, True))
    table.given(o.CorrectOutcome(name="throw-1", faces=("5", "4"), reason="it was the other die"), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="throw-1"), by=PIT_BOSS)
    answered(table, (2, False), (3, True))
    table.given_wagers((1, "VERT", 500)).given(m.CloseBetting(), by=CROUPIER)
    table.given(m.VoidCoup(reason="smoke in the pit"), by=PIT_BOSS)
    table.given_wagers((1, "VERT", 500)).given(m.CloseBetting(), by=CROUPIER)
    table.later(LONG_MS)
    thrown(table.given_wagers((1, "BLANC", 500)), 7)
    return table.given_ledger_confirms()


def seen_by_a_device() -> GivenTable:
    """A device reads the dice: well, not at all, twice differently, not these dice; people enter in its place."""

    def locked(*wagers: tuple[int, str, int]) -> None:
        table.given_wagers(*wagers).given(m.CloseBetting(), by=CROUPIER)

    def seen(name: str, *faces: str) -> None:
        table.given(o.RecordOutcome(name=name, faces=faces or None, coup=table.state.coup), by=DEVICE)

    def entered(*faces: str) -> None:
        (name,) = table.state.awaited
        table.given(o.RecordOutcome(name=name, faces=faces), by=COMMITTEE)
        table.given(o.ConfirmOutcome(name=name), by=COMMITTEE)

    table = given_rampo(source="device", options={"extremes_times": 15}, float_amount=10_000_000)
    locked((1, "NOIR", 1_000))
    seen("throw-1", "5", "6")
    table.later(DECISION_MS)
    locked((1, "NOIR", 1_000))
    seen("throw-1")
    entered("3", "3")
    locked((1, "NOIR", 1_000))
    seen("throw-1", "3", "3")
    seen("throw-1", "3", "4")
    entered("3", "4")
    locked((2, "NOIR", 1_000))
    seen("throw-1", "7", "1")
    entered("6", "5")
    locked((2, "NOIR", 1_000))
    table.later(LONG_MS)
    table.later(LONG_MS)
    locked((2, "JAUNE", 1_000), (1, "4", 500))
    table.given(r.CallCoupNul(throw=1, fault="leaning"), by=CROUPIER)
    seen("throw-2", "2", "2")
    table.given(o.ConfirmOutcome(name="throw-2"), by=CROUPIER)
    answered(table, (1, False))
    return table.given_ledger_confirms()


def nobody_throws() -> GivenTable:
    """Dice refused by all with a try pending, no stakes, a shooter without a stake, one who leaves; art. 31 closing."""
    table = given_trying(given_rampo(players=3), 6)
    table.given_wagers((2, "ROUGE", 1_000))
    for number in (1, 2, 3):
        table.given(r.RefuseDice(), by=player(number))
    table.given_wagers((2, "ROUGE", 1_000)).given(m.CloseBetting(), by=CROUPIER)
    table.given(r.RemoveShooter(seat=2, reason="keeps the dice in the hand"), by=PIT_BOSS)
    table.given_wagers((3, "ROUGE", 500))
    thrown(table, 3)
    table.given_wagers((3, "ROUGE", 500)).given(m.LeaveSeat(), by=player(1))
    thrown(table, 7)
    table.given(m.LeaveSeat(), by=player(2)).given_seated(4, seat=1)
    for _ in range(3):
        table.given_wagers()
        table.later(BETTING_MS)
    table.given(m.CloseSession(), by=COMMITTEE)
    return table.given_ledger_confirms()


def interrupted() -> GivenTable:
    """A session that is interrupted while tries are pending and fresh bets lie there."""
    table = given_rampo(HOUSE_2).given_wagers((1, "12", 500), (2, "12", 1_000))
    answered(thrown(table, 12), (1, True), (2, True))
    table.given_wagers((2, "ROUGE", 1_000), (1, "11", 500))
    table.given(InterruptSession(reason="the float cannot cover the bets (art. 44)"), by=COMMITTEE)
    return table.given_ledger_confirms()


def interrupted_after_the_number() -> GivenTable:
    """The next session of that table, interrupted while the rampo is offered: the number counts, nothing is tried."""
    table = interrupted().given_open(rampo_opening(LETTER)).given_seated(2, seat=6).given_seated(5, seat=7)
    table.given_wagers((2, "5", 500), (5, "5", 500), (5, "JAUNE", 900))
    answered(thrown(table, 5), (5, True))
    table.given(InterruptSession(reason="water damage"), by=COMMITTEE)
    return table.given_ledger_confirms()


def every_number(paytable: str) -> GivenTable:
    """Each number wins and is paid; wins, is tried and comes again; and is tried in vain. Each colour wins."""
    table = given_rampo(paytable, credit=300_000)
    for number in range(2, 13):
        table.given_wagers((1, str(number), 500), (2, COLOUR_OF_NUMBER[number], 1_000), (2, str(number), 1_000))
        answered(thrown(table, number), *(() if number == SEVEN else ((1, True), (2, False))))
        table.given_wagers((2, str(number), 500), (1, "7", 500))
        if number == SEVEN:
            thrown(table, 12)
            continue
        answered(thrown(table, number), (2, True))
        thrown(table.given_wagers((1, "BLANC", 500)), 3 if number == 2 else 2)
    return table.given_ledger_confirms()


def every_fault() -> GivenTable:
    """Thrown by hand: each irregular throw, a shooter removed while betting, one with stakes in the zone alone."""
    table = given_trying(given_rampo(players=2, source="console"), 9).given_wagers()
    table.given(m.CloseBetting(), by=CROUPIER)
    for number, fault in enumerate(get_args(r.Fault), start=1):
        table.given(r.CallCoupNul(throw=number, fault=fault), by=CROUPIER)
    answered(thrown(table, 9, close=False))
    table.given_wagers((1, "NOIR", 500), (2, "NOIR", 500))
    table.given(r.RemoveShooter(seat=1, reason="never strikes the back wall"), by=PIT_BOSS)
    thrown(table, 6)
    for number in (1, 2):
        table.given(m.LeaveSeat(), by=player(number))
    return table.given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()


def voids_at_every_moment() -> GivenTable:
    """Void while betting, before and after the throw, with the rampo offered; a draw that fails: the try waits."""
    table = given_trying(given_rampo(), 8)
    stakes = ((1, "ROUGE", 1_000), (2, "8", 500))
    void = m.VoidCoup(reason="fire alarm")
    table.given_wagers(*stakes).given(void, by=PIT_BOSS)
    table.given_wagers(*stakes).given(m.CloseBetting(), by=CROUPIER).given(void, by=PIT_BOSS)
    table.given_wagers(*stakes).given(m.CloseBetting(), by=CROUPIER).given(r.ThrowDice(), by=player(1))
    late = table.drawn(3, 3)
    table.given(void, by=COMMITTEE)
    table.when(late)
    thrown(table.given_wagers(*stakes), 8).given(void, by=PIT_BOSS)
    table.given_wagers(*stakes).given(m.CloseBetting(), by=CROUPIER).given(r.ThrowDice(), by=player(1))
    refusal = Refusal("draw.bad_id", "Mal formé.", "Malformed.")
    table.given(Answered(to=next(iter(table.state.draws)), refusal=refusal))
    answered(thrown(table.given_wagers(*stakes), 8), (2, False))
    return table.given_ledger_confirms()


SESSIONS = {
    "0001-drawn-by-the-rng.jsonl": drawn_by_the_rng,
    "0002-thrown-by-hand.jsonl": thrown_by_hand,
    "0003-seen-by-a-device.jsonl": seen_by_a_device,
    "0004-nobody-throws.jsonl": nobody_throws,
    "0005-interrupted.jsonl": interrupted,
    "0006-interrupted-after-the-number.jsonl": interrupted_after_the_number,
    "0007-every-number-by-the-letter.jsonl": lambda: every_number(LETTER),
    "0008-every-number-of-the-house.jsonl": lambda: every_number(HOUSE),
    "0009-every-number-of-the-second-table.jsonl": lambda: every_number(HOUSE_2),
    "0010-every-fault.jsonl": every_fault,
    "0011-voids.jsonl": voids_at_every_moment,
}


def main() -> None:
    """Record all sessions."""
    for name, play in SESSIONS.items():
        write(GAME, name, play())


if __name__ == "__main__":
    main()
