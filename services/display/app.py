"""The display's HTTP application: pages for screens, and their live events."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from html import escape
from importlib.resources import files
from string import Template

import msgspec
from litestar import Litestar, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Stream

from libs.runtime.httpkit import (
    PAGE_POLICY,
    AnyRequest,
    Problem,
    Shell,
    Tell,
    exception_handlers,
    health_routes,
    tell_problem,
)
from libs.runtime.web import Asgi
from services.display.boards import House, Show
from services.display.hub import Hub
from services.display.proofs import proof_routes

HTML = "text/html"

ASSETS = {
    "common.css": "text/css",
    "board.css": "text/css",
    "board-dial.css": "text/css",
    "board-lists.css": "text/css",
    "board-many.css": "text/css",
    "board-narrow.css": "text/css",
    "floor.css": "text/css",
    "carpet.css": "text/css",
    "pot.css": "text/css",
    "common.js": "text/javascript",
    "board.js": "text/javascript",
    "carpet.js": "text/javascript",
    "dice.js": "text/javascript",
    "paytable.js": "text/javascript",
    "floor.js": "text/javascript",
    "problem.css": "text/css",
    "favicon.svg": "image/svg+xml",
    "atkinson-hyperlegible-next.woff2": "font/woff2",
    "atkinson-hyperlegible-next.LICENSE.txt": "text/plain",
}
"""The files that pages ask for, by name, with their media types (of texts, in UTF-8). Nothing else is served."""


class Site(msgspec.Struct, frozen=True):
    """What pages say of the house."""

    name: str
    currency: str
    """ISO 4217 code, such as `EUR`."""


def display_app(show: Show, site: Site) -> Asgi:
    """Return the application. Closing the show's hub ends all live streams, so that the server can stop at once."""
    house, hub = show.house, show.hub

    @contextlib.asynccontextmanager
    async def shown(_: Litestar) -> AsyncIterator[None]:
        task = asyncio.create_task(show.run())
        try:
            yield
        finally:
            hub.close()
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    app = Litestar(
        [*_pages(house, site), *_events(house, hub), *proof_routes(house), *health_routes(house.readiness)],
        lifespan=[shown],
        openapi_config=None,
        logging_config=None,
        exception_handlers=exception_handlers(_problem_page(site)),
    )
    return Shell(app, "display", PAGE_POLICY)


def _pages(house: House, site: Site) -> list[HTTPRouteHandler]:
    assets = {name: _read(name) for name in ASSETS}
    board_page, floor_page = Template(_read("board.html").decode()), Template(_read("floor.html").decode())
    said = {"site": escape(site.name), "currency": escape(site.currency)}

    @get("/", sync_to_thread=False)
    def floor() -> Response[bytes]:
        return Response(floor_page.substitute(said).encode(), media_type=HTML)

    @get("/tables/{table:str}", sync_to_thread=False)
    def board(table: FromPath[str]) -> Response[bytes]:
        _check(house, table)
        return Response(board_page.substitute(said, table=escape(table)).encode(), media_type=HTML)

    @get("/assets/{name:str}", sync_to_thread=False)
    def asset(name: FromPath[str]) -> Response[bytes]:
        if name not in assets:
            raise Problem(404, "route.unknown", "Il n'y a rien à cette adresse.", "There is nothing at this address.")
        # Revalidated every time: a screen that runs for weeks must get a new version with its next reload.
        return Response(assets[name], media_type=ASSETS[name], headers={"cache-control": "no-cache"})

    return [floor, board, asset]


def _problem_page(site: Site) -> Tell:
    """Return how a problem is said: as a page to who looks at pages, else in JSON."""
    page = Template(_read("problem.html").decode())

    def tell(request: AnyRequest, problem: Problem) -> Response[bytes]:
        if HTML not in request.headers.get("accept", ""):
            return tell_problem(request, problem)
        said = page.substitute(site=escape(site.name), fr=escape(problem.fr), en=escape(problem.en))
        headers = {**problem.headers, "vary": "accept"}
        return Response(said.encode(), media_type=HTML, status_code=problem.status, headers=headers)

    return tell


def _events(house: House, hub: Hub) -> list[HTTPRouteHandler]:
    def stream(topic: str) -> Stream:
        hub.check_room()
        # `no-store` and `x-accel-buffering`: proxies must pass every frame on at once.
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return Stream(hub.stream(topic), media_type="text/event-stream", headers=headers)

    @get("/events/floor")
    async def floor_events() -> Stream:
        return stream("floor")

    @get("/events/tables/{table:str}")
    async def table_events(table: FromPath[str]) -> Stream:
        _check(house, table)
        return stream(f"table:{table}")

    return [floor_events, table_events]


def _check(house: House, table: str) -> None:
    if table not in house.tables():
        raise Problem(404, "table.unknown", "Cette table n'existe pas ici.", "There is no such table here.")


def _read(name: str) -> bytes:
    return (files("services.display") / "pages" / name).read_bytes()
