"""The door: the HTTP API through which terminals and consoles send commands and get their answers.

Every error has the form `{"error": {"code", "fr", "en", "path"}}`. Whoever speaks is named by the token alone.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from litestar import Litestar, Response, Router, get, post
from litestar.connection import ASGIConnection
from litestar.handlers import HTTPRouteHandler
from litestar.handlers.base import BaseRouteHandler
from litestar.params import FromPath

from libs.kernel.actors import Actor
from libs.kernel.limits import MAX_COMMAND_BYTES
from libs.kernel.messages import Command
from libs.ledger.roles import LIMIT_READERS
from libs.runtime.httpkit import (
    API_POLICY,
    AnyRequest,
    Problem,
    Shell,
    exception_handlers,
    health_routes,
    json_response,
)
from libs.runtime.tokens import TokenRefused, Verifier
from libs.runtime.web import Asgi
from services.gateway.bodies import WALLET_COMMANDS, BodyReader
from services.gateway.door import Door
from services.gateway.limits import limits_of, may_read
from services.gateway.openapi import document
from services.gateway.person_routes import person_routes
from services.gateway.register import Register
from services.gateway.replies import forbidden

ACTOR = "tapis_actor"
"""Where a request keeps its speaker, once the token has been checked."""


def gateway_app(door: Door, register: Register, verifier: Verifier, table_commands: Iterable[type[Command]]) -> Asgi:
    """Return the application; `table_commands` are those of the table's decider, its games' included."""
    tables, wallet = BodyReader("TableRequest", table_commands), BodyReader("WalletRequest", WALLET_COMMANDS)

    def speaker(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        """Check the token and the rate, before the body is read."""
        actor = _authenticate(connection.headers.get("authorization", ""), verifier)
        door.admit(actor)
        connection.scope["state"][ACTOR] = actor

    routes = [*_command_routes(door, tables, wallet), *_read_routes(door), *person_routes(register, _actor)]
    spoken = Router("/", route_handlers=routes, guards=[speaker])
    app = Litestar(
        [spoken, _openapi_route(tables, wallet), *health_routes(door.house.readiness)],
        openapi_config=None,
        logging_config=None,
        exception_handlers=exception_handlers(),
        request_max_body_size=MAX_COMMAND_BYTES,
        on_shutdown=[door.close],
    )
    return Shell(app, "gateway", API_POLICY)


def _authenticate(header: str, verifier: Verifier) -> Actor:
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Problem(
            401,
            "token.missing",
            "Il faut un jeton : « Authorization: Bearer … ».",
            "A token is needed: `Authorization: Bearer …`.",
            headers={"www-authenticate": "Bearer"},
        )
    try:
        return verifier.verify(token.strip())
    except TokenRefused as refused:
        raise Problem(
            401, refused.code, refused.fr, refused.en, headers={"www-authenticate": 'Bearer error="invalid_token"'}
        ) from refused


def _actor(request: AnyRequest) -> Actor:
    actor = request.scope["state"][ACTOR]
    assert isinstance(actor, Actor)
    return actor


def _command_routes(door: Door, tables: BodyReader, wallet: BodyReader) -> list[HTTPRouteHandler]:
    @post("/v1/tables/{table:str}/commands", status_code=200)
    async def tell_table(request: AnyRequest, table: FromPath[str]) -> Response[bytes]:
        door.pit_of(table)
        reply = await door.tell_table(_actor(request), table, tables.read(await request.body()))
        return json_response(reply.content, reply.status)

    @post("/v1/wallet/commands", status_code=200)
    async def tell_wallet(request: AnyRequest) -> Response[bytes]:
        reply = await door.tell_wallet(_actor(request), wallet.read(await request.body()))
        return json_response(reply.content, reply.status)

    return [tell_table, tell_wallet]


def _read_routes(door: Door) -> list[HTTPRouteHandler]:
    @get("/v1/tables", sync_to_thread=False)
    def list_tables() -> Response[bytes]:
        door.check_known()
        return json_response({"tables": door.list_tables()})

    @get("/v1/tables/{table:str}", sync_to_thread=False)
    def read_board(table: FromPath[str]) -> Response[bytes]:
        door.pit_of(table)
        door.check_known()
        return json_response(door.house.board(table))

    @get("/v1/me", sync_to_thread=False)
    def read_me(request: AnyRequest) -> Response[bytes]:
        door.check_known()
        return json_response(door.read(_actor(request)))

    @get("/v1/cards/{card:str}", sync_to_thread=False)
    def read_card(request: AnyRequest, card: FromPath[str]) -> Response[bytes]:
        door.check_known()
        return json_response(door.read_card(_actor(request), card))

    @get("/v1/players/{player:str}/limits", sync_to_thread=False)
    def read_limits(request: AnyRequest, player: FromPath[str]) -> Response[bytes]:
        door.check_known()
        if not may_read(_actor(request), player):
            raise forbidden(LIMIT_READERS)
        return json_response(limits_of(door.house, player))

    return [list_tables, read_board, read_me, read_card, read_limits]


def _openapi_route(tables: BodyReader, wallet: BodyReader) -> HTTPRouteHandler:
    @cache
    def described() -> bytes:
        return msgspec.json.encode(document(tables, wallet))

    @get("/openapi.json", sync_to_thread=False)
    def openapi() -> Response[bytes]:
        return Response(described(), media_type="application/json")

    return openapi
