"""What a player may still stake at a table, as the ledger tells it and the table keeps it, and why no more."""

import msgspec

from libs.kernel.refusals import Refusal

EXCLUDED = Refusal(
    "exclusion.self",
    "Ce joueur s'est exclu du jeu. Ses jetons et son solde restent à lui.",
    "This player has excluded himself from play. Chips and balance remain his.",
)
BARRED = Refusal(
    "exclusion.casino",
    "L'établissement a exclu ce joueur du jeu. Ses jetons et son solde restent à lui.",
    "The casino has excluded this player from play. Chips and balance remain his.",
)
STAKES_USED_UP = Refusal(
    "limit.stake",
    "Cette mise dépasserait la limite de mises du joueur.",
    "This stake would exceed the player's limit of stakes.",
)
STAKES_ELSEWHERE = Refusal(
    "limit.stake_elsewhere",
    "La limite de mises du joueur vaut à la table où il a acheté des jetons en dernier : un achat ici l'y transporte.",
    "The player's limit of stakes is at the table where he bought chips last: a buy-in here brings it along.",
)
STAKES_COUNTED = Refusal(
    "limit.stake_counted",
    "Les mises du joueur sont en train d'être comptées. Réessayez dans un instant.",
    "The player's stakes are just being counted. Try again in a moment.",
)

REFUSALS = {said.code: said for said in (EXCLUDED, BARRED, STAKES_USED_UP, STAKES_ELSEWHERE, STAKES_COUNTED)}
"""Why no more may be staked, by code."""

EXCLUSIONS = frozenset({EXCLUDED.code, BARRED.code})
"""Codes for which a player may not even be seated."""


class Allowance(msgspec.Struct, frozen=True, gc=False):
    """What a player may still stake at a table: the ledger's word, from his limits and exclusions."""

    number: int
    """Counts the ledger's words about this player: the highest one stands."""
    cents: int | None
    """So much in all under this word; None: as much as he likes."""
    code: str = ""
    """Why no more: one of `REFUSALS`."""
