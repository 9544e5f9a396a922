import json

import httpx
import pytest

from libs.kernel.contracts.wallet_limits import Flow, Limit, Player
from libs.kernel.messages import tag_of
from services.gateway.bodies import WALLET_COMMANDS, public
from tests.kit.door import TABLE_COMMANDS, WAGER, Caller, FakeHouse, error_of


async def test_list_of_tables() -> None:
    """The list names every table with its pit, phase, minimum and free seats."""
    [line] = (await Caller().get("/v1/tables")).json()["tables"]
    assert ("T1", "pit-1", "wheel", "betting", 100) == tuple(
        line[key] for key in ("table", "pit", "game", "phase", "minimum")
    )
    assert (10, 5) == (line["seats"], line["seats_taken"])


async def test_board() -> None:
    """The board of a table is the public one: announcement, paytable, last outcomes."""
    board = (await Caller().get("/v1/tables/T1")).json()
    assert "Faites vos jeux" == board["announcement"]["fr"]
    assert ["2", "4", "6", "16", "24", "48", "BONUS"] == [row["spot"] for row in board["rows"]]


async def test_me() -> None:
    """A player sees the own balance and seats, nobody else's; the staff have none."""
    caller = Caller()
    me = (await caller.get("/v1/me")).json()
    assert ("player-1", "player", 12_300) == (me["sub"], me["role"], me["balance"])
    seat = {"table": "T1", "pit": "pit-1", "seat": 2, "credit": 4_500, "staked": 100, "stakes": {"2": 100}}
    assert [seat | {"allowance": None}] == me["seats"]
    other = (await caller.get("/v1/me", who="player-2")).json()
    assert (0, []) == (other["balance"], other["seats"])
    staff = (await caller.get("/v1/me", who="croupier-1", role="croupier")).json()
    assert (None, []) == (staff["balance"], staff["seats"])


@pytest.mark.parametrize("path", ["/v1/me", "/v1/tables", "/v1/tables/T1"])
async def test_what_is_not_known_is_not_shown(path: str) -> None:
    """Before the logs have been read, a table would look closed and an account empty: the answer is 503."""
    house = FakeHouse()
    house.has_read = False
    caller = Caller(house)
    assert (503, "log.unread", "") == error_of(await caller.get(path))
    house.has_read = True
    assert 200 == (await caller.get(path)).status_code


LIMITED = Player(
    as_of="2026-11-30",
    day=Flow(deposited=300),
    week=Flow(deposited=900),
    limits={"deposit/day": Limit(500), "deposit/week": Limit(None, 5_000, "2026-12-08")},
    exclusions={"self": "2026-12-24", "casino": "2026-11-30"},
)


async def test_limits_of_a_player() -> None:
    """The player himself and the staff at the cage and in the pit see what counts, is used up, and follows."""
    house = FakeHouse()
    house.known["player-1"] = LIMITED
    caller = Caller(house)
    told = (await caller.get("/v1/players/player-1/limits")).json()
    assert ("player-1", "2026-11-30", [{"kind": "self", "until": "2026-12-24"}]) == (
        told["player"],
        told["day"],
        told["exclusions"],
    )
    kept = ("kind", "period", "amount", "used", "following", "from_day")
    assert [("deposit", "day", 500, 300, None, ""), ("deposit", "week", None, 900, 5_000, "2026-12-08")] == [
        tuple(line[key] for key in kept) for line in told["limits"]
    ]
    for role in ("cashier", "pit_boss", "committee_member", "auditor"):
        assert told == (await caller.get("/v1/players/player-1/limits", who="somebody", role=role)).json()
    for who, role in (("player-2", "player"), ("croupier-1", "croupier"), ("technician-1", "technician")):
        refused = await caller.get("/v1/players/player-1/limits", who=who, role=role)
        assert (403, "role.forbidden", "") == error_of(refused)


async def test_an_excluded_player_is_not_seated() -> None:
    """The door says so in the ledger's words; where he sits already, the table answers as before."""
    house = FakeHouse()
    house.known = {"player-1": LIMITED, "player-2": LIMITED}
    caller = Caller(house)
    seat = {"type": "table.TakeSeat", "seat": 3}
    refused = await caller.tell(seat, who="player-2")
    assert (409, "exclusion.self") == (refused.status_code, refused.json()["refusal"]["code"])
    assert 200 == (await caller.tell(seat, who="player-1", command_id="2")).status_code
    house.has_read = False
    assert (503, "log.unread", "") == error_of(await caller.tell(seat, who="player-2", command_id="3"))


async def test_security_headers() -> None:
    """Every answer, also an error or a missing page, has the security headers and is not cached."""
    caller = Caller()
    responses = [await caller.get("/v1/tables"), await caller.tell({}), await caller.http.get("/nothing")]
    for response in responses:
        assert "default-src 'none'; frame-ancestors 'none'" == response.headers["content-security-policy"]
        assert "nosniff" == response.headers["x-content-type-options"]
        assert "no-store" == response.headers["cache-control"]
        assert "access-control-allow-origin" not in response.headers
        assert "server" not in response.headers


async def test_unknown_routes() -> None:
    """What is not there is 404 and a wrong method 405, in the same form as all errors."""
    caller = Caller()
    assert (404, "route.unknown", "") == error_of(await caller.get("/v2/tables"))
    assert (405, "method.unknown", "") == error_of(await caller.get("/v1/wallet/commands"))


async def test_defect_shows_nothing() -> None:
    """A defect is a 500 without any of our insides."""
    house = FakeHouse()
    house.error = RuntimeError("secret inside")
    response = await Caller(house).tell(WAGER)
    assert (500, "server.defect", "") == error_of(response)
    assert "secret" not in response.text


async def test_health() -> None:
    """`/livez` needs nothing, `/readyz` tells whether answers are heard, `/metrics` counts requests by route."""
    caller = Caller()
    await caller.get("/v1/tables/T1")
    assert 200 == (await caller.http.get("/livez")).status_code
    assert 200 == (await caller.http.get("/readyz")).status_code
    caller.house.is_live = False
    not_ready = await caller.http.get("/readyz")
    assert (503, {"pit-1": "not followed"}) == (not_ready.status_code, not_ready.json()["parts"])
    assert 200 == (await caller.http.get("/livez")).status_code
    said = (await caller.http.get("/metrics")).text
    assert 'tapis_http_requests_total{route="/v1/tables/{table}",service="gateway",status="200"}' in said


async def test_openapi() -> None:
    """The OpenAPI document names every public command and no internal one; all its references lead somewhere."""
    response = await Caller().http.get("/openapi.json")
    document = response.json()
    schemas = document["components"]["schemas"]
    commands = {*public(TABLE_COMMANDS), *public(WALLET_COMMANDS)}
    for command in commands:
        assert tag_of(command) in json.dumps(schemas[command.__name__])
    assert "CreditSeat" not in schemas
    assert "Answered" not in schemas
    for reference in _references(document):
        assert reference.removeprefix("#/components/schemas/") in schemas


@pytest.mark.parametrize("path", ["/v1/tables", "/v1/tables/{table}", "/v1/me", "/v1/tables/{table}/commands"])
async def test_openapi_describes_real_routes(path: str) -> None:
    """Each path of the document exists with its methods."""
    caller = Caller()
    document = (await caller.http.get("/openapi.json")).json()
    for method in document["paths"][path]:
        response: httpx.Response = await caller.http.request(method, path.replace("{table}", "T1"))
        assert 401 == response.status_code


def _references(node: object) -> list[str]:
    if isinstance(node, dict):
        own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
        return own + [found for value in node.values() for found in _references(value)]
    if isinstance(node, list):
        return [found for value in node for found in _references(value)]
    return []
