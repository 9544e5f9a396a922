"""What a table refuses, and in which words. Codes are stable."""

from collections.abc import Collection, Mapping

from libs.kernel.refusals import Refusal

FLOAT_TOO_LOW = Refusal(
    "float.too_low",
    "L'encaisse de la table ne contient pas autant.",
    "The float of the table does not hold that much.",
)


# -- the session --------------------------------------------------------------------------------------------------
TECHNICIAN_FIRST = Refusal(
    "equipment.technician_first",
    "Un technicien doit d'abord vérifier la roue ou le matériel.",
    "A technician must check the equipment first.",
)
ALREADY_CHECKED = Refusal(
    "equipment.already_checked",
    "Une autre personne de cette fonction a déjà vérifié le matériel.",
    "Another person of this role has already checked the equipment.",
)
TWO_PEOPLE = Refusal(
    "equipment.two_people",
    "La vérification du technicien et celle du comité de direction doivent être faites par deux personnes.",
    "The technician's and the committee's check must be made by two different people.",
)
POSTINGS_PENDING = Refusal(
    "session.postings_pending",
    "Des écritures de la séance précédente ne sont pas encore confirmées par la caisse.",
    "The ledger has not yet confirmed all postings of the session before.",
)
SEEDS_PENDING = Refusal(
    "session.seeds_pending",
    "Des graines de la séance précédente ne sont pas encore révélées par le générateur.",
    "The RNG has not yet revealed all seeds of the session before.",
)
SEED_NOT_COMMITTED = Refusal(
    "seed.not_committed",
    "Le générateur ne s'est pas encore engagé sur les tirages du prochain coup. Réessayez dans un instant.",
    "The RNG has not committed itself to the draws of the next coup yet. Try again in a moment.",
)
SEEDS_NOT_REVEALED = Refusal(
    "seed.not_revealed",
    "Le générateur n'a pas révélé les graines de plusieurs coups passés. Réessayez plus tard.",
    "The RNG has not revealed the seeds of several past coups. Try again later.",
)
SEED_MISMATCH = Refusal(
    "seed.mismatch",
    "La graine révélée ne correspond pas à l'engagement : la table est suspendue, appelez le comité de direction.",
    "The revealed seed does not fit its commitment: the table is suspended, call the committee.",
)
NOT_PREPARED = Refusal(
    "session.not_prepared",
    "Le matériel n'a pas été vérifié pour une nouvelle séance.",
    "The equipment has not been checked for a new session.",
)
ALREADY_OPEN = Refusal("session.already_open", "La séance est déjà ouverte.", "The session is already open.")
NOT_OPEN = Refusal("session.not_open", "Aucune séance n'est ouverte à cette table.", "No session is open here.")
LIMITS_TOO_HIGH = Refusal(
    "session.limits_too_high",
    "Avec ces limites, un seul coup pourrait coûter plus que le système n'accepte.",
    "With these limits a single coup could cost more than the system accepts.",
)
COUP_RUNNING = Refusal(
    "session.coup_running",
    "Un coup est en cours : terminez-le ou annulez-le avant de fermer.",
    "A coup is running: finish or void it before closing.",
)
LAST_COUPS_FIRST = Refusal(
    "session.last_coups_first",
    "Les trois derniers coups doivent d'abord être annoncés et joués.",
    "The three last coups must be announced and played first.",
)
STAKES_HELD = Refusal(
    "session.stakes_held",
    "Des mises attendent encore le coup suivant.",
    "Stakes are still waiting for the next coup.",
)


def unknown_game(game: str, known: Collection[str]) -> Refusal:
    """There is no such game in the house."""
    names = ", ".join(sorted(known))
    return Refusal(
        "session.unknown_game",
        f"Le jeu {game} n'existe pas ; jeux connus : {names}.",
        f"There is no game {game}; known: {names}.",
    )


def unknown_paytable(paytable: str, known: Collection[str]) -> Refusal:
    """The game has no such paytable."""
    names = ", ".join(sorted(known))
    return Refusal(
        "session.unknown_paytable",
        f"La table de paiement {paytable} n'existe pas ; tables offertes : {names}.",
        f"There is no paytable {paytable}; offered: {names}.",
    )


def negative_edge(edges: Mapping[str, str]) -> Refusal:
    """Some chances favour the player: the committee member must confirm having seen it."""
    listed = ", ".join(f"{spot}: {edge}" for spot, edge in edges.items())
    return Refusal(
        "session.negative_edge",
        f"Des chances sont favorables aux joueurs ({listed}) : confirmez pour ouvrir malgré tout.",
        f"Some chances favour the players ({listed}): confirm in order to open all the same.",
    )


# -- seats --------------------------------------------------------------------------------------------------------
def no_such_seat(seats: int) -> Refusal:
    """The table has fewer seats."""
    return Refusal(
        "seat.unknown", f"Cette table a {seats} postes, numérotés à partir de 1.", f"This table has seats 1 to {seats}."
    )


SEAT_TAKEN = Refusal("seat.taken", "Ce poste est occupé par un autre joueur.", "Another player has this seat.")
ONE_SEAT_PER_PLAYER = Refusal(
    "seat.one_per_player",
    "Chaque joueur ne peut jouer que sur un seul poste.",
    "A player may play at one station only.",
)
PLAYER_ID_TOO_LONG = Refusal(
    "seat.player_id_too_long",
    "L'identifiant du joueur est trop long pour cette table.",
    "The player's id is too long for this table.",
)
NOT_SEATED = Refusal(
    "seat.not_seated", "Vous n'êtes assis à aucun poste de cette table.", "You have no seat at this table."
)
NOT_YOURS = Refusal("seat.not_yours", "Ce joueur n'occupe pas ce poste.", "This player does not have this seat.")
STAKE_DOWN = Refusal(
    "seat.stake_down",
    "Une mise est en jeu : vous pourrez partir quand elle sera réglée ou rendue.",
    "A stake is down: you may leave once it has been settled or returned.",
)
METER_FULL = Refusal(
    "seat.meter_full", "Le compteur de crédits ne peut pas contenir autant.", "The credit meter cannot hold so much."
)


def credit_too_low(credit: int) -> Refusal:
    """The credit meter holds less (art. 35: no bet on credit or on word)."""
    return Refusal(
        "seat.credit_too_low",
        f"Le compteur de crédits ne contient que {credit} centimes.",
        f"The credit meter holds only {credit} cents.",
    )


# -- the coup -----------------------------------------------------------------------------------------------------
BETTING_CLOSED = Refusal(
    "wager.betting_closed", "Les jeux ne sont pas ouverts : aucune mise.", "Betting is not open: no wagers."
)
NO_STAKE = Refusal("wager.none", "Vous n'avez pas de mise sur cette chance.", "You have no stake on this spot.")
TOO_MANY_SPOTS = Refusal(
    "wager.too_many_spots", "Trop de chances différentes dans ce coup.", "Too many different spots in this coup."
)
STILL_RUNNING = Refusal("coup.running", "Le coup précédent n'est pas terminé.", "The coup before is not finished.")
NO_COUP = Refusal("coup.none", "Aucun coup n'est en cours.", "No coup is running.")
NO_MORE_COUPS = Refusal("coup.last_played", "Les derniers coups ont été joués.", "The last coups have been played.")
OTHER_GAME = Refusal(
    "game.other", "Cette commande n'appartient pas au jeu de cette table.", "This command is of another game."
)


# -- outcomes from the console or a device ------------------------------------------------------------------------
NO_OUTCOME_NOW = Refusal(
    "outcome.not_now",
    "Aucun résultat n'est attendu : les jeux ne sont pas faits ou le coup est terminé.",
    "No outcome is awaited: betting is not over, or the coup is finished.",
)
OUTCOME_FROM_RNG = Refusal(
    "outcome.from_rng",
    "Les résultats de cette séance viennent du générateur : ils ne se saisissent pas.",
    "The outcomes of this session come from the RNG: they cannot be entered.",
)
OTHER_COUP = Refusal("outcome.other_coup", "Ce résultat concerne un autre coup.", "This outcome is about another coup.")
OUTCOME_NOT_AWAITED = Refusal(
    "outcome.not_awaited",
    "Ce n'est pas un résultat que ce coup attend.",
    "This is not an outcome that the coup is waiting for.",
)
OUTCOME_RECORDED = Refusal(
    "outcome.recorded",
    "Un autre résultat est déjà saisi : un chef de table peut le corriger en indiquant le motif.",
    "Another outcome has been recorded: a pit boss may correct it, with a reason.",
)
OUTCOME_NOT_RECORDED = Refusal(
    "outcome.not_recorded", "Ce résultat n'a pas encore été saisi.", "This outcome has not been recorded yet."
)
OUTCOME_SEALED = Refusal(
    "outcome.sealed",
    "Ce résultat est encore caché : il ne peut pas être corrigé, seulement annulé avec le coup.",
    "This outcome is still hidden: it cannot be corrected, only voided with the coup.",
)
STAKES_HAVE_MOVED = Refusal(
    "outcome.stakes_moved",
    "Des joueurs ont misé depuis ce résultat : il ne peut plus être corrigé, seulement annulé avec le coup.",
    "Players have staked since this outcome: it can no longer be corrected, only voided with the coup.",
)
NO_DEVICE = Refusal(
    "outcome.no_device",
    "Les résultats de cette séance sont saisis par le croupier.",
    "The outcomes of this session are entered by the croupier.",
)
DEVICE_SPEAKS = Refusal(
    "outcome.device_speaks",
    "Le résultat est attendu de l'appareil ; il ne se saisit qu'en mode manuel.",
    "The outcome is awaited from the device; it can only be entered in manual mode.",
)
MANUAL_ENTRY = Refusal(
    "outcome.manual_mode",
    "Le mode manuel est engagé : un chef de table ou un membre du comité de direction saisit le résultat ou annule.",
    "Manual mode is on: a pit boss or a committee member enters the outcome or voids the coup.",
)
CONSOLE_SPEAKS = Refusal(
    "outcome.console_speaks",
    "Le résultat est saisi par le croupier ou le chef de table.",
    "The outcome is entered by the croupier or the pit boss.",
)


def source_not_offered(source: str, offered: Collection[str]) -> Refusal:
    """The game cannot have its outcomes from there."""
    names = ", ".join(sorted(offered))
    return Refusal(
        "session.source_not_offered",
        f"Ce jeu ne tire pas ses résultats de la source {source} ; sources possibles : {names}.",
        f"This game does not take its outcomes from {source}; possible: {names}.",
    )


def wrong_count(count: int) -> Refusal:
    """Too many or too few dice, cards or segments."""
    return Refusal(
        "outcome.wrong_count", f"Ce résultat compte exactement {count} valeur(s).", f"This outcome has {count} face(s)."
    )


def unknown_face(face: str, known: Collection[str]) -> Refusal:
    """There is no such die face, card or segment."""
    listed = ", ".join(known)
    return Refusal(
        "outcome.unknown_face",
        f"La valeur {face} n'existe pas ; valeurs possibles : {listed}.",
        f"There is no face {face}; possible: {listed}.",
    )
