"""What golden sessions of Pair'e poker must show."""

from tests.kit.special_cases import INTERRUPTED, STAFF_VOID, Case, at, has, in_turn, settled, voided

POKER_TABLES = ("PAIRE-MAISON-1", "PAIRE-MAISON-2")


def _hand(hand: str) -> Case:
    """The three cards of a coup make this hand."""
    return lambda log: any(str(event.get("outcome", "")).endswith(f":{hand}") for event in log)


CASES: dict[str, Case] = (
    {
        f"{spot} wins by {paytable}": at(settled(spot=spot, won=True), paytable)
        for paytable in POKER_TABLES
        for spot in (
            *("COULEUR_ROUGE", "COULEUR_NOIR", "VALEUR_7-8", "PAIRE_7", "PAIRE_UN_JOKER"),
            *("PAIRE_DEUX_JOKERS", "TOUTE_PAIRE", "MAIN"),
        )
    }
    | {
        f"a hand: {hand} by {paytable}": at(_hand(hand), paytable)
        for paytable in POKER_TABLES
        for hand in ("QUINTE_FLUSH", "BRELAN", "QUINTE", "COULEUR", "PAIRE", "RIEN")
    }
    | {
        f"a chip on {spot}": settled(spot=spot)
        for spot in ("VALEUR_7", "VALEUR_7-8-9", "VALEUR_5-6-7-8", "VALEUR_JOKER", "VALEUR_R-JOKER", "VALEUR_A-8")
    }
    | {f"void: {kind} (PA13)": voided(f"cards.{kind}") for kind in ("wrong_count", "card_missing", "card_double")}
    | {
        f"void with {turned} card(s) turned": in_turn(
            *(has("paire_poker.CardTurned", place=place) for place in range(1, turned + 1)), STAFF_VOID
        )
        for turned in range(4)
    }
    | {
        "a joker first loses both colours (PA1)": settled("JOKER", spot="COULEUR_NOIR", won=False),
        "two rows of boxes (PA8)": has("table.SessionOpened", options={"value_rows": 2}),
        "chips of a value": has("table.SessionOpened", options={"chip": 50}),
        "an exposed card, play goes on (PA13)": has("paire_poker.IrregularityFound", kind="exposed_card"),
        "a card burnt and sealed (PA14)": has("table.SealedDrawReceived"),
        "cards read by a shuffler": has("table.SealedOutcomeRecorded"),
        "the shuffler fails": voided("outcome.device_failed"),
        "cards recorded one by one": has("table.OutcomeConfirmed", name="card-3"),
        "a card corrected, those after it recorded anew": in_turn(
            has("table.OutcomeCorrected", name="card-1", reopened=["card-2", "card-3"]),
            *(has("table.OutcomeRecorded", name=name) for name in ("card-2", "card-3")),
        ),
        "interrupted with cards face down": in_turn(has("paire_poker.CardTurned", place=1), INTERRUPTED),
    }
)
