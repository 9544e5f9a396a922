"""Sign the report of a closed gaming day, and check what was signed: JWS with Ed25519, the report itself inside.

The hash chains already tie a closed day together; whoever holds the server could make all of them anew. A signature
that lies elsewhere says what the heads and the totals were.
"""

from collections.abc import Sequence

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey

from libs.runtime.report.shapes import DayReport
from libs.runtime.tokens import ALGORITHM, jose_key

TYPE = "tapis-gaming-day"
"""The `typ` of the signature's header: no token has it."""


class NotSigned(ValueError):
    """The text is no report that one of the keys has signed."""


def encode(report: DayReport) -> bytes:
    """Return the report as it is signed and printed: one line of JSON, the same bytes for the same report."""
    return msgspec.json.encode(report)


def sign(report: DayReport, key: Ed25519PrivateKey) -> str:
    """Return the signed report; raises `ValueError` for a day that may still change."""
    if report.status != "closed":
        raise ValueError(f"only a closed gaming day is signed, {report.day} is not")
    pair = jose_key(key.public_key(), key)
    header = {"alg": ALGORITHM, "typ": TYPE, "kid": pair.thumbprint()}
    return jws.serialize_compact(header, encode(report), pair, algorithms=[ALGORITHM])


def signed_bytes(text: str, keys: Sequence[Ed25519PublicKey]) -> bytes:
    """Return what was signed with one of the keys; raises `NotSigned`."""
    for key in keys:
        found = _opened(text, jose_key(key))
        if found is not None:
            return found
    raise NotSigned("no key that was given has signed this")


def signed_day(content: bytes) -> tuple[str, str]:
    """Return site and day of a signed report; raises `NotSigned`."""
    try:
        said = msgspec.json.decode(content, type=_Named)
    except msgspec.MsgspecError as error:
        raise NotSigned(f"what was signed is no report of a gaming day: {error}") from error
    return said.site, said.day


class _Named(msgspec.Struct, frozen=True):
    site: str
    day: str


def _opened(text: str, key: OKPKey) -> bytes | None:
    try:
        found = jws.deserialize_compact(text.strip(), key, algorithms=[ALGORITHM])
    except (JoseError, ValueError):
        return None
    return found.payload if found.headers().get("typ") == TYPE else None
