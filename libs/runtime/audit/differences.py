"""Say in words where the facts of a log part from what the rules say."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from libs.kernel.envelope import EventRecord
from libs.kernel.messages import Event, tag_of
from libs.table.messages import CoupSettled, SessionOpened

Told = tuple[EventRecord, Event]
"""A fact with the record that tells it."""

LEAVES_NAMED = 4
"""Differences of one fact that are named."""
LEAF_CHARS = 80
"""Characters of each side that are quoted."""

YOUNGER: dict[type[Event], tuple[str, ...]] = {SessionOpened: ("seeded",), CoupSettled: ("held",)}
"""Fields that came while the version of the rules stayed the same: a fact that was written without one is older."""

_NOTHING = object()


def first_difference(told: Sequence[Told], said: Sequence[Event], why_nothing: str) -> tuple[int, str] | None:
    """Return the place (from 0) of the first fact that is not what the rules say, and both sides; None without one.

    `why_nothing` is told where these say nothing at all.
    """
    if not said:
        return 0, f"the log has {tag_of(told[0][1])}, by the rules nothing follows here: {why_nothing}"
    for place, ((record, fact), should) in enumerate(zip(told, said, strict=False)):
        if fact != should and fact != _as_old(record, fact, should):
            return place, _difference(fact, should)
    if len(told) < len(said):
        return len(told), f"by the rules {tag_of(said[len(told)])} follows here, the log does not have it"
    if len(told) > len(said):
        return len(said), f"{tag_of(told[len(said)][1])} follows, by the rules nothing more does"
    return None


def _as_old(record: EventRecord, fact: Event, should: Event) -> Event:
    """Return what the rules say as it was said when the fact was written."""
    younger = YOUNGER.get(type(fact), ()) if type(fact) is type(should) else ()
    written = msgspec.json.decode(record.body, type=dict[str, msgspec.Raw]) if younger else {}
    return replace(should, **{name: getattr(fact, name) for name in younger if name not in written})


def _difference(fact: Event, should: Event) -> str:
    if type(fact) is not type(should):
        return f"the log has {tag_of(fact)}, by the rules it is {tag_of(should)}"
    leaves = islice(_leaves("", msgspec.to_builtins(fact), msgspec.to_builtins(should)), LEAVES_NAMED)
    if fact.secret:
        return f"{tag_of(fact)} is not what follows by the rules: {', '.join(path for path, _, __ in leaves)}"
    told = (f"{path} is {_quoted(log)}, by the rules {_quoted(rules)}" for path, log, rules in leaves)
    return f"{tag_of(fact)}: {'; '.join(told)}"


def _leaves(path: str, log: Any, rules: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the path of each value that differs, and both values."""
    if isinstance(log, dict) and isinstance(rules, dict):
        for key in {**log, **rules}:
            inner = f"{path}.{key}" if path else str(key)
            yield from _leaves(inner, log.get(key, _NOTHING), rules.get(key, _NOTHING))
    elif isinstance(log, list | tuple) and isinstance(rules, list | tuple) and len(log) == len(rules):
        for place, (mine, other) in enumerate(zip(log, rules, strict=True)):
            yield from _leaves(f"{path}[{place}]", mine, other)
    elif log != rules:
        yield path, log, rules


def _quoted(value: Any) -> str:
    """Return a value as it stands in a log, cut when it is long."""
    if value is _NOTHING:
        return "missing"
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= LEAF_CHARS else f"{text[:LEAF_CHARS]}…"
