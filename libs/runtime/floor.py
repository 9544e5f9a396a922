"""The floor file: which site this is, its pits, and what each table is meant to open with.

`floor.toml` is a plan, not a fact: what really applies to a session is in its `SessionOpened`. Money is in cents.

    [site]
    name = "site-a"
    currency = "EUR"
    timezone = "Europe/Paris"
    cutoff = "06:00"

    [[pits]]
    name = "pit-1"

    [[pits.tables]]
    name = "roue-1"
    game = "wheel"
    paytable = "ROUE-MAISON-1"
    minimum = 100
    float = 500000
    seats = 8
    options = { bonus_stake = 1000 }
"""

import importlib.util
import pkgutil
import tomllib
import zoneinfo
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from libs.kernel.actors import Id
from libs.kernel.contracts.wallet_days import Day
from libs.kernel.game import OutcomeSource
from libs.kernel.ids import DRAWS, LEDGER, PERSONS
from libs.kernel.limits import MAX_SEATS, MAX_WALLETS
from libs.kernel.money import PositiveCents

SiteName = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9-]{0,31}$")]
"""Part of every Redis key: small letters, digits and `-`."""

PitName = Annotated[str, msgspec.Meta(pattern=r"^pit-[a-z0-9-]{1,28}$")]
"""A pit is a shard; its prefix says what kind of shard it is."""

TableName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,31}$")]
"""Part of account names, stream names and addresses of pages: letters, digits and `-`."""

Milliseconds = Annotated[int, msgspec.Meta(ge=500, le=600_000)]


class FloorError(ValueError):
    """The floor file is not usable; the sentence says where and why."""


class TablePlan(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"float_amount": "float"}
):
    """What a table is meant to open with."""

    name: TableName
    game: Id
    paytable: Id
    minimum: PositiveCents
    """Smallest wager, in cents."""
    float_amount: PositiveCents
    """The table's own money at opening, in cents; `float` in the file."""
    seats: Annotated[int, msgspec.Meta(ge=1, le=MAX_SEATS)]
    source: OutcomeSource = "rng"
    betting_ms: Milliseconds = 30_000
    decision_ms: Milliseconds = 15_000
    options: dict[str, int] = {}
    """Terms of the game itself, such as the wheel's `bonus_stake`, in cents."""


class Pit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group of tables that one orchestrator owns at a time: a shard."""

    name: PitName
    tables: Annotated[tuple[TablePlan, ...], msgspec.Meta(min_length=1)]


class RevenueRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the gross gaming revenue of a game is counted, from a gaming day on: a setting, not a legal opinion."""

    game: Id
    category: Literal["contrepartie", "electronic", "cercle"]
    since: Day


class Site(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One casino of the group."""

    name: SiteName
    currency: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{3}$")] = "EUR"
    timezone: str = "Europe/Paris"
    cutoff: Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")] = "06:00"
    """Local time at which the gaming day ends."""
    wallets: Annotated[int, msgspec.Meta(ge=1, le=MAX_WALLETS)] = 1
    """Parts of the wallet; fixed for the life of a site."""
    revenue: tuple[RevenueRule, ...] = ()
    """A game without a rule counts all that the house has won, and is shown as unclassified."""


class Floor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole plan of a site."""

    site: Site
    pits: Annotated[tuple[Pit, ...], msgspec.Meta(min_length=1)]

    @property
    def tables(self) -> dict[str, TablePlan]:
        """All tables by name."""
        return {table.name: table for pit in self.pits for table in pit.tables}

    def pit_of(self, table: str) -> str | None:
        """Return the pit (shard) of a table, None when there is no such table."""
        return next((pit.name for pit in self.pits if any(plan.name == table for plan in pit.tables)), None)


def load_floor(path: Path) -> Floor:
    """Read and check a floor file; raises `FloorError` with the file and the place of the fault."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FloorError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FloorError(f"{path}: is not TOML: {error}") from error
    try:
        floor = msgspec.convert(raw, Floor)
    except msgspec.ValidationError as error:
        raise FloorError(f"{path}: {_sentence(error)}") from error
    for fault in _faults(floor):
        raise FloorError(f"{path}: {fault}")
    return floor


def _sentence(error: msgspec.ValidationError) -> str:
    """Say a validation error in the terms of the file: `pits[0].tables[1].minimum: …`."""
    what, _, where = str(error).partition(" - at `")
    place = where.rstrip("`").removeprefix("$").removeprefix(".")
    if "got `float`" in what:
        what += " (amounts are whole cents)"
    return f"{place}: {what}" if place else what


def _faults(floor: Floor) -> list[str]:
    """What the types cannot say: names used twice, unknown games and time zones."""
    faults = []
    if floor.site.timezone not in zoneinfo.available_timezones():
        faults.append(f"site.timezone: `{floor.site.timezone}` is not a known time zone")
    games = known_games()
    unknown = [rule.game for rule in floor.site.revenue if rule.game not in games]
    faults += [f"site.revenue: no game `{game}`; there are: {', '.join(games)}" for game in unknown]
    faults += [f"pit `{name}` is there twice" for name in _twice([pit.name for pit in floor.pits])]
    names = [table.name for pit in floor.pits for table in pit.tables]
    faults += [f"table `{name}` is there twice" for name in _twice(names)]
    for pit in floor.pits:
        for table in pit.tables:
            if table.name in {DRAWS, PERSONS} or table.name.partition("-")[0] == LEDGER:
                faults.append(f"table `{table.name}`: this name is taken by a book of the house")
            if table.game not in games:
                faults.append(f"table `{table.name}`: no game `{table.game}`; there are: {', '.join(games)}")
            if table.float_amount < table.minimum:
                faults.append(f"table `{table.name}`: the float is below the minimum stake")
    return faults


def _twice(names: list[str]) -> list[str]:
    """Return names that occur more than once, in order."""
    return sorted({name for name in names if names.count(name) > 1})


def known_games() -> tuple[str, ...]:
    """Return the games of this distribution: a folder in `libs/games` is a game."""
    found = importlib.util.find_spec("libs.games")
    places = list(found.submodule_search_locations or ()) if found is not None else []
    return tuple(sorted(module.name for module in pkgutil.iter_modules(places) if module.ispkg))
