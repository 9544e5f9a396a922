"""Which ids of people's and devices' commands are taken: each carries the moment at which it was made.

The moment tells an id that is new from one whose answer is forgotten, so that every command is done once for ever while
memory stays bounded (law 4). The only clock here is that of the log's server: it made the ids of the inbox entries.
"""

from libs.kernel.ids import moment_of
from libs.kernel.limits import COMMAND_AHEAD_MS, COMMAND_LATE_MS
from libs.kernel.refusals import Refusal

CONFLICTING = Refusal(
    "command.conflict",
    "Cet identifiant de commande a déjà servi pour une autre demande.",
    "This command id was already used for another request.",
)
UNDATED = Refusal(
    "command.undated",
    "L'identifiant de la commande doit commencer par l'heure UTC, comme 2026-11-30T10:00:05Z.",
    "The command id must begin with the time in UTC, such as 2026-11-30T10:00:05Z.",
)
AHEAD = Refusal(
    "command.ahead",
    "L'heure de cet identifiant est dans l'avenir ; vérifiez l'horloge de ce poste.",
    "The time in this id is in the future; check the clock of this terminal.",
)
TOO_OLD = Refusal(
    "command.too_old",
    "L'heure de cet identifiant est trop ancienne pour dire ce qu'il en est advenu ; rien n'a été fait cette fois-ci.",
    "The time in this id is too long ago to tell what became of it; nothing was done this time.",
)


def admit(command_id: str, entry: str, horizon_ms: int) -> int | Refusal:
    """Return the moment of an id that is not remembered, in ms since 1970, or why its command is not decided.

    `entry` is the id of the inbox entry, and `horizon_ms` the greatest moment of what is forgotten.
    """
    moment_ms = moment_of(command_id)
    if moment_ms is None:
        return UNDATED
    arrived_ms = int(entry.partition("-")[0])
    if moment_ms > arrived_ms + COMMAND_AHEAD_MS:
        return AHEAD
    if moment_ms <= horizon_ms or moment_ms < arrived_ms - COMMAND_LATE_MS:
        return TOO_OLD
    return moment_ms


def latest_ms(arrived_ms: int) -> int:
    """Return the latest moment that an id taken until then can carry, in ms since 1970."""
    return arrived_ms + COMMAND_AHEAD_MS
