"""What the door replies to a command: accepted, refused, unknown, or why it could not be sent."""

from collections.abc import Collection

import msgspec

from libs.kernel.actors import Role
from libs.kernel.refusals import Refusal, role_not_allowed
from libs.runtime.httpkit import Problem
from services.gateway.answers import Told


class Reply(msgspec.Struct, frozen=True):
    """The answer to a request: HTTP status and content."""

    status: int
    content: object


class Agreed(msgspec.Struct, frozen=True):
    """The command was accepted and led to these events (none when it had nothing to change)."""

    stream: str
    events: tuple[msgspec.Raw, ...]
    accepted: bool = True


class Refused(msgspec.Struct, frozen=True):
    """The rules said no."""

    refusal: Refusal
    accepted: bool = False


class Unknown(msgspec.Struct, frozen=True):
    """No answer in time."""

    command_id: str
    fr: str
    en: str


def answered(told: Told) -> Reply:
    """Return the reply to a command whose answer was heard."""
    if told.refusal is not None:
        return Reply(409, Refused(told.refusal))
    return Reply(200, Agreed(told.stream, told.events))


def unanswered(command_id: str) -> Reply:
    """Return the reply to a command of which nothing was heard in time."""
    unknown = Unknown(
        command_id,
        "Pas de réponse à temps : répétez avec le même identifiant, la commande ne sera faite qu'une fois.",
        "No answer in time: repeat with the same command id, the command will be done only once.",
    )
    return Reply(504, {"unknown": unknown})


def forbidden(allowed: Collection[Role]) -> Problem:
    """Return the problem of a role that may not ask for this; it names those that may."""
    refusal = role_not_allowed(allowed)
    return Problem(403, "role.forbidden", refusal.fr, refusal.en)


def unavailable() -> Problem:
    """Return the problem of a log that does not answer."""
    return Problem(
        503,
        "log.unavailable",
        "Le journal ne répond pas ; rien n'a été fait, réessayez.",
        "The log does not answer; nothing was done, try again.",
        headers={"retry-after": "1"},
    )
