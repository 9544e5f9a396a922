"""How commands write their data: lines of text or of JSON on standard output."""

import sys

import msgspec


def put(text: str) -> None:
    """Write a line of data."""
    sys.stdout.write(f"{text}\n")


def note(text: str) -> None:
    """Write a line to people who are not waiting for data: to standard error."""
    sys.stderr.write(f"tapis: {text}\n")


def put_json(value: object) -> None:
    """Write data as one line of JSON."""
    put(msgspec.json.encode(value).decode())
