"""House rules about messages: their tags are the storage format of logs that are kept for ever."""

import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable, Iterator
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


Shapes = dict[str, dict[str, bool]]
"""By tag: the fields, and whether each must be given."""


def golden_shapes() -> Shapes:
    """Return what was ever released."""
    shapes: Shapes = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return shapes


def broken(golden: Shapes, today: Shapes) -> list[str]:
    """Return what of today cannot read an old log, or is not written down to be read for ever."""
    found = [f"{tag} is gone" for tag in golden.keys() - today.keys()]
    found += [f"{tag} is not in {GOLDEN.name}" for tag in today.keys() - golden.keys()]
    for tag in golden.keys() & today.keys():
        found += [f"{tag} has lost {name}" for name in golden[tag].keys() - today[tag].keys()]
        found += [f"{tag}: {name} is not in {GOLDEN.name}" for name in today[tag].keys() - golden[tag].keys()]
        needed = {name for name, required in today[tag].items() if required}
        found += [f"{tag} demands {name}" for name in needed if not golden[tag].get(name, False)]
    return sorted(found)


def test_tags_never_disappear() -> None:
    """Every tag that was ever released can still be read, with every field it had, and no new field is demanded."""
    assert [] == broken(golden_shapes(), {tag_of(kind): shape(kind) for kind in messages()})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda today: today.pop("table.WagerPlaced"), ["table.WagerPlaced is gone"]),
        (lambda today: today["table.WagerPlaced"].pop("spot"), ["table.WagerPlaced has lost spot"]),
        (lambda today: today["table.WagerPlaced"].update(charged=True), ["table.WagerPlaced demands charged"]),
        (lambda today: today.update({"table.New": {}}), ["table.New is not in tags.json"]),
        (
            lambda today: today["table.WagerPlaced"].update(colour=False),
            ["table.WagerPlaced: colour is not in tags.json"],
        ),
    ],
)
def test_a_change_that_breaks_old_logs_is_found(change: Callable[[Shapes], object], said: list[str]) -> None:
    """A lost tag, a lost field and a newly demanded one; and what is new and not written down."""
    today = golden_shapes()
    change(today)
    assert said == broken(golden_shapes(), today)
