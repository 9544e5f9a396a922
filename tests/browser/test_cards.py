"""The board of a card game in a real browser: cards appear one by one, a layout of many spots fits on the screen."""

from collections.abc import Iterator

import msgspec
import pytest

from libs.games.paire_poker import messages as p
from libs.table.board import Board, board_of
from services.display.app import Site, display_app
from services.display.boards import Show
from services.display.hub import Hub
from tests.kit.boards import NOW_MS, CannedHouse
from tests.kit.chromium import CHROMIUM, Browser, chromium
from tests.kit.given import CROUPIER, GivenTable
from tests.kit.poker import given_dealt, given_poker, given_turned
from tests.kit.serving import serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

CARDS = "[...document.querySelectorAll('.cards b')].map((card) => card.textContent.trim()).join(' ')"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as page:
        yield page


def board(table: GivenTable) -> Board:
    """Return the table's board at the time that canned houses show."""
    shown = board_of(table.state)
    return msgspec.structs.replace(shown, decision_due_ms=shown.decision_due_ms and NOW_MS + 9_000)


def test_cards_appear_when_they_are_turned(browser: Browser) -> None:
    """Backs first, then card by card from the right as on the layout; nothing on the page says what lies face down."""
    table = given_dealt(given_poker().given_seated().given_wagers((1, "COULEUR_ROUGE", 100)), "10C", "JOKER", "DP")
    house, hub = CannedHouse(board(table)), Hub()
    with serving(display_app(Show(house, hub), Site("site-a", "EUR")), hub.close) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for("document.querySelectorAll('.cards .back').length === 3")
        assert "10" not in str(browser.value("document.querySelector('.cards').innerText"))
        for words, shown in (("10 de cœur", "10♥"), ("Joker", "★ 10♥"), ("Dame de pique", "D♠ ★ 10♥")):
            given_turned(table, 1)
            served.call(lambda: house.tell(board(table)))
            browser.wait_for(f"document.querySelector('#call-fr').textContent === {words!r}")
            assert shown == str(browser.value(CARDS)).strip()
        table.given(p.PayWinners(), by=CROUPIER)
        served.call(lambda: house.tell(board(table)))
        browser.wait_for("document.querySelector('#call-fr').textContent === 'Quinte'")
        assert "Quinte" in str(browser.value("document.querySelector('#core').innerText"))
        assert [] == browser.complaints


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1366, 768), (1280, 720)])
def test_a_layout_of_many_spots_fits(browser: Browser, width: int, height: int) -> None:
    """69 spots stand on 15 lines, one per family, between the announcement and the last results."""
    house, hub = CannedHouse(board(given_poker().given_wagers())), Hub()
    with serving(display_app(Show(house, hub), Site("site-a", "EUR")), hub.close) as served:
        browser.open(f"{served.url}/tables/T1", width, height)
        browser.wait_for("document.querySelectorAll('#rows tr').length")
        assert 15 == browser.value("document.querySelectorAll('#rows tr').length")
        assert "Valeur à cheval" in str(browser.value("document.querySelector('#rows').innerText"))
        assert "Main de poker" in str(browser.value("document.querySelector('#extra').innerText"))
        box = "document.querySelector({!r}).getBoundingClientRect()"
        assert browser.value(f"{box.format('.pays')}.bottom <= {box.format('.past')}.top + 1")
        assert browser.value(f"{box.format('.pays')}.top >= {box.format('.call')}.top")
        assert [] == browser.complaints
