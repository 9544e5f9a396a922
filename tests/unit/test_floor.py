"""The floor file: what is accepted, and that what is not says where and why."""

from pathlib import Path

import pytest

from libs.runtime.floor import FloorError, load_floor

ROOT = Path(__file__).parents[2]

GOOD = """
[site]
name = "site-a"

[[pits]]
name = "pit-1"

[[pits.tables]]
name = "roue-1"
game = "wheel"
paytable = "ROUE-MAISON-1"
minimum = 100
float = 500000
seats = 8
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "floor.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_example_floor_loads() -> None:
    """The floor file at the root has one pit: every game, both paytables of the wheel, every source of outcomes."""
    floor = load_floor(ROOT / "floor.toml")
    tables = floor.tables.values()
    assert {"wheel", "rampo", "paire_poker", "rappel"} <= {table.game for table in tables}
    assert {"ROUE-MAISON-1", "ROUE-ARR-2024"} == {table.paytable for table in tables if table.game == "wheel"}
    assert {"rng", "console", "device"} == {table.source for table in tables}
    assert ["pit-1", "pit-1", None] == [floor.pit_of(name) for name in ("roue-1", "roue-2", "roue-9")]


def test_what_is_not_said_has_a_default(tmp_path: Path) -> None:
    """Currency, time zone, cut-off, source and durations may be left out; money and seats may not."""
    floor = load_floor(write(tmp_path, GOOD))
    table = floor.tables["roue-1"]
    assert ("EUR", "Europe/Paris", "06:00") == (floor.site.currency, floor.site.timezone, floor.site.cutoff)
    assert ("rng", 30_000, 15_000, {}) == (table.source, table.betting_ms, table.decision_ms, table.options)
    assert (100, 500_000, 8) == (table.minimum, table.float_amount, table.seats)


ANOTHER_TABLE = GOOD[GOOD.index("[[pits.tables]]") :]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("seats = 8", "seats = 8\ncolour = 'red'", r"pits\[0\]\.tables\[0\].*unknown field `colour`"),
        ("[site]", "[site]\ncountry = 'FR'", r"site: .*unknown field `country`"),
        ("[site]", "[extra]\nx = 1\n[site]", "unknown field `extra`"),
        ("seats = 8\n", "seats = 8\n" + ANOTHER_TABLE, "table `roue-1` is there twice"),
        ("seats = 8\n", "seats = 8\n" + GOOD[GOOD.index("[[pits]]") :], "pit `pit-1` is there twice"),
        ("minimum = 100", "minimum = 1.50", r"tables\[0\]\.minimum: .*whole cents"),
        ("minimum = 100", "minimum = 0", r"minimum: Expected `int` >= 1"),
        ("minimum = 100", "minimum = -100", r"minimum: Expected `int` >= 1"),
        ("minimum = 100", "minimum = '100'", r"minimum: Expected `int`, got `str`"),
        ("minimum = 100\n", "", "missing required field `minimum`"),
        ("float = 500000", "float = 50", "the float is below the minimum"),
        ("float = 500000", "float = 10000000000000000", r"float: Expected `int` <="),
        ("seats = 8", "seats = 65", r"seats: Expected `int` <= 64"),
        ("seats = 8", "seats = 8\nbetting_ms = 10", r"betting_ms: Expected `int` >= 500"),
        ("seats = 8", "seats = 8\nsource = 'dice'", r"source: Invalid enum value"),
        ('game = "wheel"', 'game = "whel"', r"no game `whel`; there are: .*wheel"),
        ('name = "roue-1"', 'name = "roue 1"', r"name: Expected `str` matching"),
        ('name = "roue-1"', 'name = "ledger"', "taken by a book"),
        ('name = "pit-1"', 'name = "hall"', r"pits\[0\]\.name: Expected `str` matching"),
        ('name = "site-a"', 'name = "Site{A}"', r"site\.name: Expected `str` matching"),
        ('name = "site-a"', 'name = "site-a"\ntimezone = "Europe/Atlantis"', "not a known time zone"),
        ('name = "site-a"', 'name = "site-a"\ncutoff = "25:00"', r"site\.cutoff: Expected `str` matching"),
        ("[[pits]]", "[[pits", "is not TOML"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    """Every fault of a floor file is refused with its place and reason."""
    path = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(FloorError, match=sentence) as refused:
        load_floor(path)
    assert str(refused.value).startswith(str(path))


def test_a_floor_without_tables_is_refused(tmp_path: Path) -> None:
    """A pit needs at least one table, and a floor at least one pit."""
    with pytest.raises(FloorError, match=r"pits: Expected `array` of length >= 1"):
        load_floor(write(tmp_path, 'pits = []\n[site]\nname = "a"\n'))
    with pytest.raises(FloorError, match=r"pits\[0\]: .*missing required field `tables`"):
        load_floor(write(tmp_path, '[site]\nname = "a"\n[[pits]]\nname = "pit-1"\n'))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A path that does not exist is said, not traced."""
    with pytest.raises(FloorError, match="cannot be read"):
        load_floor(tmp_path / "nowhere.toml")
