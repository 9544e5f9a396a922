"""What the ledger says no to, with the sentences that people read."""

from libs.kernel.accounts import CAGE, HOUSE_ACCOUNTS
from libs.kernel.limits import MAX_PLAYER_ID_CHARS
from libs.kernel.refusals import Refusal

_OTHERS = ", ".join((*sorted(HOUSE_ACCOUNTS), CAGE))
"""Accounts that people may correct besides those of players."""

CONFLICT = Refusal(
    code="transfer.conflict",
    fr="Cet identifiant a déjà servi pour une autre opération.",
    en="This id was already used for another operation.",
)
INSUFFICIENT = Refusal(
    code="account.insufficient",
    fr="Le solde du compte ne suffit pas.",
    en="The balance of the account is not enough.",
)
OVER_MAXIMUM = Refusal(
    code="account.over_maximum",
    fr="Le solde du compte dépasserait le maximum permis.",
    en="The balance of the account would exceed the maximum.",
)
NAME_TOO_LONG = Refusal(
    code="transfer.name_too_long",
    fr="Un identifiant de cette opération est trop long.",
    en="An identifier in this operation is too long.",
)
NO_PLAYER = Refusal(
    code="player.bad_id",
    fr=f"Un identifiant de joueur commence par une lettre ou un chiffre, contient aussi _ . / @ - et compte au plus "
    f"{MAX_PLAYER_ID_CHARS} caractères ; quelques mots sont réservés au système.",
    en=f"The id of a player begins with a letter or a digit, may also hold _ . / @ - and has at most "
    f"{MAX_PLAYER_ID_CHARS} characters; some words are reserved for the system.",
)
TOO_MANY_PENDING = Refusal(
    code="buy_in.too_many_pending",
    fr="Trop d'achats de jetons attendent déjà la réponse d'une table.",
    en="Too many buy-ins are already waiting for a table's answer.",
)
TWO_PEOPLE = Refusal(
    code="request.two_people",
    fr="Celui qui demande ne peut pas approuver : il faut une autre personne.",
    en="Whoever asks cannot approve: another person is needed.",
)
REQUEST_UNKNOWN = Refusal(
    code="request.unknown",
    fr="Il n'y a pas de telle demande en attente.",
    en="There is no such request waiting.",
)
REQUEST_ENDED = Refusal(
    code="request.ended",
    fr="Cette demande est déjà approuvée, refusée ou expirée.",
    en="This request is approved, declined or expired already.",
)
TOO_MANY_REQUESTS = Refusal(
    code="request.too_many",
    fr="Trop de demandes attendent déjà une décision.",
    en="Too many requests are waiting for a decision already.",
)
UNBALANCED = Refusal(
    code="adjustment.unbalanced",
    fr="Les lignes d'une correction doivent s'équilibrer et déplacer quelque chose.",
    en="The legs of an adjustment must balance and move something.",
)
NOT_ADJUSTABLE = Refusal(
    code="adjustment.account",
    fr=f"Seuls les comptes des joueurs (player:…) et {_OTHERS} se corrigent ainsi.",
    en=f"Only accounts of players (player:…) and {_OTHERS} are corrected this way.",
)
ELSEWHERE = Refusal(
    code="account.elsewhere",
    fr="Ce compte est tenu dans une autre partie du grand livre.",
    en="This account is kept in another part of the ledger.",
)
CARD_TAKEN = Refusal(
    code="card.taken",
    fr="Ce numéro de carte a déjà été donné.",
    en="This card number has been given already.",
)
CARD_UNKNOWN = Refusal(
    code="card.unknown",
    fr="Cette carte n'a jamais été donnée ici.",
    en="This card was never given here.",
)
CARD_REPLACED = Refusal(
    code="card.replaced",
    fr="Cette carte a déjà été remplacée par une autre.",
    en="This card has been replaced by another one already.",
)
UNDATED = Refusal(
    code="transfer.undated",
    fr="L'identifiant d'une opération d'argent commence par la date du jour, par exemple 2026-11-30/7.",
    en="The id of an operation with money begins with the date of the day, such as 2026-11-30/7.",
)
DATED_AHEAD = Refusal(
    code="transfer.dated_ahead",
    fr="La date de cet identifiant est encore à venir.",
    en="The date in this id is still to come.",
)
TOO_MANY_REFUSED = Refusal(
    code="transfer.too_many_refused",
    fr="Trop de vos opérations de cette date ont été refusées : elle est close pour vous, servez-vous d'une autre.",
    en="Too many of your operations of this date were refused: it is closed for you, use another one.",
)
DAY_CLOSED = Refusal(
    code="day.closed",
    fr="Cette journée de jeu est déjà close.",
    en="This gaming day is closed already.",
)
DAY_UNKNOWN = Refusal(
    code="day.unknown",
    fr="Cette date n'existe pas.",
    en="There is no such date.",
)
DAY_AHEAD = Refusal(
    code="day.ahead",
    fr="Cette journée de jeu est trop loin dans l'avenir : au plus tôt, celle de demain s'ouvre aujourd'hui.",
    en="This gaming day is too far ahead: none is opened before the day before it.",
)
DAY_OPENING = Refusal(
    code="day.opening",
    fr="L'ouverture de la journée en cours n'est pas encore terminée.",
    en="The opening of the running day is not finished yet.",
)
NO_DAY = Refusal(
    code="day.none",
    fr="Aucune journée de jeu n'est encore ouverte.",
    en="No gaming day is open yet.",
)
NOT_YOURSELF = Refusal(
    code="player.not_yourself",
    fr="Un joueur ne fixe ses limites et son exclusion que pour lui-même.",
    en="A player sets limits and excludes for himself alone.",
)
UNTIL_NOT_AHEAD = Refusal(
    code="exclusion.until_not_ahead",
    fr="La fin d'une exclusion est une journée de jeu à venir.",
    en="The end of an exclusion is a gaming day still to come.",
)
ONLY_LONGER = Refusal(
    code="exclusion.only_longer",
    fr="Une exclusion volontaire ne peut être que prolongée.",
    en="A self-exclusion can only be made longer.",
)
ONLY_THE_PLAYERS = Refusal(
    code="exclusion.only_self",
    fr="Ce joueur s'est exclu lui-même : personne n'y met fin avant son terme.",
    en="This player has excluded himself: nobody ends that before its day.",
)

TOO_OLD = "transfer.too_old"


def too_old(dated: str) -> Refusal:
    """Return the refusal of an id that the ledger no longer remembers."""
    return Refusal(
        code=TOO_OLD,
        fr=f"Cet identifiant est du {dated} : rien n'est fait maintenant. S'il a servi, le journal de ce jour le dit.",
        en=f"This id is of {dated}: nothing was done now. Were it ever done, the log of that day says so.",
    )


def deposit_limit(left: int) -> Refusal:
    """Return the refusal of a deposit beyond the player's limit; `left` cents may still come."""
    return Refusal(
        code="limit.deposit",
        fr=f"La limite de dépôt du joueur ne permet plus que {left} centimes.",
        en=f"The player's limit of deposits leaves {left} cents.",
    )


def loss_limit(left: int) -> Refusal:
    """Return the refusal of a buy-in beyond the player's limit of losses; `left` cents may still go to tables."""
    return Refusal(
        code="limit.loss",
        fr=f"La limite de perte du joueur ne permet plus de porter que {left} centimes aux tables.",
        en=f"The player's limit of losses leaves {left} cents to carry to tables.",
    )
