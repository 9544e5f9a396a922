"""Floor files as tables open with them: what the rules would refuse is said before anything runs."""

from pathlib import Path

import pytest

from libs.runtime.floor import FloorError
from libs.runtime.local.folder import FolderLock, FolderUnusable
from libs.runtime.local.openings import load_openable
from tests.kit.house import ROOT

FLOORS = [ROOT / "floor.toml", *sorted(ROOT.glob("deploy/k8s/sites/*/floor.toml"))]


@pytest.mark.parametrize("floor", FLOORS, ids=lambda path: path.parent.name)
def test_the_floors_of_the_house_open(floor: Path) -> None:
    """Every table of the example floor and of both sites opens as planned."""
    assert load_openable(floor).tables


@pytest.mark.parametrize(
    ("was", "slip", "sentence"),
    [
        ('"ROUE-MAISON-1"', '"ROUE-1"', "table `roue-1`: There is no paytable ROUE-1; offered: ROUE-ARR-2024, ROUE-MA"),
        ("bonus_stake = 1000", "bonus = 1", "table `roue-1`: The fixed BONUS stake"),
        ("float = 4000000", "float = 4000", "table `rampo-1`: The float must be at least 4000000 cents"),
    ],
)
def test_a_table_that_cannot_open_is_named(tmp_path: Path, was: str, slip: str, sentence: str) -> None:
    """A slip in a table's terms is told with the table and the sentence of the rules."""
    floor = tmp_path / "floor.toml"
    floor.write_text((ROOT / "floor.toml").read_text(encoding="utf-8").replace(was, slip), encoding="utf-8")
    with pytest.raises(FloorError) as caught:
        load_openable(floor)
    assert sentence in str(caught.value)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """A folder that cannot be made is a sentence that names it."""
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "casino"
    with pytest.raises(FolderUnusable, match=f"{folder} cannot be used as a folder: Not a directory"):
        FolderLock(folder).acquire()
