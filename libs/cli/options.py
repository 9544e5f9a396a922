"""Options that several commands take, alone and in groups."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

EPILOG = "Exit codes: 0 ok, 1 failure, 2 usage, 3 verification failed, 4 not found, 5 the log's server is unavailable."

Folder = Annotated[Path, typer.Option(help="Folder of the local casino.", envvar="TAPIS_FOLDER")]
RedisUrl = Annotated[str | None, typer.Option(help="The log's server, instead of the local one.", envvar="REDIS_URL")]
SiteName = Annotated[str | None, typer.Option(help="Name of the site.", envvar="TAPIS_SITE")]
FloorFile = Annotated[
    Path | None, typer.Option(help="The floor file, instead of the local casino's.", envvar="TAPIS_FLOOR")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]

LOCAL = Path(".tapis")
"""The folder of the local casino when none is named."""


@dataclass(frozen=True, slots=True)
class Where:
    """Which site's log a command reads."""

    folder: Folder = LOCAL
    redis_url: RedisUrl = None
    site: SiteName = None


@dataclass(frozen=True, slots=True)
class WhereWithFloor(Where):
    """The same, with the floor file that a report is made by."""

    floor: FloorFile = None


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take options as a dataclass: Typer, which knows single parameters alone, is shown each field."""
    taken = inspect.signature(command, eval_str=True).parameters.values()
    groups: dict[str, Any] = {one.name: one.annotation for one in taken if is_dataclass(one.annotation)}
    shown = [
        option
        for one in taken
        for option in (inspect.signature(groups[one.name]).parameters.values() if one.name in groups else [one])
    ]

    @functools.wraps(command)
    def told(**options: Any) -> None:
        made = {
            name: of(**{field.name: options.pop(field.name) for field in fields(of)}) for name, of in groups.items()
        }
        command(**options, **made)

    # Keywords alone: an argument without a default may follow an option that has one.
    signature = inspect.Signature([one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in shown])
    vars(told)["__signature__"] = signature
    return told
