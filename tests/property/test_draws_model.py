import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.draws.decider import DECIDER
from libs.draws.state import DrawsState
from libs.kernel.contracts.rng import Drawn, RequestDraw
from libs.kernel.decider import Accepted, Already
from libs.kernel.ids import draw_id
from tests.kit.book import Book, code, facts

BOUNDS = st.sampled_from([(6, 6), (52,), (2, 1_000_000)])
REQUESTS = st.builds(
    lambda table, session, coup, name, bounds, sealed: RequestDraw(
        draw_id=draw_id("pit-1", table, session, coup, name), bounds=bounds, sealed=sealed
    ),
    st.sampled_from(["T1", "T2"]),
    st.integers(1, 3),
    st.one_of(st.integers(1, 6), st.integers(250, 270), st.integers(500, 520)),
    st.sampled_from(["main", "bonus"]),
    BOUNDS,
    st.booleans(),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(REQUESTS, st.binary(min_size=32, max_size=48)), max_size=30))
def test_each_id_is_drawn_at_most_once_whatever_is_asked(requests: list[tuple[RequestDraw, bytes]]) -> None:
    """In any order, with repeats and contradictions: an id has one draw for ever, or is refused; replay equals live."""
    book: Book[DrawsState] = Book(DECIDER, "draws")
    made: dict[str, Drawn] = {}
    for request, entropy in requests:
        decision = book.say(request, entropy=entropy)
        known = made.get(request.draw_id)
        if isinstance(decision, Accepted):
            assert known is None
            drawn = decision.events[-1]
            assert isinstance(drawn, Drawn)
            assert drawn.secret == request.sealed
            assert all(0 <= value < bound for value, bound in zip(drawn.values, request.bounds, strict=True))
            made[request.draw_id] = drawn
        elif isinstance(decision, Already):
            assert (known,) == facts(decision)
        else:
            refused = code(decision)
            assert refused == "draw.too_old" or (refused == "draw.conflict" and known is not None)
    drawn_ids = [event.draw_id for event in book.log if isinstance(event, Drawn)]
    assert len(drawn_ids) == len(set(drawn_ids))
    encoded = msgspec.json.encode(book.state)
    assert encoded == msgspec.json.encode(book.replayed())
    assert book.state == msgspec.json.decode(encoded, type=DrawsState)
