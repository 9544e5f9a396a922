"""What is encoded decodes to the same message."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.eventlog.codec import Codec, encode
from libs.kernel.contracts import (
    answers,
    rng,
    table,
    wallet,
    wallet_cards,
    wallet_days,
    wallet_requests,
    wallet_transit,
)
from libs.kernel.contracts.answers import Answered
from libs.kernel.messages import Command, Event, Message, tag_of
from libs.kernel.refusals import Refusal
from libs.table import float_messages, messages
from libs.table.decider import DECIDER
from tests.kit.messages import messages_of, values_of

OF_TABLES_AND_GAMES = {*DECIDER.commands, *DECIDER.events}
CONTRACTS = messages_of(
    [messages, rng, table, wallet, wallet_cards, wallet_days, wallet_requests, wallet_transit, float_messages, answers]
)
KINDS = sorted({*CONTRACTS, *OF_TABLES_AND_GAMES}, key=tag_of)
COMMANDS = [kind for kind in KINDS if issubclass(kind, Command)]
EVENTS = [kind for kind in KINDS if issubclass(kind, Event)]
CODEC = Codec(COMMANDS, EVENTS)


def round_trip(message: Message) -> Message:
    """Encode and decode a message."""
    raw = encode(message)
    return CODEC.decode_command(raw) if isinstance(message, Command) else CODEC.decode_event(raw)


@settings(max_examples=30)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not Answered], ids=tag_of)
@given(data=st.data())
def test_round_trip(kind: type[Message], data: st.DataObject) -> None:
    """Every message of tables, games and contracts survives the wire, and comes back as bytes for bytes the same."""
    message = data.draw(values_of(kind))
    again = round_trip(message)
    assert message == again
    assert type(message) is type(again)
    assert encode(message) == encode(again)


@given(data=st.data())
def test_answers_round_trip(data: st.DataObject) -> None:
    """An answer survives the wire with events of any contract inside."""
    events = [data.draw(values_of(kind)) for kind in data.draw(st.lists(st.sampled_from(EVENTS), max_size=3))]
    refusal = data.draw(st.none() | st.builds(Refusal, code=st.text(), fr=st.text(), en=st.text()))
    answer = Answered(to="draw:pit-1/T1/4/17/main", refusal=refusal, events=tuple(events))  # type: ignore[arg-type]
    assert answer == round_trip(answer)


def test_tags_are_unique() -> None:
    """No two messages share a tag: it is the storage format."""
    assert len(KINDS) == len({tag_of(kind) for kind in KINDS})
