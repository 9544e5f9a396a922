"""What the ledger says no to, with the sentences that people read."""

from libs.kernel.refusals import Refusal

ROLE_NOT_ALLOWED = Refusal(
    code="role.not_allowed",
    fr="Votre fonction ne permet pas cette opération.",
    en="Your role does not allow this operation.",
)
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
TOO_MANY_PENDING = Refusal(
    code="buy_in.too_many_pending",
    fr="Trop d'achats de jetons attendent déjà la réponse d'une table.",
    en="Too many buy-ins are already waiting for a table's answer.",
)
