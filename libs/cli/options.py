"""Options that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

EPILOG = "Exit codes: 0 ok, 1 failure, 2 usage, 3 verification failed, 4 not found, 5 the log's server is unavailable."

Folder = Annotated[Path, typer.Option(help="Folder of the local casino.", envvar="TAPIS_FOLDER")]
RedisUrl = Annotated[str | None, typer.Option(help="The log's server, instead of the local one.", envvar="REDIS_URL")]
SiteName = Annotated[str | None, typer.Option(help="Name of the site.", envvar="TAPIS_SITE")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]

LOCAL = Path(".tapis")
"""The folder of the local casino when none is named."""
