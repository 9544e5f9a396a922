"""Bad input at every decision of every game gets its own code, with a sentence in French and in English."""

import ast
from pathlib import Path

import pytest

import libs.table
from libs.games import GAMES
from libs.kernel.contracts.table import FloatMoveRefused, SeatCreditRefused
from libs.kernel.decider import Accepted, Decision
from libs.kernel.messages import Tick
from libs.kernel.refusals import Refusal
from libs.table.decide import COMMANDS
from tests.kit.house import ROOT
from tests.kit.wrongs import Wrong, wrongs

WHERE = {"table": Path(libs.table.__path__[0])} | {game: ROOT / "libs" / "games" / game for game in GAMES}
ALL = [(name, wrong) for name in WHERE for wrong in wrongs(name)]


def code_of(decision: Decision) -> str:
    """Return the code of a refusal; that of the ledger's wish is an event, so that it never becomes a yes."""
    if isinstance(decision, Accepted) and isinstance(decision.events[0], SeatCreditRefused | FloatMoveRefused):
        return decision.events[0].code
    assert isinstance(decision, Refusal), decision
    return decision.code


@pytest.mark.parametrize(("name", "wrong"), ALL, ids=str)
def test_what_is_wrong_is_refused_by_its_name(name: str, wrong: Wrong) -> None:
    """It gets the code that it deserves, and no stake, meter or fact of the game changes."""
    table = wrong.given()
    before = table.state
    decision = table.when(wrong.said, by=wrong.by)
    assert wrong.code == code_of(decision)
    after = table.state
    assert (before.seats, before.game_state, before.phase) == (after.seats, after.game_state, after.phase)
    assert isinstance(decision, Accepted) or before == after


def test_every_refusal_has_words_of_its_own() -> None:
    """Two whole sentences, French and English; another code has other sentences."""
    said: dict[str, set[str]] = {}
    for _, wrong in ALL:
        refusal = wrong.given().when(wrong.said, by=wrong.by)
        if isinstance(refusal, Refusal):
            assert refusal.fr.endswith("."), refusal
            assert refusal.en.endswith("."), refusal
            assert refusal.fr != refusal.en
            said.setdefault(refusal.fr, set()).add(refusal.code)
            said.setdefault(refusal.en, set()).add(refusal.code)
    assert {} == {sentence: codes for sentence, codes in said.items() if len(codes) > 1}


@pytest.mark.parametrize("name", WHERE)
def test_no_refusal_is_missing(name: str) -> None:
    """Whatever the rules of a game, or the table, can refuse is said wrong in some row of its table."""
    assert set() == codes_in(WHERE[name]) - {wrong.code for wrong in wrongs(name)}


@pytest.mark.parametrize("name", WHERE)
def test_no_decision_is_missing(name: str) -> None:
    """Every command of a game, and of the table, is said wrong in some row of its table."""
    games = {kind for game in GAMES.values() for kind in game.roles}
    commands = set(GAMES[name].roles) if name in GAMES else COMMANDS - games - {Tick}
    wrong = {type(row.said) for row in wrongs(name)}
    # An answer of another service is never refused: what is not awaited changes nothing.
    assert {"Answered"} >= {kind.__name__ for kind in commands - wrong}


def codes_in(folder: Path) -> set[str]:
    """Return the codes of all refusals that are made in a folder, as its source spells them."""
    calls = (node for path in folder.glob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    made = (call for call in calls if isinstance(call, ast.Call) and isinstance(call.func, ast.Name))
    codes = (call.args[0] for call in made if isinstance(call.func, ast.Name) and call.func.id == "Refusal")
    return {str(code.value) for code in codes if isinstance(code, ast.Constant)}
