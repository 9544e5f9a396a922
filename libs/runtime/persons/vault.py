"""Seal and open personal data, lock and unlock the key of each person, recognise a person by a keyed hash.

Each person has a data key of random bytes. It is kept locked (AES-256-GCM) with a key of the file, outside the log;
the log has the data sealed with it. Whoever has the log alone can open nothing; once the locked key is destroyed,
nobody can.
"""

import base64
import hmac
import os
from hashlib import sha256

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from libs.kernel.limits import SEALED_PERSON_STEP_BYTES
from libs.persons.identity import identity
from libs.persons.personal import PersonalData
from libs.runtime.keyfile import KEY_BYTES
from libs.runtime.keyring import NONCE_BYTES, Keyring, key_name
from libs.runtime.persons.keyfile import PersonKeys

PSEUDONYM_BYTES = 10


class CannotOpen(Exception):
    """A key is missing or does not fit. The message names the key, never what it is about."""


class Vault:
    """Everything that the keys of the file can do, for one site."""

    def __init__(self, keys: PersonKeys, site: str) -> None:
        self._index, self._site = keys.index, site
        self._ring = Keyring(keys.wrapping)
        self.newest = self._ring.newest

    def __repr__(self) -> str:
        return "Vault(…)"

    # -- recognising ----------------------------------------------------------------------------------------------
    def imprint(self, name: str, birth_date: str) -> str:
        """Return what a person is found by: the same for every spelling, and nothing to anybody without the key.

        This is also how a list of excluded persons can be compared with the register: imprint its lines, look them up.
        """
        return self._hash(b"tapis/person/identity/1\0" + identity(name, birth_date).encode())

    def fingerprint(self) -> str:
        """Return what tells the index key from any other."""
        return self._hash(b"tapis/person/fingerprint/1")

    def _hash(self, text: bytes) -> str:
        return hmac.new(self._index, text, sha256).hexdigest()

    @staticmethod
    def new_pseudonym() -> str:
        """Return an id that says nothing about anybody."""
        return "p-" + base64.b32encode(os.urandom(PSEUDONYM_BYTES)).decode().lower()

    # -- keys of persons --------------------------------------------------------------------------------------------
    def new_locked_key(self, player: str) -> str:
        """Return a fresh data key for a person, locked with the newest key of the file."""
        return self._lock(player, os.urandom(KEY_BYTES))

    def locked_with(self, locked: str) -> str | None:
        """Return the name of the key of the file that opens a locked key; None when the file does not have it."""
        name = key_name(locked)
        return name if name in self._ring.names else None

    def lock_anew(self, player: str, locked: str) -> str:
        """Return the same data key, locked with the newest key of the file; raises `CannotOpen`."""
        return self._lock(player, self._unlock(player, locked))

    def _lock(self, player: str, data_key: bytes) -> str:
        return self._ring.lock(data_key, self._bound("key", player))

    def _unlock(self, player: str, locked: str) -> bytes:
        data_key = self._ring.unlock(locked, self._bound("key", player))
        if data_key is None:
            name = key_name(locked)
            if name in self._ring.names:
                raise CannotOpen(f"the key {name!r} of the file is not the one that locked this")
            raise CannotOpen(f"the file of keys has no key {name!r}")
        return data_key

    # -- data -------------------------------------------------------------------------------------------------------
    def seal(self, player: str, locked: str, data: PersonalData) -> bytes:
        """Return the sealed form of a person's data; the same data give the same bytes. Raises `CannotOpen`.

        The nonce is made from the data and the person's own key, so that a command that is sent again is the same
        command; other data have another nonce. The length is that of a multiple of some bytes.
        """
        data_key = self._unlock(player, locked)
        plain = msgspec.json.encode(data)
        plain += b" " * (-len(plain) % SEALED_PERSON_STEP_BYTES)
        nonce = hmac.new(data_key, b"tapis/person/nonce/1\0" + plain, sha256).digest()[:NONCE_BYTES]
        return nonce + AESGCM(data_key).encrypt(nonce, plain, self._bound("data", player).encode())

    def open(self, player: str, locked: str, sealed: bytes) -> PersonalData:
        """Return a person's data; raises `CannotOpen`."""
        data_key = self._unlock(player, locked)
        try:
            plain = AESGCM(data_key).decrypt(
                sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], self._bound("data", player).encode()
            )
        except (InvalidTag, ValueError):
            raise CannotOpen("the key of this person does not open the sealed data") from None
        return msgspec.json.decode(plain, type=PersonalData)

    def _bound(self, what: str, player: str) -> str:
        """Bind what is encrypted to its place: moved to another person or site it does not open."""
        return f"tapis/person/{what}/1 {self._site} {player}"
