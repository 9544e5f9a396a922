"""Casinos under test: quick ones, with some tables of the house's floor, in a folder of the test's own."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from libs.runtime.local.casino import Casino, LocalPlan
from tests.kit.diary import Diary
from tests.kit.scene import Scene
from tests.kit.story import tell_on

ROOT = Path(__file__).parents[2]

LEASE_MS = 1_000
"""Lease of owners under test: shorter than in the house, so that take-overs take less of a test's time."""

WHEELS = ("roue-1", "roue-2")
"""Two tables that leave the processor to the house: for tests that kill it, whatever is played."""

ONE_OF_EACH = ("roue-1", "paire-1", "rampo-1", "rappel-1")
"""A table of each game, without a croupier at a console: once nobody plays any more, it comes to rest by itself."""


def floor_for(site: str, folder: Path, tables: Sequence[str] = WHEELS) -> Path:
    """Write the house's own floor file with some of its tables only, for another site; return its path."""
    head, *plans = (ROOT / "floor.toml").read_text(encoding="utf-8").split("\n[[pits.tables]]\n")
    chosen = [plan for plan in plans if any(f'name = "{table}"\n' in plan for table in tables)]
    assert len(tables) == len(chosen), f"the floor has no such tables: {tables}"
    text = "\n[[pits.tables]]\n".join([head.replace('name = "site-a"', f'name = "{site}"'), *chosen])
    floor = folder / "floor.toml"
    floor.write_text(text, encoding="utf-8")
    return floor


def plan_in(folder: Path, site: str = "site-a", tables: Sequence[str] = WHEELS, **more: Any) -> LocalPlan:
    """Return a plan for a quick casino with data and logs in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted: dict[str, Any] = {"players": 3, "fast": True, "lease_ms": LEASE_MS, "bot_journal": folder / "journal"}
    return LocalPlan(folder=folder, floor=floor_for(site, folder, tables), **(wanted | more))


OPEN: list[Scene] = []
"""The scenes that are open at this moment, for whoever must tell what was the case when a test failed."""


@contextlib.asynccontextmanager
async def following(casino: Casino, diary: Diary | None = None) -> AsyncIterator[Scene]:
    """Follow a casino that runs, while the block runs; what fails there is told with all that is known."""
    scene = Scene(casino, diary or Diary())
    await scene.start()
    OPEN.append(scene)
    try:
        yield scene
    except Exception as error:
        await tell_on(error, scene)
        raise
    finally:
        OPEN.remove(scene)
        await scene.stop()


@contextlib.asynccontextmanager
async def running(plan: LocalPlan) -> AsyncIterator[Scene]:
    """Run a casino and follow it while the block runs."""
    diary = Diary()
    try:
        async with Casino(plan, diary.note) as casino, following(casino, diary) as scene:
            yield scene
    except Exception as error:
        if not getattr(error, "__notes__", ()):  # it did not even open: its diary is all there is
            error.add_note("\n".join(diary.lines))
        raise
