"""The sheet of `make odds`: it has every wager, and it says when the rules pay otherwise."""

import ast
import csv
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from libs.draws.mapping import draw
from libs.games import GAMES
from libs.games.paire_poker.layout import spots
from libs.games.wheel.paytables import PAYTABLES
from tests.kit.house import ROOT, python_files
from tests.odds import coups, sheet
from tests.odds.__main__ import main
from tests.odds.exact import EXACT
from tests.odds.run import played
from tests.odds.trials import TRIALS

FEW = range(1, 501)
LEAST_STAKES = 71
"""A seventh of the coups."""


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_the_exact_side_knows_no_rules() -> None:
    """The enumeration imports nothing of ours but itself."""
    ours = {
        name
        for path in [*python_files("tests/odds/exact"), ROOT / "tests/odds/returns.py"]
        for name in imported(path)
        if name.split(".")[0] in {"libs", "services", "tests"}
    }
    assert [] == sorted(name for name in ours if name != "tests.odds.returns" and "tests.odds.exact" not in name)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_wager_of_every_paytable(game: str) -> None:
    """Each chance of each paytable, and each spot of each layout, has its line, with the edge that an opening shows.

    Each is placed in a seventh of the coups at least, and as often as any other of its game but for one coup.
    """
    found = {(line.paytable, line.wager): line for line in sheet.lines(game, played(game, 1, FEW))}
    rules = GAMES[game]
    for name, paytable in rules.paytables.items():
        wagers = {wager for of, wager in found if of == name}
        assert (paytable.edges.keys() if game != "paire_poker" else {*spots(1), *spots(2)}) <= wagers
        edges = {wager: found[name, wager].edge for wager in wagers & paytable.edges.keys()}
        assert {wager: paytable.edges[wager] for wager in edges} == edges
    stakes = [line.stakes for line in found.values()]
    assert LEAST_STAKES <= min(stakes) >= max(stakes) - 1
    assert not any(line.impossible for line in found.values())
    assert GAMES.keys() == TRIALS.keys() == EXACT.keys()


def test_a_short_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run prints a line for each wager, writes the same as JSON and CSV, and ends with 1 when one of them is off.

    That the rules pay as they should is not proved by so few coups; what is: no wager is paid what it cannot be.
    """
    json, table = tmp_path / "odds.json", tmp_path / "odds.csv"
    ended = main(["--coups", "500", "--jobs", "1", "--json", str(json), "--csv", str(table)])
    said = capsys.readouterr().out
    report = msgspec.json.decode(json.read_bytes())
    assert {"seed": 1, "coups": 500} == {name: report[name] for name in ("seed", "coups")}
    lines = {(line["game"], line["paytable"], line["wager"]): line for line in report["wagers"]}
    assert GAMES.keys() == {game for game, _, _ in lines}
    assert 314 == sum(game in {"wheel", "rampo", "paire_poker", "rappel"} for game, _, _ in lines)
    assert [] == [wager for _, _, wager in lines if f"\n{wager} " not in said]
    assert {0} == {line["impossible"] for line in lines.values()}
    red = lines["rampo", "RAMPO-MAISON-1", "ROUGE"]
    assert ["7/36", "1/36", 1.979] == [red["chance"], red["edge"], round(red["volatility"], 3)]
    off = [key for key, line in lines.items() if abs(line["distance"]) > 3]
    assert (off, 1 if off else 0) == ([tuple(key) for key in report["off"]], ended)
    assert [] == [key for key in off if f"OFF {' '.join(key)}:" not in said]
    assert len(off) == said.count("OFF ")
    as_text = [{name: str(value) for name, value in line.items()} for line in lines.values()]
    assert as_text == list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize(
    ("distance", "impossible", "off"),
    [(0.0, 0, False), (2.99, 0, False), (-3.0, 0, False), (3.01, 0, True), (-3.01, 0, True), (0.0, 1, True)],
)
def test_what_is_off(distance: float, impossible: int, off: bool) -> None:
    """Off is a wager beyond three standard errors, and one that was once paid what it cannot be; nothing excuses it."""
    half = Fraction(1, 2)
    line = sheet.Line("g", "p", "w", half, half, 1.0, 100, 0.5, 0.5, 1.0, 0.1, distance, impossible)
    assert off == line.off
    assert off == any("OFF g p w:" in said for said in sheet.verdict([line]))


def test_a_wrong_gain_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A paytable that pays 48 to 1 where 47 are due ends the run with 1 and names the wager; without it, 0."""
    run = ["--coups", "500", "--jobs", "1", "--game", "wheel"]
    assert 0 == main(run)
    monkeypatch.setitem(PAYTABLES["ROUE-MAISON-1"].gains, "48", 48)
    assert 1 == main(run)
    assert "OFF wheel ROUE-MAISON-1 48:" in capsys.readouterr().out


def test_a_wheel_that_is_not_true_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Draws in which the first segment comes twice as often as the others end the run with 1; fair ones, with 0."""

    def untrue(entropy: bytes, label: str, bounds: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(value % bound for value, bound in zip(draw(entropy, label, (53, 6)), bounds, strict=False))

    run = ["--coups", "5000", "--jobs", "1", "--game", "wheel"]
    assert 0 == main(run)
    monkeypatch.setattr(coups, "draw", untrue)
    assert 1 == main(run)
    assert "OFF wheel ROUE-ARR-2024 48:" in capsys.readouterr().out
