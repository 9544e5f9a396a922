"""House rules about messages: their tags are the storage format of logs that are kept for ever."""

import importlib
import inspect
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import libs
from libs.kernel.messages import Command, Event, Message, tag_of
from libs.runtime.kinds import PERSONS, PIT, RNG, WALLET

GOLDEN = Path(__file__).parents[1] / "golden" / "tags.json"
"""All tags of all releases, with the fields that each has ever had. Lines are added, never removed or changed."""

WIRE_TWINS = {"libs.eventlog.codec"}
"""Holds a private twin of `Answered`, whose events are not decoded yet, and a stand-in for no message at all."""

BASES = {Command, Event}


def messages() -> list[type[Message]]:
    """Return the message classes of the house."""
    for module in pkgutil.walk_packages(libs.__path__, "libs."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found = [kind for kind in _below(Message) if kind.__module__.startswith("libs.") and kind not in BASES]
    return [kind for kind in found if kind.__module__ not in WIRE_TWINS and "." in tag_of(kind)]


def _below(kind: type[Any]) -> Iterator[type[Any]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def test_there_are_messages() -> None:
    """The search finds the messages of kernel, table, ledger, draws and games."""
    prefixes = {tag_of(kind).partition(".")[0] for kind in messages()}
    assert {"kernel", "table", "wallet", "rng", "persons", "wheel"} <= prefixes


def test_a_tag_belongs_to_one_message() -> None:
    """No two classes share a tag."""
    tags = [tag_of(kind) for kind in messages()]
    assert [] == sorted({tag for tag in tags if tags.count(tag) > 1})


def test_a_tag_says_whose_message_it_is() -> None:
    """Tags are `<aggregate>.<Name>`, and the name is that of the class."""
    assert [] == [tag_of(kind) for kind in messages() if tag_of(kind).partition(".")[2] != kind.__name__]


def test_every_message_says_what_it_means() -> None:
    """Each message class has a docstring of its own."""
    assert [] == [
        kind.__qualname__
        for kind in messages()
        if not (kind.__doc__ or "").strip() or kind.__doc__ == msgspec.Struct.__doc__
    ]


def test_messages_are_frozen_and_named() -> None:
    """Messages cannot be changed, and are made by naming their fields; commands are strict, events are lenient."""
    for kind in messages():
        config = kind.__struct_config__
        assert config.frozen, kind
        assert issubclass(kind, Command) == config.forbid_unknown_fields, kind
        assert {inspect.Parameter.KEYWORD_ONLY} >= {one.kind for one in inspect.signature(kind).parameters.values()}, (
            kind
        )


def test_a_kind_decides_only_messages_of_the_house() -> None:
    """Whatever a shard may read or write is among the messages found here."""
    known = set(messages())
    for kind in (PIT, WALLET, RNG, PERSONS):
        assert set() == (kind.decider.commands | kind.decider.events) - known


def shape(kind: type[Message]) -> dict[str, bool]:
    """Return the fields of a message, and whether each must be given."""
    return {field.name: field.required for field in msgspec.structs.fields(kind)}


def test_tags_never_disappear() -> None:
    """Every tag that was ever released can still be read, with every field it had, and no new field is demanded."""
    golden: dict[str, dict[str, bool]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    today = {tag_of(kind): shape(kind) for kind in messages()}
    assert [] == sorted(golden.keys() - today.keys()), "these tags are gone: old logs could not be read"
    assert [] == sorted(today.keys() - golden.keys()), "add these tags to tests/golden/tags.json"
    for tag, fields in golden.items():
        assert set() == fields.keys() - today[tag].keys(), f"{tag} has lost a field"
        new = {name for name, required in today[tag].items() if required and not fields.get(name, False)}
        assert set() == new, f"{tag} demands a field that old logs do not have"


@pytest.mark.parametrize("change", ["tag", "field", "demand"])
def test_a_change_that_breaks_old_logs_is_found(change: str) -> None:
    """The comparison above fails for a lost tag, a lost field and a newly demanded field."""
    golden: dict[str, dict[str, bool]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    tag = "table.WagerPlaced"
    today = {name: dict(fields) for name, fields in golden.items()}
    match change:
        case "tag":
            del today[tag]
            assert [tag] == sorted(golden.keys() - today.keys())
        case "field":
            del today[tag]["spot"]
            assert {"spot"} == golden[tag].keys() - today[tag].keys()
        case _:
            today[tag]["colour"] = True
            assert {"colour"} == {name for name, needed in today[tag].items() if needed and not golden[tag].get(name)}
