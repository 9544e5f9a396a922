"""A short ordeal of the wallet: `make soak ARGS="--money 1000000"` makes a long one."""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from unittest.mock import patch

import pytest
import structlog

from tests.kit.ordeal.outcome import plan_of
from tests.kit.ordeal.run import undergo

SEED, COMMANDS = 1, 2_500


@pytest.fixture(autouse=True)
def silence() -> Iterator[None]:
    """Processes die all the time, and say so."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.configure(**before)


def test_no_cent_is_lost_whatever_goes_wrong_between_two_steps() -> None:
    """Every prefix of the log sums to zero, nobody is below zero, and each id has one effect."""
    outcome = undergo(plan_of(SEED, COMMANDS))
    assert [] == outcome.missing()
    assert COMMANDS <= outcome.commands
    assert outcome.effects == outcome.events


WRONGS: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "the log takes whatever comes, from whomever": lambda: patch("libs.eventlog.memory._refusal", lambda *_: None),
    "the ledger forgets what it has granted": lambda: patch("libs.ledger.entries.repeated", lambda *_: None),
    "the ledger lets players be overdrawn": lambda: patch("libs.ledger.entries.overdrawn", lambda _: []),
}


@pytest.mark.parametrize("wrong", WRONGS)
def test_an_ordeal_finds_what_is_wrong(wrong: str) -> None:
    """Money that is made, lost or doubled, and an account below zero."""
    with WRONGS[wrong](), pytest.raises(AssertionError):
        undergo(plan_of(SEED, COMMANDS))
