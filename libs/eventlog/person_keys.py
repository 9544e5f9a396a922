"""Where the keys of persons lie: beside the log of their shard, and not in it, so that they can be destroyed.

Two hashes: pseudonym -> the person's locked key, and the keyed hash of an identity -> pseudonym. Both go at once.
"""

from collections.abc import AsyncIterator
from typing import Any, Protocol

import msgspec

from libs.eventlog import keys
from libs.eventlog.wire import Script, Wire
from libs.kernel.ids import PERSONS_SHARD
from libs.kernel.limits import LOG_CALL_MS, PERSON_KEY_CONNECTIONS

_SCRIPT = Script("person_keys.lua")
_SCAN_COUNT = 500
_READ_ONLY = frozenset({"find", "fetch"})


class Claim(msgspec.Struct, frozen=True):
    """The pseudonym and the locked key that belong to an identity."""

    player: str
    locked: str


class KeyLost(Exception):
    """The index knows the person, but the key is gone: the store is damaged."""


class PersonKeyStore(Protocol):
    """Locked keys by pseudonym, pseudonyms by imprint. Calls raise `EventLogUnavailable` when it cannot be reached."""

    async def claim(self, imprint: str, player: str, locked: str) -> Claim | None:
        """Keep this pseudonym and key for an identity, or return those that it has already.

        None when the pseudonym is somebody else's. Raises `KeyLost`.
        """

    async def find(self, imprint: str) -> str | None:
        """Return the pseudonym of an identity."""

    async def fetch(self, player: str) -> str | None:
        """Return the locked key of a person."""

    async def replace(self, player: str, old: str, new: str) -> bool:
        """Lock a key anew; False when it is not the old one any more."""

    async def join(self, player: str, imprint: str) -> str | None:
        """Let a person be found by another identity too, until it is settled; return whose it is now.

        None when the person has no key.
        """

    async def settle(self, player: str, imprint: str) -> None:
        """Let a person be found by this identity alone, if it is the person's; an empty one: by the one of before."""

    async def destroy(self, player: str) -> bool:
        """Destroy a person's key and the entry in the index; False when there was none."""

    async def fingerprint(self, text: str) -> str:
        """Note which index key the index is made with; return the one that was noted first."""

    def every(self) -> AsyncIterator[tuple[str, str]]:
        """Yield pseudonyms and locked keys, each at least once; changes meanwhile may be missed."""


class RedisPersonKeys:
    """The keys of persons on the log's server. A change is done when so many `replicas` have it."""

    def __init__(self, url: str, site: str, replicas: int = 0) -> None:
        self._replicas = replicas
        self._names = [keys.person_keys(site, PERSONS_SHARD), keys.person_index(site, PERSONS_SHARD)]
        self._wire = Wire(url, PERSON_KEY_CONNECTIONS, LOG_CALL_MS)

    async def claim(self, imprint: str, player: str, locked: str) -> Claim | None:
        """As `PersonKeyStore` says."""
        said = await self._call("claim", imprint, player, locked)
        if said[0] == "TAKEN":
            return None
        if said[0] == "LOST":
            raise KeyLost
        return Claim(said[1], said[2])

    async def find(self, imprint: str) -> str | None:
        """As `PersonKeyStore` says."""
        return await self._one("find", imprint)

    async def fetch(self, player: str) -> str | None:
        """As `PersonKeyStore` says."""
        return await self._one("fetch", player)

    async def replace(self, player: str, old: str, new: str) -> bool:
        """As `PersonKeyStore` says."""
        return await self._one("replace", player, old, new) is not None

    async def join(self, player: str, imprint: str) -> str | None:
        """As `PersonKeyStore` says."""
        return await self._one("join", player, imprint)

    async def settle(self, player: str, imprint: str) -> None:
        """As `PersonKeyStore` says."""
        await self._one("settle", player, imprint)

    async def destroy(self, player: str) -> bool:
        """As `PersonKeyStore` says."""
        return await self._one("destroy", player) is not None

    async def fingerprint(self, text: str) -> str:
        """As `PersonKeyStore` says."""
        return await self._one("fingerprint", text) or ""

    async def every(self) -> AsyncIterator[tuple[str, str]]:
        """As `PersonKeyStore` says."""
        cursor = b"0"
        while True:
            cursor, found = await self._wire.call("HSCAN", self._names[0], cursor, "COUNT", _SCAN_COUNT)
            for player, value in zip(found[::2], found[1::2], strict=True):
                yield player.decode(), value.decode().partition(" ")[2]
            if cursor == b"0":
                return

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()

    async def _one(self, *args: str) -> str | None:
        said = await self._call(*args)
        return said[0] if said else None

    async def _call(self, *args: str) -> list[Any]:
        said = await self._wire.script(_SCRIPT, self._names, args)
        if self._replicas and args[0] not in _READ_ONLY:
            # Also when nothing had to be changed: the time before it may not have been confirmed.
            await self._wire.script(_SCRIPT, self._names, ["touch"], self._replicas)
        return [word.decode() if isinstance(word, bytes) else word for word in said]


class MemoryPersonKeys:
    """The same in this process, for tests."""

    def __init__(self) -> None:
        self.keys: dict[str, tuple[tuple[str, ...], str]] = {}
        """Imprints and locked key by pseudonym."""
        self.index: dict[str, str] = {}
        self._fingerprint = ""

    async def claim(self, imprint: str, player: str, locked: str) -> Claim | None:
        """As `PersonKeyStore` says."""
        known = self.index.get(imprint)
        if known is not None:
            if known not in self.keys:
                raise KeyLost
            return Claim(known, self.keys[known][1])
        if player in self.keys:
            return None
        self.keys[player], self.index[imprint] = ((imprint,), locked), player
        return Claim(player, locked)

    async def find(self, imprint: str) -> str | None:
        """As `PersonKeyStore` says."""
        return self.index.get(imprint)

    async def fetch(self, player: str) -> str | None:
        """As `PersonKeyStore` says."""
        return self.keys[player][1] if player in self.keys else None

    async def replace(self, player: str, old: str, new: str) -> bool:
        """As `PersonKeyStore` says."""
        imprints, locked = self.keys.get(player, ((), ""))
        if not imprints or locked != old:
            return False
        self.keys[player] = (imprints, new)
        return True

    async def join(self, player: str, imprint: str) -> str | None:
        """As `PersonKeyStore` says."""
        if player not in self.keys:
            return None
        known = self.index.get(imprint)
        if known is not None:
            return known
        imprints, locked = self.keys[player]
        self._drop(player, imprints[0])
        self.keys[player], self.index[imprint] = ((imprints[0], imprint), locked), player
        return player

    async def settle(self, player: str, imprint: str) -> None:
        """As `PersonKeyStore` says."""
        kept = imprint or self.keys.get(player, (("",), ""))[0][0]
        if player in self.keys and self.index.get(kept) == player:
            self._drop(player, kept)
            self.keys[player] = ((kept,), self.keys[player][1])

    async def destroy(self, player: str) -> bool:
        """As `PersonKeyStore` says."""
        if player not in self.keys:
            return False
        self._drop(player, "")
        del self.keys[player]
        return True

    def _drop(self, player: str, kept: str) -> None:
        for imprint in self.keys[player][0]:
            if imprint != kept and self.index.get(imprint) == player:
                del self.index[imprint]

    async def fingerprint(self, text: str) -> str:
        """As `PersonKeyStore` says."""
        self._fingerprint = self._fingerprint or text
        return self._fingerprint

    async def every(self) -> AsyncIterator[tuple[str, str]]:
        """As `PersonKeyStore` says."""
        for player, (_, locked) in list(self.keys.items()):
            yield player, locked
