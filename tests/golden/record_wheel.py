"""Record the golden logs of the wheel: `python -m tests.golden.record_wheel`. Existing ones are never overwritten.

Inputs are fixed; `recording.py` says what a file holds.
"""

from libs.games.wheel import messages as w
from libs.games.wheel.paytables import INNER_SEGMENTS, MAIN_SEGMENTS
from libs.kernel.allowances import Allowance
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import UNHEALTHY, SeedGivenUp, SeedRevealed
from libs.kernel.contracts.table import CreditSeat, SetAllowance
from libs.kernel.ids import commit_id, reveal_id, seed_id
from libs.kernel.messages import Event
from libs.kernel.refusals import Refusal
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.interruption_messages import InterruptSession
from tests.golden.record_wheel_incidents import SESSIONS
from tests.golden.recording import write
from tests.kit.given import (
    BETTING_MS,
    COMMITTEE,
    CROUPIER,
    DECISION_MS,
    DEVICE,
    PIT_BOSS,
    GivenTable,
    given_wheel,
    opening,
    player,
)


def rng_session() -> GivenTable:
    """The house table with the RNG: a win, Bonus, a void, a take-back, a cash-out, the last three spins, closing."""
    table = GivenTable().given_open(opening("ROUE-MAISON-1", confirm_negative_edge=False))
    table.given_seated(1, credit=20_000).given_seated(2, seat=7, credit=5_000)
    table.given_wagers((1, "2", 1_000), (2, "16", 300), (1, "2", 500)).given_spin("2")
    table.given_ledger_confirms()
    table.given_wagers((1, "BONUS", 1_000), (2, "4", 500), (2, "48", 100))
    table.given(m.TakeBackWager(spot="48"), by=player(2))
    table.later(BETTING_MS)
    table.given(w.PressBuzzer(), by=player(2)).given_drawn(MAIN_SEGMENTS.index("BONUS"))
    table.given_drawn(INNER_SEGMENTS.index("250"))
    table.given_wagers((1, "6", 2_500), (2, "BONUS", 1_000)).given(m.CloseBetting(), by=CROUPIER)
    table.later(DECISION_MS)
    table.given(m.VoidCoup(reason="power cut in the pit"), by=PIT_BOSS)
    table.given(m.CashOut(amount=1_500), by=player(1)).given(m.AnnounceLastCoups(), by=PIT_BOSS)
    for shows in ("4", "48", "6"):
        table.given_wagers((1, "6", 200), (2, "4", 100)).given_spin(shows)
    table.given(m.LeaveSeat(), by=player(2)).given(m.CloseSession(), by=COMMITTEE)
    return table.given_ledger_confirms()


def device_session(table: GivenTable) -> GivenTable:
    """The next session, by the letter, with a sensor: every anomaly, manual entry, a silent sensor, art. 31 closing."""

    def spin(ring: w.Ring, segment: int | None, turns: int = 3, *, anomaly: bool = False, turned: bool = True) -> None:
        last = table.only(w.WheelLaunched)[-1]
        assert isinstance(last, w.WheelLaunched)
        other: w.Direction = "clockwise" if last.direction == "anticlockwise" else "anticlockwise"
        direction = last.direction if turned else other
        report = w.ReportSpin(ring=ring, turns=turns, direction=direction, segment=segment, anomaly=anomaly)
        table.given(report, by=DEVICE)

    def launched(*wagers: tuple[int, str, int]) -> None:
        table.given_wagers(*wagers).given(m.CloseBetting(), by=CROUPIER).given(w.LaunchWheel(), by=CROUPIER)

    bonus = MAIN_SEGMENTS.index("BONUS") + 1
    table.given_open(opening("ROUE-ARR-2024", source="device", options={"bonus_stake": 500}, seats=5))
    table.given_seated(3, credit=30_000)
    launched((3, "2", 1_000))
    spin("main", 3, turns=1)
    launched((3, "2", 1_000))
    spin("main", 3, turned=False)
    launched((3, "BONUS", 500), (3, "24", 1_000))
    spin("main", bonus)
    spin("bonus", 6, anomaly=True)
    launched((3, "BONUS", 500), (3, "24", 1_000))
    spin("main", None)
    table.given(w.EnterSegment(ring="main", segment=bonus), by=COMMITTEE)
    spin("bonus", 2)
    launched((3, "48", 500))
    for _ in range(2):
        table.later(3_600_000)
    for _ in range(3):
        launched()
        spin("main", 1)
    table.given(m.CloseSession(), by=COMMITTEE)
    return table.given_ledger_confirms()


def console_session() -> GivenTable:
    """Segments entered by the croupier: confirmed, standing by time, corrected after Bonus, not entered at all."""

    def recorded(segment: int, ring: str = "main") -> None:
        table.given(o.RecordOutcome(name=ring, faces=(str(segment),)), by=CROUPIER)

    def launched(*wagers: tuple[int, str, int]) -> None:
        table.given_wagers(*wagers).given(m.CloseBetting(), by=CROUPIER).given(w.LaunchWheel(), by=CROUPIER)

    bonus = MAIN_SEGMENTS.index("BONUS") + 1
    table = GivenTable().given_open(opening("ROUE-MAISON-1", source="console"))
    table.given_seated(1, credit=20_000).given_seated(2, credit=5_000)
    launched((1, "2", 1_000), (2, "48", 500))
    recorded(3)
    table.given(o.ConfirmOutcome(name="main"), by=CROUPIER)
    launched((1, "BONUS", 1_000), (2, "4", 500))
    recorded(bonus)
    table.later(DECISION_MS)
    recorded(5, "bonus")
    table.given(o.CorrectOutcome(name="bonus", faces=("4",), reason="misread"), by=PIT_BOSS)
    table.given(o.CorrectOutcome(name="main", faces=("2",), reason="the marker was on the next segment"), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="main"), by=PIT_BOSS)
    launched((1, "6", 1_000))
    table.later(3_600_000)
    return table.given_ledger_confirms()


def held_up_session() -> GivenTable:
    """Draws that the RNG could not make for a while: one that came in the end, and one that the staff did not await."""
    table = GivenTable().given_open(opening("ROUE-MAISON-1", confirm_negative_edge=False))
    table.given_seated(1, credit=20_000)
    for shows in ("2", None):
        table.given_wagers((1, "2", 1_000)).given(m.CloseBetting(), by=CROUPIER).given(w.LaunchWheel(), by=CROUPIER)
        (draw_id,) = table.state.draws
        table.given(Answered(to=draw_id, refusal=UNHEALTHY))
        if shows:
            table.given_drawn(MAIN_SEGMENTS.index(shows))
    table.given(m.VoidCoup(reason="no draw for ten minutes"), by=PIT_BOSS)
    return table.given_ledger_confirms()


def seeds_session() -> GivenTable:
    """Seeds: committed, held up, revealed, lost, of a void coup, and one that does not fit; interrupted and shown."""
    table = GivenTable()
    table.rng_answers = False

    def answered(command_id: str, *events: Event, refusal: Refusal | None = None) -> None:
        table.given(Answered(to=command_id, events=events, refusal=refusal))

    table.given_open(opening("ROUE-MAISON-1")).given_seated(1, credit=20_000)
    first, second, third = (seed_id("pit-1", "T1", 1, coup) for coup in (1, 2, 3))
    answered(commit_id(first), refusal=UNHEALTHY)
    table.rng_speaks_of_seeds().given_wagers((1, "2", 1_000)).given_spin("2")
    table.rng_speaks_of_seeds().rng_speaks_of_seeds()
    table.given_wagers((1, "4", 500)).rng_speaks_of_seeds().given(m.VoidCoup(reason="power cut"), by=PIT_BOSS)
    answered(reveal_id(second), SeedGivenUp(seed_id=second))
    table.given_wagers((1, "6", 500)).rng_speaks_of_seeds().given_spin("4")
    answered(reveal_id(third), SeedRevealed(seed_id=third, seed="00" * 32))
    table.given(InterruptSession(reason="the seed does not fit"), by=COMMITTEE).rng_speaks_of_seeds()
    return table.given_ledger_confirms()


def allowances_session() -> GivenTable:
    """An allowance that comes with chips, is used up, counted, given anew; exclusions of who is here and who is not."""
    table = given_wheel().given(m.TakeSeat(seat=1), by=player(1)).given_seated(2, credit=20_000)
    given = Allowance(1, 1_500, "limit.stake")
    table.given(CreditSeat(transfer_id="buy-in:1", player="player-1", seat=1, amount=5_000, allowance=given))
    table.given_wagers((1, "2", 1_000), (1, "4", 500)).given(m.TakeBackWager(spot="4"), by=player(1))
    table.given(_word(1, 0, "exclusion.self", who="player-2")).given_spin("2")
    table.given_wagers((1, "6", 400)).given(_word(2, 0, "limit.stake_counted")).given(
        m.VoidCoup(reason="x"), by=PIT_BOSS
    )
    table.given(_word(3, 600, "limit.stake", known=1)).given_wagers((1, "2", 600)).given_spin("48")
    table.given(m.CashOut(amount=20_000), by=player(2)).given(_word(1, 0, "exclusion.casino", who="player-3"))
    table.given(InterruptSession(reason="the evening is over"), by=COMMITTEE).given_ledger_confirms()
    return table


def _word(number: int, cents: int | None, code: str = "", known: int = 0, who: str = "player-1") -> SetAllowance:
    return SetAllowance(player=who, allowance=Allowance(number, cents, code), known=known)


def main() -> None:
    """Record all sessions."""
    table = rng_session()
    write("wheel", "0001-house-table-rng.jsonl", table)
    write("wheel", "0002-letter-sensor-incidents.jsonl", device_session(table))
    write("wheel", "0003-house-table-console.jsonl", console_session())
    for name, play in SESSIONS.items():
        write("wheel", name, play())
    write("wheel", "0009-draws-held-up.jsonl", held_up_session())
    write("wheel", "0011-seeds.jsonl", seeds_session())
    table = allowances_session()
    write("wheel", "0012-allowances.jsonl", table)
    write("wheel", "0013-allowances-carried.jsonl", table.given_open(opening()).given(_word(4, None, known=2)))


if __name__ == "__main__":
    main()
