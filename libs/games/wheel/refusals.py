"""What the wheel refuses, and in which words."""

from libs.kernel.refusals import Refusal

BETTING_NOT_CLOSED = Refusal(
    "wheel.betting_not_closed",
    "La roue ne peut être lancée qu'après « Rien ne va plus ».",
    "The wheel can only be launched after 'Rien ne va plus'.",
)
NOT_SEATED = Refusal(
    "wheel.not_seated",
    "Seul un joueur assis à un poste peut actionner le buzzer.",
    "Only a player seated at a station may press the buzzer.",
)
NO_DEVICE = Refusal(
    "wheel.no_device",
    "Les résultats de cette séance ne viennent pas du capteur.",
    "The results of this session do not come from the sensor.",
)
NOT_TURNING = Refusal(
    "wheel.not_turning",
    "La roue n'a pas été lancée : il n'y a pas de résultat à recevoir.",
    "The wheel has not been launched: there is no result to receive.",
)
WRONG_RING = Refusal(
    "wheel.wrong_ring",
    "Ce n'est pas la roue dont le résultat est attendu.",
    "This is not the ring whose result is awaited.",
)
OTHER_COUP = Refusal(
    "wheel.other_coup",
    "Ce rapport concerne un autre coup.",
    "This report is about another coup.",
)
MANUAL_MODE = Refusal(
    "wheel.manual_mode",
    "Le mode manuel est engagé : un membre du comité de direction saisit le résultat ou annule.",
    "Manual mode is on: a committee member enters the result or voids the spin.",
)
NOT_MANUAL_MODE = Refusal(
    "wheel.not_manual_mode",
    "Le résultat ne peut être saisi qu'en mode manuel, quand il n'a pas été détecté.",
    "The result can only be entered in manual mode, when it was not detected.",
)
NO_SUCH_SEGMENT = Refusal(
    "wheel.no_such_segment",
    "Cette roue n'a pas de segment de ce numéro.",
    "This ring has no segment of that number.",
)
BONUS_STAKE_MISSING = Refusal(
    "wheel.bonus_stake_missing",
    "La mise fixe BONUS (option bonus_stake, en centimes) doit être indiquée, et elle seule.",
    "The fixed BONUS stake (option bonus_stake, in cents) must be given, and nothing else.",
)
BONUS_STAKE_ODD = Refusal(
    "wheel.bonus_stake_not_multiple_of_10",
    "La mise fixe BONUS doit être un multiple positif de 10 centimes.",
    "The fixed BONUS stake must be a positive multiple of 10 cents.",
)
BONUS_ONCE = Refusal(
    "wager.bonus_once",
    "La mise BONUS est fixe et unique : elle est déjà posée.",
    "The BONUS stake is fixed and unique: it is already down.",
)


def bonus_fixed(stake: int) -> Refusal:
    """WA3: BONUS takes exactly the fixed stake."""
    return Refusal(
        "wager.bonus_fixed",
        f"La mise BONUS est fixe : exactement {stake} centimes.",
        f"The BONUS stake is fixed: exactly {stake} cents.",
    )


def unknown_spot(spot: str) -> Refusal:
    """There is no such chance on the wheel."""
    return Refusal(
        "wager.unknown_spot", f"La chance {spot} n'existe pas sur la roue.", f"There is no spot {spot} on the wheel."
    )
