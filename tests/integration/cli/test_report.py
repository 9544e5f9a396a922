"""`tapis report` on a real log: the day, a table, a player."""

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from libs.cli import exits
from libs.runtime.tokens import generate_keys

pytestmark = pytest.mark.redis


def test_report_day_tells_the_day_in_each_form(tapis: Any) -> None:
    """The running day as text, JSON and CSV: the same figures, and the same bytes each time."""
    told = {form: tapis("report", "day", *form.split()) for form in ("", "--json", "--csv")}
    for form, result in told.items():
        assert exits.OK == result.exit_code, result.output
        assert result.stdout == tapis("report", "day", *form.split()).stdout
    report = json.loads(told["--json"].stdout)
    assert ("2023-11-14", "open", "Europe/Paris") == (report["day"], report["status"], report["timezone"])
    assert (50_000, 1_000, 2) == tuple(report["totals"][name] for name in ("drop", "handle", "coups"))
    assert "wheel (non classé / unclassified)" in told[""].stdout, "the floor file's rules begin later"
    assert "roue-1" in told[""].stdout
    (row,) = csv.DictReader(told["--csv"].stdout.splitlines())
    assert ("roue-1", str(report["totals"]["win"])) == (row["table"], row["win"])


def test_report_table_and_player(tapis: Any) -> None:
    """One table's and one player's day; an unknown table, player or day is not found."""
    table = json.loads(tapis("report", "table", "roue-1", "--json").stdout)
    assert (50_000, []) == (table["result"]["drop"], table["voids"])
    assert "enjeux / handle" in tapis("report", "table", "roue-1").stdout
    assert 2 == len(tapis("report", "table", "roue-1", "--csv").stdout.splitlines())
    player = json.loads(tapis("report", "player", "player-1", "--json").stdout)
    assert (0, 0, 1_000) == (player["before"], player["after"], player["staked"])
    assert 3 == len(tapis("report", "player", "player-1", "--csv").stdout.splitlines())
    nobody = tapis("report", "player", "player-9")
    assert (exits.NOT_FOUND, "") == (nobody.exit_code, nobody.stdout)
    assert "there is no player player-9 on 2023-11-14" in nobody.stderr
    for name in ("roue-9", "ledger"):
        no_table = tapis("report", "table", name)
        assert exits.NOT_FOUND == no_table.exit_code
        assert f"no table {name} in the log; there are: roue-1\n" in no_table.stderr
    assert exits.NOT_FOUND == tapis("report", "day", "2023-11-13").exit_code
    assert exits.USAGE == tapis("report", "day", "yesterday").exit_code


def test_parquet_without_its_extra_is_one_sentence(tapis: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pyarrow is not installed, `--parquet` says how to get it, before anything is read; no file is made."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for words in (["day"], ["table", "roue-1"], ["player", "player-1"]):
        result = tapis("report", *words, "--parquet", str(tmp_path / "day.parquet"))
        assert (exits.FAILURE, "") == (result.exit_code, result.stdout)
        assert result.stderr.startswith("tapis: --parquet needs pyarrow, the extra `parquet`: `make parquet`")
        assert 1 == len(result.stderr.splitlines())
    assert [] == list(tmp_path.iterdir())
    for pair in (("--json", "--csv"), ("--csv", "--parquet=x"), ("--sign=key.pem", "--csv")):
        assert exits.USAGE == tapis("report", "day", *pair).exit_code


def test_a_running_day_is_not_signed(tapis: Any, tmp_path: Path) -> None:
    """A signature is for a closed day; what no key has signed does not pass the check."""
    private, public = generate_keys(tmp_path)
    result = tapis("report", "day", "--sign", str(private))
    assert (exits.FAILURE, "") == (result.exit_code, result.stdout)
    (tmp_path / "day.jws").write_text("e30.e30.e30")
    result = tapis("report", "check", str(tmp_path / "day.jws"), "--key", str(public))
    assert exits.VERIFICATION_FAILED == result.exit_code
