"""A game with a pot in a real browser: the pot, everybody's dice and stake, who is in, whose word is awaited."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest

from libs.games import GAMES
from libs.kernel.shown import Announcement, Card, Carpet, Die
from libs.table import messages as m
from libs.table.board import Board, board_of
from services.display.app import Site, display_app
from services.display.boards import Show
from services.display.hub import Hub
from tests.kit.boards import CannedHouse, board, past
from tests.kit.chromium import CHROMIUM, Browser, chromium
from tests.kit.given import CROUPIER
from tests.kit.poker import given_poker
from tests.kit.rappel import first_game, given_entries, given_rappel, play
from tests.kit.serving import Served, serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

BETS = "A:tries rolls:20 E:declines B:declines C:declines D:declines"
"""The first of five makes the rappel, the others have declined: the last one must pay 5 base stakes to stay in."""

OVERFLOWING = """(([outer, inner]) => [...document.querySelectorAll(outer)].flatMap((box) => {
    const edge = box.getBoundingClientRect();
    return [...box.querySelectorAll(inner)].filter((one) => {
        const at = one.getBoundingClientRect();
        return at.width && !one.closest('.unseen')
            && (at.left < edge.left || at.right > edge.right || at.top < edge.top || at.bottom > edge.bottom);
    }).map((one) => one.outerHTML);
}))"""
"""What is drawn beyond the box that it belongs to."""


SMALL = """[...document.querySelectorAll('body *')].filter((one) => {
    const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    return text && !one.closest('.unseen, svg') && parseFloat(getComputedStyle(one).fontSize) < 12;
}).map((one) => one.outerHTML)"""
"""What is written in less than 12 pixels."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as page:
        yield page


@contextmanager
def displayed(house: CannedHouse) -> Iterator[Served]:
    hub = Hub()
    with serving(display_app(Show(house, hub), Site("site-a", "EUR")), hub.close) as served:
        yield served


def text(browser: Browser, selector: str) -> str:
    """Return the text of an element as a reader sees it, on one line."""
    found = str(browser.value(f"document.querySelector({selector!r}).innerText"))
    return " ".join(found.replace("\u202f", " ").split())


def test_a_game_on_the_screen(browser: Browser) -> None:
    """Entry and dice that wait, rolls, the rappel, whose word it is and what it costs, who is out, who wins."""
    table = given_entries(given_rappel(3))
    house = CannedHouse(board(table))

    def tell(line: str) -> None:
        play(table, line)
        served.call(lambda: house.tell(board(table)))

    with displayed(house) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for("!document.querySelector('#legend').hidden && document.querySelector('#carpet').hidden")
        assert "dé à 12 faces" in text(browser, "#legend")
        table.given(m.CloseBetting(), by=CROUPIER)
        tell("")
        browser.wait_for("document.querySelectorAll('.contender .die.waiting').length === 3")
        assert "30 €" == text(browser, ".pot .main dd")
        assert browser.value("document.querySelector('#pays').hidden")
        tell("rolls:1,9,14")
        browser.wait_for("!!document.querySelector('.contender.awaited')")
        assert text(browser, ".contender.awaited").startswith("Place 1 Rappel ?")
        assert "+ à payer 30 €" in text(browser, ".contender.awaited .stake")
        assert ["1", "9", "D8", "14", "D10"] == browser.value(
            "[...document.querySelectorAll('.contender .die text')].map((one) => one.textContent)"
        )
        tell("A:tries rolls:7")
        browser.wait_for("!!document.querySelector('.contender.out')")
        assert "Rappel manqué" in text(browser, ".contender.out")
        assert "60 €" == text(browser, ".pot .main dd")
        tell("B:declines C:declines B:follows C:follows rolls:2,7")
        browser.wait_for("!!document.querySelector('.contender.won')")
        assert text(browser, ".contender.won").startswith("Place 3 Gagne Wins")
        assert "3" == text(browser, "#core b")
        assert "gagne" == text(browser, "#history small")
        assert [] == browser.complaints


@pytest.mark.parametrize("players", [2, 3, 5, 6, 8])
@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
def test_every_contender_stays_in_its_box(browser: Browser, players: int, width: int, height: int) -> None:
    """From two to eight players everything stands in the box of its player, above the last results."""
    table = first_game((1, 9, 14, 17, 4, 3, 12, 19)[:players], "A:tries rolls:20")
    with displayed(CannedHouse(board(table))) as served:
        browser.open(f"{served.url}/tables/T1", width, height)
        browser.wait_for(
            f"document.querySelectorAll('.contender').length === {players} && document.fonts.status === 'loaded'"
        )
        assert [] == browser.value(f"{OVERFLOWING}(['.contender', '*'])")
        box = "document.querySelector({!r}).getBoundingClientRect()"
        for upper, lower in ((".carpet", ".past"), (".said", ".past"), (".call", ".pot")):
            assert browser.value(f"{box.format(upper)}.bottom <= {box.format(lower)}.top + 1"), (upper, lower)


def test_the_pot_is_read_from_afar(browser: Browser) -> None:
    """Sizes are what six metres ask for of the pot, and three of what a player has and who he is."""
    with displayed(CannedHouse(board(first_game((1, 9, 14, 17, 4), BETS)))) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for("!!document.querySelector('.contender.awaited')")
        for selector, least in ((".pot .main dd", 8), (".pot dd", 4.4), (".seat b", 4.4), (".stake", 3.3)):
            style = f"getComputedStyle(document.querySelector({selector!r}))"
            assert float(browser.value(f"parseFloat({style}.fontSize)")) >= least * 10.8, selector
        assert (
            float(browser.value("document.querySelector('.contender .die').getBoundingClientRect().width"))
            >= 0.05 * 1080
        )


def test_the_pot_on_a_telephone(browser: Browser) -> None:
    """On a telephone players stand two by two, nothing is smaller than 12 pixels, and nothing leaves its box."""
    with displayed(CannedHouse(board(first_game((1, 9, 14, 17, 4), BETS)))) as served:
        browser.open(f"{served.url}/tables/T1", 390, 844)
        browser.wait_for("!!document.querySelector('.contender.awaited') && document.fonts.status === 'loaded'")
        assert 390 >= browser.value("document.documentElement.scrollWidth")
        assert [] == browser.value(f"{OVERFLOWING}(['.contender', '*'])")
        assert [] == browser.value(SMALL)


def test_a_game_that_no_screen_has_heard_of_is_drawn(browser: Browser) -> None:
    """Dice of four and a hundred sides, cards, notes and the situation come from what the game says of itself."""
    name = Announcement("carte", "Carte", "Card")
    shown = Board(
        "T1",
        "pit-1",
        1,
        "decision",
        Announcement("a_vous", "À vous", "Your turn"),
        game="craps_de_minuit",
        title=Announcement("craps", "Le Craps de minuit", "Midnight craps"),
        notes=(Announcement("note", "Les dés brûlent", "The dice are hot"),),
        situation=(Announcement("banque", "Banque : place 4", "Bank: seat 4"),),
        carpet=Carpet(dice=(Die(4, 3), Die(100, 77), Die(6)), cards=(Card(name, "A♠", "black"), Card(name))),
    )
    with displayed(CannedHouse(shown)) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for("document.querySelectorAll('.die').length === 3")
        assert "Le Craps de minuit Midnight craps" == text(browser, ".game")
        assert ["3", "77", "D6"] == browser.value(
            "[...document.querySelectorAll('.die text')].map((one) => one.textContent)"
        )
        assert ["A♠", ""] == browser.value(
            "[...document.querySelectorAll('.cards b')].map((one) => one.textContent.trim())"
        )
        assert "Les dés brûlent" in text(browser, "#said")
        assert "Banque : place 4" in text(browser, "#said")
        assert [] == browser.complaints


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720), (390, 844)])
@pytest.mark.parametrize(("path", "layout"), [("/", "few"), ("/tables/T1", "few"), ("/tables/T1", "many")])
def test_past_results_stay_in_their_tiles(browser: Browser, path: str, layout: str, width: int, height: int) -> None:
    """The longest words of any game fit into the tile of a past result, on a board and on the floor."""
    words = [
        GAMES["paire_poker"].outcome("10C-VP-10T:COULEUR"),
        GAMES["paire_poker"].outcome("10C-JOKER-10P:QUINTE_FLUSH"),
        GAMES["paire_poker"].outcome("VC-10C-10K:PAIRE"),
        GAMES["rappel"].outcome("TIE:1+2+3+4+5:11"),
        GAMES["rappel"].outcome("DOUBLE:1+8"),
    ]
    history = tuple(msgspec.structs.replace(past(coup, "2"), outcome=one) for coup, one in enumerate(words, start=1))
    rows = board_of(given_poker().state).rows if layout == "many" else ()
    table = board(given_entries(given_rappel(3)))
    shown = msgspec.structs.replace(table, history=history, last=history[0], rows=rows or table.rows)
    with displayed(CannedHouse(shown)) as served:
        browser.open(f"{served.url}{path}", width, height)
        browser.wait_for("document.querySelectorAll('.past li').length === 5 && document.fonts.status === 'loaded'")
        assert [] == browser.value(f"{OVERFLOWING}(['.past li', 'b, small, svg'])")
        assert [] == browser.value(SMALL.replace("body *", ".past *"))
        assert "Quinte flush" in text(browser, ".past ol, ol.past")
        assert "QUINTE" not in text(browser, ".past ol, ol.past")
