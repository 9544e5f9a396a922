"""Cards that have not been turned, in a whole house: on no feed, on no board, in no answer (law 10)."""

import json

import msgspec

from libs.games.paire_poker import messages as p
from libs.kernel.actors import SYSTEM
from libs.kernel.contracts.rng import RequestDraw
from libs.kernel.envelope import CommandEnvelope, FeedEntry, ReturnAddress
from libs.kernel.ids import DRAWS, RNG_SHARD, WALLET_SHARD
from libs.runtime.answers import NO_MOMENT, Answers
from libs.table.messages import CheckEquipment, CloseBetting, OpenBetting, PlaceWager
from tests.kit.memory_house import PIT, MemoryHouse
from tests.kit.poker import poker_opening

ASKER = "pit-9"
"""A shard that is only an inbox: what the RNG answers can be read there."""


async def dealt_house(coups: int = 1) -> MemoryHouse:
    """Return a house whose table T1 has played some coups to the deal of the last one."""
    house = await MemoryHouse().open()
    await house.staff("technician", CheckEquipment())
    await house.staff("committee_member", poker_opening(float_amount=1_000_000))
    await house.sit_down("player-1", 1, 100_000)
    for coup in range(coups):
        await house.staff("croupier", OpenBetting())
        await house.player("player-1", PlaceWager(spot="COULEUR_ROUGE", amount=100))
        await house.player("player-1", PlaceWager(spot="MAIN", amount=100))
        await house.staff("croupier", CloseBetting())
        if coup < coups - 1:
            for _ in range(4):
                await house.pass_time(60_000)
    return house


async def events_of(house: MemoryHouse, shard: str, stream: str) -> list[dict[str, object]]:
    """Return the bodies of a stream's events, as the auditor reads them."""
    pages = [page async for page in house.log.load(shard, stream)]
    return [json.loads(raw)["body"] for page in pages for raw in page]


async def feed_of(house: MemoryHouse, shard: str) -> bytes:
    """Return everything that a shard ever told."""
    return b"\n".join(raw for _, raw in (await house.log.read_feed(shard, "0-0", 10_000, 0)).entries)


async def secrets_of(house: MemoryHouse) -> tuple[str, list[str]]:
    """Return the burnt card and the cards of the last deal, from the log."""
    laid = [event for event in await events_of(house, PIT, "T1/1") if event["type"] == "paire_poker.CardsLaid"][-1]
    burnt, cards = laid["burnt"], laid["cards"]
    assert isinstance(burnt, str)
    assert isinstance(cards, list)
    return burnt, cards


async def test_no_feed_tells_a_card_before_it_is_turned() -> None:
    """Card by card: what is turned is told, the others and the burnt one are on no feed of any shard."""
    house = await dealt_house()
    burnt, cards = await secrets_of(house)
    for turned in range(4):
        feeds = b"".join([await feed_of(house, shard) for shard in (PIT, RNG_SHARD, WALLET_SHARD)])
        told = [card for card in cards if f'"{card}"'.encode() in feeds]
        assert [card for card in cards if card in cards[:turned]] == told
        assert f'"{burnt}"'.encode() not in feeds or burnt in cards
        if turned < 3:
            answer = await house.staff("croupier", p.TurnCard(place=turned + 1))
            assert [cards[turned]] == [json.loads(body)["card"] for body in answer.bodies]


async def test_the_numbers_behind_the_cards_are_on_no_feed_either() -> None:
    """The RNG logs the sealed draw and the table receives it; neither feed has so much as its tag."""
    house = await dealt_house(coups=3)
    for _ in range(4):
        await house.pass_time(60_000)
    drawn = [event for event in await events_of(house, RNG_SHARD, "draws/1") if event["type"] == "rng.SealedDrawn"]
    received = [event for event in await events_of(house, PIT, "T1/1") if event["type"] == "table.SealedDrawReceived"]
    assert 3 == len(drawn)
    assert [event["values"] for event in drawn] == [event["values"] for event in received]
    for shard in (PIT, RNG_SHARD, WALLET_SHARD):
        feed = await feed_of(house, shard)
        assert b"SealedDrawn" not in feed
        assert b"SealedDrawReceived" not in feed
        assert b'"values"' not in feed


async def test_a_sealed_draw_is_answered_again_by_a_new_owner() -> None:
    """The RNG's memory of answers is rebuilt from a feed without secrets; asked again, it says the same."""
    house = await dealt_house()
    (made,) = [event for event in await events_of(house, RNG_SHARD, "draws/1") if event["type"] == "rng.SealedDrawn"]
    rebuilt = Answers()
    feed = (await house.log.read_feed(RNG_SHARD, "0-0", 100, 0)).entries
    rebuilt.rebuild(feed, NO_MOMENT)
    assert rebuilt.get(str(made["draw_id"])) is None
    request = RequestDraw(draw_id=str(made["draw_id"]), bounds=(54, 53, 52, 51), sealed=True)
    for _ in range(2):
        body = msgspec.Raw(msgspec.json.encode(request))
        envelope = CommandEnvelope(request.draw_id, DRAWS, SYSTEM, body, ReturnAddress(ASKER, "T9"))
        await house.log.send([(RNG_SHARD, msgspec.json.encode(envelope))])
        await house.pass_time(0)
    replies = [json.loads(raw)["body"] for _, raw in await house.log.read_inbox(ASKER, "0-0", 10)]
    assert [[made]] * 2 == [reply["events"] for reply in replies]


async def test_who_asks_openly_for_a_sealed_draw_gets_nothing() -> None:
    """A request of the same id that is not sealed is refused and tells no value."""
    house = await dealt_house()
    (made,) = [event for event in await events_of(house, RNG_SHARD, "draws/1") if event["type"] == "rng.SealedDrawn"]
    body = msgspec.Raw(msgspec.json.encode(RequestDraw(draw_id=str(made["draw_id"]), bounds=(54, 53, 52, 51))))
    envelope = CommandEnvelope("other-id", DRAWS, SYSTEM, body, ReturnAddress(ASKER, "T9"))
    await house.log.send([(RNG_SHARD, msgspec.json.encode(envelope))])
    await house.pass_time(0)
    (last,) = [raw for _, raw in (await house.log.read_feed(RNG_SHARD, "0-0", 100, 0)).entries][-1:]
    answer = msgspec.json.decode(last, type=FeedEntry).answer
    assert answer is not None
    assert answer.refusal is not None
    assert "draw.conflict" == answer.refusal.code
    assert b"values" not in last
