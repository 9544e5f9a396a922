import asyncio

import msgspec
import pytest

from libs.eventlog.api import AppendUnknown, EventLogUnavailable
from libs.kernel.actors import Actor
from libs.kernel.envelope import Answer, CommandEnvelope, FeedEntry
from libs.kernel.limits import INBOX_ENTRIES
from libs.kernel.refusals import Refusal
from libs.runtime.answers import digest_of
from services.gateway.answers import Desk
from services.gateway.rates import Rates
from tests.kit.door import WAGER, Caller, FakeHouse, accepted, bearer, error_of, refused, repeated


async def test_accepted_command() -> None:
    """A command reaches the pit of its table under the speaker's name, and its events are the answer."""
    caller = Caller()
    response = await caller.tell(WAGER, command_id="w-1")
    assert 200 == response.status_code
    expected = {"stream": "T1/4", "events": [{"type": "table.WagerPlaced", "coup": 1}], "accepted": True}
    assert expected == response.json()
    [(shard, envelope)] = caller.house.sent
    assert "pit-1" == shard
    assert ("player-1:w-1", "T1") == (envelope.id, envelope.book)
    assert Actor(id="player-1", role="player") == envelope.actor
    assert b'{"type":"table.PlaceWager","spot":"2","amount":100}' == bytes(envelope.body)


async def test_refused_command() -> None:
    """A refusal of the rules is 409 with its code and sentences."""
    response = await Caller(FakeHouse(refused)).tell(WAGER)
    assert 409 == response.status_code
    said = {"code": "wager.over_maximum", "fr": "Mise au-dessus du maximum.", "en": "Stake above the maximum."}
    assert {"refusal": said, "accepted": False} == response.json()


async def test_repeated_command_gets_the_same_answer() -> None:
    """A command that is posted again is sent again, and its answer from memory looks like the first one."""
    caller = Caller()
    first = await caller.tell(WAGER)
    caller.house.reply = repeated
    again = await caller.tell(WAGER)
    assert first.json() == again.json()
    assert 2 == len(caller.house.sent)


async def test_same_command_posted_twice_at_once() -> None:
    """Two requests that wait for the same command both get the answer, though it is told once."""
    caller = Caller(FakeHouse(lambda _: None))
    waiting = [asyncio.create_task(caller.tell(WAGER)) for _ in range(2)]
    sent = [await caller.house.arrivals.get() for _ in range(2)]
    caller.house.tell(accepted(sent[0]))
    first, second = await asyncio.gather(*waiting)
    assert 200 == first.status_code
    assert first.json() == second.json()
    assert 0 == len(caller.desk)


async def test_same_id_for_two_different_commands() -> None:
    """When one id is used for two different commands at once, each request gets the answer to its own."""

    def answer(envelope: CommandEnvelope) -> FeedEntry:
        if b'"amount":100' in bytes(envelope.body):
            return accepted(envelope)
        conflict = Refusal("command.conflict", "Identifiant déjà utilisé.", "Id already used.")
        return FeedEntry(answer=Answer(envelope.id, envelope.book, digest_of(envelope.body), refusal=conflict))

    caller = Caller(FakeHouse(answer))
    first, second = await asyncio.gather(caller.tell(WAGER), caller.tell(WAGER | {"amount": 200}))
    assert 200 == first.status_code
    assert (409, "command.conflict") == (second.status_code, second.json()["refusal"]["code"])


async def test_answers_of_others_are_not_mine() -> None:
    """An answer to another command does not end the waiting."""

    def answer(envelope: CommandEnvelope) -> FeedEntry:
        return FeedEntry(answer=Answer("player-2:1", envelope.book, digest_of(envelope.body)))

    assert 504 == (await Caller(FakeHouse(answer), answer_ms=30).tell(WAGER)).status_code


async def test_no_answer_in_time() -> None:
    """Without an answer in time the outcome is unknown: 504 asks to repeat with the same id, and nothing is kept."""
    caller = Caller(FakeHouse(lambda _: None), answer_ms=30)
    response = await caller.tell(WAGER, command_id="w-7")
    assert 504 == response.status_code
    assert "w-7" == response.json()["unknown"]["command_id"]
    assert "same command id" in response.json()["unknown"]["en"]
    assert 0 == len(caller.desk)


@pytest.mark.parametrize("error", [AppendUnknown("lost"), EventLogUnavailable("away")])
async def test_unknown_sending_is_an_unknown_outcome(error: Exception) -> None:
    """When the log is lost while sending, the command may have arrived: 504, not 503."""
    house = FakeHouse()
    house.error = error
    caller = Caller(house)
    assert 504 == (await caller.tell(WAGER)).status_code
    assert 0 == len(caller.desk)


async def test_log_away() -> None:
    """When the log does not answer before anything is sent, nothing was done, and the caller is told so."""
    house = FakeHouse()
    house.length_error = EventLogUnavailable("away")
    caller = Caller(house)
    assert (503, "log.unavailable", "") == error_of(await caller.tell(WAGER))
    house.length_error, house.is_live = None, False
    assert (503, "log.unavailable", "") == error_of(await caller.tell(WAGER))
    assert [] == house.sent


async def test_inbox_full() -> None:
    """A pit with too many commands waiting takes no more."""
    house = FakeHouse()
    house.inbox = INBOX_ENTRIES
    response = await Caller(house).tell(WAGER)
    assert (503, "inbox.full", "") == error_of(response)
    assert "1" == response.headers["retry-after"]
    assert [] == house.sent


async def test_too_many_waiting() -> None:
    """The door keeps only so many requests waiting."""
    caller = Caller(FakeHouse(lambda _: None), desk=Desk(limit=1), answer_ms=2_000)
    first = asyncio.create_task(caller.tell(WAGER, command_id="1"))
    sent = await caller.house.arrivals.get()
    assert (503, "door.full", "") == error_of(await caller.tell(WAGER, command_id="2"))
    caller.house.tell(accepted(sent))
    assert 200 == (await first).status_code


async def test_rate_of_a_subject() -> None:
    """A subject that speaks too fast gets 429; another one is not concerned; time heals."""
    now_s = [0.0]
    caller = Caller(rates=Rates(per_second=1, burst=2, clock_s=lambda: now_s[0]))
    assert [200, 200, 429] == [(await caller.tell(WAGER, command_id=str(n))).status_code for n in range(3)]
    response = await caller.tell(WAGER)
    assert (429, "rate.exceeded", "") == error_of(response)
    assert "1" == response.headers["retry-after"]
    assert 200 == (await caller.tell(WAGER, who="player-2")).status_code
    now_s[0] = 1.0
    assert 200 == (await caller.tell(WAGER)).status_code


def test_rates_forget() -> None:
    """The door remembers the rate of so many subjects, the longest silent one is forgotten first."""
    rates = Rates(per_second=1, burst=1, subjects=2, clock_s=lambda: 0.0)
    assert [0.0, 0.0, 0.0] == [rates.wait_s(name) for name in ("a", "b", "c")]
    assert 2 == len(rates)
    assert 0.0 == rates.wait_s("a")
    assert rates.wait_s("c") > 0


# -- who speaks ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "token.missing"),
        ("", "token.missing"),
        ("Basic YTpi", "token.missing"),
        ("Bearer ", "token.missing"),
        ("Bearer nonsense", "token.malformed"),
        (bearer(site="site-b")["authorization"], "token.site"),
    ],
)
@pytest.mark.parametrize(
    "path", ["/v1/tables/T1/commands", "/v1/wallet/commands", "/v1/tables", "/v1/tables/T1", "/v1/me"]
)
async def test_no_good_token(path: str, header: str | None, code: str) -> None:
    """Without a good token nothing is read and nothing is sent, whatever the body is."""
    caller = Caller()
    headers = {} if header is None else {"authorization": header}
    method = "POST" if path.endswith("commands") else "GET"
    response = await caller.http.request(method, path, headers=headers, content=b"{" if method == "POST" else None)
    assert (401, code, "") == error_of(response)
    assert response.headers["www-authenticate"].startswith("Bearer")
    assert [] == caller.house.sent


async def test_speaker_is_never_in_the_body() -> None:
    """A body that names an actor or a role is refused: only the token says who speaks."""
    caller = Caller()
    body = b'{"command_id":"1","actor":{"id":"x","role":"cashier"},"command":{"type":"table.TakeSeat","seat":1}}'
    assert (400, "body.invalid", "$") == error_of(await caller.post("/v1/tables/T1/commands", body))
    assert (400, "body.invalid", "$.command") == error_of(await caller.tell(WAGER | {"player": "player-2"}))


async def test_a_far_date_is_not_sent() -> None:
    """An id of money that is dated far ahead is a mistake in the request; the ledger never hears of it."""
    caller = Caller()
    for command_id, status in (("9999-12-31/1", 400), ("2001-01-01/1", 200)):
        body = msgspec.json.encode(
            {"command_id": command_id, "command": {"type": "wallet.Deposit", "player": "player-1", "amount": 100}}
        )
        response = await caller.post("/v1/wallet/commands", body, role="cashier")
        assert status == response.status_code
        if status == 400:
            assert (400, "transfer.dated_ahead", "$.command_id") == error_of(response)
    assert ["player-1:2001-01-01/1"] == [envelope.id for _, envelope in caller.house.sent]


async def test_auditor_only_reads() -> None:
    """An auditor sends no commands and may read."""
    caller = Caller()
    assert (403, "role.forbidden", "") == error_of(await caller.tell(WAGER, role="auditor"))
    assert 200 == (await caller.get("/v1/tables", role="auditor")).status_code


@pytest.mark.parametrize(
    ("command", "good", "bad"),
    [
        ({"type": "wallet.Deposit", "player": "player-1", "amount": 100}, "cashier", "player"),
        ({"type": "wallet.Withdraw", "player": "player-1", "amount": 100}, "cashier", "croupier"),
        ({"type": "wallet.BuyIn", "pit": "pit-1", "table": "T1", "seat": 1, "amount": 100}, "player", "cashier"),
    ],
)
async def test_roles_at_the_wallet(command: dict[str, object], good: str, bad: str) -> None:
    """Money at the cage is the cashier's business, a buy-in the player's; both reach the ledger."""
    caller = Caller()
    refused = await caller.tell_wallet(command, role=bad)
    assert (403, "role.forbidden", "") == error_of(refused)
    assert f"Only for: {good}." == refused.json()["error"]["en"]
    assert [] == caller.house.sent
    assert 200 == (await caller.tell_wallet(command, role=good)).status_code
    [(shard, envelope)] = caller.house.sent
    assert ("wallet-0", "ledger") == (shard, envelope.book)


@pytest.mark.parametrize(("pit", "table"), [("pit-2", "T1"), ("wallet-0", "T1"), ("pit-1", "T9")])
async def test_buy_in_at_an_impossible_place(pit: str, table: str) -> None:
    """A buy-in for a table that is not in that pit never reaches the ledger, where it would hang."""
    caller = Caller()
    command = {"type": "wallet.BuyIn", "pit": pit, "table": table, "seat": 1, "amount": 100}
    status, code, _ = error_of(await caller.tell_wallet(command))
    assert (404, "table.unknown") == (status, code)
    assert [] == caller.house.sent
