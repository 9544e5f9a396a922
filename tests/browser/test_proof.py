"""The page that computes a coup again, in a real browser: served by the display, and saved as one file."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

import services.display
from libs.draws.mapping import draw
from libs.draws.proof import CoupProof, MadeDraw, judge
from libs.kernel.seeds import commitment_of
from services.display.app import Site, display_app
from services.display.boards import Show
from services.display.hub import Hub
from tests.kit.boards import BETTING, CannedHouse
from tests.kit.chromium import CHROMIUM, Browser, chromium
from tests.kit.serving import Served, serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

PAGE = Path(services.display.__path__[0]) / "pages" / "proof.html"
READY = "document.readyState === 'complete' && !!document.querySelector('#check')"
VERDICT = "document.querySelector('#verdict')?.dataset.verdict"


def proof_of(coup: int, bounds: tuple[tuple[int, ...], ...] = ((52,), (6, 6, 6)), session: int = 16) -> CoupProof:
    """Return a true coup of table T1."""
    seed, seed_id = sha256(str(coup).encode()).digest(), f"seed:pit-1/T1/{session}/{coup}"
    ids = [f"draw:pit-1/T1/{session}/{coup}/{number}" for number in range(len(bounds))]
    made = tuple(MadeDraw(name, of, draw(seed, name, of)) for name, of in zip(ids, bounds, strict=True))
    return CoupProof("T1", session, coup, seed_id, commitment_of(seed, seed_id), seed.hex(), made, "settled")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as page:
        yield page


@pytest.fixture
def served() -> Iterator[Served]:
    house, hub = CannedHouse(msgspec.structs.replace(BETTING, session=16)), Hub()
    house.proven = [*map(proof_of, (1, 2, 3)), replace(proof_of(4), seed="", result="running", draws=())]
    with serving(display_app(Show(house, hub), Site("site-a", "EUR")), hub.close) as served:
        yield served


def given(browser: Browser, data: object) -> str:
    """Paste data into the page, press the button, and return the verdict."""
    text = data if isinstance(data, str) else msgspec.json.encode(data).decode()
    browser.value(f"document.querySelector('#data').value = {json.dumps(text)}")
    browser.value("document.querySelector('#check').click()")
    return str(browser.value(VERDICT))


def test_the_latest_coup_of_a_table_agrees(browser: Browser, served: Served) -> None:
    """The page lists the coups of a table, checks the latest that is over and leads back; nothing is refused."""
    browser.open(f"{served.url}/proof?table=T1")
    assert "agrees" == browser.wait_for(VERDICT)
    assert "séance 16 · coup 3" in browser.value("document.querySelector('#result').innerText")
    assert ["16 · 4 …", "16 · 3", "16 · 2", "16 · 1"] == browser.value(
        "[...document.querySelectorAll('#coups a')].map(a => a.textContent)"
    )
    assert "Tout concorde" in browser.value("document.querySelector('#verdict').textContent")
    assert ["T1", "/tables/T1"] == browser.value(
        "(({ textContent, pathname }) => [textContent, pathname])(document.querySelector('#table'))"
    )
    assert [] == browser.complaints


def test_a_coup_by_its_address(browser: Browser, served: Served) -> None:
    """A link names a coup; one that runs is not revealed yet, and one that is not there is said not to be there."""
    for coup, verdict in ((1, "agrees"), (4, "not_revealed"), (99, "unknown")):
        browser.open(f"{served.url}/proof?table=T1&session=16&coup={coup}")
        assert verdict == browser.wait_for(VERDICT)


def test_a_table_without_coups_is_said(browser: Browser, served: Served) -> None:
    """A table that is not there has no list of coups; the page says so instead of staying empty."""
    browser.open(f"{served.url}/proof?table=T9")
    assert "unknown" == browser.wait_for(VERDICT)
    assert "aucun coup de cette table" in browser.value("document.querySelector('#verdict').textContent")
    assert browser.value("document.querySelector('#chosen').hidden")


def test_a_board_leads_to_it(browser: Browser) -> None:
    """The board shows the commitment of the coup, and its word for it is the link to the proof of past ones."""
    commitment = proof_of(17).commitment
    house, hub = CannedHouse(replace(BETTING, commitment=commitment, commitment_coup=17)), Hub()
    with serving(display_app(Show(house, hub), Site("site-a", "EUR")), hub.close) as served:
        browser.open(f"{served.url}/tables/T1")
        browser.wait_for("!document.querySelector('#commitment-box').hidden")
        shown = browser.value("document.querySelector('#commitment').innerText")
        assert f"coup 17 {commitment[:8]}…{commitment[-8:]}" == " ".join(shown.split())
        assert commitment == browser.value("document.querySelector('#commitment code').title")
        assert "/proof?table=T1" == browser.value("document.querySelector('#proof').getAttribute('href')")


def test_it_works_as_one_saved_file(browser: Browser, tmp_path: Path) -> None:
    """Opened from a disk, without any server: a true coup agrees, a tampered one does not, and it names the draw."""
    saved = tmp_path / "proof.html"
    saved.write_bytes(PAGE.read_bytes())
    browser.open(saved.as_uri())
    browser.wait_for(READY)
    true = proof_of(7)
    assert "agrees" == given(browser, true)
    made = true.draws[0]
    other = replace(made, values=((made.values[0] + 1) % 52,))
    assert "differs" == given(browser, replace(true, draws=(other, *true.draws[1:])))
    faults = browser.value("document.querySelector('#faults').innerText")
    assert made.draw_id in faults
    assert "les valeurs publiées ne viennent pas de la graine" in faults
    assert [] == browser.complaints


@pytest.mark.parametrize(
    "data",
    ["", "{", "[]", "null", "7", '{"table":"T1"}', '{"table":"T1","seed_id":"x","session":1,"coup":1,"draws":[{}]}'],
)
def test_what_is_no_coup_is_said(browser: Browser, data: str) -> None:
    """Whatever is pasted, the page answers with a sentence and keeps working."""
    browser.open(PAGE.as_uri())
    browser.wait_for(READY)
    assert "unreadable" == given(browser, data)
    assert "agrees" == given(browser, proof_of(1))


def test_nothing_that_is_pasted_becomes_markup(browser: Browser) -> None:
    """Names out of the data are text, whatever they look like."""
    browser.open(PAGE.as_uri())
    browser.wait_for(READY)
    given(browser, replace(proof_of(1), table="<img src=x onerror=alert(1)>"))
    assert 0 == browser.value("document.querySelectorAll('#result img').length")


def test_it_judges_as_we_do(browser: Browser) -> None:
    """Hundreds of coups, true and changed in every way, with bounds of every size: the same verdict."""
    browser.open(PAGE.as_uri())
    browser.wait_for(READY)
    random, cases = Random(5), list[CoupProof]()
    for coup in range(1, 151):
        bounds = tuple(
            tuple(random.choice((2, 3, 6, 20, 52, 54, 255, 256, 257, 65_536, 65_537, 1_000_000)) for _ in range(length))
            for length in random.choices(range(1, 65), k=random.randrange(4))
        )
        true = proof_of(coup, bounds)
        cases.append(true)
        cases.append(_changed(true, random))
    said = browser.value(f"{msgspec.json.encode(cases).decode()}.map((one) => judge(proofOf(one)).verdict)")
    assert [judge(case).verdict for case in cases] == said
    assert {"agrees", "differs", "not_revealed", "lost", "no_seed"} == set(said)


def test_its_hash_is_sha_256(browser: Browser) -> None:
    """The page's own SHA-256 agrees with the standard's, for every length around its blocks, and for a long text."""
    browser.open(PAGE.as_uri())
    browser.wait_for(READY)
    lengths = [*range(130), 1_000, 100_003]
    hashes = browser.value(
        f"{lengths}.map((n) => hex(sha256(Uint8Array.from({{ length: n }}, (_, i) => (i * 7 + n) % 256))))"
    )
    assert [sha256(bytes((i * 7 + n) % 256 for i in range(n))).hexdigest() for n in lengths] == hashes


def _changed(true: CoupProof, random: Random) -> CoupProof:
    made = true.draws[0] if true.draws else MadeDraw("draw:pit-1/T1/1/1/x", (6,), (0,))
    changes = [
        replace(true, seed="00" * 32),
        replace(true, seed="xy"),
        replace(true, commitment="00" * 32),
        replace(true, commitment=""),
        replace(true, commitment="", seeded=False),
        replace(true, seed=""),
        replace(true, seed="", lost="seed.given_up"),
        replace(true, coup=true.coup + 1),
        replace(true, table="T2"),
        replace(true, seed_id="seed:x"),
        replace(true, seed_id=f"seed:pit-1/T1/16/0{true.coup}"),
        replace(true, draws=true.draws * 2),
        replace(true, draws=(replace(made, draw_id="draw:pit-1/T1/16/999/0"),)),
        replace(true, draws=(replace(made, draw_id="draw:pit-2/T1/16/1/0"),)),
        replace(true, draws=(replace(made, values=made.values[:-1]),)),
        replace(true, draws=(replace(made, values=(*made.values[:-1], made.values[-1] ^ 1)),)),
        replace(true, irregular=("there are two commitments",)),
    ]
    return random.choice(changes)
