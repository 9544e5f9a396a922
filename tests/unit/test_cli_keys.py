"""Commands that write keys and users: they say what they wrote and what is next, and never a secret."""

import re
from pathlib import Path

from typer.testing import CliRunner

from libs.cli import exits
from libs.cli.main import app
from libs.eventlog import acl
from libs.runtime.seals import read_keys
from tests.kit.house import ROOT


def test_a_seal_key_is_added(tmp_path: Path) -> None:
    """`tapis seal-key` makes a file that the RNG can read, says so, and does not add a name twice."""
    path = tmp_path / "seal-keys"
    made = CliRunner().invoke(app, ["seal-key", str(path), "--name", "first"])
    assert (exits.OK, "") == (made.exit_code, made.stdout)
    assert f"key first is the last line of {path}" in made.stderr
    assert not re.search("[0-9a-f]{64}", made.output)
    assert exits.OK == CliRunner().invoke(app, ["seal-key", str(path), "--name", "second"]).exit_code
    assert ("first", "second") == read_keys(path).names
    assert exits.USAGE == CliRunner().invoke(app, ["seal-key", str(path), "--name", "first"]).exit_code


def test_a_person_key_is_added(tmp_path: Path) -> None:
    """`tapis person-key` says what it has written and what to do with it, and never a key."""
    path = tmp_path / "person-keys"
    words = ("keys index and first", "key second")
    for name, said in zip(("first", "second"), words, strict=True):
        made = CliRunner().invoke(app, ["person-key", str(path), "--name", name])
        assert (exits.OK, "") == (made.exit_code, made.stdout)
        assert f"tapis: {said} written to {path}" in made.stderr
        assert not re.search("[0-9a-f]{64}", made.output)


def test_the_users_of_a_site_are_written(tmp_path: Path) -> None:
    """Run again, `tapis redis-users` keeps the passwords; a deleted one is made anew. Only the owner may read them."""
    words = ["redis-users", str(ROOT / "floor.toml"), str(tmp_path / "secrets"), "--address", "redis:6379"]
    made = CliRunner().invoke(app, words)
    assert (exits.OK, "") == (made.exit_code, made.stdout)
    assert "users.acl has rng, wallet" in made.stderr
    files = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert {"users.acl", *(f"{user}.url" for user in (*acl.SERVICES, acl.AUDITOR))} == files.keys()
    assert {0o600} == {path.stat().st_mode & 0o777 for path in (tmp_path / "secrets").iterdir()}
    assert files["rng.url"].startswith("redis://rng:")
    assert not [url for url in files.values() if url.split("@")[0] in made.output]
    (tmp_path / "secrets" / "wallet.url").unlink()
    assert exits.OK == CliRunner().invoke(app, words).exit_code
    again = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert {"users.acl", "wallet.url"} == {name for name in files if files[name] != again[name]}
    (tmp_path / "secrets" / "rng.url").write_text("redis://elsewhere")
    assert exits.USAGE == CliRunner().invoke(app, words).exit_code


def test_the_users_of_a_replicated_server_are_written(tmp_path: Path) -> None:
    """Services find it by its sentinels; its replicas and sentinels are users too, with passwords of their own."""
    where = ["--address", "s-0:26379,s-1:26379", "--sentinel", "tapis"]
    words = ["redis-users", str(ROOT / "floor.toml"), str(tmp_path)]
    assert exits.OK == CliRunner().invoke(app, [*words, *where]).exit_code
    files = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert re.fullmatch(r"redis\+sentinel://rng:\S+@s-0:26379,s-1:26379/tapis/0\n", files["rng.url"])
    assert {f"{user}.password" for user in acl.REPLICATION} == {name for name in files if name.endswith(".password")}
    assert all(f"user {user} reset on #" in files["users.acl"] for user in acl.REPLICATION)
    assert exits.OK == CliRunner().invoke(app, [*words, *where]).exit_code
    assert files == {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert exits.USAGE == CliRunner().invoke(app, [*words, "--address", "s-0:x", "--sentinel", "tapis"]).exit_code
