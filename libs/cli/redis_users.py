"""`tapis redis-users`: the access list of a site's Redis, and the address by which each service comes in."""

import os
import re
import secrets
from pathlib import Path

from libs.eventlog import acl
from libs.eventlog.primary import check_address
from libs.runtime.floor import load_floor

LIST_FILE = "users.acl"

_ADDRESS = r"redis(?:\+sentinel)?://[a-z_]+:([A-Za-z0-9_-]+)@\S+\n?"
_WORD = r"([A-Za-z0-9_-]+)\n?"


def write_users(floor: Path, folder: Path, address: str, name: str = "") -> tuple[str, ...]:
    """Write `users.acl` and `<user>.url` for each user into a folder; passwords that are there already are kept.

    With the `name` of the primary at its sentinels, `address` is a list of these, and the server's replicas and
    sentinels are users too, with `<user>.password`. Returns the users. Raises `FloorError` and `ValueError`.
    """
    kind, place = ("redis+sentinel", f"{address}/{name}/0") if name else ("redis", f"{address}/0")
    check_address(f"{kind}://{place}")
    plan = load_floor(floor)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    passwords = {user: _password(folder / f"{user}.url", _ADDRESS) for user in (*acl.SERVICES, acl.AUDITOR)}
    others = {user: _password(folder / f"{user}.password", _WORD) for user in acl.REPLICATION if name}
    lines = acl.users(plan.site.name, [pit.name for pit in plan.pits], plan.site.wallets, passwords | others)
    _write(folder / LIST_FILE, "".join(f"{line}\n" for line in lines))
    for user, password in passwords.items():
        _write(folder / f"{user}.url", f"{kind}://{user}:{password}@{place}\n")
    for user, password in others.items():
        _write(folder / f"{user}.password", f"{password}\n")
    return (*passwords, *others)


def _password(file: Path, form: str) -> str:
    """Return the password in a file that was written before, else a new one."""
    if file.exists():
        found = re.fullmatch(form, file.read_text(encoding="ascii"))
        if found is None:
            raise ValueError(f"{file} is not as this command has written it; delete it for a new password")
        return found[1]
    return secrets.token_urlsafe(32)


def _write(file: Path, text: str) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as opened:
        opened.write(text)
