"""How ids, spots and cards are spelt."""

import msgspec
import pytest

from libs.games.paire_poker.messages import Card
from libs.kernel.actors import Id
from libs.table.messages import Spot


@pytest.mark.parametrize("kind", [Id, Spot, Card])
def test_no_line_end_slips_in(kind: object) -> None:
    """A line end after an otherwise good spelling is refused: it would be another name that looks the same."""
    assert "10C" == msgspec.json.decode(b'"10C"', type=kind)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'"10C\\n"', type=kind)
