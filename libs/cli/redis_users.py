"""`tapis redis-users`: the access list of a site's Redis, and the address by which each service comes in."""

import os
import re
import secrets
from pathlib import Path

from libs.eventlog import acl
from libs.runtime.floor import load_floor

LIST_FILE = "users.acl"


def write_users(floor: Path, folder: Path, address: str) -> tuple[str, ...]:
    """Write `users.acl` and `<user>.url` for each user into a folder; passwords that are there already are kept.

    Returns the users. Raises `FloorError` and `ValueError`.
    """
    plan = load_floor(floor)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    passwords = {user: _password(folder / f"{user}.url") for user in (*acl.SERVICES, acl.AUDITOR)}
    lines = acl.users(plan.site.name, [pit.name for pit in plan.pits], plan.site.wallets, passwords)
    _write(folder / LIST_FILE, "".join(f"{line}\n" for line in lines))
    for user, password in passwords.items():
        _write(folder / f"{user}.url", f"redis://{user}:{password}@{address}/0\n")
    return tuple(passwords)


def _password(file: Path) -> str:
    """Return the password in an address that was written before, else a new one."""
    if file.exists():
        found = re.fullmatch(r"redis://[a-z_]+:([A-Za-z0-9_-]+)@\S+\n?", file.read_text(encoding="ascii"))
        if found is None:
            raise ValueError(f"{file} is no address that this command has written; delete it for a new password")
        return found[1]
    return secrets.token_urlsafe(32)


def _write(file: Path, text: str) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as opened:
        opened.write(text)
