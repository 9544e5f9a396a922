"""Signed tokens: how a terminal or a console says who is speaking.

A token is a JWT signed with Ed25519 (RFC 9864). Whoever holds the private key (the casino's own sign-on, or `make run`)
mints them; the door holds public keys only. Errors, as a tree:

    TokenError
    ├── TokenRefused    the token of a request is not good: say so to the caller (401)
    └── KeyUnusable     a key file cannot be used: the process must not start
"""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey

from libs.kernel.actors import Actor, Id, may_speak
from libs.kernel.limits import MAX_TOKEN_CHARS

ALGORITHM = "Ed25519"
LEEWAY_S = 5
"""How far apart the clocks of the minting and the checking machine may be, in seconds."""

PRIVATE_KEY_FILE = "token-private.pem"
PUBLIC_KEY_FILE = "token-public.pem"

PublicRole = Literal["player", "croupier", "pit_boss", "committee_member", "technician", "cashier", "device", "auditor"]
"""The roles that a token may give: all but `service`, which only our own processes are."""


_SUBJECT = (
    "Ce nom est réservé, contient un deux-points ou est trop long pour un joueur.",
    "This subject is reserved, holds a colon, or is too long for a player.",
)


class TokenError(Exception):
    """Base of what can be wrong with tokens and their keys."""


class TokenRefused(TokenError):
    """The token is not good. `code` is stable, `fr` and `en` are whole sentences for people."""

    def __init__(self, code: str, fr: str, en: str) -> None:
        super().__init__(en)
        self.code, self.fr, self.en = code, fr, en


class KeyUnusable(TokenError):
    """The file does not hold Ed25519 keys in PEM form."""


class Claims(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """What a token says: who (`sub`), what (`role`), where (`site`), from when and until when (seconds since 1970)."""

    sub: Id
    role: PublicRole
    site: Id
    exp: int
    iat: int = 0


class Header(msgspec.Struct, frozen=True):
    """The part of a token's header that we read; `crit` would name extensions that we do not know."""

    alg: str
    kid: str = ""
    crit: msgspec.UnsetType | list[str] = msgspec.UNSET


def mint(
    private_key: Ed25519PrivateKey, sub: str, role: str, site: str, ttl_s: int, *, now_s: float | None = None
) -> str:
    """Return a token for `sub`, good for `ttl_s` seconds from `now_s` (now, when absent).

    Raises `ValueError` when the claims are such as a `Verifier` would never accept.
    """
    if role not in get_args(PublicRole):
        raise ValueError(f"there is no role {role!r} for a token; there are: {', '.join(get_args(PublicRole))}")
    at_s = int(time.time() if now_s is None else now_s)
    said = {"sub": sub, "role": role, "site": site, "iat": at_s, "exp": at_s + ttl_s}
    try:
        claims = msgspec.convert(said, Claims)
    except msgspec.ValidationError as error:
        raise ValueError(f"such a token would be refused: {error}") from error
    if not may_speak(claims.sub, claims.role):
        raise ValueError(
            f"such a token would be refused: {sub!r} is reserved, holds a colon, or is too long for a player"
        )
    key = jose_key(private_key.public_key(), private_key)
    header = {"alg": ALGORITHM, "typ": "JWT", "kid": key.thumbprint()}
    return jws.serialize_compact(header, msgspec.json.encode(claims), key, algorithms=[ALGORITHM])


class Verifier:
    """Checks tokens against public keys; several of them while keys are being changed."""

    def __init__(
        self, public_keys: Sequence[Ed25519PublicKey], site: str, now_s: Callable[[], float] = time.time
    ) -> None:
        if not public_keys:
            raise KeyUnusable("a verifier needs at least one public key")
        keys = [jose_key(key) for key in public_keys]
        self._keys = {key.thumbprint(): key for key in keys}
        self._site = site
        self._now_s = now_s

    def verify(self, token: str) -> Actor:
        """Return the speaker, or raise `TokenRefused`: wrong form, algorithm, key, signature, role, site or time."""
        claims = self._claims(token)
        if not may_speak(claims.sub, claims.role):
            raise _refused("subject", *_SUBJECT)
        if claims.site != self._site:
            raise _refused("site", "Ce jeton est celui d'un autre site.", "This token is for another site.")
        now_s = self._now_s()
        if claims.exp + LEEWAY_S <= now_s:
            raise _refused("expired", "Ce jeton a expiré.", "This token has expired.")
        if claims.iat - LEEWAY_S > now_s:
            raise _refused("early", "Ce jeton n'est pas encore valable.", "This token is not valid yet.")
        return Actor(id=claims.sub, role=claims.role)

    def _claims(self, token: str) -> Claims:
        malformed = _refused("malformed", "Ce jeton est illisible.", "This token cannot be read.")
        if len(token) > MAX_TOKEN_CHARS or not token.isascii():
            raise malformed
        try:
            header = msgspec.convert(jws.extract_compact(token.encode()).headers(), Header)
        except (JoseError, ValueError, msgspec.MsgspecError) as error:
            raise malformed from error
        if header.alg != ALGORITHM or header.crit is not msgspec.UNSET:
            raise _refused(
                "algorithm", "Ce jeton n'est pas signé en Ed25519.", "This token is not signed with Ed25519."
            )
        key = self._keys.get(header.kid) if header.kid else next(iter(self._keys.values()))
        if key is None:
            raise _refused("key", "La clé de ce jeton est inconnue.", "The key of this token is unknown.")
        try:
            payload = jws.deserialize_compact(token, key, algorithms=[ALGORITHM]).payload
        except (JoseError, ValueError) as error:
            raise _refused("signature", "La signature est fausse.", "The signature of this token is wrong.") from error
        try:
            return msgspec.json.decode(payload, type=Claims)
        except msgspec.MsgspecError as error:
            raise _refused(
                "claims", "Ce jeton ne dit pas correctement qui parle.", f"The claims of this token are wrong: {error}."
            ) from error


def generate_keys(folder: Path) -> tuple[Path, Path]:
    """Write a new pair of key files into `folder` and return the paths of the private and the public one.

    Raises `FileExistsError` rather than replace a key that may be in use. Only the owner may read the private file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    private_path, public_path = folder / PRIVATE_KEY_FILE, folder / PUBLIC_KEY_FILE
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    descriptor = os.open(private_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secret)
    public_path.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return private_path, public_path


def load_private_key(path: Path) -> Ed25519PrivateKey:
    """Read the minting key; raises `KeyUnusable`."""
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise KeyUnusable(f"{path} does not hold a private key in PEM form: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyUnusable(f"{path} holds a key that is not Ed25519")
    return key


def load_public_keys(path: Path) -> tuple[Ed25519PublicKey, ...]:
    """Read all public keys of a PEM file (several, one after the other, while keys are being changed)."""
    end = b"-----END PUBLIC KEY-----"
    try:
        content = path.read_bytes()
        blocks = [block + end for block in content.split(end)[:-1]]
        keys = [load_pem_public_key(block.strip()) for block in blocks]
    except (OSError, ValueError) as error:
        raise KeyUnusable(f"{path} does not hold public keys in PEM form: {error}") from error
    good = tuple(key for key in keys if isinstance(key, Ed25519PublicKey))
    if not good or len(good) != len(keys):
        raise KeyUnusable(f"{path} does not hold Ed25519 public keys in PEM form")
    return good


def _refused(code: str, fr: str, en: str) -> TokenRefused:
    return TokenRefused(f"token.{code}", fr, en)


def jose_key(public: Ed25519PublicKey, private: Ed25519PrivateKey | None = None) -> OKPKey:
    """Return a key, or a pair, as the library for signatures takes it."""
    if private is not None:
        return OKPKey.import_key(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return OKPKey.import_key(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
