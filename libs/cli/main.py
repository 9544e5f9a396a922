"""The `tapis` command.

Data go to standard output, notes to standard error. Exit codes: 0 ok, 1 failure, 2 usage, 3 verification failed,
4 not found, 5 the log's server is unavailable. Each command imports what it needs when it runs, so that `--help` is
quick.
"""

from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libs.cli import exits
from libs.cli.options import EPILOG, LOCAL, Folder, Json, RedisUrl, SiteName, Where, grouped
from libs.cli.report.commands import report

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from libs.cli.where import Site


app = typer.Typer(
    name="tapis",
    help="Run, replay and verify the tables of a casino.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
)
token = typer.Typer(help="Signed tokens: who speaks at the door.", no_args_is_help=True)
app.add_typer(token, name="token")
app.add_typer(report, name="report")


@app.command(epilog=EPILOG)
def run(
    folder: Folder = LOCAL,
    floor: Annotated[Path, typer.Option(help="The floor file: site, pits, tables.")] = Path("floor.toml"),
    redis_url: RedisUrl = None,
    durability: Annotated[
        str, typer.Option(help="relaxed, durable or replicated.", envvar="TAPIS_DURABILITY")
    ] = "durable",
    seconds: Annotated[float | None, typer.Option(help="Stop by itself after so many seconds.")] = None,
    players: Annotated[int, typer.Option(help="Bot players at each table.", min=0)] = 5,
    bots: Annotated[bool, typer.Option(help="Whether bots staff and play the tables.")] = True,
    fast: Annotated[bool, typer.Option("--fast", help="Short betting windows.")] = False,
) -> None:
    """Run a whole casino on this machine until Ctrl-C: server, services, bots, pages."""
    from libs.runtime.local.casino import LocalPlan
    from libs.runtime.local.supervisor import run as run_casino

    plan = LocalPlan(
        folder=folder,
        floor=floor,
        redis_url=redis_url,
        durability=durability,
        players=players,
        bots=bots,
        fast=fast,
    )
    raise typer.Exit(run_casino(plan, seconds))


@app.command(epilog=EPILOG)
@grouped
def replay(
    table: Annotated[str, typer.Argument(help="A table, or `ledger`, or `draws`.")],
    session: Annotated[int | None, typer.Option(help="Session (volume); the last one by default.", min=1)] = None,
    at: Annotated[str | None, typer.Option(help="A version, or an ISO 8601 time (the site's if no zone).")] = None,
    as_json: Json = False,
    *,
    where: Where,
) -> None:
    """Rebuild a table from the log alone; print its events and the state that they make.

    Examples: `tapis replay roue-1`, `tapis replay roue-1 --session 2 --at 40`, `tapis replay ledger --at
    2026-11-29T21:30`. With --json: the records as they are in the log, then one object with the state.
    """
    from libs.cli.replay import parse_until
    from libs.cli.replay import replay as do_replay

    try:
        parse_until(at, UTC)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error

    async def work(site: "Site") -> int:
        await do_replay(site, table, session, at, as_json)
        return exits.OK

    _read(where, work)


@app.command(epilog=EPILOG)
@grouped
def verify(as_json: Json = False, *, where: Where) -> None:
    """Check hash chains, versions, ledger entries, wagers, every coup's draws, and that ledger and tables agree."""
    from libs.cli import verify as work

    _read(where, lambda site: work.verify(site, as_json))


@app.command(epilog=EPILOG)
@grouped
def verify_draws(
    table: Annotated[str, typer.Argument(help="A table.")],
    session: Annotated[int | None, typer.Option(help="Session; all by default.", min=1)] = None,
    coup: Annotated[int | None, typer.Option(help="Coup; all by default.", min=1)] = None,
    as_json: Json = False,
    *,
    where: Where,
) -> None:
    """Compute the draws of a table's coups again: the seed fits its commitment, and the values follow from it.

    Ends with 3 when something differs. With --json, each `proof` is what the display's page takes.
    """
    from libs.cli import proofs

    _read(where, lambda site: proofs.verify_draws(site, table, session, coup, as_json))


@app.command(epilog=EPILOG)
@grouped
def tables(as_json: Json = False, *, where: Where) -> None:
    """List the tables as the log says they are."""
    from libs.cli import tables as work

    _read(where, lambda site: work.tables(site, as_json))


@app.command(epilog=EPILOG)
@grouped
def doctor(
    as_json: Json = False,
    durability: Annotated[
        str, typer.Option(help="What the server must promise.", envvar="TAPIS_DURABILITY")
    ] = "durable",
    *,
    where: Where,
) -> None:
    """Look at the server's version and durability, and at each shard's owner, lag and parked commands."""
    from libs.cli import doctor as work

    _read(where, lambda site: work.doctor(site, durability, as_json))


@app.command(epilog=EPILOG)
@grouped
def parked(as_json: Json = False, *, where: Where) -> None:
    """List the commands that could not be handled, with the reason."""
    from libs.cli import doctor as work

    _read(where, lambda site: work.parked(site, as_json))


@app.command(epilog=EPILOG)
def seal_key(
    file: Annotated[Path, typer.Argument(help="The file of keys; made if there is none.")],
    name: Annotated[str, typer.Option(help="What the new key is called, such as the month.")],
) -> None:
    """Add a fresh key to the file that opens the RNG's seeds; it seals from the RNG's next start on, all open."""
    from libs.cli.output import say
    from libs.cli.where import fail
    from libs.runtime.keyfile import KeyFileError
    from libs.runtime.seals import add_key

    try:
        add_key(file, name)
    except KeyFileError as error:
        fail(exits.USAGE, str(error))
    say(f"key {name} is the last line of {file}: give it to the RNG (TAPIS_RNG_SEAL_KEYS_FILE) and restart it")


@app.command(epilog=EPILOG)
def person_key(
    file: Annotated[Path, typer.Argument(help="The file of keys; made, with its index key, if there is none.")],
    name: Annotated[str, typer.Option(help="What the new key is called, such as the month.")],
) -> None:
    """Add a fresh key to the file that opens the register of persons; it locks from the gateway's next start on."""
    from libs.cli.output import say
    from libs.cli.where import fail
    from libs.runtime.keyfile import KeyFileError
    from libs.runtime.persons.keyfile import INDEX, add_person_key

    added = f"key {name}" if file.exists() else f"keys {INDEX} and {name}"
    try:
        add_person_key(file, name)
    except KeyFileError as error:
        fail(exits.USAGE, str(error))
    say(
        f"{added} written to {file}: keep a copy apart from every backup of Redis, give the file to the gateways "
        "(TAPIS_PERSON_KEYS_FILE) and restart them"
    )


@app.command(epilog=EPILOG)
def redis_users(
    floor: Annotated[Path, typer.Argument(help="The site's floor file: its name and its pits.")],
    into: Annotated[Path, typer.Argument(help="Folder for the list and the addresses; only its owner may read them.")],
    address: Annotated[str, typer.Option(help="Where the services reach Redis, or its Sentinels.")] = "redis:6379",
    sentinel: Annotated[str, typer.Option(help="Name of the primary there, if --address lists Sentinels.")] = "",
) -> None:
    """Write the access list of a site's Redis, and the address of each service with its password.

    Passwords that are there already are kept: run it again when the floor gets another pit.
    """
    from libs.cli.output import say
    from libs.cli.redis_users import LIST_FILE, write_users
    from libs.cli.where import fail
    from libs.runtime.floor import FloorError

    try:
        users = write_users(floor, into, address, sentinel)
    except (FloorError, ValueError) as error:
        fail(exits.USAGE, str(error))
    say(
        f"{into / LIST_FILE} has {', '.join(users)}: let Redis load it (ACL LOAD), and give each its address, "
        f"{into}/USER.url"
    )


@token.command(epilog=EPILOG)
def mint(
    sub: Annotated[str, typer.Option(help="Who: the id of a person or machine.")],
    role: Annotated[str, typer.Option(help="player, croupier, pit_boss, committee_member, technician, cashier, …")],
    ttl: Annotated[int, typer.Option(help="Good for so many seconds.", min=1)] = 3600,
    folder: Folder = LOCAL,
    site: SiteName = None,
    key: Annotated[Path | None, typer.Option(help="Private key file; the local casino's by default.")] = None,
) -> None:
    """Print a token for the door. Example: `tapis token mint --role player --sub player-1`."""
    from libs.cli.where import fail
    from libs.runtime.local.note import read_note
    from libs.runtime.tokens import PRIVATE_KEY_FILE, KeyUnusable, load_private_key
    from libs.runtime.tokens import mint as do_mint

    note = read_note(folder)
    try:
        private = load_private_key(key or folder / "keys" / PRIVATE_KEY_FILE)
        typer.echo(do_mint(private, sub, role, site or (note.site if note else "site-a"), ttl))
    except KeyUnusable as error:
        fail(exits.NOT_FOUND, str(error))
    except ValueError as error:
        fail(exits.USAGE, str(error))


def _read(where: Where, work: "Callable[[Site], Awaitable[int]]") -> None:
    """Do what a reading command does, and end with its exit code."""
    from libs.cli.where import with_site

    raise typer.Exit(with_site(where, work))


if __name__ == "__main__":
    app()
