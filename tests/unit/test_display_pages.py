import re
from importlib.resources import files

import httpx
import msgspec
import pytest

from services.display.app import ASSETS, Site, display_app
from services.display.boards import Show
from services.display.hub import Hub
from tests.kit.boards import BETTING, CannedHouse

PAGES = files("services.display") / "pages"


def browser(house: CannedHouse | None = None, site: str = "site-a") -> httpx.AsyncClient:
    app = display_app(Show(house or CannedHouse(BETTING), Hub()), Site(site, "EUR"))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://display")


@pytest.mark.parametrize(("path", "title"), [("/", "site-a · tables"), ("/tables/T1", "T1 · site-a")])
async def test_pages(path: str, title: str) -> None:
    """The floor page and a table's page are HTML in French, with nothing inline and a strict content policy."""
    response = await browser().get(path)
    assert 200 == response.status_code
    assert "text/html; charset=utf-8" == response.headers["content-type"]
    assert f"<title>{title}</title>" in response.text
    assert '<html lang="fr">' in response.text
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<style|style=|\son[a-z]+=|<script(?![^>]*\ssrc=)", response.text)


async def test_names_are_escaped() -> None:
    """A site or table name cannot put markup into a page."""
    house = CannedHouse(msgspec.structs.replace(BETTING, table='T"><b>'))
    page = (await browser(house, site="<i>&").get("/tables/T%22%3E%3Cb%3E")).text
    assert "<b>" not in page.split("<main>")[0]
    assert "&lt;i&gt;&amp;" in page


@pytest.mark.parametrize("path", ["/tables/T9", "/events/tables/T9", "/assets/app.py", "/assets/..%2Fapp.py", "/x"])
async def test_unknown_pages(path: str) -> None:
    """A table that is not on the floor, and any file but our own few, is 404."""
    assert 404 == (await browser().get(path)).status_code


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize(
    ("path", "sentence"),
    [("/tables/T9", "Cette table n&#x27;existe pas ici."), ("/x", "Il n&#x27;y a rien à cette adresse.")],
)
async def test_a_browser_is_told_on_a_page(path: str, sentence: str) -> None:
    """Who looks at pages gets one in French and English, with the way back to the floor."""
    response = await browser().get(path, headers={"accept": BROWSER})
    assert (404, "text/html; charset=utf-8") == (response.status_code, response.headers["content-type"])
    assert f"<h1>{sentence}</h1>" in response.text
    assert '<p lang="en">There is no' in response.text
    assert '<a href="/">' in response.text
    assert "unsafe" not in response.headers["content-security-policy"]
    assert "accept" == response.headers["vary"]


@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/event-stream", ""])
async def test_programs_are_told_in_json(accept: str) -> None:
    """Whoever does not ask for a page gets the form that every error has."""
    response = await browser().get("/tables/T9", headers={"accept": accept})
    assert "table.unknown" == response.json()["error"]["code"]


@pytest.mark.parametrize("name", sorted(ASSETS))
async def test_assets(name: str) -> None:
    """Every file that a page may ask for is served with its media type and revalidated."""
    response = await browser().get(f"/assets/{name}")
    assert 200 == response.status_code
    charset = "; charset=utf-8" if ASSETS[name].startswith("text/") else ""
    assert ASSETS[name] + charset == response.headers["content-type"]
    assert "no-cache" == response.headers["cache-control"]


def test_pages_ask_only_for_our_own_files() -> None:
    """No page asks for anything from elsewhere, and all that it asks for exists."""
    asked: set[str] = set()
    for page in PAGES.iterdir():
        if page.name.endswith((".html", ".css", ".js")):
            text = page.read_text(encoding="utf-8")
            assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)[^\s\"']+", text)
            asked.update(re.findall(r"/assets/([A-Za-z0-9.-]+)", text))
    assert asked <= ASSETS.keys()
    assert "atkinson-hyperlegible-next.woff2" in asked


async def test_health() -> None:
    """The display lives without the log, and is ready only while it follows all pits."""
    house = CannedHouse(BETTING)
    client = browser(house)
    assert [200, 200, 200] == [(await client.get(path)).status_code for path in ("/livez", "/readyz", "/metrics")]
    house.is_live = False
    assert [200, 503] == [(await client.get(path)).status_code for path in ("/livez", "/readyz")]
