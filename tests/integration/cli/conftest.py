"""A casino's folder, and the `tapis` command on it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner, Result

from libs.cli.main import app
from libs.runtime.local.embedded import EmbeddedServer
from libs.runtime.local.note import RunNote
from tests.kit.brief_evening import play
from tests.kit.house import ROOT


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A local casino's folder: two coups played, a third open. Its server runs."""
    folder = tmp_path_factory.mktemp("casino")
    with EmbeddedServer(folder / "redis") as server:
        note = RunNote(
            site="site-a",
            floor=str(ROOT / "floor.toml"),
            redis_url=server.url,
            embedded=True,
            gateway_url="",
            display_url="",
        )
        (folder / "run.json").write_bytes(msgspec.json.encode(note))
        asyncio.run(play(server.url))
        yield folder


@pytest.fixture
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REDIS_URL", "TAPIS_SITE", "TAPIS_FOLDER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def tapis(site: Path, clean_environment: None) -> Any:
    """Return a function that runs `tapis` on the site's folder."""

    def run(*words: str) -> Result:
        return CliRunner().invoke(app, [*words, "--folder", str(site)])

    return run
