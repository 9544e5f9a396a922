"""Record the golden logs of Pair'e poker: `python -m tests.golden.record_paire_poker`. Inputs are fixed.

Existing files are never overwritten; `recording.py` says what a file holds.
"""

from libs.games.paire_poker import messages as p
from libs.kernel.contracts.answers import Answered
from libs.kernel.limits import DEVICE_REPORT_MS, MANUAL_ENTRY_MS
from libs.table import messages as m
from libs.table import outcome_messages as o
from libs.table.interruption_messages import InterruptSession
from tests.golden.recording import write
from tests.kit.given import BETTING_MS, COMMITTEE, CROUPIER, DECISION_MS, DEVICE, PIT_BOSS, GivenTable, player
from tests.kit.poker import drawn_for, given_coup, given_dealt, given_poker, given_turned, poker_opening

GAME = "paire_poker"


def last_coups_and_close(table: GivenTable) -> GivenTable:
    """Announce the last three coups, play them, close, and let the ledger have everything."""
    table.given(m.AnnounceLastCoups(), by=PIT_BOSS)
    for cards in ("7C 8K 2P", "JOKER 9T 9K", "AC 2C 3C"):
        given_coup(table.given_wagers(), *cards.split())
    return table.given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()


def every_chance_wins_once() -> GivenTable:
    """The worked examples of the rules in one evening, by the croupier's hand, for two players."""
    table = given_poker().given_seated(1, credit=100_000).given_seated(2, seat=5, credit=20_000)
    table.given_wagers(
        (1, "COULEUR_ROUGE", 500),
        (1, "VALEUR_7", 100),
        (1, "PAIRE_7", 100),
        (2, "VALEUR_7-8-9", 200),
        (1, "TOUTE_PAIRE", 100),
        (1, "MAIN", 100),
    )
    given_coup(table, "7C", "7K", "7P").given_ledger_confirms()
    table.given_wagers((1, "COULEUR_NOIR", 500), (1, "VALEUR_R-JOKER", 100), (2, "COULEUR_ROUGE", 500))
    table.given(m.PlaceWager(spot="PAIRE_UN_JOKER", amount=100), by=player(1))
    given_coup(table, "JOKER", "RP", "RT")
    table.given_wagers((1, "COULEUR_ROUGE", 500), (1, "VALEUR_5-6-7-8", 100), (1, "PAIRE_5", 100), (1, "MAIN", 100))
    given_coup(table, "5C", "JOKER", "7C")
    table.given_wagers((1, "VALEUR_JOKER", 100), (1, "PAIRE_DEUX_JOKERS", 100), (1, "TOUTE_PAIRE", 100))
    given_coup(table, "JOKER", "JOKER", "2T")
    table.given_wagers((1, "COULEUR_NOIR", 1_000), (1, "VALEUR_A-2", 100), (2, "COULEUR_NOIR", 200), (2, "MAIN", 200))
    given_coup(table, "AP", "RC", "DK")
    table.given_wagers((2, "COULEUR_NOIR", 500), (2, "VALEUR_D-R-JOKER", 300), (2, "MAIN", 200))
    given_coup(table, "RC", "AP", "2K")
    table.given(m.CashOut(amount=50_000), by=player(1)).given(m.LeaveSeat(), by=player(2))
    return last_coups_and_close(table)


def nobody_at_the_console() -> GivenTable:
    """Everything by the timers: betting closes, cards turn, winners are paid; then three coups without a stake."""
    table = given_poker(paytable="PAIRE-MAISON-2", options={"chip": 50}).given_seated(1, credit=10_000)
    for wagers, cards in (
        ([(1, "COULEUR_NOIR", 250), (1, "TOUTE_PAIRE", 150)], "9C 9T 4K"),
        ([(1, "VALEUR_8-9-10", 100), (1, "MAIN", 200)], "10P JOKER VP"),
        ([], "2C 3C 4C"),
        ([], "2C 2K JOKER"),
        ([], "DC 5K 8T"),
    ):
        table.given_wagers(*wagers).later(BETTING_MS)
        table.given_drawn(*drawn_for("RT", *cards.split()))
        for _ in range(4):
            table.later(DECISION_MS)
    return table.given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()


def two_rows_of_boxes() -> GivenTable:
    """The layout of two rows: vertical chevaux and carrés of four boxes, with and without the JOKER."""
    table = given_poker(options={"value_rows": 2}, seats=2).given_seated(1, credit=30_000).given_seated(2)
    table.given_wagers((1, "VALEUR_A-8", 100), (1, "VALEUR_6-7-R-JOKER", 300), (2, "VALEUR_9-10-V", 100))
    given_coup(table, "JOKER", "3C", "9P")
    table.given_wagers((1, "VALEUR_7-JOKER", 600), (1, "COULEUR_NOIR", 100), (2, "VALEUR_2-3-9-10", 1_200))
    table.given(m.TakeBackWager(spot="COULEUR_NOIR"), by=player(1))
    given_coup(table, "7T", "JOKER", "7K")
    table.given_wagers((2, "VALEUR_A-2-8-9", 100), (2, "PAIRE_A", 200)).given_ledger_confirms()
    given_coup(table, "AP", "AC", "5K")
    return last_coups_and_close(table)


def voids_at_every_moment() -> GivenTable:
    """Voids while betting, while the RNG is asked, with none to three cards turned; a draw too late; a draw refused."""
    table = given_poker().given_seated(1, credit=10_000)
    stake = (1, "COULEUR_ROUGE", 1_000)
    void = m.VoidCoup(reason="fire alarm")
    table.given_wagers(stake).given(void, by=PIT_BOSS)
    table.given_wagers(stake).given(m.CloseBetting(), by=CROUPIER)
    late = table.drawn(*drawn_for("2P", "3C", "4C", "5C"))
    table.given(void, by=COMMITTEE)
    table.when(late)
    for count in range(4):
        given_turned(given_dealt(table.given_wagers(stake, (1, "PAIRE_9", 100)), "9T", "9C", "4K"), count)
        table.given(void, by=PIT_BOSS)
    table.given_wagers(stake).given(m.CloseBetting(), by=CROUPIER)
    table.given(Answered(to=next(iter(table.state.draws))))
    given_coup(table.given_wagers(stake), "9C", "JOKER", "4K")
    return last_coups_and_close(table)


def the_next_session() -> GivenTable:
    """A second session of the same table: nothing is carried over, the draws begin anew."""
    table = nobody_at_the_console()
    table.now_ms += 3_600_000
    table.given_open(poker_opening(minimum=500, float_amount=1_500_000)).given_seated(3, seat=2, credit=200_000)
    table.given_wagers((3, "VALEUR_7-8-9-10", 60_000), (3, "MAIN", 12_500))
    given_coup(table, "8P", "10P", "9P")
    return last_coups_and_close(table)


def cards_at_the_console() -> GivenTable:
    """Cards recorded by the croupier: confirmed, standing by time, corrected, doubled, missing, exposed, irregular."""
    table = given_poker(source="console").given_seated(1, credit=20_000)
    stakes = ((1, "COULEUR_ROUGE", 500), (1, "VALEUR_7", 100), (1, "TOUTE_PAIRE", 200), (1, "MAIN", 100))

    def dealt() -> None:
        table.given_wagers(*stakes).given(m.CloseBetting(), by=CROUPIER)

    def record(*cards: str, first: int = 1) -> None:
        for place, card in enumerate(cards, start=first):
            table.given(o.RecordOutcome(name=f"card-{place}", faces=(card,), coup=table.state.coup), by=CROUPIER)
            table.given(o.ConfirmOutcome(name=f"card-{place}"), by=CROUPIER)

    dealt()
    record("7C", "7K", "JOKER")
    table.given(p.PayWinners(), by=CROUPIER)
    dealt()
    table.given(o.RecordOutcome(name="card-1", faces=("7P",)), by=CROUPIER).later(DECISION_MS)
    table.given(p.ReportIrregularity(kind="exposed_card"), by=PIT_BOSS)
    record("8C", "9K", first=2)
    table.given(o.CorrectOutcome(name="card-1", faces=("7C",), reason="misread suit"), by=PIT_BOSS)
    table.given(o.ConfirmOutcome(name="card-1"), by=PIT_BOSS)
    record("8C", "9K", first=2)
    table.later(DECISION_MS)
    for irregular, cards in (
        (p.ReportIrregularity(kind="wrong_count"), ()),
        (p.ReportIrregularity(kind="card_missing"), ("7C",)),
        (p.ReportIrregularity(kind="card_double"), ("7C", "2P", "3P")),
    ):
        dealt()
        record(*cards)
        table.given(irregular, by=COMMITTEE)
    dealt()
    record("7C", "7C")
    dealt()
    record("7C")
    table.later(MANUAL_ENTRY_MS)
    return closed_when_empty(table)


def cards_from_a_shuffler() -> GivenTable:
    """Cards read face down: turned by hand and by the timer; double, too few, contradictory, silent."""
    table = given_poker(paytable="PAIRE-MAISON-2", source="device").given_seated(2, credit=20_000)

    def dealt(*cards: str) -> None:
        table.given_wagers((2, "VALEUR_JOKER", 100), (2, "MAIN", 200)).given(m.CloseBetting(), by=CROUPIER)
        if cards:
            table.given(o.RecordOutcome(name="cards", faces=cards), by=DEVICE)

    dealt("RT", "JOKER", "7K", "8K")
    given_turned(table).given(p.PayWinners(), by=CROUPIER)
    dealt("RT", "2C", "7K", "8K")
    given_turned(table, 1)
    for _ in range(3):
        table.later(DECISION_MS)
    dealt("RT", "2C", "7K", "RT")
    dealt("RT", "2C", "7K")
    dealt("RT", "2C", "7K", "8K")
    given_turned(table, 2).given(o.RecordOutcome(name="cards", faces=("RT", "2C", "7K", "9K")), by=DEVICE)
    dealt()
    table.later(DEVICE_REPORT_MS)
    return closed_when_empty(table)


def every_hand(paytable: str) -> GivenTable:
    """Example 8, and every hand, pair and colour once, for a player who stakes on all of them."""
    table = given_poker(paytable=paytable).given_seated(1, credit=500_000)
    table.given_wagers((1, "COULEUR_ROUGE", 500), (1, "VALEUR_2-3-4", 100), (1, "MAIN", 100))
    given_coup(table, "4T", "9C", "JOKER")
    stakes = ("COULEUR_ROUGE", "COULEUR_NOIR", "VALEUR_7-8", "PAIRE_7", "PAIRE_UN_JOKER", "PAIRE_DEUX_JOKERS")
    for cards in (
        "7C 8C 9C",
        "7C 7K 7P",
        "7P 8K 9C",
        "8T 2T 5T",
        "7K 7T 4P",
        "8P 2C 5K",
        "7C JOKER 2P",
        "JOKER JOKER 2T",
        "JOKER 7C 7K",
        "RC AP 2K",
    ):
        table.given_wagers(*((1, spot, 100) for spot in (*stakes, "TOUTE_PAIRE", "MAIN")))
        given_coup(table, *cards.split())
    return table.given_ledger_confirms()


def interrupted_face_down() -> GivenTable:
    """Interrupted when one card is turned and two lie face down: stakes come back, the cards stay unknown."""
    table = given_poker(seats=2).given_seated(1, credit=10_000).given_seated(2, credit=1_000)
    table.given_wagers((1, "COULEUR_NOIR", 1_000), (1, "MAIN", 100), (2, "VALEUR_JOKER", 200))
    given_turned(given_dealt(table, "9T", "9C", "4K"), 1)
    table.given(InterruptSession(reason="water damage (art. 48)"), by=COMMITTEE)
    return table.given_ledger_confirms()


def closed_when_empty(table: GivenTable) -> GivenTable:
    """Everybody leaves, the session closes, the ledger has everything."""
    for seat in tuple(table.state.seats):
        table.given(m.LeaveSeat(), by=player(seat))
    return table.given(m.CloseSession(), by=COMMITTEE).given_ledger_confirms()


SESSIONS = {
    "0001-worked-examples.jsonl": every_chance_wins_once,
    "0002-timers-alone-chips.jsonl": nobody_at_the_console,
    "0003-two-rows.jsonl": two_rows_of_boxes,
    "0004-voids.jsonl": voids_at_every_moment,
    "0005-next-session.jsonl": the_next_session,
    "0006-console.jsonl": cards_at_the_console,
    "0007-shuffler.jsonl": cards_from_a_shuffler,
    "0008-every-hand.jsonl": lambda: every_hand("PAIRE-MAISON-1"),
    "0009-every-hand-of-the-second-table.jsonl": lambda: every_hand("PAIRE-MAISON-2"),
    "0010-interrupted-face-down.jsonl": interrupted_face_down,
}


def main() -> None:
    """Record all sessions."""
    for name, play in SESSIONS.items():
        write(GAME, name, play())


if __name__ == "__main__":
    main()
