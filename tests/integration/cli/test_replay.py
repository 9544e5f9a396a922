"""`tapis replay` on a real log: every event, up to a version or a time, and the state."""

import json
from typing import Any

import pytest

from libs.cli import exits
from tests.kit.memory_house import START_MS

pytestmark = pytest.mark.redis


def test_replay_prints_every_event_and_the_state(tapis: Any) -> None:
    """Replaying a table shows each event with version, time and speaker, and what lies on the layout at the end."""
    result = tapis("replay", "roue-1")
    assert exits.OK == result.exit_code, result.output
    lines = result.stdout.splitlines()
    assert lines[0].split()[0] == "1"
    assert "table.SessionPrepared" in lines[0]
    assert "technician-1 (technician)" in lines[0]
    assert "2023-11-14T23:13:20.000+01:00" in lines[0], "the time of the site's zone"
    assert any("table.WagerPlaced" in line and "amount 3.00" in line for line in lines)
    assert "player-1, credit " in result.stdout
    assert "3.00 on 16" in result.stdout
    told = [line for line in lines if line[:6].strip().isdecimal()]
    assert all("  table." in line[80:90] or "  wheel." in line[80:90] for line in told), "in columns, whoever speaks"
    assert "betting, coup 3" in result.stdout


def test_replay_stops_at_a_version(tapis: Any) -> None:
    """`--at 3` shows three events, and the state of that moment."""
    result = tapis("replay", "roue-1", "--at", "3")
    numbered = [line for line in result.stdout.splitlines() if line[:6].strip().isdecimal()]
    assert 3 == len(numbered)
    assert "roue-1/1 at version 3" in result.stdout


def test_replay_stops_at_a_time(tapis: Any) -> None:
    """`--at` with a time shows what had happened by then."""
    result = tapis("replay", "roue-1", "--at", "2023-11-14T22:13:20Z", "--json")
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert {START_MS} == {record["at_ms"] for record in records[:-1]}
    assert 1 == records[-1]["state"]["coup"]
    before = tapis("replay", "roue-1", "--at", "2020-01-01")
    assert "before the first event" in before.stdout


def test_replay_as_json_gives_the_records_and_the_state(tapis: Any) -> None:
    """`--json` prints the records as they are in the log, and at last the state with the hash of the last event."""
    lines = [json.loads(line) for line in tapis("replay", "roue-1", "--json").stdout.splitlines()]
    *records, last = lines
    assert list(range(1, len(records) + 1)) == [record["version"] for record in records]
    assert records[-1]["hash"] == last["hash"]
    assert {"16": 300} == last["state"]["seats"]["1"]["stakes"]


def test_replay_of_the_ledger_shows_all_accounts(tapis: Any) -> None:
    """The ledger replays too: accounts that sum to zero; of those that are at zero themselves, how many."""
    result = tapis("replay", "ledger")
    told = result.stdout.split("at version")[1]
    assert "seat:roue-1:1" in told
    assert "pending:buy-in" not in told
    assert "(accounts at zero: 2)" in told, "this one, and that of the player whose chips are all at the table"
    assert "0.00" == result.stdout.split("sum of all accounts")[1].split()[0]
