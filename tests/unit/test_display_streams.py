import asyncio

import msgspec
import pytest

from libs.kernel.limits import DISPLAY_QUEUE_FRAMES
from services.display.app import Site, display_app
from services.display.boards import BEATS_PER_COMMENT, Show
from services.display.hub import BYE, COMMENT, RETRY, Hub, Page, Topic
from tests.kit.boards import BETTING, LOCKED, NEVER_OPENED, SETTLED, CannedHouse
from tests.kit.streams import streaming

SITE = Site("site-a", "EUR")
T2 = msgspec.structs.replace(LOCKED, table="T2")


def shown() -> tuple[CannedHouse, Show]:
    house = CannedHouse(BETTING, T2)
    show = Show(house, Hub())
    house.listen(show.hear)
    return house, show


async def test_snapshot_comes_first() -> None:
    """A page gets the board as it is, then the heartbeat with the server's clock, then what changes."""
    house, show = shown()
    async with streaming(display_app(show, SITE), "/events/tables/T1") as stream:
        first, beat = await stream.frame(), await stream.frame()
        assert ("board", "T1/4:1") == (first.event, first.id)
        assert "Faites vos jeux" == first.data["announcement"]["fr"]
        assert ("beat", {"now_ms": house.clock_ms, "live": True}) == (beat.event, beat.data)
        house.tell(LOCKED)
        show.flush()
        update = await stream.frame()
        assert ("board", "T1/4:2") == (update.event, update.id)
        assert "Rien ne va plus" == update.data["announcement"]["fr"]
    assert 200 == stream.status
    assert "text/event-stream; charset=utf-8" == stream.headers["content-type"]
    assert ("no-store", "no") == (stream.headers["cache-control"], stream.headers["x-accel-buffering"])


async def test_page_that_comes_back() -> None:
    """A page that comes back with the last position it saw gets the latest board, not what it missed in between."""
    house, show = shown()
    app = display_app(show, SITE)
    async with streaming(app, "/events/tables/T1") as stream:
        seen = (await stream.frame()).id
    for board in (LOCKED, SETTLED):
        house.tell(board)
        show.flush()
    async with streaming(app, "/events/tables/T1", {"last-event-id": seen}) as stream:
        first = await stream.frame()
        assert ("T1/4:3", "settled") == (first.id, first.data["phase"])


async def test_pages_follow_one_table_only() -> None:
    """A table's page hears nothing of other tables; the floor page hears of all of them, a tile at a time."""
    house, show = shown()
    app = display_app(show, SITE)
    async with streaming(app, "/events/tables/T2") as table, streaming(app, "/events/floor") as floor:
        assert ("board", "beat") == ((await table.frame()).event, (await table.frame()).event)
        everything = await floor.frame()
        assert ["T1", "T2"] == [tile["table"] for tile in everything.data]
        assert "beat" == (await floor.frame()).event
        house.tell(SETTLED)
        show.flush()
        tile = await floor.frame()
        assert ("tile", "T1", "settled", 5) == (
            tile.event,
            tile.data["table"],
            tile.data["phase"],
            tile.data["seats_taken"],
        )
        house.tell(msgspec.structs.replace(T2, coup=99))
        show.flush()
        assert 99 == (await table.frame()).data["coup"]


async def test_changes_are_gathered() -> None:
    """Many changes between two flushes are one frame with the latest board, and no change is no frame."""
    house, show = shown()
    async with streaming(display_app(show, SITE), "/events/tables/T1") as stream:
        await stream.frame()
        await stream.frame()
        for board in (LOCKED, SETTLED, BETTING, LOCKED):
            house.tell(board)
        show.flush()
        assert "locked" == (await stream.frame()).data["phase"]
        house.tell(LOCKED)
        show.flush()
        show.beat()
        assert "beat" == (await stream.frame()).event


async def test_board_that_changed_during_an_outage() -> None:
    """What the house read again after an outage is shown with the next heartbeat, though no feed entry told of it."""
    house, show = shown()
    async with streaming(display_app(show, SITE), "/events/tables/T1") as stream:
        await stream.frame()
        await stream.frame()
        house.shown["T1"] = SETTLED
        house.versions["T1"] = 40
        show.beat()
        update = await stream.frame()
        assert ("board", "T1/4:40", "settled") == (update.event, update.id, update.data["phase"])


async def test_heartbeat_tells_when_the_house_is_silent() -> None:
    """A display that has lost the log still beats, and says that what it shows is not live."""
    house, show = shown()
    async with streaming(display_app(show, SITE), "/events/floor") as stream:
        await stream.frame()
        await stream.frame()
        house.is_live = False
        show.beat()
        assert {"now_ms": house.clock_ms, "live": False} == (await stream.frame()).data


async def test_comment_goes_with_some_heartbeats() -> None:
    """Every so many heartbeats a comment keeps proxies awake."""
    _, show = shown()
    stream = show.hub.stream("floor")
    await anext(stream)
    beats = []
    for _ in range(2 * BEATS_PER_COMMENT):
        show.beat()
        beats.append(await anext(stream))
    assert 2 == sum(COMMENT in beat for beat in beats)
    await stream.aclose()


async def test_closing_ends_every_stream() -> None:
    """Closing the hub ends open streams at once with a good-bye, and no new page is taken."""
    _, show = shown()
    app = display_app(show, SITE)
    async with streaming(app, "/events/tables/T1") as stream:
        await stream.frame()
        await stream.frame()
        show.hub.close()
        assert "bye" == (await stream.frame()).event
        assert await stream.at_end()
    async with streaming(app, "/events/tables/T1") as late:
        pass
    assert 503 == late.status


async def test_page_that_goes_away_is_forgotten() -> None:
    """A page that closes its stream leaves nothing behind."""
    _, show = shown()
    async with streaming(display_app(show, SITE), "/events/floor") as stream:
        await stream.frame()
        assert 1 == len(show.hub)
    assert 0 == len(show.hub)


async def test_display_takes_so_many_pages() -> None:
    """Over its limit the display takes no further page, until one goes away."""
    house = CannedHouse(BETTING)
    app = display_app(Show(house, Hub(pages=1)), SITE)
    async with streaming(app, "/events/floor") as first:
        await first.frame()
        async with streaming(app, "/events/tables/T1") as second:
            pass
        assert 503 == second.status
    async with streaming(app, "/events/tables/T1") as third:
        assert "board" == (await third.frame()).event


async def test_slow_page_gets_the_latest_snapshot() -> None:
    """A page that does not keep up loses updates, gets the latest snapshot, and then follows again."""
    topic = Topic(lambda: b"snapshot")
    page = Page(topic, DISPLAY_QUEUE_FRAMES)
    for number in range(DISPLAY_QUEUE_FRAMES + 5):
        page.put(b"%d" % number)
    assert b"snapshot" == await page.next()
    page.put(b"after")
    assert b"after" == await page.next()


async def test_frames_in_order() -> None:
    """A page that keeps up gets every frame in order, and waits when there is none."""
    page = Page(Topic(lambda: b""), 3)
    for update in (b"a", b"b"):
        page.put(update)
    assert [b"a", b"b"] == [await page.next(), await page.next()]
    waiting = asyncio.create_task(page.next())
    await asyncio.sleep(0)
    assert not waiting.done()
    page.put(b"c")
    assert b"c" == await waiting


async def test_stream_of_the_hub() -> None:
    """The first bytes of a stream say when to come back, the last ones good-bye."""
    hub = Hub()
    hub.add("floor", lambda: b"data: 1\n\n")
    stream = hub.stream("floor")
    assert (await anext(stream)).startswith(RETRY + b"data: 1\n\n")
    hub.close()
    assert BYE == await anext(stream)
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


async def test_table_that_was_never_opened() -> None:
    """A table without any session shows as closed, without a position."""
    app = display_app(Show(CannedHouse(NEVER_OPENED), Hub()), SITE)
    async with streaming(app, "/events/tables/T1") as stream:
        first = await stream.frame()
        assert ("closed", "") == (first.data["phase"], first.id)
