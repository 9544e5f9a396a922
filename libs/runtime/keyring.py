"""Lock bytes with the newest of several named keys, and unlock them with whichever did it (AES-256-GCM).

The locked form is `<name>.<hex>`: the name of the key, then a nonce of 12 bytes and what is encrypted. It is bound to a
text that says what it is for: moved to another place it does not open.
"""

import os
from collections.abc import Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE_BYTES = 12


class Keyring:
    """Keys by name, the newest last. Never shown, not even by `repr`."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._locks = {name: AESGCM(key) for name, key in keys.items()}
        self.names = tuple(self._locks)

    @property
    def newest(self) -> str:
        """Name of the key that locks."""
        return self.names[-1]

    def lock(self, plain: bytes, bound_to: str) -> str:
        """Return the locked form of some bytes, another one each time."""
        nonce = os.urandom(NONCE_BYTES)
        box = self._locks[self.newest].encrypt(nonce, plain, bound_to.encode())
        return f"{self.newest}.{(nonce + box).hex()}"

    def unlock(self, locked: str, bound_to: str) -> bytes | None:
        """Return what was locked, or None when none of these keys opens it."""
        name, _, box = locked.partition(".")
        lock = self._locks.get(name)
        if lock is None:
            return None
        try:
            raw = bytes.fromhex(box)
            return lock.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], bound_to.encode())
        except (InvalidTag, ValueError):
            return None


def key_name(locked: str) -> str:
    """Return the name of the key that a locked form says it was locked with."""
    return locked.partition(".")[0]
