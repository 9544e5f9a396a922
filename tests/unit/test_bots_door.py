"""How bots speak to the gateway: the same command with the same id, until there is an answer."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from libs.runtime.local.bots import door as bots_door
from libs.runtime.local.bots.door import Door, DoorSaysNo, Speaker
from libs.runtime.local.bots.journal import Journal, read_journal
from libs.runtime.tokens import Verifier
from libs.table.messages import OpenBetting

KEY = Ed25519PrivateKey.generate()
ACCEPTED = {"accepted": True, "stream": "T1/1", "events": [{"type": "table.BettingOpened"}]}
REFUSED = {"accepted": False, "refusal": {"code": "coup.running", "fr": "Non.", "en": "No."}}

Answer = httpx.Response | Exception


class Gateway:
    """Answers as told, one after the other, and keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
async def speaker_at(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[[Gateway], Speaker]]:
    """Return a function that makes a croupier bot before a gateway."""
    monkeypatch.setattr(bots_door, "FIRST_PAUSE_S", 0.0)
    clients: list[httpx.AsyncClient] = []

    def make(gateway: Gateway) -> Speaker:
        clients.append(httpx.AsyncClient(base_url="http://door", transport=httpx.MockTransport(gateway)))
        return Speaker(Door(clients[-1], KEY, "site-a"), "bot-croupier-T1", "croupier")

    yield make
    for client in clients:
        await client.aclose()


async def test_silence_is_answered_with_the_same_id(speaker_at: Callable[[Gateway], Speaker]) -> None:
    """After 504, 503, 429 or a lost connection the very same body is sent again."""
    lost = httpx.ConnectError("gone")
    gateway = Gateway(
        httpx.Response(504, json={"unknown": {}}),
        lost,
        httpx.Response(503),
        httpx.Response(429),
        httpx.Response(200, json=ACCEPTED),
    )
    answer = await speaker_at(gateway).tell("T1", OpenBetting())
    assert answer.accepted
    assert 5 == len(gateway.asked)
    assert 1 == len({request.content for request in gateway.asked})


async def test_two_commands_have_two_ids(speaker_at: Callable[[Gateway], Speaker]) -> None:
    """Every command has an id of its own, and says who speaks by a token that the door accepts."""
    gateway = Gateway(httpx.Response(200, json=ACCEPTED), httpx.Response(409, json=REFUSED))
    speaker = speaker_at(gateway)
    first, second = await speaker.tell("T1", OpenBetting()), await speaker.tell_wallet(OpenBetting())
    assert ("", "coup.running") == (first.code, second.code)
    ids = [msgspec.json.decode(request.content)["command_id"] for request in gateway.asked]
    assert 2 == len(set(ids))
    assert ["/v1/tables/T1/commands", "/v1/wallet/commands"] == [request.url.path for request in gateway.asked]
    token = gateway.asked[0].headers["authorization"].removeprefix("Bearer ")
    actor = Verifier([KEY.public_key()], "site-a").verify(token)
    assert ("bot-croupier-T1", "croupier") == (actor.id, actor.role)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 500])
async def test_a_defect_of_the_bot_is_not_repeated(status: int, speaker_at: Callable[[Gateway], Speaker]) -> None:
    """What the gateway does not understand would not be understood the next time either."""
    gateway = Gateway(httpx.Response(status, text="no"))
    with pytest.raises(DoorSaysNo, match=str(status)):
        await speaker_at(gateway).tell("T1", OpenBetting())


async def test_a_journal_says_what_was_asked_and_told(tmp_path: Path) -> None:
    """Bots note each command before they send it, and its answer: whoever doubts can compare both with the log."""
    journal = Journal(tmp_path / "journal")
    gateway = Gateway(httpx.Response(200, json=ACCEPTED), httpx.Response(409, json=REFUSED))
    async with httpx.AsyncClient(base_url="http://door", transport=httpx.MockTransport(gateway)) as http:
        speaker = Speaker(Door(http, KEY, "site-a", journal), "bot-croupier-T1", "croupier")
        for _ in range(2):
            await speaker.tell("T1", OpenBetting())
    journal.close()
    first, told, second, refused = read_journal(tmp_path / "journal")
    assert (first.id, "table.OpenBetting", None) == (told.id, first.command, first.answer)
    assert first.id.startswith("bot-croupier-T1:")
    assert told.answer is not None
    assert (True, "T1/1", 1) == (told.answer.accepted, told.answer.stream, len(told.answer.events))
    assert refused.answer is not None
    assert (second.id, "coup.running") == (refused.id, refused.answer.code)
