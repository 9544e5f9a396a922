"""How commands write: data as lines of text or of JSON on standard output, and what they say beside it."""

import sys

import msgspec


def put(text: str) -> None:
    """Write a line of data."""
    sys.stdout.write(f"{text}\n")


def say(text: str) -> None:
    """Say something to people, apart from the data: a line on standard error."""
    sys.stderr.write(f"tapis: {text}\n")


def put_json(value: object) -> None:
    """Write data as one line of JSON."""
    put(msgspec.json.encode(value).decode())
