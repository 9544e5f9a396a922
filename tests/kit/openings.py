"""What the golden sessions of a game tell: on which terms it may be opened, how its coups end. Nobody else knows."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from libs.games import GAMES
from libs.kernel.decider import Accepted
from libs.kernel.messages import tag_of
from libs.table import messages as m
from libs.table.behind import command_behind
from libs.table.state import initial
from tests.kit.given import COMMITTEE, TECHNICIAN, GivenTable

GOLDEN = Path(__file__).parents[1] / "golden"
MOST_SEATS = 5
"""Fewer seats, more that happens at each."""


def openings(game: str) -> list[m.OpenSession]:
    """Return the orders to open that led to the golden sessions of a game, each kind once, in a fixed order."""
    found = {}
    for facts in golden_facts(game):
        said = next(fact for fact in facts if fact.get("type") == tag_of(m.SessionOpened))
        opened = msgspec.convert(said, m.SessionOpened)
        order = command_behind(initial("T1"), [opened], COMMITTEE)
        assert isinstance(order, m.OpenSession)
        order = replace(order, confirm_negative_edge=True)
        found[msgspec.json.encode(order)] = order
    return list(found.values())


def golden_outcomes(game: str) -> set[str]:
    """Return the codes of all outcomes in the golden sessions of a game."""
    facts = (fact for session in golden_facts(game) for fact in session)
    return {fact["outcome"] for fact in facts if fact.get("type") == tag_of(m.CoupSettled)}


def golden_facts(game: str) -> Iterator[list[dict[str, Any]]]:
    """Yield what each golden session of a game has line by line: its facts, and at the end what they make."""
    for log in sorted((GOLDEN / game).glob("*.jsonl")):
        yield [msgspec.json.decode(line) for line in log.read_bytes().splitlines()]


def any_opening(game: str, chance: Random) -> m.OpenSession:
    """Return terms that the game accepts: those of a golden session, if it can be with another paytable and source."""
    order = chance.choice(openings(game))
    paytable, source = chance.choice(sorted(GAMES[game].paytables)), chance.choice(sorted(GAMES[game].sources))
    few = replace(order, seats=min(order.seats, MOST_SEATS))
    for terms in (replace(few, paytable=paytable, source=source), replace(few, source=source), few):
        table = GivenTable().given(m.CheckEquipment(), by=TECHNICIAN)
        if isinstance(table.when(terms, by=COMMITTEE), Accepted):
            return terms
    return order
