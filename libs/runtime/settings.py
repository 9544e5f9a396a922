"""Settings of a service: read from the environment once, checked, and refused with a clear sentence."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast, get_args

import msgspec

from libs.eventlog.primary import BadAddress, check_address
from libs.eventlog.server_check import Durability
from libs.kernel.limits import MAX_LEASE_MS

LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingsError(Exception):
    """A setting is missing or makes no sense; the message says which and what is expected."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a service needs to know before it starts; docs/operations.md lists the variables."""

    redis_url: str
    site: str
    instance: str
    """Name of this process among the replicas of its service."""
    floor: Path | None = None
    durability: Durability = "durable"
    http_host: str = "127.0.0.1"
    http_port: int = 8080
    http_fd: int | None = None
    """A socket that listens already, inherited from whoever started this process; then host and port say nothing."""
    lease_ms: int = 5_000
    log_level: str = "info"
    token_public_key_file: Path | None = None
    rng_seal_keys: Path | None = None
    rng_give_up_seeds: bool = False
    person_keys_file: Path | None = None
    """Keys of the register of persons; for the gateway alone."""


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from the environment; raises `SettingsError` that names the variable."""
    env = os.environ if environ is None else environ
    durability = env.get("TAPIS_DURABILITY", "durable")
    if durability not in get_args(Durability):
        raise SettingsError(f"TAPIS_DURABILITY is {durability!r}; expected 'relaxed', 'durable' or 'replicated'")
    log_level = env.get("TAPIS_LOG_LEVEL", "info").lower()
    if log_level not in LOG_LEVELS:
        raise SettingsError(f"TAPIS_LOG_LEVEL is {log_level!r}; expected one of {', '.join(LOG_LEVELS)}")
    return Settings(
        redis_url=_redis_url(env),
        site=_name(env, "TAPIS_SITE", "site-a"),
        instance=_name(env, "TAPIS_INSTANCE", f"{os.uname().nodename}-{os.getpid()}"),
        floor=_file(env, "TAPIS_FLOOR"),
        durability=cast("Durability", durability),
        http_host=_host(env),
        http_port=_number(env, "TAPIS_HTTP_PORT", 8080, 0, 65_535),
        http_fd=_number(env, "TAPIS_HTTP_FD", 0, 0, 65_535) if env.get("TAPIS_HTTP_FD") else None,
        lease_ms=_number(env, "TAPIS_LEASE_MS", 5_000, 500, MAX_LEASE_MS),
        log_level=log_level,
        token_public_key_file=_file(env, "TAPIS_TOKEN_PUBLIC_KEY_FILE"),
        rng_seal_keys=_file(env, "TAPIS_RNG_SEAL_KEYS_FILE"),
        rng_give_up_seeds=_yes(env, "TAPIS_RNG_GIVE_UP_SEEDS"),
        person_keys_file=_file(env, "TAPIS_PERSON_KEYS_FILE"),
    )


def _redis_url(env: Mapping[str, str]) -> str:
    """Return the URL of the log's server, from the variable or from the file that `REDIS_URL_FILE` names."""
    named = env.get("REDIS_URL_FILE")
    if named:
        try:
            url = Path(named).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise SettingsError(f"REDIS_URL_FILE names {named}, which cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise SettingsError(f"REDIS_URL_FILE names {named}, which is not text") from error
    else:
        url = env.get("REDIS_URL", "")
    try:
        check_address(url)
    except BadAddress as error:
        # It may hold a password: it is never shown.
        raise SettingsError(f"REDIS_URL {error}") from error
    return url


def _host(env: Mapping[str, str]) -> str:
    value = env.get("TAPIS_HTTP_HOST", "127.0.0.1")
    if not re.fullmatch(r"[A-Za-z0-9.:_-]+", value):
        raise SettingsError(f"TAPIS_HTTP_HOST is {value!r}; expected an address such as 127.0.0.1, or 0.0.0.0 for all")
    return value


def _name(env: Mapping[str, str], variable: str, default: str) -> str:
    value = env.get(variable, default)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}", value):
        raise SettingsError(f"{variable} is {value!r}; expected a name of letters, digits, dots and dashes")
    return value


def _number(env: Mapping[str, str], variable: str, default: int, low: int, high: int) -> int:
    text = env.get(variable, str(default))
    if not (text.isascii() and text.isdecimal()) or not low <= int(text) <= high:
        raise SettingsError(f"{variable} is {text!r}; expected a whole number from {low} to {high}")
    return int(text)


def _yes(env: Mapping[str, str], variable: str) -> bool:
    text = env.get(variable, "")
    if text not in ("", "no", "yes"):
        raise SettingsError(f"{variable} is {text!r}; expected 'yes' or 'no'")
    return text == "yes"


def _file(env: Mapping[str, str], variable: str) -> Path | None:
    text = env.get(variable)
    if not text:
        return None
    path = Path(text)
    if not path.is_file():
        raise SettingsError(f"{variable} names {text}, which is not a file")
    return path
