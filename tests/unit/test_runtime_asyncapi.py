"""The AsyncAPI document of each service is valid and complete."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from faststream.specification.asyncapi.v3_0_0.schema import ApplicationSchema

from libs.kernel.messages import tag_of
from libs.runtime.asyncapi import document
from libs.runtime.kinds import PERSONS, PIT, RNG, WALLET, Kind
from tests.kit.duel.messages import Raise

KINDS = pytest.mark.parametrize("kind", [PIT, WALLET, RNG, PERSONS], ids=lambda kind: kind.name)


def described(kind: Kind) -> dict[str, Any]:
    """Return the document as a reader gets it."""
    return dict(msgspec.json.decode(msgspec.json.encode(document(kind.name, "1.2.3", "site-a", kind))))


@KINDS
def test_the_document_follows_the_schema(kind: Kind) -> None:
    """The document can be read as AsyncAPI 3.0."""
    ApplicationSchema.model_validate(described(kind))


@KINDS
def test_every_message_is_in_the_document(kind: Kind) -> None:
    """Commands are on the inbox, events on the log, and all but the secret ones on the feed."""
    shown = described(kind)
    commands, events = ({tag_of(one) for one in of} for of in (kind.decider.commands, kind.decider.events))
    channels = shown["channels"]
    assert commands == channels["inbox"]["messages"].keys()
    assert events == channels["log"]["messages"].keys()
    secret = {tag_of(one) for one in kind.decider.events if one.secret}
    assert events - secret == channels["feed"]["messages"].keys()
    assert commands | events == shown["components"]["messages"].keys()
    for tag, message in shown["components"]["messages"].items():
        assert tag == message["name"]
        assert message["summary"]


def test_two_games_may_have_a_word_of_the_same_name() -> None:
    """A raise in the duel is not one in the Rappel: each message has the schema of its own tag, none dangles."""
    kind = replace(PIT, decider=replace(PIT.decider, commands=PIT.decider.commands | {Raise}))
    test_every_reference_leads_somewhere(kind)
    test_the_tag_stands_in_every_payload(kind)


@KINDS
def test_every_reference_leads_somewhere(kind: Kind) -> None:
    """No `$ref` of the document dangles."""
    shown = described(kind)
    found = list(references(shown))
    assert len(found) > 10
    for reference in found:
        here: Any = shown
        for step in reference.removeprefix("#/").split("/"):
            here = here[step]


@KINDS
def test_the_tag_stands_in_every_payload(kind: Kind) -> None:
    """A payload's `type` is the tag, so that a reader can tell messages apart."""
    shown = described(kind)
    for tag, message in shown["components"]["messages"].items():
        schema = shown["components"]["schemas"][message["payload"]["$ref"].rpartition("/")[2]]
        assert {"enum": [tag]} == schema["properties"]["type"]
        assert "type" in schema["required"]


@KINDS
def test_addresses_are_those_of_the_log(kind: Kind) -> None:
    """The channels name the keys of the site, with the shard and the stream left open."""
    channels = described(kind)["channels"]
    assert "{site-a:{shard}}:inbox" == channels["inbox"]["address"]
    assert "{site-a:{shard}}:log:{stream}" == channels["log"]["address"]
    assert {"shard", "stream"} == channels["log"]["parameters"].keys()


def references(of: Any) -> list[str]:
    """Return all `$ref` values in a document."""
    if isinstance(of, dict):
        here = [of["$ref"]] if isinstance(of.get("$ref"), str) else []
        return here + [one for value in of.values() for one in references(value)]
    if isinstance(of, list):
        return [one for value in of for one in references(value)]
    return []
