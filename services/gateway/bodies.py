"""Bodies of requests: decoded strictly into the public commands, or refused with the place of the mistake."""

import re
from collections.abc import Iterable
from typing import Any, TypeVar, Union

import msgspec

from libs.kernel.actors import Id
from libs.kernel.messages import Command, tag_of
from libs.ledger.roles import ROLES
from libs.runtime.httpkit import Problem

WALLET_COMMANDS: tuple[type[Command], ...] = tuple(kind for kind in ROLES if not kind.internal)
"""What people may ask of the wallet."""


B = TypeVar("B", bound="Posting")


class Posted(msgspec.Struct, frozen=True):
    """A command as it was posted, with the id that its sender gave it."""

    command_id: str
    command: Command


class Posting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of bodies that the door itself makes a command of."""

    command_id: Id


def read_as(kind: type[B], body: bytes) -> B:
    """Return the body as a struct of this kind; raises `Problem` 400 that names the path of the first mistake."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        # Not chained: what was posted may be personal, and the error knows it.
        raise mistake(str(error)) from None


def public(kinds: Iterable[type[Command]]) -> tuple[type[Command], ...]:
    """Return the commands that people may send, by tag; those between our own services are left out."""
    return tuple(sorted((kind for kind in kinds if not kind.internal), key=tag_of))


class BodyReader:
    """Reads `{"command_id": …, "command": {"type": …, …}}` for one set of commands.

    Strict: no unknown field, no text for a number, no fraction for an amount, nothing outside the limits.
    """

    def __init__(self, name: str, kinds: Iterable[type[Command]]) -> None:
        self.kinds = public(kinds)
        self.shape: type[msgspec.Struct] = msgspec.defstruct(
            name,
            [("command_id", Id), ("command", Union[self.kinds])],  # noqa: UP007 - made at run time
            frozen=True,
            forbid_unknown_fields=True,
        )
        self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(self.shape)

    def read(self, body: bytes) -> Posted:
        """Return what was posted; raises `Problem` 400 that names the path of the first mistake."""
        try:
            posted = self._decoder.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise mistake(str(error)) from error
        return Posted(posted.command_id, posted.command)


_FORM = re.compile(r"Expected `str` matching regex '(.*?)(?:\(\?!\\\\n\))?'")
"""A form, written with doubled backslashes, and at its end what only keeps a last line break out."""

_FRENCH = (
    (r"Object contains unknown field `(.*)`", r"le champ « \1 » n'existe pas"),
    (r"Object missing required field `(.*)`", r"le champ « \1 » manque"),
    (r"Expected `(.*)`, got `(.*)`", r"la valeur doit être de type « \1 » et non « \2 »"),
    (r"Expected `int` (.*)", r"le nombre doit être \1"),
    (r"Expected `str` of length (.*)", r"la longueur du texte doit être \1"),
    (r"Expected text of the form `(.*)`", r"le texte doit être de la forme « \1 »"),
    (r"Invalid value '(.*)'", r"la valeur « \1 » n'est pas admise"),
    (r"JSON is malformed.*|Input data was truncated", "ce n'est pas du JSON"),
)


def mistake(said: str) -> Problem:
    """Return the problem of a body that msgspec refused ("Expected `int`, got `str` - at `$.command.amount`")."""
    reason, _, place = said.partition(" - at ")
    if form := _FORM.fullmatch(reason):
        reason = "Expected text of the form `" + form[1].replace("\\\\", "\\") + "`"
    path = place.strip("`") or "$"
    french = "la valeur n'est pas celle qui est attendue"
    for pattern, words in _FRENCH:
        found = re.fullmatch(pattern, reason, re.DOTALL)
        if found:
            french = found.expand(words)
            break
    fr = f"Le corps de la demande n'est pas valable en {path} : {french}."
    return Problem(400, "body.invalid", fr, f"The body is not valid at {path}: {reason}.", path=path)
