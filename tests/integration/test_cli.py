"""The `tapis` command on a real log: what it prints, and the code it ends with."""

import asyncio
import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis
from typer.testing import CliRunner, Result

from libs.cli import exits
from libs.cli.main import app
from libs.eventlog.redis_log import RedisLog
from libs.kernel.ids import WALLET_SHARD
from libs.runtime.local.embedded import EmbeddedServer
from libs.runtime.local.note import RunNote
from libs.runtime.tokens import Verifier, generate_keys, load_public_keys
from libs.table.messages import OpenBetting, PlaceWager
from tests.kit.memory_house import PIT, START_MS, MemoryHouse
from tests.kit.tampering import Events, another_log, forged

pytestmark = pytest.mark.redis

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A local casino's folder: two coups played, a third open. Its server runs."""
    folder = tmp_path_factory.mktemp("casino")
    with EmbeddedServer(folder / "redis") as server:
        note = RunNote(
            site="site-a",
            floor=str(ROOT / "floor.toml"),
            redis_url=server.url,
            embedded=True,
            gateway_url="",
            display_url="",
        )
        (folder / "run.json").write_bytes(msgspec.json.encode(note))
        asyncio.run(play(server.url))
        yield folder


async def play(url: str) -> None:
    log = RedisLog(url, "site-a")
    house = await MemoryHouse(("roue-1",), log).open()
    await house.open_session("roue-1")
    await house.sit_down("player-1", 1, 50_000, "roue-1")
    for _ in range(2):
        await house.play_coup({"player-1": {"2": 500}}, "roue-1")
    await house.staff("croupier", OpenBetting(), "roue-1")
    await house.player("player-1", PlaceWager(spot="16", amount=300), "roue-1")
    await log.send([(PIT, b"garbage")])
    await log.close()


@pytest.fixture
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REDIS_URL", "TAPIS_SITE", "TAPIS_FOLDER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def tapis(site: Path, clean_environment: None) -> Any:
    """Return a function that runs `tapis` on the site's folder."""

    def run(*words: str) -> Result:
        return CliRunner().invoke(app, [*words, "--folder", str(site)])

    return run


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
    assert exits.NOT_FOUND == tapis("report", "table", "roue-9").exit_code
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


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("replay", "roue-9"), exits.NOT_FOUND, "no roue-9 in the log; there are: draws, ledger, roue-1"),
        (("replay", "roue-1", "--session", "7"), exits.NOT_FOUND, "has no session 7"),
        (("replay", "roue-1", "--at", "9999"), exits.NOT_FOUND, "has only"),
        (("replay", "roue-1", "--at", "yesterday"), exits.USAGE, "--at is a version or a time"),
        (("replay", "roue-1", "--session", "0"), exits.USAGE, "--session"),
        (("replay",), exits.USAGE, "Missing argument"),
        (("verify", "--redis-url", "redis://127.0.0.1:1/0"), exits.UNAVAILABLE, "log"),
        (("doctor", "--redis-url", "redis://127.0.0.1:1/0"), exits.UNAVAILABLE, "log"),
    ],
)
def test_what_cannot_be_done_is_said_with_a_code(tapis: Any, words: tuple[str, ...], code: int, sentence: str) -> None:
    """Every failure ends with its documented code and a sentence on standard error; nothing on standard output."""
    result = tapis(*words)
    assert code == result.exit_code, result.output
    assert sentence in " ".join(result.stderr.split())
    assert "Traceback" not in result.output


def test_a_folder_without_a_casino_is_not_found(tmp_path: Path, clean_environment: None) -> None:
    """Without a casino here and without a server's address there is nothing to read."""
    result = CliRunner().invoke(app, ["tables", "--folder", str(tmp_path)])
    assert exits.NOT_FOUND == result.exit_code
    assert "no casino in" in result.stderr


def test_tables_lists_them(tapis: Any) -> None:
    """`tapis tables` tells session, phase and paytable of each; as JSON too."""
    assert "ROUE-MAISON-1, seats taken 1" in tapis("tables").stdout
    line = json.loads(tapis("tables", "--json").stdout)
    assert ("roue-1", "pit-1", 1, "betting", 3) == tuple(line[k] for k in ("table", "pit", "session", "phase", "coup"))


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
        (("verify-draws", "roue-9"), "no roue-9 in the log"),
        (("verify-draws", "ledger"), "is no table"),
        (("verify-draws", "roue-1", "--session", "7"), "has no session 7"),
        (("verify-draws", "roue-1", "--coup", "99"), "has no coup 99"),
    ],
)
def test_verify_draws_says_what_is_not_there(tapis: Any, words: tuple[str, ...], sentence: str) -> None:
    """Another table, session or coup than there is: a sentence and the code 4."""
    result: Result = tapis(*words)
    assert exits.NOT_FOUND == result.exit_code
    assert sentence in result.stderr


def test_doctor_tells_what_needs_a_hand(tapis: Any) -> None:
    """The doctor names engine and durability, and each shard's owner, lag and parked commands."""
    result = tapis("doctor")
    assert "keeps durable" in result.stdout
    assert "owned by house" in result.stdout
    assert "1 waiting" in result.stdout
    findings = [json.loads(line) for line in tapis("doctor", "--json").stdout.splitlines()]
    assert {"server", "pit-1", "rng-0", "wallet-0"} == {finding["about"] for finding in findings}


def test_parked_lists_nothing_when_nothing_is(tapis: Any) -> None:
    """Nothing parked: no data, a note on standard error, code 0."""
    result = tapis("parked")
    assert (exits.OK, "") == (result.exit_code, result.stdout)
    assert "nothing is parked" in result.stderr


def test_token_mint_gives_a_token_that_the_door_accepts(tmp_path: Path, clean_environment: None) -> None:
    """A minted token verifies with the public key; what the door would refuse is not minted."""
    _, public = generate_keys(tmp_path / "keys")
    words = ["token", "mint", "--sub", "player-1", "--folder", str(tmp_path), "--role"]
    result = CliRunner().invoke(app, [*words, "player"])
    actor = Verifier(load_public_keys(public), "site-a").verify(result.stdout.strip())
    assert ("player-1", "player") == (actor.id, actor.role)
    assert exits.USAGE == CliRunner().invoke(app, [*words, "service"]).exit_code
    missing = ["token", "mint", "--sub", "x", "--role", "player", "--folder", str(tmp_path / "nowhere")]
    assert exits.NOT_FOUND == CliRunner().invoke(app, missing).exit_code


def test_a_stopped_casino_can_be_read(tmp_path: Path, clean_environment: None) -> None:
    """When nothing runs, the folder's server is started for the moment, and stopped again."""
    with EmbeddedServer(tmp_path / "redis") as server:
        asyncio.run(play(server.url))
        note = RunNote(site="site-a", floor="", redis_url=server.url, embedded=True, gateway_url="", display_url="")
        (tmp_path / "run.json").write_bytes(msgspec.json.encode(note))
    result = CliRunner().invoke(app, ["tables", "--folder", str(tmp_path)])
    assert exits.OK == result.exit_code, result.output
    assert "roue-1" in result.stdout
    assert "starting its server for the moment" in result.stderr
    with pytest.raises(redis.ConnectionError), redis.Redis.from_url(server.url) as client:
        client.ping()


def test_help_imports_nothing_heavy() -> None:
    """`tapis --help` stays quick: neither redis nor msgspec nor the services are imported for it."""
    program = (
        "import sys; from typer.testing import CliRunner; from libs.cli.main import app; "
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0; "
        "print(sorted({'redis', 'faststream', 'litestar', 'msgspec', 'httpx'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "[]" == ended.stdout.strip()
