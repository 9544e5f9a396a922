"""HMAC_DRBG of NIST SP 800-90A Rev. 1 (10.1.2), SHA-256, security strength 256: pure functions, entropy is handed in.

Names and steps are the standard's. A `Drbg` is a value: each function returns the next one, and who keeps an old one
would say the same bytes again. It shows nothing of itself in text, so that no log or crash report can.

>>> drbg = instantiate(bytes(range(32)), bytes(range(16)), b"an example")
>>> drbg, said = generate(drbg, 4)
>>> said.hex(), drbg
('7f297acb', Drbg(requests=1))
"""

from hashlib import sha256
from typing import Protocol

OUT_BYTES = 32
"""Length of a block of output, of the key and of V (outlen of SHA-256)."""

SEED_BYTES = 32
"""Least entropy of a seed or reseed: the security strength of 256 bits."""

NONCE_BYTES = 16
"""Least length of a nonce: half the security strength."""

MAX_INPUT_BYTES = 2**32
"""Longest entropy, personalization string or additional input: 2^35 bits."""

MAX_REQUEST_BYTES = 2**16
"""Most bytes of one request: 2^19 bits."""

MAX_REQUESTS = 2**48
"""Most requests between two seedings."""

_BLOCK_BYTES = 64
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class Hash(Protocol):
    """What we use of a hash object."""

    def copy(self) -> "Hash":
        """Return another one that has heard the same."""

    def update(self, heard: bytes, /) -> None:
        """Hear more."""

    def digest(self) -> bytes:
        """Return the hash of all that was heard."""


class DrbgError(Exception):
    """The standard forbids what was asked: nothing was generated, and the state is as it was."""


class ReseedRequired(DrbgError):
    """The reseed interval is over: nothing is generated before there is fresh entropy."""


class Drbg:
    """The internal state (Key, V, reseed counter) and how many requests one seeding may serve."""

    __slots__ = ("_key", "_v", "interval", "requests")

    def __init__(self, key: bytes, v: bytes, requests: int, interval: int) -> None:
        self._key, self._v = key, v
        self.requests, self.interval = requests, interval

    def __repr__(self) -> str:
        return f"Drbg(requests={self.requests})"


def instantiate(entropy: bytes, nonce: bytes, personalization: bytes = b"", interval: int = MAX_REQUESTS) -> Drbg:
    """Return a new generator. `personalization` sets it apart from others with the same entropy; it is no secret.

    After `interval` requests it wants fresh entropy. Raises `DrbgError` for lengths or an interval beyond the standard.
    """
    _check_seed(entropy)
    _check("nonce", nonce, NONCE_BYTES)
    _check("personalization string", personalization, 0)
    if not 1 <= interval <= MAX_REQUESTS:
        raise DrbgError(f"a reseed interval is 1 to {MAX_REQUESTS} requests, not {interval}")
    key, v = _update(bytes(OUT_BYTES), b"\x01" * OUT_BYTES, entropy + nonce + personalization)
    return Drbg(key, v, 0, interval)


def reseed(drbg: Drbg, entropy: bytes, additional: bytes = b"") -> Drbg:
    """Return the generator with fresh entropy mixed in and its count of requests at 0. Raises `DrbgError`."""
    _check_seed(entropy)
    _check("additional input", additional, 0)
    key, v = _update(drbg._key, drbg._v, entropy + additional)
    return Drbg(key, v, 0, drbg.interval)


def generate(drbg: Drbg, count: int, additional: bytes = b"", fresh: bytes | None = None) -> tuple[Drbg, bytes]:
    """Return the next state and `count` bytes (1 to 65,536).

    With `fresh` entropy the request has prediction resistance: the generator is reseeded first, and not even one who
    knew its whole state can tell what it says. Raises `ReseedRequired` when the interval is over, else `DrbgError`.
    """
    if not 1 <= count <= MAX_REQUEST_BYTES:
        raise DrbgError(f"one request is for 1 to {MAX_REQUEST_BYTES} bytes, not {count}")
    _check("additional input", additional, 0)
    if fresh is not None:
        drbg, additional = reseed(drbg, fresh, additional), b""
    if drbg.requests >= drbg.interval:
        raise ReseedRequired(f"{drbg.requests} requests were served since the last seeding")
    key, v = drbg._key, drbg._v
    if additional:
        key, v = _update(key, v, additional)
    blocks, keyed = [], _keyed(key)
    for _ in range(-(-count // OUT_BYTES)):
        v = _hmac(keyed, v)
        blocks.append(v)
    key, v = _update(key, v, additional)
    return Drbg(key, v, drbg.requests + 1, drbg.interval), b"".join(blocks)[:count]


def _update(key: bytes, v: bytes, provided: bytes) -> tuple[bytes, bytes]:
    """HMAC_DRBG_Update (10.1.2.2)."""
    key = _hmac(_keyed(key), v + b"\x00" + provided)
    v = _hmac(_keyed(key), v)
    if provided:
        key = _hmac(_keyed(key), v + b"\x01" + provided)
        v = _hmac(_keyed(key), v)
    return key, v


def _keyed(key: bytes) -> tuple[Hash, Hash]:
    """Return the two halves of HMAC-SHA-256 (FIPS 198-1) after their key of 32 bytes.

    Python's `hmac` looks its hash up by name each time, which costs five times the hashing.
    """
    padded = key + bytes(_BLOCK_BYTES - OUT_BYTES)
    return sha256(padded.translate(_INNER)), sha256(padded.translate(_OUTER))


def _hmac(keyed: tuple[Hash, Hash], message: bytes) -> bytes:
    inner, outer = keyed[0].copy(), keyed[1].copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


def _check_seed(entropy: bytes) -> None:
    _check("entropy", entropy, SEED_BYTES)


def _check(what: str, content: bytes, least: int) -> None:
    if not least <= len(content) <= MAX_INPUT_BYTES:
        raise DrbgError(f"{what}: {least} to {MAX_INPUT_BYTES} bytes, not {len(content)}")
