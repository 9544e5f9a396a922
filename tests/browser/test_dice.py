"""The board of Rampo in a real browser: shooter, dice, the offer, the zone, what is said beside; all of it fits."""

from collections.abc import Iterator

import pytest

from libs.games.rampo import messages as r
from libs.table import messages as m
from libs.table import outcome_messages as o
from services.display.app import Site, display_app
from services.display.boards import Show
from services.display.hub import Hub
from tests.kit.boards import CannedHouse, board
from tests.kit.chromium import CHROMIUM, Browser, chromium
from tests.kit.given import CROUPIER, PIT_BOSS, player
from tests.kit.rampo import answered, given_rampo, given_trying, thrown
from tests.kit.serving import serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

SAID = "document.querySelector('#said').innerText"
CALL = "document.querySelector('#call-fr').textContent"
SECONDS = "document.querySelector('#core .seconds') !== null"
WON = "[...document.querySelectorAll('#rows .won th')].map((row) => row.innerText.split('\\n')[0])"
CHIPS = "[...document.querySelectorAll('.chip')]"
PIPS = "[...document.querySelectorAll('.die')].map((die) => die.querySelectorAll('circle').length).join('-')"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as page:
        yield page


def test_a_throw_on_the_screen(browser: Browser) -> None:
    """The shooter before the throw, no dice before they lie there, then pips, the offer, the zone, the rampo."""
    table = given_rampo().given_wagers((1, "8", 500)).given(r.ChangeDice(pair=2), by=player(1))
    house, hub = CannedHouse(board(table)), Hub()
    with serving(display_app(Show(house, hub), Site("site-a", "EUR")), hub.close) as served:

        def tell() -> None:
            served.call(lambda: house.tell(board(table)))

        browser.open(f"{served.url}/tables/T1")
        browser.wait_for(f"{SAID}.includes('Tireur : poste 1') && {SAID}.includes('Les dés changent')")
        table.given(m.CloseBetting(), by=CROUPIER)
        tell()
        browser.wait_for(f"{CALL} === 'Rien ne va plus'")
        assert "" == browser.value(PIPS)
        thrown(table, 8, close=False)
        tell()
        browser.wait_for(f"{CALL} === '8 rouge' && {SAID}.includes('Le rampo est proposé')")
        assert "2-6" == browser.value(PIPS)
        answered(table, (1, True))
        tell()
        browser.wait_for(f"{SAID}.includes('Rampo tenté sur le 8')")
        assert ["Rouge", "8 rouge"] == browser.value(WON)
        thrown(table.given_wagers(), 8)
        tell()
        browser.wait_for(f"{CALL}.startsWith('Rampo !')")
        assert [] == browser.complaints


def test_no_haste_at_the_console(browser: Browser) -> None:
    """Until a throw by hand is recorded the ring counts nothing down; then it counts the seconds until it stands."""
    table = given_rampo(source="console").given_wagers((1, "8", 500))
    house, hub = CannedHouse(board(table)), Hub()
    with serving(display_app(Show(house, hub), Site("site-a", "EUR")), hub.close) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for(SECONDS)
        table.given(m.CloseBetting(), by=CROUPIER)
        served.call(lambda: house.tell(board(table)))
        browser.wait_for(f"{CALL} === 'Rien ne va plus'")
        assert not browser.value(SECONDS)
        table.given(o.RecordOutcome(name="throw-1", faces=("4", "4")), by=CROUPIER)
        served.call(lambda: house.tell(board(table)))
        browser.wait_for(SECONDS)


def test_a_void_says_why(browser: Browser) -> None:
    """A coup that is void says why, in the rules' words or the pit boss's own, beside who throws next."""
    table = given_rampo().given_wagers((1, "8", 500)).given(m.VoidCoup(reason="lampe tombée"), by=PIT_BOSS)
    house, hub = CannedHouse(board(table)), Hub()
    with serving(display_app(Show(house, hub), Site("site-a", "EUR")), hub.close) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for(f"{CALL} === 'Coup annulé' && {SAID}.includes('Annulé par le personnel')")
        assert "lampe tombée" in browser.value(SAID)
        assert "Tireur : poste 1" in browser.value(SAID)
        table.given_wagers().given(m.CloseBetting(), by=CROUPIER)
        served.call(lambda: house.tell(board(table)))
        browser.wait_for(f"{SAID}.includes('Aucune mise, aucun lancer')")
        assert "nobody may throw" not in browser.value(SAID)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_each_seat_has_its_chips(browser: Browser, width: int, height: int) -> None:
    """Eight players, eight colours, each with the number of its seat, in the foot and within the screen."""
    table = given_rampo(players=8).given(r.SetChipValue(value=1_000), by=player(3)).given_wagers((2, "ROUGE", 500))
    house, hub = CannedHouse(board(table)), Hub()
    with serving(display_app(Show(house, hub), Site("site-a", "EUR")), hub.close) as served:
        browser.open(f"{served.url}/tables/T1", width, height)
        browser.wait_for("document.querySelectorAll('.chip').length === 8")
        assert "12345678" == browser.value(f"{CHIPS}.map((chip) => chip.querySelector('b').innerText).join('')")
        assert 8 == browser.value(f"new Set({CHIPS}.map((chip) => getComputedStyle(chip).backgroundColor)).size")
        assert str(browser.value(f"{CHIPS}[2].title")).startswith("Poste 3 : violet, 10\u00a0€ le jeton")
        assert "2" == browser.value("document.querySelector('.chip.staked b').innerText")
        inside = "({left, right, width, height}) => left >= 0 && right <= innerWidth && Math.abs(width - height) < 1"
        assert browser.value(f"{CHIPS}.map((chip) => chip.getBoundingClientRect()).every({inside})")
        assert browser.value("document.documentElement.scrollWidth <= innerWidth")
        assert [] == browser.complaints


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1366, 768), (1280, 720)])
def test_the_layout_of_rampo_fits(browser: Browser, width: int, height: int) -> None:
    """Sixteen chances and ten rampos stand between the announcement and the last results, nothing overlaps."""
    table = given_trying(given_rampo(), 8)
    thrown(table.given_wagers((2, "ROUGE", 500)), 7)
    house, hub = CannedHouse(board(table)), Hub()
    with serving(display_app(Show(house, hub), Site("site-a", "EUR")), hub.close) as served:
        browser.open(f"{served.url}/tables/T1", width, height)
        browser.wait_for("document.querySelectorAll('#rows tr').length === 16")
        assert "Les dés changent de main" in str(browser.value(SAID))
        assert str(browser.value("document.querySelector('#extra').textContent")).startswith("Rampo ")
        extra = "document.querySelector('#extra')"
        assert browser.value(f"{extra}.scrollWidth <= {extra}.clientWidth")
        box = "document.querySelector({!r}).getBoundingClientRect()"
        for upper, lower in ((".pays", ".past"), (".said", ".past")):
            assert browser.value(f"{box.format(upper)}.bottom <= {box.format(lower)}.top + 1"), (upper, lower)
        assert [] == browser.complaints
