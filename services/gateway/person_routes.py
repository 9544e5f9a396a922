"""The routes of the register of persons. All are posted, looks too: each leaves a fact in the log."""

from collections.abc import Callable

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from libs.kernel.actors import Actor
from libs.runtime.httpkit import AnyRequest, json_response
from services.gateway.bodies import read_as
from services.gateway.person_bodies import CorrectBody, FindBody, ForgetBody, LookBody, RegisterBody
from services.gateway.register import Register


def person_routes(register: Register, actor_of: Callable[[AnyRequest], Actor]) -> list[HTTPRouteHandler]:
    """Return the routes; `actor_of` names the speaker of a request whose token was checked."""

    @post("/v1/persons", status_code=200)
    async def register_person(request: AnyRequest) -> Response[bytes]:
        reply = await register.register(actor_of(request), read_as(RegisterBody, await request.body()))
        return json_response(reply.content, reply.status)

    @post("/v1/persons/find", status_code=200)
    async def find_person(request: AnyRequest) -> Response[bytes]:
        reply = await register.find(actor_of(request), read_as(FindBody, await request.body()))
        return json_response(reply.content, reply.status)

    @post("/v1/persons/{player:str}/correct", status_code=200)
    async def correct_person(request: AnyRequest, player: FromPath[str]) -> Response[bytes]:
        reply = await register.correct(actor_of(request), player, read_as(CorrectBody, await request.body()))
        return json_response(reply.content, reply.status)

    @post("/v1/persons/{player:str}/look", status_code=200)
    async def look_at_person(request: AnyRequest, player: FromPath[str]) -> Response[bytes]:
        reply = await register.look(actor_of(request), player, read_as(LookBody, await request.body()))
        return json_response(reply.content, reply.status)

    @post("/v1/persons/{player:str}/forget", status_code=200)
    async def forget_person(request: AnyRequest, player: FromPath[str]) -> Response[bytes]:
        reply = await register.forget(actor_of(request), player, read_as(ForgetBody, await request.body()))
        return json_response(reply.content, reply.status)

    return [register_person, correct_person, find_person, look_at_person, forget_person]
