"""The codec refuses what is no message with a readable reason, and makes old events new."""

from typing import Any

import msgspec
import pytest

from libs.eventlog.codec import BadMessage, Codec, decode_envelope, encode
from libs.kernel.actors import SYSTEM
from libs.kernel.contracts.answers import Answered
from libs.kernel.contracts.rng import Drawn
from libs.kernel.envelope import CommandEnvelope
from libs.kernel.limits import MAX_COMMAND_BYTES
from libs.kernel.messages import Event
from libs.table.messages import CloseBetting, PlaceWager
from tests.kit.records import Noted

CODEC = Codec({PlaceWager, CloseBetting, Answered}, {Drawn})
WAGER = b'{"type":"table.PlaceWager","spot":"2","amount":%b}'


def reason(raw: bytes, codec: Codec = CODEC) -> str:
    """Return why bytes are no command."""
    with pytest.raises(BadMessage) as caught:
        codec.decode_command(raw)
    return caught.value.reason


def test_good_command() -> None:
    """A command decodes to its class."""
    assert PlaceWager(spot="2", amount=100) == CODEC.decode_command(WAGER % b"100")
    assert CloseBetting() == CODEC.decode_command(msgspec.Raw(b'{"type":"table.CloseBetting"}'))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"type":"table.Cheat"}', "Invalid value 'table.Cheat' - at `$.type`"),
        (b'{"type":7}', "Expected `str` - at `$.type`"),
        (b"{}", "Object missing required field `type`"),
        (b"[]", "Expected `object`, got `array`"),
        (b'{"type":"table.PlaceWager","spot":"2"}', "Object missing required field `amount`"),
        (b'{"type":"table.PlaceWager","spot":"2","amount":1,"tip":1}', "Object contains unknown field `tip`"),
        (WAGER % b"0", "Expected `int` >= 1 - at `$.amount`"),
        (WAGER % b"-100", "Expected `int` >= 1 - at `$.amount`"),
        (WAGER % b"1.5", "Expected `int`, got `float` - at `$.amount`"),
        (WAGER % b'"100"', "Expected `int`, got `str` - at `$.amount`"),
        (WAGER % b"true", "Expected `int`, got `bool` - at `$.amount`"),
        (WAGER % b"null", "Expected `int`, got `null` - at `$.amount`"),
        (WAGER % (b"9" * 4000), "Expected `int` <= 1000000000000 - at `$.amount`"),
        (WAGER % b"1e999", "Number out of range - at `$.amount`"),
        (b'{"type":"table.PlaceWager","spot":"a b","amount":1}', "Expected `str` matching regex"),
        (b"", "not JSON: Input data was truncated"),
        (b"\xff\xfe\x00", "not JSON"),
        (b'{"type":"table.PlaceWager","spot":"\xff","amount":1}', "not JSON: Invalid UTF-8"),
        (b" " * (MAX_COMMAND_BYTES + 1), "longer than 16384 bytes"),
        (b"[" * 10_000, "Expected `object`"),
        (WAGER % (b"[" * 10_000), "Expected `int`, got `array` - at `$.amount`"),
        (b'{"x":' * 3_000, "Object missing required field|unknown field|truncated|nested too deeply"),
    ],
)
def test_bad_command(raw: bytes, expected: str) -> None:
    """Whatever is no command is refused with a reason that says why and where."""
    said = reason(raw)
    assert any(one in said for one in expected.split("|"))


def test_internal_answer() -> None:
    """The events inside an answer are decoded to their classes; a bad one is named by its place."""
    drawn = Drawn(draw_id="d", bounds=(6, 6), values=(1, 2))
    answer = Answered(to="d", events=(drawn,))
    decoded = CODEC.decode_command(encode(answer))
    assert answer == decoded
    assert isinstance(decoded, Answered)
    assert type(decoded.events[0]) is Drawn
    bad = b'{"type":"kernel.Answered","to":"d","events":[%b,{"type":"rng.Drawn"}]}' % encode(drawn)
    assert "event 1 of the answer: Object missing required field `draw_id`" == reason(bad)


def test_foreign_facts_in_an_answer() -> None:
    """Events of an answer whose tags are the other's own business are left out; those of the contract are kept."""
    drawn = Drawn(draw_id="d", bounds=(6, 6), values=(1, 2))
    raw = b'{"type":"kernel.Answered","to":"d","events":[{"type":"rng.Unheard","x":1},%b]}' % encode(drawn)
    assert Answered(to="d", events=(drawn,)) == CODEC.decode_command(raw)


def test_unknown_fields_of_events() -> None:
    """An event with a field of a later release is read without it."""
    raw = b'{"type":"rng.Drawn","draw_id":"d","bounds":[6],"values":[1],"later":{"x":[1]}}'
    assert Drawn(draw_id="d", bounds=(6,), values=(1,)) == CODEC.decode_event(raw)


def test_codec_of_nothing() -> None:
    """A codec without messages knows none."""
    assert "table.PlaceWager" in reason(WAGER % b"1", Codec((), ()))


class Weighed(Event, frozen=True, kw_only=True, tag="test.Weighed3"):
    """A toy fact in its third shape; the first had pounds, the second no unit."""

    grams: int


def pounds_to_kilos(old: dict[str, Any]) -> dict[str, Any]:
    """Upcast the first shape to the second."""
    return {"type": "test.Weighed2", "kilos": old["pounds"] * 0.5}


def kilos_to_grams(old: dict[str, Any]) -> dict[str, Any]:
    """Upcast the second shape to the third."""
    return {"type": "test.Weighed3", "grams": int(old["kilos"] * 1000)}


def test_upcasters() -> None:
    """An old event is made new step by step; an event of today is not touched."""
    codec = Codec((), {Weighed, Noted}, {"test.Weighed1": pounds_to_kilos, "test.Weighed2": kilos_to_grams})
    assert Weighed(grams=1000) == codec.decode_event(b'{"type":"test.Weighed1","pounds":2}')
    assert Weighed(grams=2500) == codec.decode_event(b'{"type":"test.Weighed2","kilos":2.5}')
    assert Weighed(grams=7) == codec.decode_event(b'{"type":"test.Weighed3","grams":7}')
    assert Noted(number=1) == codec.decode_event(b'{"type":"test.Noted","number":1}')
    for bad in (b'{"type":"test.Weighed3"}', b'{"type":"test.Weighed9"}', b"{}", b"", b"[1]"):
        with pytest.raises(BadMessage):
            codec.decode_event(bad)


def test_upcasters_that_make_no_sense() -> None:
    """An upcaster for a tag of today, and upcasters in a circle, are refused."""
    with pytest.raises(ValueError, match=r"test\.Noted"):
        Codec((), {Noted}, {"test.Noted": kilos_to_grams})
    codec = Codec((), {Noted}, {"test.A": lambda old: old})
    with pytest.raises(BadMessage, match="circle"):
        codec.decode_event(b'{"type":"test.A"}')


def test_envelope() -> None:
    """An envelope is decoded strictly, its body left as it is."""
    envelope = CommandEnvelope(id="player-1:7", book="T1", actor=SYSTEM, body=msgspec.Raw(WAGER % b"100"))
    assert envelope == decode_envelope(encode(envelope))
    for bad, why in [
        (b"", "not JSON"),
        (b"{}", "missing required field `id`"),
        (encode(envelope).replace(b'"id":"player-1:7"', b'"id":""'), "length"),
        (encode(envelope).replace(b'"id":"player-1:7"', b'"id":"%b"' % (b"x" * 500)), "length"),
        (encode(envelope).replace(b'"id"', b'"more":1,"id"', 1), "unknown field `more`"),
        (b"x" * 40_000, "longer than"),
    ]:
        with pytest.raises(BadMessage, match=why):
            decode_envelope(bad)
