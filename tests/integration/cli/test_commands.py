"""The `tapis` command on a real log: what it prints, and the code it ends with."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis
from typer.testing import CliRunner

from libs.cli import exits
from libs.cli.main import app
from libs.runtime.local.embedded import EmbeddedServer
from libs.runtime.local.note import RunNote
from libs.runtime.tokens import Verifier, generate_keys, load_public_keys
from tests.kit.brief_evening import play
from tests.kit.house import ROOT

pytestmark = pytest.mark.redis


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
        (("tables", "--redis-url", "http://127.0.0.1"), exits.USAGE, "the server's address is missing or not"),
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
