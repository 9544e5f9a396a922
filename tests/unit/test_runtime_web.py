"""Health and metrics over HTTP."""

import asyncio
import socket

import httpx
import msgspec
import pytest

from libs.runtime import metrics
from libs.runtime.settings import Settings, SettingsError
from libs.runtime.web import Asgi, check_address, health_app, serve
from tests.kit.waiting import until


def client(app: Asgi) -> httpx.AsyncClient:
    """Return a client of the app."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://worker")


async def test_a_process_is_alive_whatever_it_waits_for() -> None:
    """`/livez` depends on nothing: a process that waits for the log is not killed for it."""
    async with client(health_app(lambda: (False, "the log does not answer"))) as asked:
        assert 200 == (await asked.get("/livez")).status_code


@pytest.mark.parametrize(("ready", "status"), [((True, "ready"), 200), ((False, "pit-1: loading"), 503)])
async def test_readiness_is_told_with_its_reason(ready: tuple[bool, str], status: int) -> None:
    """`/readyz` says what the owner says, in words."""
    async with client(health_app(lambda: ready)) as asked:
        answer = await asked.get("/readyz")
    assert (status, ready[1]) == (answer.status_code, answer.text)
    assert "no-store" == answer.headers["cache-control"]


async def test_metrics_are_exposed_in_prometheus_form() -> None:
    """`/metrics` holds the house's metrics, and none of the creation-time series."""
    metrics.commands.labels("toy", "toy.Add", "accepted").inc()
    async with client(health_app(lambda: (True, ""))) as asked:
        answer = await asked.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'tapis_commands_total{command="toy.Add",outcome="accepted",service="toy"}' in answer.text
    assert "process_resident_memory_bytes" in answer.text
    assert "_created" not in answer.text


async def test_the_contract_is_served_where_there_is_one() -> None:
    """`/asyncapi.json` is there for services that own shards."""
    async with client(health_app(lambda: (True, ""), lambda: {"asyncapi": "3.0.0"})) as asked:
        assert {"asyncapi": "3.0.0"} == (await asked.get("/asyncapi.json")).json()
    async with client(health_app(lambda: (True, ""))) as asked:
        assert 404 == (await asked.get("/asyncapi.json")).status_code
        assert 404 == (await asked.get("/secrets")).status_code


def test_an_address_that_is_taken_is_refused_with_a_sentence(unused_tcp_port: int) -> None:
    """A process that cannot listen says so before it owns anything."""
    settings = Settings(redis_url="redis://h", site="site-a", instance="toy-1", http_port=unused_tcp_port)
    check_address(settings)
    with (
        socket.create_server(("127.0.0.1", unused_tcp_port)),
        pytest.raises(SettingsError, match=f"are 127.0.0.1 and {unused_tcp_port}, where nobody can listen: Address"),
    ):
        check_address(settings)
    with pytest.raises(SettingsError, match=r"TAPIS_HTTP_HOST .* 203\.0\.113\.1"):
        check_address(msgspec.structs.replace(settings, http_host="203.0.113.1"))


def test_a_descriptor_that_does_not_listen_is_refused_with_a_sentence() -> None:
    """A process that was promised a socket and has another thing says so before it owns anything."""
    settings = Settings(redis_url="redis://h", site="site-a", instance="toy-1")
    with socket.create_server(("127.0.0.1", 0)) as listening, socket.socket() as silent:
        check_address(msgspec.structs.replace(settings, http_fd=listening.fileno()))
        for descriptor in (silent.fileno(), 0, 60_000):
            with pytest.raises(SettingsError, match=f"TAPIS_HTTP_FD is {descriptor}, which is not a socket"):
                check_address(msgspec.structs.replace(settings, http_fd=descriptor))


async def test_the_server_stops_when_told(unused_tcp_port: int) -> None:
    """The server answers on its port until the service stops, and then the port is free."""
    settings = Settings(redis_url="redis://h", site="site-a", instance="toy-1", http_port=unused_tcp_port)
    stopping = asyncio.Event()
    serving = asyncio.create_task(serve(health_app(lambda: (True, "ready")), settings, stopping))
    async with httpx.AsyncClient() as asked:

        async def answers() -> bool:
            try:
                return (await asked.get(f"http://127.0.0.1:{unused_tcp_port}/readyz")).status_code == 200
            except httpx.ConnectError:
                return False

        await until(answers)
        stopping.set()
        await serving
        assert not await answers()
