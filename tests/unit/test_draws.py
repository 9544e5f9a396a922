import msgspec
import pytest

from libs.draws.decider import DECIDER
from libs.draws.state import DrawDefect, DrawsState
from libs.kernel.actors import Actor
from libs.kernel.contracts.rng import UNHEALTHY, Drawn, DrawsOpened, RequestDraw, SealedDrawn
from libs.kernel.decider import Accepted, Already, NotYet
from libs.kernel.limits import DRAW_COUPS_REMEMBERED, DRAW_TABLES, DRAWS_PER_COUP
from libs.kernel.messages import Tick
from tests.kit.book import Book, code

ENTROPY = bytes(range(32))
OTHER = bytes(32)


def ask(
    coup: int, *, table: str = "T1", session: int = 1, name: str = "main", bound: int = 52, sealed: bool = False
) -> RequestDraw:
    return RequestDraw(draw_id=f"draw:pit-1/{table}/{session}/{coup}/{name}", bounds=(bound, 6), sealed=sealed)


def draws() -> Book[DrawsState]:
    return Book(DECIDER, "draws")


def test_the_first_draw_opens_the_volume() -> None:
    """The first request writes DrawsOpened before its draw, and only that one does."""
    book = draws()
    opened, drawn = book.accept(ask(1), entropy=ENTROPY)
    assert DrawsOpened(book="draws") == opened
    assert isinstance(drawn, Drawn)
    assert ("draw:pit-1/T1/1/1/main", (52, 6)) == (drawn.draw_id, drawn.bounds)
    assert [Drawn] == [type(event) for event in book.accept(ask(2), entropy=ENTROPY)]


def test_the_same_id_is_drawn_once() -> None:
    """Asked again, with other entropy or none at all, the same id gets the same values and nothing is logged."""
    book = draws()
    drawn = book.accept(ask(1), entropy=ENTROPY)[-1]
    for entropy in (ENTROPY, OTHER, b""):
        assert Already((drawn,)) == book.say(ask(1), entropy=entropy)
    assert len(book.log) == 2


def test_the_same_id_with_other_bounds_is_a_conflict() -> None:
    """A draw that was made cannot be asked for in another shape."""
    book = draws()
    book.accept(ask(1), entropy=ENTROPY)
    assert code(book.say(ask(1, bound=6), entropy=ENTROPY)) == "draw.conflict"


def test_a_sealed_draw_is_a_secret_fact() -> None:
    """What must stay face down is logged and answered as a fact that never reaches the feed, with the same values."""
    book, open_book = draws(), draws()
    opened, sealed = book.accept(ask(1, sealed=True), entropy=ENTROPY)
    drawn = open_book.accept(ask(1), entropy=ENTROPY)[-1]
    assert isinstance(sealed, SealedDrawn)
    assert isinstance(drawn, Drawn)
    assert (True, True, False) == (opened.secret, sealed.secret, drawn.secret)
    assert drawn.values == sealed.values
    assert Already((sealed,)) == book.say(ask(1, sealed=True))


@pytest.mark.parametrize("sealed", [False, True])
def test_a_draw_is_not_opened_or_sealed_afterwards(sealed: bool) -> None:
    """The same id asked for the other way is a conflict: a sealed draw cannot be had openly."""
    book = draws()
    book.accept(ask(1, sealed=sealed), entropy=ENTROPY)
    assert code(book.say(ask(1, sealed=not sealed), entropy=ENTROPY)) == "draw.conflict"


def test_an_open_request_keeps_its_wire_form() -> None:
    """A request for an open draw says nothing about sealing, so that a repeat across an upgrade is the same request."""
    assert b"sealed" not in msgspec.json.encode(ask(1))
    assert msgspec.json.decode(msgspec.json.encode(ask(1, sealed=True)), type=RequestDraw).sealed


def test_ids_that_share_entropy_do_not_share_values() -> None:
    """A batch may hand the same bytes to several draws; the ids keep them apart."""
    book = draws()
    made = [book.accept(ask(coup, bound=1_000_000), entropy=ENTROPY)[-1] for coup in range(1, 50)]
    assert len({drawn.values for drawn in made if isinstance(drawn, Drawn)}) == 49


@pytest.mark.parametrize("length", [1, 31])
def test_too_little_chance_is_a_defect(length: int) -> None:
    """No draw is made from fewer than 32 random bytes: play stops rather than become guessable."""
    book = draws()
    with pytest.raises(DrawDefect, match="32 fresh random bytes"):
        book.say(ask(1), entropy=ENTROPY[:length])
    assert [] == book.log


def test_no_chance_at_all_is_a_refusal() -> None:
    """While the generator is silent a draw is refused in words and nothing is logged; made draws are still answered."""
    book = draws()
    drawn = book.accept(ask(1), entropy=ENTROPY)[-1]
    assert UNHEALTHY == book.say(ask(2), entropy=b"")
    assert Already((drawn,)) == book.say(ask(1), entropy=b"")
    assert 2 == len(book.log)


def test_a_second_request_waits_for_values() -> None:
    """Asked again after that refusal there is no answer until there are values; the draw's own id gets them once."""
    book = draws()
    again = msgspec.structs.replace(ask(1), again=True)
    assert isinstance(book.say(again, entropy=b""), NotYet)
    assert [] == book.log
    drawn = book.accept(again, entropy=ENTROPY)[-1]
    for request in (again, ask(1)):
        assert Already((drawn,)) == book.say(request, entropy=OTHER)


def test_entropy_is_not_logged() -> None:
    """The bytes behind a draw are in no fact and in no state."""
    book = draws()
    book.accept(ask(1), entropy=b"chance-of-this-one-draw-32-bytes")
    assert b"chance-of" not in msgspec.json.encode((book.log, book.state))


def test_only_a_service_asks_for_draws() -> None:
    """No person can make the RNG draw."""
    assert code(draws().say(ask(1), by=Actor("croupier-1", "croupier"), entropy=ENTROPY)) == "role.not_allowed"


@pytest.mark.parametrize(
    "wrong",
    [
        "draw:pit-1/T1/4/017/main",
        "draw:pit-1/T1/+4/17/main",
        "draw:pit-1/T1/0/17/main",
        "draw:pit-1/T1/4/-1/main",
        "draw:pit-1/T1/4/17/",
        "draw:4/17/main",
        "draw:/4/17/main",
        "pit-1/T1/4/17/main",
        "draw:pit-1/T1/four/17/main",
        "main",
    ],
)
def test_a_malformed_id_is_refused(wrong: str) -> None:
    """An id that is not spelt as `draw_id` spells it is refused, so that one draw never has two ids."""
    assert code(draws().say(RequestDraw(draw_id=wrong, bounds=(6,)), entropy=ENTROPY)) == "draw.bad_id"


def test_memory_is_the_last_coups_and_no_more() -> None:
    """The last 256 coups of a table are answered again; an older id is refused, never drawn a second time."""
    book = draws()
    for coup in range(1, DRAW_COUPS_REMEMBERED + 2):
        book.accept(ask(coup), entropy=ENTROPY)
    assert code(book.say(ask(1), entropy=ENTROPY)) == "draw.too_old"
    assert isinstance(book.say(ask(2), entropy=ENTROPY), Already)
    assert DRAW_COUPS_REMEMBERED <= len(_coups(book)) < DRAW_COUPS_REMEMBERED + 16
    book.accept(ask(10_000), entropy=ENTROPY)
    assert code(book.say(ask(257), entropy=ENTROPY)) == "draw.too_old"
    assert len(_coups(book)) <= DRAW_COUPS_REMEMBERED


def _coups(book: Book[DrawsState]) -> list[int]:
    (table,) = (table for branch in book.state.tables for leaf in branch for table in leaf.values())
    return [coup for block in table.draws.values() for coup in block]


def test_a_skipped_coup_may_still_be_drawn() -> None:
    """Requests may overtake one another: a coup within the window that was not drawn yet is drawn."""
    book = draws()
    book.accept(ask(5), entropy=ENTROPY)
    assert isinstance(book.say(ask(3), entropy=ENTROPY), Accepted)


def test_a_new_session_forgets_the_one_before() -> None:
    """Coup 1 of the next session is a new draw; the sessions before it are too old."""
    book = draws()
    book.accept(ask(7, session=1), entropy=ENTROPY)
    book.accept(ask(1, session=3), entropy=ENTROPY)
    assert code(book.say(ask(7, session=1), entropy=ENTROPY)) == "draw.too_old"
    assert code(book.say(ask(1, session=2), entropy=ENTROPY)) == "draw.too_old"


def test_one_coup_has_room_for_many_draws_but_not_for_all() -> None:
    """Draws of one coup are told apart by name, up to a limit."""
    book = draws()
    for count in range(DRAWS_PER_COUP):
        book.accept(ask(1, name=f"throw-{count}"), entropy=ENTROPY)
    assert code(book.say(ask(1, name="one-more"), entropy=ENTROPY)) == "draw.too_many"
    assert isinstance(book.say(ask(1, name="throw-0"), entropy=ENTROPY), Already)


def test_the_number_of_tables_is_bounded() -> None:
    """A flood of table names is refused; the known tables go on."""
    book = draws()
    book.accept(ask(1), entropy=ENTROPY)
    book.state = msgspec.structs.replace(book.state, table_count=DRAW_TABLES)
    assert code(book.say(ask(1, table="T2"), entropy=ENTROPY)) == "draw.too_many"
    assert isinstance(book.say(ask(2), entropy=ENTROPY), Accepted)


def test_a_volume_brings_forward_draws_that_may_be_asked_for_again() -> None:
    """What the next volume remembers at its opening is answered, not drawn again."""
    drawn = Drawn(draw_id="draw:pit-1/T1/1/7/main", bounds=(52, 6), values=(3, 4))
    sealed = SealedDrawn(draw_id="draw:pit-1/T1/1/7/cards", bounds=(52, 6), values=(5, 0))
    book = draws()
    brought = DrawsOpened(book="draws", remembered=(drawn, sealed))
    assert brought == msgspec.json.decode(msgspec.json.encode(brought), type=DrawsOpened)
    book.state = DECIDER.evolve(book.state, brought)
    assert Already((drawn,)) == book.say(ask(7), entropy=ENTROPY)
    assert Already((sealed,)) == book.say(ask(7, name="cards", sealed=True), entropy=ENTROPY)
    assert [Drawn] == [type(event) for event in book.accept(ask(8), entropy=ENTROPY)]


def test_an_unknown_command_is_a_defect() -> None:
    """What the draws were never meant to hear is our own fault, not a refusal."""
    with pytest.raises(DrawDefect, match=r"kernel\.Tick"):
        draws().say(Tick())


def test_the_draws_owe_nothing() -> None:
    """The RNG asks nobody and waits for no hour."""
    assert ((), None) == (tuple(DECIDER.react(draws().state)), DECIDER.deadline(draws().state))


def test_the_state_survives_encoding() -> None:
    """Decoded it is the same value and encodes to the same bytes as a replay of the log."""
    book = draws()
    for coup in (1, 2, 2, 5, 4):
        book.say(ask(coup), entropy=ENTROPY)
        book.say(ask(coup, table="T2", name="bonus", sealed=True), entropy=ENTROPY)
    encoded = msgspec.json.encode(book.state)
    assert book.state == msgspec.json.decode(encoded, type=DrawsState)
    assert encoded == msgspec.json.encode(book.replayed())
