"""Refusals: the rules said no. Values with a stable code and a human sentence, never exceptions."""

from collections.abc import Collection

import msgspec

from libs.kernel.actors import Role


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """The rules said no to a command. It changes no state and is answered to the sender.

    `code` is stable, dotted, lower case (`wager.over_maximum`); `fr` and `en` are whole sentences for people.
    """

    code: str
    fr: str
    en: str


_ROLES_FR: dict[Role, str] = {
    "player": "un joueur",
    "croupier": "un croupier",
    "pit_boss": "un chef de table",
    "committee_member": "un membre du comité de direction",
    "technician": "un technicien",
    "cashier": "un caissier",
    "device": "un appareil",
    "auditor": "un auditeur",
    "service": "un service du système",
}


def role_not_allowed(allowed: Collection[Role]) -> Refusal:
    """Return the refusal of a speaker whose role may not say this; it names those that may.

    >>> role_not_allowed({"pit_boss", "cashier"}).en
    'Only for: cashier, pit boss.'
    """
    names = sorted(allowed)
    french = ", ".join(_ROLES_FR[name] for name in names)
    english = ", ".join(name.replace("_", " ") for name in names)
    return Refusal("role.not_allowed", f"Réservé à : {french}.", f"Only for: {english}.")


def beyond_limits(spot: str, total: int, minimum: int, maximum: int) -> Refusal | None:
    """Return why a player's whole stake on a spot is under its minimum or over its maximum, in cents.

    >>> beyond_limits("2", 100, 100, 10_000), beyond_limits("2", 99, 100, 10_000).code
    (None, 'wager.under_minimum')
    """
    if total < minimum:
        return Refusal(
            "wager.under_minimum",
            f"La mise minimale est de {minimum} centimes.",
            f"The minimum stake is {minimum} cents.",
        )
    if total > maximum:
        return Refusal(
            "wager.over_maximum",
            f"La mise maximale sur {spot} est de {maximum} centimes par joueur.",
            f"The maximum stake on {spot} is {maximum} cents per player.",
        )
    return None
