"""What Rampo refuses, and in which words."""

from libs.kernel.refusals import Refusal

# -- the session --------------------------------------------------------------------------------------------------
TOO_MANY_SEATS = Refusal(
    "rampo.too_many_seats",
    "Une table de Rampo a huit joueurs au plus.",
    "A Rampo table has eight players at most.",
)
UNKNOWN_OPTION = Refusal(
    "rampo.unknown_option",
    "La seule option du Rampo est extremes_times, de 1 à 40 : le maximum sur le 2 et le 12 en multiples du minimum.",
    "Rampo's only option is extremes_times, 1 to 40: the maximum on 2 and 12 in multiples of the minimum.",
)


def float_too_small(least: int) -> Refusal:
    """Art. 49, and what one player can win on one number."""
    return Refusal(
        "rampo.float_too_small",
        f"L'encaisse doit être d'au moins {least} centimes pour ces limites et cette table de paiement.",
        f"The float must be at least {least} cents for these limits and this paytable.",
    )


# -- wagers and chips ---------------------------------------------------------------------------------------------
def unknown_spot(spot: str) -> Refusal:
    """There is no such chance on the layout."""
    return Refusal(
        "wager.unknown_spot", f"La chance {spot} n'existe pas au Rampo.", f"There is no spot {spot} in Rampo."
    )


def astride(spot: str) -> Refusal:
    """A stake lies on one chance only."""
    return Refusal(
        "rampo.astride",
        f"Aucune mise ne peut être déposée à cheval sur deux chances ({spot}).",
        f"No stake may lie astride two spots ({spot}).",
    )


def over_maximum_with_zone(number: int, maximum: int, in_zone: int) -> Refusal:
    """RA15: the stake in the rampo zone counts when the new stake is on the same number."""
    return Refusal(
        "rampo.over_maximum_with_zone",
        f"La mise maximale sur le {number} est de {maximum} centimes, dont {in_zone} sont dans la zone rampo.",
        f"The maximum stake on {number} is {maximum} cents, of which {in_zone} are in the rampo zone.",
    )


def not_whole_chips(chip: int) -> Refusal:
    """Numbers are played with the player's own chips."""
    return Refusal(
        "rampo.not_whole_chips",
        f"Sur un numéro, la mise est un nombre entier de vos jetons de {chip} centimes.",
        f"On a number the stake is a whole number of your chips of {chip} cents.",
    )


def chip_under_minimum(minimum: int) -> Refusal:
    """The marker only raises the value of a chip above the table's minimum."""
    return Refusal(
        "rampo.chip_under_minimum",
        f"La valeur d'un jeton est d'au moins {minimum} centimes.",
        f"A chip is worth at least {minimum} cents.",
    )


def chip_over_maximum(maximum: int) -> Refusal:
    """A chip of more than that could not be staked on any number."""
    return Refusal(
        "rampo.chip_over_maximum",
        f"La valeur d'un jeton est d'au plus {maximum} centimes, la mise maximale sur un numéro.",
        f"A chip is worth at most {maximum} cents, the maximum stake on a number.",
    )


CHIPS_DOWN = Refusal(
    "rampo.chips_down",
    "Vos jetons sont en jeu : leur valeur ne change pas avant que le coup soit réglé.",
    "Your chips are down: their value does not change before the coup is settled.",
)
NOT_SEATED = Refusal(
    "rampo.not_seated", "Vous n'êtes pas assis à cette table de Rampo.", "You are not seated at this Rampo table."
)

# -- the dice -----------------------------------------------------------------------------------------------------
NOT_BETTING = Refusal(
    "rampo.not_betting",
    "Les dés se refusent ou se changent pendant les mises seulement.",
    "Dice are refused or changed only while betting is open.",
)
NOT_SHOOTER = Refusal("rampo.not_shooter", "Vous n'avez pas les dés.", "You do not have the dice.")
RAMPO_PENDING = Refusal(
    "rampo.dice_locked",
    "Les dés ne peuvent pas être changés pendant une tentative de rampo.",
    "The dice cannot be changed while a rampo is being tried.",
)
BETTING_NOT_CLOSED = Refusal(
    "rampo.betting_not_closed",
    "Les dés se lancent après « Rien ne va plus ».",
    "The dice are thrown after 'Rien ne va plus'.",
)
THROWN_BY_HAND = Refusal(
    "rampo.thrown_by_hand",
    "À cette table les dés sont lancés à la main : leur résultat est constaté.",
    "At this table dice are thrown by hand: what they show is recorded.",
)
NO_IRREGULAR_DRAW = Refusal(
    "rampo.no_irregular_draw",
    "Un tirage du générateur est toujours régulier ; un incident technique annule tout le coup.",
    "A draw of the RNG is always regular; a technical incident voids the whole coup.",
)
NO_THROW = Refusal("rampo.no_throw", "Aucun lancer n'est en cours.", "There is no throw to call irregular.")
OTHER_THROW = Refusal("rampo.other_throw", "Ce lancer n'a pas encore eu lieu.", "That throw has not been made yet.")
ALREADY_ANNOUNCED = Refusal(
    "rampo.already_announced",
    "Le résultat de ce lancer est annoncé.",
    "The result of this throw has been announced.",
)
NOT_THE_SHOOTER = Refusal("rampo.not_the_shooter", "Ce poste n'a pas les dés.", "This seat does not have the dice.")
NOTHING_TO_TAKE = Refusal(
    "rampo.nothing_to_take",
    "Les dés se retirent pendant les mises ou avant le lancer.",
    "The dice are taken away while betting is open or before the throw.",
)

# -- the rampo ----------------------------------------------------------------------------------------------------
NOT_OFFERED = Refusal(
    "rampo.not_offered",
    "Le rampo ne vous est pas proposé.",
    "You are not offered the rampo.",
)
ALREADY_ANSWERED = Refusal(
    "rampo.already_answered",
    "Vous avez déjà répondu : votre choix ne change plus.",
    "You have answered already: your choice stands.",
)
