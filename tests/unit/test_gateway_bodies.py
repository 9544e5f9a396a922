import re
from typing import Any

import msgspec
import pytest

from libs.kernel import limits
from libs.kernel.contracts.wallet import BuyIn
from libs.kernel.limits import MAX_CENTS, MAX_COMMAND_BYTES, MAX_ID_CHARS
from libs.runtime.httpkit import Problem
from libs.table.messages import PlaceWager
from services.gateway.bodies import WALLET_COMMANDS, BodyReader, mistake, public
from tests.kit.door import TABLE_COMMANDS, WAGER, Caller, error_of
from tests.kit.house import ROOT

READER = BodyReader("TableRequest", TABLE_COMMANDS)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"amount": 0}, "$.command.amount"),
        ({"amount": -100}, "$.command.amount"),
        ({"amount": 1.5}, "$.command.amount"),
        ({"amount": 100.0}, "$.command.amount"),
        ({"amount": "100"}, "$.command.amount"),
        ({"amount": True}, "$.command.amount"),
        ({"amount": None}, "$.command.amount"),
        ({"amount": [100]}, "$.command.amount"),
        ({"amount": MAX_CENTS + 1}, "$.command.amount"),
        ({"amount": 10**40}, "$.command.amount"),
        ({"spot": ""}, "$.command.spot"),
        ({"spot": 2}, "$.command.spot"),
        ({"spot": "2; DROP"}, "$.command.spot"),
        ({"spot": "X" * 33}, "$.command.spot"),
        ({"spot": "é"}, "$.command.spot"),
        ({"seat": 1}, "$.command"),
        ({"type": "table.Nothing"}, "$.command.type"),
        ({"type": 7}, "$.command.type"),
        ({"type": "table.CreditSeat"}, "$.command.type"),
        ({"type": "kernel.Answered"}, "$.command.type"),
        ({"type": "wallet.Deposit"}, "$.command.type"),
    ],
)
async def test_bad_command(change: dict[str, object], path: str) -> None:
    """A command with a wrong amount, type, field or tag is 400 with the place of the mistake, and is not sent."""
    caller = Caller()
    assert (400, "body.invalid", path) == error_of(await caller.tell(WAGER | change))
    assert [] == caller.house.sent


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"x"',
        b"\xff\xfe\x00",
        b"{}",
        b'{"command_id":"1"}',
        b'{"command":{"type":"table.TakeSeat","seat":1}}',
        b'{"command_id":"1","command":null}',
        b'{"command_id":"1","command":[]}',
        b'{"command_id":"1","command":{}}',
        b'{"command_id":"1","command":{"seat":1}}',
        b'{"command_id":"1","command":{"type":"table.TakeSeat"}}',
        b'{"command_id":"1","command":{"type":"table.TakeSeat","seat":1}}x',
        b'{"command_id":"1","command":{"type":"table.TakeSeat","seat":NaN}}',
        b'{"command_id":"1","command":{"type":"table.TakeSeat","seat":1e999}}',
        b'{"command_id":"1","command":{"type":"table.PlaceWager","spot":"\\ud800","amount":1}}',
        b'{"command_id":"1","command":' + b"[" * 8_000,
        b'{"command_id":"1","x":' + b"[" * 4_000 + b"]" * 4_000 + b"}",
    ],
)
async def test_bad_body(body: bytes) -> None:
    """A body that is not such a request at all is 400, never a crash."""
    caller = Caller()
    status, code, path = error_of(await caller.post("/v1/tables/T1/commands", body))
    assert (400, "body.invalid") == (status, code)
    assert path.startswith("$")
    assert [] == caller.house.sent


@pytest.mark.parametrize("command_id", ["", " ", "a b", "é", "-a", 7, None, "x" * (MAX_ID_CHARS + 1)])
async def test_bad_command_id(command_id: object) -> None:
    """A command id that is missing, foreign or too long is 400."""
    assert (400, "body.invalid", "$.command_id") == error_of(await Caller().tell(WAGER, command_id=command_id))


async def test_command_id_that_is_too_long_with_its_speaker() -> None:
    """The id that goes to the log, with the speaker's name before it, has a limit as well."""
    caller = Caller()
    fits = "x" * (MAX_ID_CHARS - len("player-1:"))
    assert 200 == (await caller.tell(WAGER, command_id=fits)).status_code
    assert (400, "body.invalid", "$.command_id") == error_of(await caller.tell(WAGER, command_id=fits + "x"))


async def test_oversize_body() -> None:
    """A body over the limit is 413, declared or not."""
    caller = Caller()
    big = b" " * (MAX_COMMAND_BYTES + 1)
    assert (413, "body.too_large", "") == error_of(await caller.post("/v1/tables/T1/commands", big))

    async def pieces() -> Any:
        for _ in range(MAX_COMMAND_BYTES // 1_000 + 2):
            yield b" " * 1_000

    headers = {"authorization": (await caller.get("/v1/me")).request.headers["authorization"]}
    response = await caller.http.post("/v1/wallet/commands", content=pieces(), headers=headers)
    assert (413, "body.too_large", "") == error_of(response)
    assert [] == caller.house.sent


async def test_command_that_would_not_fit_an_inbox() -> None:
    """A body within the limit whose envelope would be over it is 413 here, not parked there."""
    caller = Caller()
    terms = {"type": "table.OpenSession", "game": "wheel", "paytable": "P", "minimum": 1, "float_amount": 1, "seats": 1}
    fill = MAX_COMMAND_BYTES - len(msgspec.json.encode({"command_id": "1", "command": terms | {"options": {"": 1}}}))
    response = await caller.tell(terms | {"options": {"x" * fill: 1}}, role="committee_member")
    assert MAX_COMMAND_BYTES == len(response.request.content)
    assert (413, "body.too_large", "") == error_of(response)


@pytest.mark.parametrize("table", ["T9", "ledger", "draws", "t1", "T1%2F1", "T1%00", "%C3%A9"])
async def test_unknown_table(table: str) -> None:
    """A table that is not on the floor is 404 for commands and boards, whatever the body is."""
    caller = Caller()
    for response in (await caller.post(f"/v1/tables/{table}/commands", b"{"), await caller.get(f"/v1/tables/{table}")):
        status, code, _ = error_of(response)
        assert 404 == status
        assert code in {"table.unknown", "route.unknown"}
    assert [] == caller.house.sent


@pytest.mark.parametrize(
    "command",
    [
        {"type": "wallet.Deposit", "player": "player-1", "amount": 0},
        {"type": "wallet.Deposit", "player": "player-1", "amount": 1.25},
        {"type": "wallet.Deposit", "player": "", "amount": 1},
        {"type": "wallet.PostFromTable", "table": "T1", "session": 1, "number": 1, "reason": "coup", "legs": []},
        {"type": "table.PlaceWager", "spot": "2", "amount": 100},
    ],
)
async def test_bad_wallet_command(command: dict[str, object]) -> None:
    """The wallet's door takes only its three public commands, as strictly."""
    caller = Caller()
    status, code, _ = error_of(await caller.tell_wallet(command, role="cashier"))
    assert (400, "body.invalid") == (status, code)


def test_internal_commands_are_not_public() -> None:
    """What our own services say to each other is no public command."""
    assert not [kind for kind in READER.kinds if kind.internal]
    assert PlaceWager in READER.kinds
    assert BuyIn in public(WALLET_COMMANDS)


def test_read_body() -> None:
    """A good body is the command it names, with its id."""
    posted = READER.read(msgspec.json.encode({"command_id": "a.1", "command": WAGER}))
    assert ("a.1", PlaceWager(spot="2", amount=100)) == (posted.command_id, posted.command)


def test_mistakes_in_french() -> None:
    """The sentence about a mistake exists in French too, with the same place."""
    problem = mistake("Expected `int`, got `str` - at `$.command.amount`")
    assert "$.command.amount" == problem.path
    assert "« int » et non « str »" in problem.fr


async def test_the_form_of_a_text_is_told() -> None:
    """Whoever wrote a date or an id otherwise reads in both languages how it is written."""
    until = {"type": "wallet.ExcludeSelf", "player": "player-1", "until": "31/12/2026"}
    told = (await Caller().tell_wallet(until)).json()["error"]
    assert told["fr"].endswith(r" le texte doit être de la forme « ^\d{4}-\d{2}-\d{2}$ ».")
    assert told["en"].endswith(r" Expected text of the form `^\d{4}-\d{2}-\d{2}$`.")


def test_what_the_page_about_the_api_posts_is_taken() -> None:
    """Each body of `docs/api.md` is a command of the place it is posted to, but for the one that shows a mistake."""
    readers = {"wallet": BodyReader("WalletRequest", WALLET_COMMANDS), "tables": READER}
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    posted = re.findall(r"^    say \$\w+ (wallet|tables)\S* '(.+)'$", page, flags=re.MULTILINE)
    mistakes = []
    for place, body in posted:
        try:
            readers[place].read(re.sub(r"'\$NOW/(\d)'", r"2026-12-01T10:00:05Z/\1", body).encode())
        except Problem as problem:
            mistakes.append(problem.path)
    assert ["$.command.amount"] == mistakes
    assert len(posted) > 5


def test_the_page_about_the_api_tells_the_limits_as_they_are() -> None:
    """Whoever changes a limit changes the page."""
    page = " ".join((ROOT / "docs" / "api.md").read_text(encoding="utf-8").split())
    for said in (
        f"{limits.DOOR_BURST} requests at once and {limits.DOOR_RATE_PER_SECOND} a second",
        f"{limits.DOOR_WAITING:,} requests wait",
        f"{limits.MAX_COMMAND_BYTES:,} bytes",
        f"at most {limits.MAX_ID_CHARS} characters, that of a player {limits.MAX_PLAYER_ID_CHARS}",
    ):
        assert said in page
