"""The register of persons at the door: the one place where personal data are in the clear, and only in passing.

What is posted is sealed here before anything is sent, and opened here after the look at it is in the log. Nothing of it
is kept, logged or put into an error. The rest of the house sees pseudonyms and sealed bytes.
"""

import time
from collections.abc import Callable
from typing import Protocol

import msgspec

from libs.eventlog.api import EventLogError
from libs.eventlog.person_keys import KeyLost, PersonKeyStore
from libs.kernel.actors import Actor
from libs.kernel.contracts.persons import (
    CorrectPerson,
    ForgetPerson,
    LookAtPerson,
    Looked,
    LookPurpose,
    PersonLookedAt,
    Pseudonym,
    RegisterPerson,
)
from libs.kernel.limits import PERSON_LOOK_MS
from libs.kernel.messages import Command
from libs.persons.personal import PersonalData, flaw
from libs.persons.refusals import FORGOTTEN, KNOWN, UNKNOWN, excluded, known
from libs.persons.roles import ROLES
from libs.runtime.httpkit import Problem
from libs.runtime.logs import log as logger
from libs.runtime.persons.vault import CannotOpen, Vault
from services.gateway.bodies import Posted
from services.gateway.door import Door
from services.gateway.limits import not_seated
from services.gateway.person_bodies import (
    CorrectBody,
    Corrected,
    FindBody,
    ForgetBody,
    Forgotten,
    Found,
    LookBody,
    LookedAt,
    RegisterBody,
    Registered,
)
from services.gateway.replies import Agreed, Refused, Reply, forbidden, unavailable


class Registrations(Protocol):
    """Where the sealed data of persons are read: `services.gateway.keeper` reads the log."""

    async def sealed(self, player: str) -> bytes | None:
        """Return a person's sealed data as they were logged; None for whoever is unknown or forgotten."""


class Lockup:
    """The keys of persons and what can be done with them; made only where there is a file of keys."""

    def __init__(self, store: PersonKeyStore, vault: Vault) -> None:
        self.store, self.vault = store, vault
        self._index_fits = False

    async def check_index(self) -> None:
        """See that the index was made with our index key: with another one, everybody would be registered twice."""
        if self._index_fits:
            return
        if await self.store.fingerprint(self.vault.fingerprint()) != self.vault.fingerprint():
            logger().error("the index key of the file is not the one that the register of persons was made with")
            raise Problem(
                503,
                "persons.wrong_index_key",
                "Le registre des personnes est fermé : la clé « index » du fichier n'est pas celle de ce registre.",
                "The register of persons is closed: the key `index` of the file is not the one of this register.",
            )
        self._index_fits = True


class Register:
    """Registers, finds, shows and forgets persons. `lockup` is None where the site has no file of keys."""

    def __init__(
        self,
        door: Door,
        registrations: Registrations,
        lockup: Lockup | None,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._door, self._registrations, self._lockup, self._now_ms = door, registrations, lockup, now_ms

    async def register(self, actor: Actor, body: RegisterBody) -> Reply:
        """Seal a person's papers, give a pseudonym, and have it logged; a person who is known keeps the old one."""
        lockup = await self._open_for(actor, RegisterPerson)
        person = body.person
        _check(person.name, person.birth_date, person.document, path="$.person")
        try:
            player, locked = await _claim(lockup, person)
            sealed = lockup.vault.seal(player, locked, person)
        except CannotOpen as error:
            raise _key_missing(error) from None
        command = RegisterPerson(player=player, sealed=sealed)
        reply = await self._door.tell_persons(actor, Posted(body.command_id, command), None)
        if isinstance(reply.content, Agreed):
            known_before = not reply.content.events
            return Reply(200, Registered(player, known_before, self._excluded(player)))
        if isinstance(reply.content, Refused) and reply.content.refusal.code == KNOWN:
            return Reply(409, Refused(known(player, not_seated(self._door.house, player))))
        return reply

    async def correct(self, actor: Actor, player: str, body: CorrectBody) -> Reply:
        """Seal other papers of a person with the same key; a changed name or date of birth is found from now on."""
        lockup = await self._open_for(actor, CorrectPerson)
        person, player = body.person, _pseudonym(player)
        _check(person.name, person.birth_date, person.document, path="$.person")
        imprint = lockup.vault.imprint(person.name, person.birth_date)
        try:
            owner = await lockup.store.join(player, imprint)
            locked = await lockup.store.fetch(player)
            if owner is None or locked is None:
                return Reply(409, Refused(UNKNOWN))
            if owner != player:
                return Reply(409, Refused(known(owner)))
            sealed = lockup.vault.seal(player, locked, person)
            command = CorrectPerson(player=player, sealed=sealed)
            reply = await self._door.tell_persons(actor, Posted(body.command_id, command), None)
            # Only what is in the log last counts: this may be the repeat of an old correction, or one of two at once.
            counts = isinstance(reply.content, Agreed) and await self._registrations.sealed(player) == sealed
            if counts:
                await lockup.store.join(player, imprint)
            await lockup.store.settle(player, imprint if counts else "")
        except EventLogError as error:
            raise unavailable() from error
        except CannotOpen as error:
            raise _key_missing(error) from None
        return Reply(200, Corrected(player)) if isinstance(reply.content, Agreed) else reply

    async def find(self, actor: Actor, body: FindBody) -> Reply:
        """Tell which player a person is, whatever the spelling, once it is logged that it was told."""
        lockup = await self._open_for(actor, LookAtPerson)
        _check(body.name, body.birth_date, None, path="$")
        try:
            player = await lockup.store.find(lockup.vault.imprint(body.name, body.birth_date))
        except EventLogError as error:
            raise unavailable() from error
        if player is None:
            return Reply(409, Refused(UNKNOWN))
        reply = await self._look(actor, body.command_id, player, "pseudonym", body.purpose)
        return Reply(200, Found(player, self._excluded(player))) if isinstance(reply.content, Agreed) else reply

    def _excluded(self, player: str) -> str:
        """Return the code of what keeps a player from play: whoever comes again under any spelling is known here."""
        refusal = not_seated(self._door.house, player)
        return refusal.code if refusal is not None else ""

    async def look(self, actor: Actor, player: str, body: LookBody) -> Reply:
        """Show who a player is, once it is logged that it was shown."""
        lockup = await self._open_for(actor, LookAtPerson)
        reply = await self._look(actor, body.command_id, _pseudonym(player), "data", body.purpose)
        if not isinstance(reply.content, Agreed):
            return reply
        try:
            sealed, locked = await self._registrations.sealed(player), await lockup.store.fetch(player)
        except EventLogError as error:
            raise unavailable() from error
        if sealed is None:
            return Reply(409, Refused(FORGOTTEN))
        if locked is None:
            raise _key_missing(CannotOpen("the key of this person is not in the store"))
        try:
            return Reply(200, LookedAt(player, lockup.vault.open(player, locked, sealed)))
        except CannotOpen as error:
            raise _key_missing(error) from None

    async def forget(self, actor: Actor, player: str, body: ForgetBody) -> Reply:
        """Have it logged that a person is forgotten, and destroy the key; the keeper sees to it when this fails.

        Who is excluded would come back under another pseudonym: only an authority can order that.
        """
        lockup = await self._open_for(actor, ForgetPerson)
        command = ForgetPerson(player=_pseudonym(player), reason=body.reason)
        refusal = not_seated(self._door.house, player)
        no = excluded(refusal) if refusal is not None and body.reason != "authority" else None
        reply = await self._door.tell_persons(actor, Posted(body.command_id, command), no)
        if not isinstance(reply.content, Agreed):
            return reply
        try:
            await lockup.store.destroy(player)
        except EventLogError:
            return Reply(200, Forgotten(player, key_destroyed=False, excluded=self._excluded(player)))
        return Reply(200, Forgotten(player, key_destroyed=True, excluded=self._excluded(player)))

    async def _open_for(self, actor: Actor, command: type[Command]) -> Lockup:
        """Return the keys for somebody who may do this; raises `Problem`."""
        if actor.role not in ROLES[command]:
            raise forbidden(ROLES[command])
        if self._lockup is None:
            raise Problem(
                503,
                "persons.off",
                "Le registre des personnes n'est pas installé ici : il manque le fichier de ses clés.",
                "The register of persons is not set up here: the file of its keys is missing.",
            )
        # Who is excluded stands in the ledger's log: unread, it would let everybody play, and be forgotten.
        self._door.check_known()
        try:
            await self._lockup.check_index()
        except EventLogError as error:
            raise unavailable() from error
        return self._lockup

    async def _look(self, actor: Actor, command_id: str, player: str, looked: Looked, purpose: LookPurpose) -> Reply:
        command = LookAtPerson(player=player, looked=looked, purpose=purpose)
        reply = await self._door.tell_persons(actor, Posted(command_id, command), None)
        if isinstance(reply.content, Agreed):
            logged = msgspec.json.decode(reply.content.events[0], type=PersonLookedAt)
            # A repeat gets the old answer without a new event: what it allowed to see is over.
            if logged.at_ms + PERSON_LOOK_MS < self._now_ms():
                raise Problem(
                    409,
                    "persons.look_over",
                    "Cette consultation est terminée ; demandez-en une nouvelle, sous un autre identifiant.",
                    "This look is over; ask for a new one, under another id.",
                    path="$.command_id",
                )
        return reply


async def _claim(lockup: Lockup, person: PersonalData) -> tuple[str, str]:
    """Return pseudonym and locked key of an identity: those it has, or new ones."""
    vault = lockup.vault
    imprint = vault.imprint(person.name, person.birth_date)
    try:
        while True:
            player = vault.new_pseudonym()
            claim = await lockup.store.claim(imprint, player, vault.new_locked_key(player))
            if claim is not None:
                return claim.player, claim.locked
    except EventLogError as error:
        raise unavailable() from error
    except KeyLost:
        raise CannotOpen("the index knows the person, whose key is not in the store") from None


def _check(name: str, birth_date: str, document: str | None, path: str) -> None:
    found = flaw(name, birth_date, document)
    if found is not None:
        field, refusal = found
        raise Problem(400, refusal.code, refusal.fr, refusal.en, path=f"{path}.{field}")


def _pseudonym(player: str) -> str:
    try:
        return msgspec.convert(player, Pseudonym)
    except msgspec.ValidationError:
        raise Problem(404, "person.unknown", UNKNOWN.fr, UNKNOWN.en) from None


def _key_missing(error: CannotOpen) -> Problem:
    logger().error("a person's data cannot be opened", reason=str(error))
    return Problem(
        503,
        "persons.key_missing",
        "Les données de cette personne ne peuvent pas être ouvertes : il manque une clé. Prévenez l'exploitation.",
        "The data of this person cannot be opened: a key is missing. Tell operations.",
    )
