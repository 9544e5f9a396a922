"""What our two HTTP servers (gateway, display) share: headers, meters, health and the form of an error."""

import time
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, cast

import msgspec
from litestar import Litestar, MediaType, Request, Response, get
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler

from libs.runtime import metrics
from libs.runtime.logs import log as logger
from libs.runtime.web import Asgi, Receive, Scope, Send

API_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""Content security policy of answers that are never a page."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content security policy of our pages: everything from this server, nothing inline."""


AnyRequest = Request[Any, Any, Any]
"""A request of which no type parameter matters here."""


class Problem(Exception):
    """A request cannot be served: HTTP status, stable code, whole sentences in French and English."""

    def __init__(
        self, status: int, code: str, fr: str, en: str, *, path: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(en)
        self.status, self.code, self.fr, self.en, self.path = status, code, fr, en, path
        self.headers = dict(headers or {})


class Readiness(msgspec.Struct, frozen=True):
    """Whether the process can do its work now, and what each part of it says."""

    ready: bool
    parts: dict[str, str]


class ErrorBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request could not be served. `path` is the place of a mistake in the body, such as `$.command.amount`."""

    code: str
    fr: str
    en: str
    path: str = ""


class Failure(msgspec.Struct, frozen=True):
    """The answer to a request that could not be served; nothing was done."""

    error: ErrorBody


def json_response(content: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response[bytes]:
    """Return msgspec's JSON of `content`."""
    return Response(
        msgspec.json.encode(content), status_code=status, media_type=MediaType.JSON, headers=dict(headers or {})
    )


Tell = Callable[[AnyRequest, Problem], Response[bytes]]
"""How a problem is said to whoever asked."""


def tell_problem(_: AnyRequest, problem: Problem) -> Response[bytes]:
    """Say a problem in JSON: the form of every error of the API."""
    error = ErrorBody(problem.code, problem.fr, problem.en, problem.path)
    return json_response(Failure(error), problem.status, problem.headers)


_KNOWN_STATUS = {
    400: ("request.invalid", "La demande n'est pas valable.", "The request is not valid."),
    404: ("route.unknown", "Il n'y a rien à cette adresse.", "There is nothing at this address."),
    405: ("method.unknown", "Cette adresse ne s'utilise pas ainsi.", "This address is not used in this way."),
    413: ("body.too_large", "Le corps de la demande est trop grand.", "The body of the request is too large."),
}


_DEFECT = ("server.defect", "Une erreur interne est survenue.", "An internal error has happened.")


def exception_handlers(tell: Tell = tell_problem) -> dict[int | type[Exception], Callable[[AnyRequest, Any], Any]]:
    """Return what `Litestar(exception_handlers=…)` takes: every error has the same form, and none shows our insides."""

    def tell_http(request: AnyRequest, error: HTTPException) -> Response[bytes]:
        said = _KNOWN_STATUS.get(error.status_code, _DEFECT)
        return tell(request, Problem(error.status_code, *said, headers=error.headers))

    def tell_defect(request: AnyRequest, error: Exception) -> Response[bytes]:
        logger().error("a request met a defect", path=request.url.path, exc_info=error)
        return tell(request, Problem(500, *_DEFECT))

    return {Problem: tell, HTTPException: tell_http, Exception: tell_defect}


def health_routes(ready: Callable[[], Readiness]) -> list[HTTPRouteHandler]:
    """Return `/livez` (this process runs), `/readyz` (it can do its work) and `/metrics`."""

    @get("/livez", sync_to_thread=False)
    def livez() -> Response[bytes]:
        return json_response({"alive": True})

    @get("/readyz", sync_to_thread=False)
    def readyz() -> Response[bytes]:
        said = ready()
        return json_response(said, 200 if said.ready else 503)

    @get("/metrics", sync_to_thread=False)
    def exposition() -> Response[bytes]:
        return Response(metrics.exposition(), media_type="text/plain; version=0.0.4")

    return [livez, readyz, exposition]


class Shell:
    """Wraps an HTTP application: security headers on every answer, errors included, and the request meters."""

    def __init__(self, app: Litestar, service: str, policy: str) -> None:
        # Litestar types the messages of ASGI one by one; uvicorn and we take them as mappings.
        self._app, self._service = cast("Asgi", app), service
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"x-frame-options", b"DENY"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status, stream = 500, False

        async def send_dressed(message: MutableMapping[str, Any]) -> None:
            nonlocal status, stream
            if message["type"] == "http.response.start":
                status = message["status"]
                given = list(message["headers"])
                names = {name.lower() for name, _ in given}
                stream = any(value.startswith(b"text/event-stream") for name, value in given if name == b"content-type")
                added = [*self._headers, (b"cache-control", b"no-store")]
                message["headers"] = given + [pair for pair in added if pair[0] not in names]
            await send(message)

        try:
            await self._app(scope, receive, send_dressed)
        finally:
            route = scope.get("path_template") or "unmatched"
            metrics.http_requests.labels(self._service, route, str(status)).inc()
            if not stream:
                metrics.http_duration.labels(self._service, route).observe(time.perf_counter() - began)
