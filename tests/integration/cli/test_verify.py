"""`tapis verify` and `tapis verify-draws` on a real log, also on one that was tampered with."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from libs.cli import exits
from libs.kernel.ids import WALLET_SHARD
from tests.kit.memory_house import PIT
from tests.kit.tampering import Events, another_log, forged

pytestmark = pytest.mark.redis


def test_verify_says_that_all_is_well(tapis: Any) -> None:
    """A true log verifies with code 0."""
    result = tapis("verify")
    assert exits.OK == result.exit_code, result.output
    assert result.stdout.splitlines()[-1] == "verified"
    assert "2 coups (2 settled, 0 void), 3 wagers, each settled or given back once: yes" in result.stdout
    assert "draws follow from the seeds that were promised: yes" in result.stdout
    assert "decided again by the rules: 2 settlements, 0 releases and 0 voids follow: yes" in result.stdout
    report = json.loads(tapis("verify", "--json").stdout)
    assert (True, [], 0) == (report["ok"], report["faults"], report["total"])
    assert (2, {}) == (report["redecided"]["settlements"], report["redecided"]["not_checked"])


def test_verify_names_the_first_bad_event(tapis: Any, site: Path) -> None:
    """A log that somebody changed in the server verifies with code 3, and the event is named."""

    def alter(records: list[bytes]) -> list[bytes]:
        return [*records[:2], records[2].replace(b"50000", b"60000"), *records[3:]]

    with another_log(site, WALLET_SHARD, "ledger/1", alter):
        result = tapis("verify")
        assert exits.VERIFICATION_FAILED == tapis("replay", "ledger").exit_code
    assert exits.VERIFICATION_FAILED == result.exit_code, result.output
    assert "FAULT ledger/1 at version 3" in result.stdout
    assert "NOT verified" in result.stdout
    assert exits.OK == tapis("verify").exit_code


def test_verify_decides_again(tapis: Any, site: Path) -> None:
    """Another outcome in the log, all hashes made anew: the rules do not say so, exit code 3, both sides are told."""

    def turn(events: Events) -> None:
        next(body for _, body in events if body["type"] == "table.CoupSettled")["outcome"] = "99"

    with another_log(site, PIT, "roue-1/1", lambda records: forged(records, turn)):
        result: Result = tapis("verify")
    assert exits.VERIFICATION_FAILED == result.exit_code
    assert "1 settlements, 0 releases and 0 voids follow: no" in result.stdout
    assert 'table.CoupSettled: outcome is "99", by the rules "' in result.stdout
    assert exits.OK == tapis("verify").exit_code


def test_verify_draws_computes_every_coup_again(tapis: Any) -> None:
    """A line a coup: those that are over agree, the running one and the next are not revealed yet."""
    result: Result = tapis("verify-draws", "roue-1")
    assert exits.OK == result.exit_code
    verdicts = [line for line in result.stdout.splitlines() if line.startswith("roue-1 session 1 coup")]
    assert [True, True, False, False] == [line.endswith(" agrees") for line in verdicts]
    assert "2 agrees, 2 not revealed yet" == result.stdout.splitlines()[-1]


def test_verify_draws_of_one_coup_as_json(tapis: Any) -> None:
    """The public data of a coup and what comes of it, for other programs and for the page of the display."""
    result: Result = tapis("verify-draws", "roue-1", "--session", "1", "--coup", "2", "--json")
    (line,) = [json.loads(text) for text in result.stdout.splitlines()]
    assert ("agrees", 2, "seed:pit-1/roue-1/1/2") == (
        line["judgement"]["verdict"],
        line["proof"]["coup"],
        line["proof"]["seed_id"],
    )


def test_verify_draws_names_the_coup_that_differs(tapis: Any, site: Path) -> None:
    """Somebody has changed a value in the table's log and made all hashes anew: the seed tells, with exit code 3."""

    def turn(events: Events) -> None:
        body = next(body for _, body in events if body["type"] == "table.DrawReceived")
        body["values"] = [(body["values"][0] + 1) % 52]

    with another_log(site, PIT, "roue-1/1", lambda records: forged(records, turn)):
        result: Result = tapis("verify-draws", "roue-1")
    assert exits.VERIFICATION_FAILED == result.exit_code
    assert "coup 1    settled    1 draw    DIFFERS" in result.stdout
    assert "the seed gives" in result.stdout
    assert exits.OK == tapis("verify-draws", "roue-1").exit_code


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("verify-draws", "roue-9"), "no table roue-9 in the log; there are: roue-1\n"),
        (("verify-draws", "ledger"), "no table ledger in the log"),
        (("verify-draws", "roue-1", "--session", "7"), "has no session 7"),
        (("verify-draws", "roue-1", "--coup", "99"), "has no coup 99"),
    ],
)
def test_verify_draws_says_what_is_not_there(tapis: Any, words: tuple[str, ...], sentence: str) -> None:
    """Another table, session or coup than there is: a sentence and the code 4."""
    result: Result = tapis(*words)
    assert exits.NOT_FOUND == result.exit_code
    assert sentence in result.stderr
