"""The pages in a real browser: what a screen in the gaming room shows."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from services.display.app import Site, display_app
from services.display.boards import Show
from services.display.hub import Hub
from tests.kit.boards import (
    BETTING,
    HELD_UP,
    LAST_COUPS,
    LOCKED,
    SETTLED,
    SETTLED_BONUS,
    VOIDED,
    CannedHouse,
)
from tests.kit.chromium import CHROMIUM, Browser, chromium
from tests.kit.serving import Served, serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

SITE = Site("site-a", "EUR")
LIVE = "document.querySelector('#link').textContent.includes('en direct')"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as page:
        yield page


@pytest.fixture
def house() -> CannedHouse:
    return CannedHouse(BETTING)


@contextmanager
def displayed(house: CannedHouse) -> Iterator[Served]:
    hub = Hub()
    with serving(display_app(Show(house, hub), SITE), hub.close) as served:
        yield served


def text(browser: Browser, selector: str) -> str:
    """Return the text of an element as a reader sees it."""
    return (
        str(browser.value(f"document.querySelector({selector!r}).innerText"))
        .replace("\xa0", " ")
        .replace("\u202f", " ")
    )


def announced(words: str) -> str:
    return f"document.querySelector('#call-fr').textContent === {words!r}"


def test_board_from_betting_to_result(browser: Browser, house: CannedHouse) -> None:
    """The board shows the announcement, the seconds left, the paytable, and then the result, without a reload."""
    with displayed(house) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for(f"{announced('Faites vos jeux')} && {LIVE}")
        assert "Place your bets" == text(browser, "#call-en")
        assert 0 < int(browser.wait_for("document.querySelector('.seconds')?.textContent")) <= 23
        assert 7 == browser.value("document.querySelectorAll('#rows tr').length")
        assert "100 €" in text(browser, "#rows tr")
        assert 12 == browser.value("document.querySelectorAll('#history li').length")
        served.call(lambda: house.tell(LOCKED))
        browser.wait_for(announced("Rien ne va plus"))
        served.call(lambda: house.tell(SETTLED))
        browser.wait_for(announced("Rouge 16"))
        assert "16" == text(browser, "#core")
        assert "15 pour 1" in text(browser, "#said")
        assert "16" in text(browser, "#rows tr.won")
        assert [] == browser.complaints


def test_a_draw_that_is_held_up(browser: Browser, house: CannedHouse) -> None:
    """While the RNG makes no draws the board says that the coup waits, and nothing else changes."""
    house.shown["T1"] = HELD_UP
    with displayed(house) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for(announced("Tirage suspendu"))
        assert "le coup attend" in text(browser, "#call-more") + text(browser, "#call-fr")
        assert "The draw is held up: the coup waits" == text(browser, "#call-en")
        assert [] == browser.complaints


def test_bonus_and_void(browser: Browser, house: CannedHouse) -> None:
    """A bonus shows both wheels; an annulled launch says why, and that the stakes went back."""
    house.shown["T1"] = SETTLED_BONUS
    with displayed(house) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for(announced("Bonus violet 1000"))
        assert ["Bonus", "1000"] == text(browser, "#core").split("\n")
        assert "100 pour 1" in text(browser, "#said")
        served.call(lambda: house.tell(VOIDED))
        browser.wait_for(announced("Lancer annulé"))
        assert "mises recréditées" == text(browser, "#call-more")
        assert "Moins de deux tours" in text(browser, "#said")


def test_closing_notice_is_not_the_history(browser: Browser, house: CannedHouse) -> None:
    """The three last spins are a notice of their own, named otherwise than the last results."""
    house.shown["T1"] = LAST_COUPS
    with displayed(house) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for("!document.querySelector('#last-coups').hidden")
        assert "Les trois derniers lancers" in text(browser, "#last-coups")
        assert "encore 3" in text(browser, "#last-coups")
        assert text(browser, ".past h2").startswith("Derniers résultats")


def test_stale_data_looks_stale(browser: Browser, house: CannedHouse) -> None:
    """When the display loses the log, the board says so instead of a frozen *Faites vos jeux*, and recovers."""
    with displayed(house) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for(announced("Faites vos jeux"))
        house.is_live = False
        browser.wait_for(announced("Données anciennes"))
        assert "stale data" in text(browser, "#link")
        assert browser.value("document.querySelector('.seconds') === null")
        house.is_live = True
        browser.wait_for(f"{announced('Faites vos jeux')} && {LIVE}")


def test_page_survives_its_server(browser: Browser, house: CannedHouse) -> None:
    """When the display is gone the page says that its data is old."""
    with displayed(house) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for(announced("Faites vos jeux"))
    browser.wait_for(announced("Données anciennes"))


def test_floor_page(browser: Browser) -> None:
    """The floor page shows every table, follows them, and leads to their boards."""
    house = CannedHouse(BETTING)
    with displayed(house) as served:
        browser.open(f"{served.url}/")
        browser.wait_for(f"document.querySelectorAll('.tile').length === 1 && {LIVE}")
        assert "1 / 1" in text(browser, "#count")
        assert "Faites vos jeux" in text(browser, ".tile .call")
        served.call(lambda: house.tell(LOCKED))
        browser.wait_for("document.querySelector('.tile .call').textContent.includes('Rien ne va plus')")
        assert "/tables/T1" == browser.value("document.querySelector('.tile a').getAttribute('href')")
        assert browser.value("document.querySelector('.tile .notice') === null")
        served.call(lambda: house.tell(LAST_COUPS))
        browser.wait_for(
            "document.querySelector('.tile .notice')?.textContent.startsWith('Les trois derniers lancers')"
        )


def test_the_keyboard_stays_on_its_table(browser: Browser) -> None:
    """While a table plays on, its tile keeps the focus: it can be opened by the keyboard alone."""
    house = CannedHouse(BETTING)
    with displayed(house) as served:
        browser.open(f"{served.url}/")
        browser.wait_for("document.querySelectorAll('.tile').length === 1")
        browser.value("document.querySelector('.tile a').focus()")
        served.call(lambda: house.tell(LOCKED))
        browser.wait_for("document.querySelector('.tile.locked .call').textContent.includes('Rien ne va plus')")
        assert "/tables/T1" == browser.value("document.activeElement.getAttribute('href')")


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720), (1024, 768)])
def test_board_fits_its_screen(browser: Browser, house: CannedHouse, width: int, height: int) -> None:
    """On a screen nothing is cut off, and sizes are what ten, six and three metres ask for."""
    house.shown["T1"] = VOIDED
    with displayed(house) as served:
        browser.open(f"{served.url}/tables/T1", width, height)
        browser.wait_for(announced("Lancer annulé"))
        hidden = """[...document.querySelectorAll('main *, footer *')].filter((one) => {
            const box = one.getBoundingClientRect();
            const unseen = one.closest('.unseen, svg');
            return !unseen && box.width && (box.right > innerWidth + 1 || box.bottom > innerHeight + 1);
        }).map((one) => one.outerHTML)"""
        assert [] == browser.value(hidden)
        share = min(height, width * 9 / 16) / 100
        for selector, least in (("#call-fr", 13), ("#history b", 4.4), ("#rows td", 4.4), ("#minimum", 4.4)):
            style = f"getComputedStyle(document.querySelector({selector!r}))"
            size = float(browser.value(f"parseFloat({style}.fontSize)"))
            assert size >= least * share - 0.01, selector


@pytest.mark.parametrize("path", ["/", "/tables/T1"])
def test_pages_on_a_telephone(browser: Browser, house: CannedHouse, path: str) -> None:
    """On a telephone the pages scroll down only, never sideways, and text is no smaller than 12 pixels."""
    with displayed(house) as served:
        browser.open(f"{served.url}{path}", 390, 844)
        browser.wait_for(LIVE)
        assert 390 >= browser.value("document.documentElement.scrollWidth")
        small = """[...document.querySelectorAll('body *')].filter((one) => {
            const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            return text && !one.closest('.unseen') && parseFloat(getComputedStyle(one).fontSize) < 12;
        }).map((one) => one.outerHTML)"""
        assert [] == browser.value(small)


def test_only_announcements_speak(browser: Browser, house: CannedHouse) -> None:
    """A screen reader is told announcements, not every second; languages are marked; shapes stand beside colours."""
    with displayed(house) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for(announced("Faites vos jeux"))
        assert ["call"] == browser.value("[...document.querySelectorAll('[aria-live]')].map((one) => one.id)")
        assert "fr" == browser.value("document.querySelector('#call-fr').lang")
        assert "en" == browser.value("document.querySelector('#call-en').lang")
        shapes = "[...document.querySelectorAll('#rows .mark path')].map((one) => one.getAttribute('d'))"
        assert 7 == len(set(browser.value(shapes)))
