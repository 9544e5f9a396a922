"""What Le Jeu du Rappel refuses, and in which words."""

from libs.games.rappel.paytables import MAXIMUM_PLAYERS, MINIMUM_PLAYERS
from libs.kernel.refusals import Refusal

# -- terms and entry ----------------------------------------------------------------------------------------------
BASE_ODD = Refusal(
    "rappel.base_not_multiple_of_10",
    "La mise de base doit être un multiple de 10 centimes, pour que 10 % tombent juste.",
    "The base stake must be a multiple of 10 cents, so that 10 % is exact.",
)
SEATS = Refusal(
    "rappel.seats",
    f"Le jeu du rappel se joue de {MINIMUM_PLAYERS} à {MAXIMUM_PLAYERS} joueurs.",
    f"Le Jeu du Rappel is for {MINIMUM_PLAYERS} to {MAXIMUM_PLAYERS} players.",
)
NO_OPTIONS = Refusal(
    "rappel.no_options",
    "Ce jeu n'a pas d'options : la mise de base est le minimum de la séance.",
    "This game has no options: the base stake is the session's minimum.",
)
ENTRY_ONCE = Refusal(
    "wager.entry_once",
    "Vous êtes déjà entré dans cette partie.",
    "You have already entered this game.",
)
NOT_AT_ENTRY = Refusal(
    "wager.not_at_entry",
    "Cette mise ne se pose que pendant la partie ; avant le premier jet on ne paie que l'entrée.",
    "This stake is only made during the game; before the first roll only the entry is paid.",
)


def unknown_spot(spot: str) -> Refusal:
    """There is nothing of this name to stake on."""
    return Refusal("wager.unknown_spot", f"La mise {spot} n'existe pas à ce jeu.", f"There is no stake {spot} here.")


def entry_fixed(cost: int) -> Refusal:
    """The entry costs fee and ante, no more and no less."""
    return Refusal(
        "wager.entry_fixed",
        f"L'entrée coûte exactement {cost} centimes : le droit d'entrée et la mise de base.",
        f"The entry costs exactly {cost} cents: the entry fee and the ante.",
    )


# -- decisions ----------------------------------------------------------------------------------------------------
NO_GAME = Refusal("rappel.no_game", "Aucune partie n'est en cours.", "No game is being played.")
OTHER_COUP = Refusal("rappel.other_coup", "Cette décision concerne une autre partie.", "This is about another game.")
NOT_IN_GAME = Refusal(
    "rappel.not_in_game", "Vous ne participez pas à cette partie.", "You do not take part in this game."
)
OUT = Refusal("rappel.out", "Vous avez quitté cette partie.", "You are out of this game.")
DICE_ROLLING = Refusal(
    "rappel.dice_rolling", "Les dés roulent : attendez le résultat.", "The dice are rolling: wait for the result."
)
NOT_RAPPEL_TIME = Refusal(
    "rappel.not_rappel_time",
    "Le rappel ne se tente qu'avant le tour de mise.",
    "The rappel can only be tried before the betting round.",
)
NATURAL_20 = Refusal(
    "rappel.natural_20",
    "Vous avez déjà 20 : le rappel ne vous est pas proposé.",
    "You have rolled a 20: the rappel is not for you.",
)
RAPPEL_ONCE = Refusal(
    "rappel.once", "Un seul rappel est autorisé par joueur et par partie.", "One rappel per player and game."
)
DECLINED = Refusal(
    "rappel.declined",
    "Vous avez déjà renoncé au rappel, c'est définitif.",
    "You have declined the rappel already, that is final.",
)
NOT_BETTING_ROUND = Refusal(
    "rappel.not_betting_round", "Ce n'est pas le tour de mise.", "This is not the betting round."
)
RAISE_ONCE = Refusal(
    "rappel.raise_once", "Une seule relance est autorisée par joueur.", "Only one raise per player is allowed."
)
RAPPEL_WAS_THE_RAISE = Refusal(
    "rappel.rappel_was_the_raise",
    "Votre rappel réussi tenait lieu de relance.",
    "Your successful rappel was your raise.",
)

NO_REAL_DICE = Refusal(
    "rappel.no_real_dice",
    "Les dés de cette séance viennent du générateur : aucun ne peut être cassé.",
    "The dice of this session come from the RNG: none can be cocked.",
)
DIE_NOT_ROLLING = Refusal(
    "rappel.die_not_rolling",
    "Le dé de cette place n'est pas attendu.",
    "No die of this seat is awaited.",
)


def not_your_turn(seat: int) -> Refusal:
    """Somebody else has the word."""
    return Refusal(
        "rappel.not_your_turn", f"La parole est à la place {seat}.", f"It is the turn of the player at seat {seat}."
    )


def level_changed(level: int) -> Refusal:
    """The level is not what the player believes."""
    return Refusal(
        "rappel.level_changed", f"La mise à égaler est de {level} centimes.", f"The level to match is {level} cents."
    )


def meter_too_low(needed: int, credit: int) -> Refusal:
    """GA11: whoever cannot pay passes."""
    return Refusal(
        "rappel.meter_too_low",
        f"Il faut {needed} centimes et le compteur de crédits n'en contient que {credit}.",
        f"This takes {needed} cents and the credit meter holds only {credit}.",
    )
