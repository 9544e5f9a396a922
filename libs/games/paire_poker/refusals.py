"""What Pair'e poker refuses, and in which words."""

from libs.kernel.refusals import Refusal

# -- terms --------------------------------------------------------------------------------------------------------
TOO_MANY_SEATS = Refusal(
    "paire_poker.too_many_seats",
    "La table de pair'e poker accueille au plus cinq joueurs.",
    "A table of Pair'e poker has room for five players at most.",
)
UNKNOWN_OPTION = Refusal(
    "paire_poker.unknown_option",
    "Seules les options value_rows (rangées de cases) et chip (valeur du jeton, en centimes) existent.",
    "Only the options value_rows (rows of value boxes) and chip (value of a chip, in cents) exist.",
)
BAD_ROWS = Refusal(
    "paire_poker.value_rows",
    "Les cases des valeurs sont alignées sur une ou deux rangées.",
    "The value boxes stand in one row or in two.",
)
BAD_CHIP = Refusal(
    "paire_poker.chip",
    "La valeur du jeton doit être positive et diviser la mise minimale.",
    "The value of a chip must be positive and divide the minimum stake.",
)


def float_too_low(least: int) -> Refusal:
    """Art. 49 by analogy: the float of a table has a least size."""
    return Refusal(
        "paire_poker.float_too_low",
        f"L'encaisse de la table doit être d'au moins {least} centimes.",
        f"The float of the table must be at least {least} cents.",
    )


# -- wagers -------------------------------------------------------------------------------------------------------
MAIN_FIRST = Refusal(
    "wager.main_first",
    "Une mise optionnelle exige une mise principale, sur la couleur ou la valeur de la première carte.",
    "An optional wager needs a main one, on the colour or the value of the first card.",
)
MAIN_NEEDED = Refusal(
    "wager.main_needed",
    "Reprenez d'abord les mises optionnelles : elles exigent une mise principale.",
    "Take back the optional wagers first: they need a main one.",
)
TOO_MANY_VALUES = Refusal(
    "wager.too_many_values",
    "Une mise couvre quatre valeurs au plus.",
    "A wager covers four values at most.",
)
VALUE_TWICE = Refusal(
    "wager.value_twice",
    "Une mise ne peut pas couvrir deux fois la même valeur.",
    "A wager cannot cover the same value twice.",
)
NOT_TOUCHING = Refusal(
    "wager.values_not_touching",
    "Un jeton ne peut pas toucher toutes ces cases : elles ne se joignent pas sur ce tapis.",
    "One chip cannot touch all of these boxes: they do not join on this layout.",
)


def unknown_spot(spot: str) -> Refusal:
    """There is no such spot on the layout."""
    return Refusal(
        "wager.unknown_spot",
        f"La case {spot} n'existe pas sur le tapis de pair'e poker.",
        f"There is no spot {spot} on the layout of Pair'e poker.",
    )


def printed_order(spot: str) -> Refusal:
    """The values touch, but a spot is spelt in the printed order, so that one spot never has two names."""
    return Refusal(
        "wager.printed_order",
        f"Les valeurs se nomment dans l'ordre du tapis : {spot}.",
        f"Values are named in the order of the layout: {spot}.",
    )


def off_the_chip_grid(chip: int) -> Refusal:
    """A stake is made of whole chips of the player's own colour."""
    return Refusal(
        "wager.not_whole_chips",
        f"Une mise se compose de jetons entiers de {chip} centimes.",
        f"A stake is made of whole chips of {chip} cents.",
    )


# -- the deal -----------------------------------------------------------------------------------------------------
NOT_DEALT = Refusal(
    "paire_poker.not_dealt",
    "Aucune carte n'est sur la table : elles sont données après « Rien ne va plus ».",
    "No card is on the table: they are dealt after 'Rien ne va plus'.",
)
WRONG_ORDER = Refusal(
    "paire_poker.wrong_order",
    "Les cartes se retournent dans l'ordre du tirage.",
    "The cards are turned in the order of drawing.",
)
STILL_FACE_DOWN = Refusal(
    "paire_poker.still_face_down",
    "Le paiement attend que les trois cartes soient retournées.",
    "Payment waits until the three cards are turned.",
)
CARDS_ARE_RECORDED = Refusal(
    "paire_poker.cards_are_recorded",
    "Les cartes de cette séance sont saisies à la console, l'une après l'autre.",
    "The cards of this session are recorded at the console, one after the other.",
)
NO_REAL_CARDS = Refusal(
    "paire_poker.no_real_cards",
    "Les cartes de cette séance viennent du générateur : un chef de table peut annuler le coup.",
    "The cards of this session come from the RNG: a pit boss may void the coup.",
)
