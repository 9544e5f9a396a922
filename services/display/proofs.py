"""What is public of the draws of a coup, and the page that computes them again: one file, also without a network."""

import base64
import re
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from libs.draws.proof import CoupProof
from libs.eventlog.api import EventLogError
from libs.eventlog.codec import BadMessage
from libs.kernel.limits import PROOFS_LISTED
from libs.runtime.httpkit import PAGE_POLICY, Problem, json_response
from libs.runtime.proofshelf import ShelfBusy
from services.display.boards import House


class Listed(msgspec.Struct, frozen=True):
    """The latest coups of a table, newest first, of the session before too when the last one is young."""

    table: str
    session: int
    coups: tuple[CoupProof, ...]


def proof_routes(house: House) -> list[HTTPRouteHandler]:
    """Return the page and the data that it asks for."""
    page = (files("services.display") / "pages" / "proof.html").read_bytes()
    headers = {"content-security-policy": policy_of(page.decode()), "cache-control": "no-cache"}

    @get("/proof", sync_to_thread=False)
    def proof() -> Response[bytes]:
        return Response(page, media_type="text/html", headers=headers)

    @get("/proofs/{table:str}")
    async def latest(table: FromPath[str]) -> Response[bytes]:
        session = house.board(table).session if table in house.tables() else 0
        coups = tuple(await _coups(house, table, session)) if session else ()
        if session > 1 and len(coups) < PROOFS_LISTED:
            # A session that has just opened shows nothing yet: the one before it does.
            coups = (*await _coups(house, table, session - 1), *coups)
        return json_response(Listed(table, session, tuple(reversed(coups[-PROOFS_LISTED:]))))

    @get("/proofs/{table:str}/{session:int}/{coup:int}")
    async def one(table: FromPath[str], session: FromPath[int], coup: FromPath[int]) -> Response[bytes]:
        # Only sessions that there were: nobody makes the display read logs that do not exist.
        if table in house.tables() and 1 <= session <= house.board(table).session:
            for proof in await _coups(house, table, session):
                if proof.coup == coup:
                    return json_response(proof)
        raise Problem(404, "coup.unknown", "Ce coup n'existe pas ici.", "There is no such coup here.")

    return [proof, latest, one]


def policy_of(page: str) -> str:
    """Return the content policy of a page that is one file: its own script and style, and no others.

    >>> "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='" in policy_of("<script></script>")
    True
    """
    policy = PAGE_POLICY.replace("img-src 'self'", "img-src data:")
    for kind in ("script", "style"):
        for inline in re.findall(f"<{kind}>(.*?)</{kind}>", page, flags=re.DOTALL):
            digest = base64.b64encode(sha256(inline.encode()).digest()).decode()
            policy = policy.replace(f"{kind}-src 'self'", f"{kind}-src 'sha256-{digest}'")
    return policy


async def _coups(house: House, table: str, session: int) -> Sequence[CoupProof]:
    try:
        return await house.proofs(table, session)
    except (EventLogError, BadMessage, ShelfBusy) as error:
        raise Problem(
            503,
            "proofs.unavailable",
            "Les tirages ne peuvent pas être lus pour le moment.",
            "The draws cannot be read for now.",
            headers={"retry-after": "2"},
        ) from error
