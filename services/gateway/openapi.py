"""The OpenAPI document of the door, made from the message structs themselves, so that it cannot drift from them.

Litestar would decode bodies leniently (a text for a number) where we must not, so bodies are read by `bodies`, and the
document is written here.
"""

from importlib.metadata import PackageNotFoundError, version
from typing import Any

import msgspec

from libs.kernel.messages import tag_of
from libs.kernel.refusals import Refusal
from libs.runtime.httpkit import Failure
from libs.table.board import Board
from services.gateway.bodies import BodyReader
from services.gateway.limits import PlayerLimits
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
from services.gateway.replies import Unknown
from services.gateway.shapes import CardLine, Me, TableLine

REF = "#/components/schemas/"


class AcceptedAnswer(msgspec.Struct, frozen=True):
    """The command was accepted and led to these events, as they are in the log (`type` names each)."""

    accepted: bool
    stream: str
    events: tuple[dict[str, Any], ...]


class RefusedAnswer(msgspec.Struct, frozen=True):
    """The rules said no; nothing was changed."""

    accepted: bool
    refusal: Refusal


class UnknownAnswer(msgspec.Struct, frozen=True):
    """No answer came in time: repeat with the same `command_id`, the command is done only once."""

    unknown: Unknown


class TableList(msgspec.Struct, frozen=True):
    """All tables of the site."""

    tables: tuple[TableLine, ...]


PERSON_ROUTES: tuple[tuple[str, str, type[msgspec.Struct], type[msgspec.Struct]], ...] = (
    ("/v1/persons", "Registers a person and gives a pseudonym (cashier)", RegisterBody, Registered),
    ("/v1/persons/{player}/correct", "Registers other papers of a person (cashier)", CorrectBody, Corrected),
    ("/v1/persons/find", "Tells which player a person is (cashier, committee, auditor)", FindBody, Found),
    ("/v1/persons/{player}/look", "Tells who a player is (cashier, committee, auditor)", LookBody, LookedAt),
    ("/v1/persons/{player}/forget", "Forgets a person for ever (committee)", ForgetBody, Forgotten),
)
"""Path, meaning, body and answer. Every look is logged before it is answered."""


def document(tables: BodyReader, wallet: BodyReader) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    shapes: list[Any] = [tables.shape, wallet.shape, Board, Me, TableList, CardLine, PlayerLimits, Failure]
    shapes += [AcceptedAnswer, RefusedAnswer, UnknownAnswer]
    shapes += [shape for _, _, body, answer in PERSON_ROUTES for shape in (body, answer)]
    _, schemas = msgspec.json.schema_components(shapes, ref_template=REF + "{name}")
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tapis gateway",
            "version": _version(),
            "description": (
                "Commands are idempotent by `command_id`: a repeat gets the same answer. It begins with the moment at "
                "which it was made, in UTC, such as `2026-11-30T10:00:05Z/7`. Money is in cents."
            ),
        },
        "security": [{"token": []}],
        "paths": {
            "/v1/tables": {"get": _read("Lists the tables of the site", TableList)},
            "/v1/tables/{table}": {"get": _read("Reads the public board of a table", Board, "404", place="table")},
            "/v1/tables/{table}/commands": {"post": _tell("Sends a command to a table", tables, place="table")},
            "/v1/wallet/commands": {"post": _tell("Sends a command to the wallet", wallet)},
            "/v1/cards/{card}": {"get": _read("Reads whose card it is", CardLine, "403", "404", place="card")},
            "/v1/players/{player}/limits": {
                "get": _read("Reads a player's limits and exclusions", PlayerLimits, "403", place="player")
            },
            **{route[0]: {"post": _about_person(*route)} for route in PERSON_ROUTES},
            "/v1/me": {"get": _read("Reads who is speaking, the balance and the seats", Me)},
        },
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT (Ed25519)"}},
        },
    }


def _tell(summary: str, reader: BodyReader, *, place: str = "") -> dict[str, Any]:
    operation = _operation(summary, place)
    operation["description"] = "Commands: " + ", ".join(f"`{tag_of(kind)}`" for kind in reader.kinds)
    operation["requestBody"] = {"required": True, "content": _json(reader.shape)}
    operation["responses"] = {
        "200": _response("Accepted", AcceptedAnswer),
        "409": _response("Refused by the rules", RefusedAnswer),
        "504": _response("No answer in time", UnknownAnswer),
        **_failures("400", "401", "403", "404", "413", "429", "503"),
    }
    return operation


def _about_person(path: str, summary: str, body: type[msgspec.Struct], answer: type[msgspec.Struct]) -> dict[str, Any]:
    operation = _operation(summary, "player" if "{player}" in path else "")
    operation["requestBody"] = {"required": True, "content": _json(body)}
    operation["responses"] = {
        "200": _response("Done", answer),
        "409": _response("Refused by the rules", RefusedAnswer),
        "504": _response("No answer in time", UnknownAnswer),
        **_failures("400", "401", "403", "404", "413", "429", "503"),
    }
    return operation


def _read(summary: str, shape: type[msgspec.Struct], *more: str, place: str = "") -> dict[str, Any]:
    operation = _operation(summary, place)
    operation["responses"] = {"200": _response("As it is now", shape), **_failures("401", "429", "503", *more)}
    return operation


def _operation(summary: str, place: str) -> dict[str, Any]:
    operation: dict[str, Any] = {"summary": summary}
    if place:
        operation["parameters"] = [{"name": place, "in": "path", "required": True, "schema": {"type": "string"}}]
    return operation


_FAILURES = {
    "400": "The body is not valid",
    "401": "The token is missing or not good",
    "403": "The role does not allow this",
    "404": "There is no such thing",
    "413": "The body is too large",
    "429": "Too many requests",
    "503": "Not now; nothing was done",
}


def _failures(*statuses: str) -> dict[str, Any]:
    return {status: _response(_FAILURES[status], Failure) for status in statuses}


def _response(description: str, shape: type[msgspec.Struct]) -> dict[str, Any]:
    return {"description": description, "content": _json(shape)}


def _json(shape: type[msgspec.Struct]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REF + shape.__name__}}}


def _version() -> str:
    try:
        return version("tapis")
    except PackageNotFoundError:
        return "unknown"
