"""Record the golden logs of the Rappel: `python -m tests.golden.record_rappel`. Existing ones are never overwritten.

Inputs are fixed; `recording.py` says what a file holds.
"""

from libs.games.rappel import messages as r
from libs.kernel.contracts.answers import Answered
from libs.kernel.limits import DEVICE_REPORT_MS
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.interruption_messages import InterruptSession
from tests.golden.recording import write
from tests.kit.given import BETTING_MS, COMMITTEE, CROUPIER, DECISION_MS, PIT_BOSS, GivenTable, player
from tests.kit.rappel import given_entries, given_jet_1, given_meters, given_rappel, play

NO_RAPPEL = "A:declines B:declines C:declines"


def bets_session() -> GivenTable:
    """Five players: the notice's game, a round of raises and re-raises, all five raise, an odd-cent tie, closing."""
    table = given_rappel(5)
    play(
        given_jet_1(table, 7, 12, 3, 18, 15),
        "C:declines A:declines B:declines E:declines D:declines"
        " C:follows A:follows B:follows E:follows D:follows rolls:8,9,6,11,10",
    )
    play(
        given_jet_1(table, 1, 20, 8, 15, 4),
        "A:declines E:declines C:declines D:declines"
        " E:follows C:raises D:follows B:raises E:passes C:follows D:follows rolls:11,8,10",
    )
    play(
        given_jet_1(table, 3, 7, 12, 14, 18),
        "A:declines B:declines C:declines D:declines E:declines"
        " A:raises B:raises C:raises D:raises E:raises A:follows B:follows C:follows D:follows rolls:6,8,10,10,12",
    )
    table.given_ledger_confirms().given(m.AnnounceLastCoups(), by=PIT_BOSS)
    for rolls in ("4,4,2", "4,2,4", "5,5,5"):
        line = "A:declines B:declines C:declines A:follows B:follows C:follows"
        play(given_jet_1(table, 5, 5, 5, letters="ABC"), f"{line} rolls:{rolls}")
    table.given(m.CloseSession(), by=COMMITTEE)
    return table.given_ledger_confirms()


def rappels_session() -> GivenTable:
    """Rappels that succeed, fail, succeed twice, and are raised over."""
    table = given_rappel(3)
    play(given_jet_1(table, 1, 9, 14), "A:tries rolls:20 B:declines C:declines B:passes C:follows rolls:13,7")
    play(given_jet_1(table, 1, 9, 14), "A:tries rolls:12 B:declines C:declines B:follows C:follows rolls:5,7")
    play(given_jet_1(table, 2, 3, 9), "A:tries rolls:20 B:tries rolls:20 C:declines C:follows rolls:9,15,8")
    line = "A:tries rolls:20 B:declines C:declines B:passes C:raises A:follows rolls:13,7"
    play(given_jet_1(table, 2, 9, 14), line)
    play(given_jet_1(table, 4, 9, letters="AC"), "A:tries rolls:3")
    return table.given_ledger_confirms()


def double_rappels_session() -> GivenTable:
    """Double rappels: natural, by way of a rappel, shared, with fees of players who passed. No rake, no fees."""
    table = given_rappel(3, base=250)
    play(given_jet_1(table, 20, 5, 9), "B:declines C:declines B:follows C:follows A:follows rolls:20,6,8")
    line = "A:tries rolls:20 B:declines C:declines B:follows C:follows rolls:20,8,10"
    play(given_jet_1(table, 6, 9, 14), line)
    play(given_jet_1(table, 20, 20, 4), "C:declines C:follows A:follows B:follows rolls:20,20,6")
    play(given_jet_1(table, 20, 5, 20), "B:declines B:passes A:follows C:follows rolls:20,20")
    return table.given_ledger_confirms()


def bank_session() -> GivenTable:
    """All ones, nobody left, one left before and in the betting round, no opponent: art. 31 closes the table."""
    table = given_rappel(3)
    play(given_jet_1(table, 2, 7, 12), f"{NO_RAPPEL} A:follows B:follows C:follows rolls:1,1,1")
    play(given_jet_1(table, 1, 1, letters="AB"), "A:tries rolls:5 B:declines")
    play(given_jet_1(table, 1, 1, 8), "A:declines B:declines")
    play(given_jet_1(table, 4, 9, 14), f"{NO_RAPPEL} A:raises B:passes C:passes")
    for letters in ("A", "B", ""):
        table.given(m.OpenBetting(), by=CROUPIER)
        for letter in letters:
            table.given(m.PlaceWager(spot="ENTREE", amount=2_000), by=player("ABC".index(letter) + 1))
        table.later(BETTING_MS)
    table.given(m.CloseSession(), by=COMMITTEE)
    return table.given_ledger_confirms()


def silence_session() -> GivenTable:
    """Time-outs at every decision, meters that hold too little, a take-back, a cash-out and a buy-in during a game."""
    table = given_meters(4_999, 9_000, 9_000)
    given_jet_1(table, 1, 5, 16)
    table.given(m.CashOut(amount=1_000), by=player(2))
    play(table, "waits waits B:raises waits")
    given_entries(table).given(m.TakeBackWager(spot="ENTREE"), by=player(1)).given(m.LeaveSeat(), by=player(1))
    table.given(m.CloseBetting(), by=CROUPIER)
    play(table, "rolls:5,6 waits waits waits C:raises")
    table.given_credit(2, 2, 5_000)
    play(table, "B:follows rolls:2,2")
    return table.given_ledger_confirms()


def voids_session() -> GivenTable:
    """Technical failures at every phase, a draw that fails: everything comes back, and the next game is played."""
    table = given_rappel(3)
    for line in (
        "",
        "rolls:1,9,14",
        "rolls:1,9,14 A:tries",
        "rolls:1,9,14 A:tries rolls:20 B:declines C:declines B:follows C:raises",
        f"rolls:2,9,14 {NO_RAPPEL} A:follows B:follows C:follows",
    ):
        play(given_entries(table).given(m.CloseBetting(), by=CROUPIER), line)
        table.given(m.VoidCoup(reason="a die fell off the table"), by=PIT_BOSS)
    given_entries(table).given(m.CloseBetting(), by=CROUPIER)
    table.given(Answered(to=next(iter(table.state.draws)), refusal=Refusal("draw.bad_id", "Mal formé.", "Malformed.")))
    given_entries(table).given(m.CloseBetting(), by=CROUPIER)
    play(table, f"rolls:2,9,14 {NO_RAPPEL} A:follows B:follows C:follows rolls:2,3,7")
    return table.given_ledger_confirms()


def real_dice_session() -> GivenTable:
    """Real dice: a cocked one is thrown again at JET 1, at an attempt and at JET 2 (GA21)."""
    table = given_entries(given_rappel(2, source="device")).given(m.CloseBetting(), by=CROUPIER)
    for line, seat in (("", 2), ("rolls:2,9 A:tries", 1), ("rolls:20 B:declines B:follows", 2)):
        play(table, line).given(r.CallCocked(seat=seat), by=CROUPIER)
    play(table, "rolls:3,8")
    return table.given_ledger_confirms()


def console_session() -> GivenTable:
    """Real dice: entered and confirmed, standing by time, cocked, corrected before and after, not entered at all."""

    def recorded(name: str, *faces: int, confirmed: bool = True) -> None:
        table.given(o.RecordOutcome(name=name, faces=tuple(map(str, faces))), by=CROUPIER)
        if confirmed:
            table.given(o.ConfirmOutcome(name=name), by=CROUPIER)

    table = given_rappel(3, source="console")
    given_entries(table).given(m.CloseBetting(), by=CROUPIER).given(r.CallCocked(seat=2), by=CROUPIER)
    recorded("jet-1", 5, 9, 14)
    play(table, "A:declines")
    table.given(o.CorrectOutcome(name="jet-1", faces=("1", "9", "14"), reason="a 1 was read as a 5"), by=PIT_BOSS)
    table.later(DECISION_MS)
    play(table, "A:tries")
    recorded("rappel-1", 20)
    play(table, "B:declines C:declines B:passes C:follows")
    recorded("jet-2", 13, 1, confirmed=False)
    table.given(o.CorrectOutcome(name="jet-2", faces=("13", "7"), reason="a 7 was read as a 1"), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="jet-2"), by=PIT_BOSS)
    given_entries(table).given(m.CloseBetting(), by=CROUPIER)
    table.later(3_600_000)
    return table.given_ledger_confirms()


def odd_cents_session() -> GivenTable:
    """Ties and double rappels whose cents do not divide (GA20), with the least base stake and with eight players."""
    no_rappel = " ".join(f"{letter}:declines" for letter in "ABC")
    follow = " ".join(f"{letter}:follows" for letter in "ABC")
    table = given_rappel(8, base=250)
    for rolls in ("4,4,2", "2,4,4", "5,5,5"):
        play(given_jet_1(table, 5, 5, 5, letters="ABC"), f"{no_rappel} {follow} rolls:{rolls}")
    line = "C:declines C:follows A:follows B:follows rolls:20,20,6"
    play(given_jet_1(table, 20, 20, 4, letters="ABC"), line)
    everybody = "ABCDEFGH"
    play(
        given_jet_1(table, 2, 3, 4, 5, 6, 7, 8, 9),
        " ".join(f"{letter}:declines" for letter in everybody)
        + " A:raises "
        + " ".join(f"{letter}:follows" for letter in everybody[1:])
        + " rolls:6,6,6,6,8,8,8,5",
    )
    table.given(m.AnnounceLastCoups(), by=PIT_BOSS)
    for letters in ("AB", "CD"):
        play(given_jet_1(table, 10, 10, letters=letters), _two(letters, "rolls:3,3"))
    table.given_wagers((1, "ENTREE", 500)).given(m.CloseBetting(), by=CROUPIER)
    play(given_jet_1(table, 10, 10, letters="GH"), _two("GH", "rolls:7,3"))
    return table.given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()


def _two(letters: str, rolls: str) -> str:
    """Two players decline, follow and roll."""
    return " ".join([f"{letter}:{word}" for word in ("declines", "follows") for letter in letters] + [rolls])


def interrupted_session() -> GivenTable:
    """A device that is silent, then a person at the console; the session is interrupted in the betting round."""
    table = given_entries(given_rappel(3, source="device")).given(m.CloseBetting(), by=CROUPIER)
    table.later(DEVICE_REPORT_MS)
    table.given(o.RecordOutcome(name="jet-1", faces=("4", "9", "14")), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="jet-1"), by=CROUPIER)
    play(table, f"{NO_RAPPEL} A:raises B:follows")
    table.given(InterruptSession(reason="water damage (art. 48)"), by=COMMITTEE)
    return table.given_ledger_confirms()


def main() -> None:
    """Record all sessions."""
    write("rappel", "0001-bets-and-ties.jsonl", bets_session())
    write("rappel", "0002-rappels.jsonl", rappels_session())
    write("rappel", "0003-double-rappels.jsonl", double_rappels_session())
    write("rappel", "0004-the-bank-takes-it.jsonl", bank_session())
    write("rappel", "0005-silence.jsonl", silence_session())
    write("rappel", "0006-voids.jsonl", voids_session())
    write("rappel", "0007-real-dice.jsonl", real_dice_session())
    write("rappel", "0008-console.jsonl", console_session())
    write("rappel", "0009-odd-cents.jsonl", odd_cents_session())
    write("rappel", "0010-interrupted.jsonl", interrupted_session())


if __name__ == "__main__":
    main()
