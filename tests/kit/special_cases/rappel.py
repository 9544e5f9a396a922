"""What golden sessions of the Rappel must show."""

from tests.kit.special_cases import STAFF_VOID, Case, has, in_turn, settled, voided

CASES: dict[str, Case] = {
    f"decided: {decided}": has("rappel.PotDecided", decided=decided)
    for decided in ("nobody", "lone", "ones", "double", "win", "tie")
} | {
    "a rappel that succeeds": has("rappel.RappelRolled", made=True),
    "a rappel that fails, its stake stays (GA5)": has("rappel.RappelRolled", made=False),
    "two rappels in one game (GA8)": in_turn(
        has("rappel.RappelRolled", made=True), has("rappel.RappelRolled", made=True), has("rappel.PotDecided")
    ),
    "a rappel, then a re-raise (GA7)": in_turn(has("rappel.RappelRolled", made=True), has("rappel.Raised")),
    "a 1 without a rappel is out (GA4)": has("rappel.RappelDeclined", out=True),
    "a rappel that the meter does not hold (GA11)": has("rappel.RappelDeclined", by="meter"),
    "silence declines": has("rappel.RappelDeclined", by="timer"),
    "silence with nothing to pay is parole": has("rappel.Followed", by="timer", paid=0),
    "silence with something to pay is passing": has("rappel.Passed", by="timer"),
    "all raise, those who spoke pay again (GA9, GA10)": in_turn(
        *(has("rappel.Raised") for _ in range(5)), *(has("rappel.Followed") for _ in range(4))
    ),
    "an odd cent goes to the first seat (GA20)": lambda log: any(
        event["type"] == "rappel.PotDecided" and len(set(event["credits"].values())) > 1 for event in log
    ),
    "a double rappel shared (GA18)": settled("DOUBLE:1+2"),
    "a double rappel with fees of who passed (GA17)": in_turn(
        has("rappel.Passed"), has("rappel.PotDecided", decided="double", rake=0, bank=0)
    ),
    "a lone survivor before the bets (GA14)": settled("LONE:3"),
    "no opponent (GA22)": voided("game.no_opponent"),
    "a cocked die (GA21)": has("rappel.DieCocked"),
    "eight players": lambda log: any(len(event.get("seats", ())) == 8 for event in log if "rappel_stake" in event),
    "the least base stake with odd cents": has("table.SessionOpened", minimum=250),
    "a silent device, then a person": in_turn(
        has("table.ManualEntryStarted", code="silent"), has("table.OutcomeRecorded", role="pit_boss")
    ),
    "a void after JET 1, after a rappel, in the bets, while JET 2 rolls": in_turn(
        has("rappel.FirstRolled"),
        STAFF_VOID,
        has("rappel.RappelTried"),
        STAFF_VOID,
        has("rappel.Raised"),
        STAFF_VOID,
        has("rappel.BetsMatched"),
        STAFF_VOID,
    ),
}
