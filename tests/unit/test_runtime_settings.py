"""Settings come from the environment; a bad one is refused with a sentence that names it."""

from pathlib import Path

import pytest

from libs.runtime.settings import Settings, SettingsError, load_settings

GOOD = {"REDIS_URL": "redis://127.0.0.1:6379/0"}


def test_only_the_address_of_the_log_is_needed() -> None:
    """Everything else has a default, and the default is the durable promise."""
    settings = load_settings(GOOD)
    assert Settings(redis_url=GOOD["REDIS_URL"], site="site-a", instance=settings.instance) == settings
    assert ("durable", 5_000, 8080) == (settings.durability, settings.lease_ms, settings.http_port)
    assert settings.instance


def test_all_settings_are_read(tmp_path: Path) -> None:
    """Each variable reaches its field."""
    floor, key = tmp_path / "floor.toml", tmp_path / "key.pem"
    floor.touch()
    key.touch()
    settings = load_settings(
        {
            "REDIS_URL": "rediss://name:word@redis.example:6380/1",
            "TAPIS_SITE": "rivage",
            "TAPIS_INSTANCE": "wallet-7f.b_1",
            "TAPIS_FLOOR": str(floor),
            "TAPIS_DURABILITY": "relaxed",
            "TAPIS_HTTP_HOST": "0.0.0.0",
            "TAPIS_HTTP_PORT": "0",
            "TAPIS_HTTP_FD": "7",
            "TAPIS_LEASE_MS": "500",
            "TAPIS_LOG_LEVEL": "DEBUG",
            "TAPIS_TOKEN_PUBLIC_KEY_FILE": str(key),
        }
    )
    assert (
        Settings(
            redis_url="rediss://name:word@redis.example:6380/1",
            site="rivage",
            instance="wallet-7f.b_1",
            floor=floor,
            durability="relaxed",
            http_host="0.0.0.0",
            http_port=0,
            http_fd=7,
            lease_ms=500,
            log_level="debug",
            token_public_key_file=key,
        )
        == settings
    )


@pytest.mark.parametrize("url", ["redis://h", "redis://[::1]:6379", "unix:///run/redis.sock", "rediss://u:p@h:1/2"])
def test_addresses_of_the_log(url: str) -> None:
    """TCP, TLS and unix sockets are understood."""
    assert url == load_settings({"REDIS_URL": url}).redis_url


def test_the_address_may_be_in_a_file(tmp_path: Path) -> None:
    """A secret mounted as a file keeps the password out of the environment."""
    file = tmp_path / "url"
    file.write_text("redis://:secret@h:6379/0\n")
    assert "redis://:secret@h:6379/0" == load_settings({"REDIS_URL_FILE": str(file)}).redis_url


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("REDIS_URL", "", "REDIS_URL is missing or not a redis://"),
        ("REDIS_URL", "http://h:6379", "REDIS_URL is missing or not a redis://"),
        ("REDIS_URL", "redis://", "REDIS_URL is missing or not a redis://"),
        ("REDIS_URL", "redis://:6379", "REDIS_URL names no host"),
        ("REDIS_URL", "redis://h:port", "port that is not a number"),
        ("REDIS_URL", "redis://h:70000", "port that is not a number"),
        ("REDIS_URL", "redis://h:0", "port that is not a number"),
        ("REDIS_URL_FILE", "/nowhere", "REDIS_URL_FILE names /nowhere, which cannot be read: No such file"),
        ("TAPIS_SITE", "", "TAPIS_SITE is ''"),
        ("TAPIS_SITE", "site{a}", "TAPIS_SITE is 'site{a}'; expected a name of letters"),
        ("TAPIS_SITE", "site\n", "TAPIS_SITE is"),
        ("TAPIS_SITE", "s" * 64, "TAPIS_SITE is"),
        ("TAPIS_INSTANCE", "a b", "TAPIS_INSTANCE is 'a b'"),
        ("TAPIS_DURABILITY", "eternal", "TAPIS_DURABILITY is 'eternal'; expected 'relaxed', 'durable' or 'replicated'"),
        ("TAPIS_HTTP_HOST", "", "TAPIS_HTTP_HOST is ''; expected an address"),
        ("TAPIS_HTTP_HOST", "a b", "TAPIS_HTTP_HOST is 'a b'"),
        ("TAPIS_HTTP_PORT", "", "TAPIS_HTTP_PORT is ''; expected a whole number from 0 to 65535"),
        ("TAPIS_HTTP_PORT", "70000", "TAPIS_HTTP_PORT is '70000'"),
        ("TAPIS_HTTP_PORT", "-1", "TAPIS_HTTP_PORT is '-1'"),
        ("TAPIS_HTTP_PORT", "８０", "TAPIS_HTTP_PORT is '８０'"),
        ("TAPIS_HTTP_FD", "-1", "TAPIS_HTTP_FD is '-1'; expected a whole number from 0 to 65535"),
        ("TAPIS_LEASE_MS", "499", "TAPIS_LEASE_MS is '499'; expected a whole number from 500 to 120000"),
        ("TAPIS_LEASE_MS", "5s", "TAPIS_LEASE_MS is '5s'"),
        ("TAPIS_LOG_LEVEL", "loud", "TAPIS_LOG_LEVEL is 'loud'; expected one of debug, info, warning, error"),
        ("TAPIS_FLOOR", "/nowhere.toml", "TAPIS_FLOOR names /nowhere.toml, which is not a file"),
        ("TAPIS_TOKEN_PUBLIC_KEY_FILE", "/", "TAPIS_TOKEN_PUBLIC_KEY_FILE names /, which is not a file"),
    ],
)
def test_a_bad_value_is_refused_with_a_sentence(variable: str, value: str, sentence: str) -> None:
    """The sentence names the variable, what it is, and what is expected."""
    with pytest.raises(SettingsError) as caught:
        load_settings(GOOD | {variable: value})
    assert sentence in str(caught.value)


def test_the_password_is_never_shown(tmp_path: Path) -> None:
    """An address that cannot be used may hold a password: the sentence does not repeat it."""
    file = tmp_path / "url"
    file.write_bytes(b"redis://:secret\xff@h")
    for env in ({"REDIS_URL": "redis://:secret@h:port"}, {"REDIS_URL": "secret"}, {"REDIS_URL_FILE": str(file)}):
        with pytest.raises(SettingsError) as caught:
            load_settings(env)
        assert "secret" not in str(caught.value)
