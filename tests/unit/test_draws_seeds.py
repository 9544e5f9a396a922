"""The seeds of coups in the RNG: promised once, drawn from, revealed once; sealed in the log, told to nobody before."""

import msgspec
import pytest

from libs.draws.decider import DECIDER
from libs.draws.mapping import draw
from libs.draws.state import DrawDefect, DrawsState, unrevealed
from libs.kernel import buckets
from libs.kernel.actors import Actor
from libs.kernel.contracts.rng import (
    UNHEALTHY,
    CommitSeed,
    Drawn,
    DrawsOpened,
    RequestDraw,
    RevealSeed,
    SeedCommitted,
    SeedGivenUp,
    SeedRevealed,
    SeedSealed,
)
from libs.kernel.decider import Accepted, Already, Decision, NotYet
from libs.kernel.limits import DRAW_COUPS_REMEMBERED, DRAW_TABLES
from libs.kernel.messages import Event
from libs.kernel.seeds import commitment_of
from tests.kit.book import Book, code

SEED, OTHER = bytes(range(32)), bytes(32)
BOX = "key.00"


def seed_id(coup: int = 1, table: str = "T1", session: int = 1) -> str:
    return f"seed:pit-1/{table}/{session}/{coup}"


def ask(coup: int = 1, name: str = "main", *, seeded: bool = True) -> RequestDraw:
    return RequestDraw(draw_id=f"draw:pit-1/T1/1/{coup}/{name}", bounds=(1_000, 6), seeded=seeded)


def draws() -> Book[DrawsState]:
    return Book(DECIDER, "draws")


def commit(book: Book[DrawsState], coup: int = 1, **place: object) -> tuple[Event, ...]:
    return book.accept(CommitSeed(seed_id=seed_id(coup, **place)), entropy=SEED, sealed=BOX)  # type: ignore[arg-type]


def reveal(book: Book[DrawsState], coup: int = 1, seed: bytes = SEED) -> Decision:
    return book.say(RevealSeed(seed_id=seed_id(coup)), seed=seed)


def test_a_commitment_is_the_hash_of_the_seed_and_its_id() -> None:
    """The log has the sealed seed, which is secret, and the commitment, which is not; the answer has the latter."""
    opened, sealed, committed = commit(draws())
    commitment = commitment_of(SEED, seed_id())
    assert DrawsOpened(book="draws") == opened
    assert SeedSealed(seed_id=seed_id(), commitment=commitment, sealed=BOX) == sealed
    assert SeedCommitted(seed_id=seed_id(), commitment=commitment) == committed
    assert (True, False, False) == (sealed.secret, sealed.for_asker, committed.secret)


def test_a_seed_is_chosen_once() -> None:
    """Asked again, with other entropy or none, the RNG gives the same commitment, also after the reveal."""
    book = draws()
    committed = commit(book)[-1]
    for entropy in (SEED, OTHER, b""):
        for again in (False, True):
            asked = CommitSeed(seed_id=seed_id(), again=again)
            assert Already((committed,)) == book.say(asked, entropy=entropy, sealed=BOX)
    reveal(book)
    assert Already((committed,)) == book.say(CommitSeed(seed_id=seed_id()), entropy=OTHER, sealed=BOX)


def test_draws_follow_from_the_seed_and_their_id() -> None:
    """All draws of the coup are what anyone can compute from the seed, whatever entropy is at hand."""
    book = draws()
    commit(book)
    for name in ("main", "bonus", "jet-1"):
        (drawn,) = book.accept(ask(name=name), entropy=OTHER, seed=SEED)
        assert isinstance(drawn, Drawn)
        assert draw(SEED, drawn.draw_id, drawn.bounds) == drawn.values


def test_a_coup_with_a_seed_is_never_drawn_from_anything_else() -> None:
    """Even who does not ask for it gets values of the seed; other coups draw from fresh entropy."""
    book = draws()
    commit(book, 1)
    (seeded,) = book.accept(ask(1, seeded=False), entropy=OTHER, seed=SEED)
    (fresh,) = book.accept(ask(2, seeded=False), entropy=OTHER)
    assert isinstance(seeded, Drawn)
    assert isinstance(fresh, Drawn)
    assert draw(SEED, seeded.draw_id, seeded.bounds) == seeded.values
    assert draw(OTHER, fresh.draw_id, fresh.bounds) == fresh.values


def test_an_order_from_a_seed_that_does_not_exist_is_refused() -> None:
    """A table that was promised a seed gets nothing drawn otherwise."""
    assert code(draws().say(ask(1), entropy=OTHER)) == "seed.unknown"


def test_a_seed_is_revealed_once_and_then_drawn_from_no_more() -> None:
    """The reveal is a public fact, repeated as it was; later draws are refused, those that were made are answered."""
    book = draws()
    commit(book)
    (drawn,) = book.accept(ask(), seed=SEED)
    shown = SeedRevealed(seed_id=seed_id(), seed=SEED.hex())
    assert Accepted((shown,)) == reveal(book)
    assert Already((shown,)) == reveal(book, seed=b"")
    assert code(book.say(ask(name="bonus"), seed=SEED, entropy=OTHER)) == "seed.revealed"
    assert Already((drawn,)) == book.say(ask())
    assert not shown.secret


def test_a_commitment_after_a_draw_is_refused() -> None:
    """Once a coup has a draw, a seed for it would prove nothing."""
    book = draws()
    book.accept(ask(seeded=False), entropy=OTHER)
    assert code(book.say(CommitSeed(seed_id=seed_id()), entropy=SEED, sealed=BOX)) == "seed.too_late"


def test_a_seed_that_cannot_be_opened_is_given_up_for_ever() -> None:
    """Its draws are refused, its reveal is the fact that it is lost; a key that turns up later changes nothing."""
    book = draws()
    commit(book)
    assert code(book.say(ask(), entropy=OTHER)) == "seed.given_up"
    assert Accepted((SeedGivenUp(seed_id=seed_id()),)) == reveal(book, seed=b"")
    assert Already((SeedGivenUp(seed_id=seed_id()),)) == reveal(book)
    assert code(book.say(ask(), seed=SEED)) == "seed.given_up"
    assert code(book.say(CommitSeed(seed_id=seed_id()), entropy=SEED, sealed=BOX)) == "seed.given_up"
    assert () == unrevealed(book.state)


def test_no_other_seed_is_ever_revealed() -> None:
    """What is opened and does not fit the commitment is a defect: nothing is said."""
    book = draws()
    commit(book)
    with pytest.raises(DrawDefect, match="is not the seed"):
        reveal(book, seed=OTHER)


def test_without_entropy_nothing_is_promised() -> None:
    """Refused once with the RNG's reason; the second request waits, and is granted when there are bytes again."""
    book = draws()
    assert UNHEALTHY == book.say(CommitSeed(seed_id=seed_id()))
    again = CommitSeed(seed_id=seed_id(), again=True)
    assert isinstance(book.say(again), NotYet)
    assert isinstance(book.say(again, entropy=SEED, sealed=BOX), Accepted)


def test_a_seed_without_its_sealed_form_is_a_defect() -> None:
    """A promise that no other process could keep is not made."""
    with pytest.raises(DrawDefect, match="sealed form"):
        draws().say(CommitSeed(seed_id=seed_id()), entropy=SEED)


@pytest.mark.parametrize("kind", [CommitSeed, RevealSeed])
@pytest.mark.parametrize(
    "wrong", ["seed:", "T1/1/1", "seed:pit-1/T1/1", "seed:pit-1/T1/01/1", "seed:pit-1/T1/1/0", "draw:pit-1/T1/1/1/main"]
)
def test_a_malformed_id_is_refused(kind: type[CommitSeed | RevealSeed], wrong: str) -> None:
    """Only the exact spelling is an id: nobody gets a second seed for a coup by writing it otherwise."""
    book = draws()
    commit(book)
    assert code(book.say(kind(seed_id=wrong), entropy=SEED, sealed=BOX)) == "seed.bad_id"


@pytest.mark.parametrize("kind", [CommitSeed, RevealSeed])
def test_only_services_ask(kind: type[CommitSeed | RevealSeed]) -> None:
    """Nobody else gets a commitment or a seed."""
    said = draws().say(kind(seed_id=seed_id()), by=Actor("croupier-1", "croupier"), entropy=SEED, sealed=BOX)
    assert code(said) == "role.not_allowed"


def test_an_unknown_seed_is_not_revealed() -> None:
    """Nothing can be shown that was not promised."""
    book = draws()
    assert code(reveal(book)) == "seed.unknown"
    commit(book)
    assert code(reveal(book, 2)) == "seed.unknown"


def test_the_state_is_bounded() -> None:
    """Seeds of coups long past, and of a session before, are forgotten; a table too many gets none."""
    book = draws()
    for coup in range(1, DRAW_COUPS_REMEMBERED + 3):
        commit(book, coup)
    assert DRAW_COUPS_REMEMBERED == len(unrevealed(book.state))
    assert code(reveal(book, 1)) == "draw.too_old"
    assert DRAW_COUPS_REMEMBERED <= _kept(book.state) < DRAW_COUPS_REMEMBERED + 16
    commit(book, 1, session=2)
    assert 1 == _kept(book.state)
    assert 1 == len(unrevealed(book.state))
    assert code(reveal(book, 9)) == "draw.too_old"
    book.state = msgspec.structs.replace(book.state, table_count=DRAW_TABLES)
    assert code(book.say(CommitSeed(seed_id=seed_id(1, "T2")), entropy=SEED, sealed=BOX)) == "draw.too_many"


def _kept(state: DrawsState) -> int:
    (table,) = (table for _, table in buckets.items(state.tables))
    return sum(len(block) for block in table.seeds.values())


def test_a_new_volume_knows_the_seeds() -> None:
    """What a volume of draws brings forward is drawn from and revealed as before."""
    book = draws()
    _, sealed, _ = commit(book)
    assert isinstance(sealed, SeedSealed)
    shown = SeedRevealed(seed_id=seed_id(2), seed=OTHER.hex())
    book.state = DECIDER.evolve(DECIDER.initial("draws"), DrawsOpened(book="draws", seeds=(sealed, shown)))
    (drawn,) = book.accept(ask(), seed=SEED)
    assert isinstance(drawn, Drawn)
    assert draw(SEED, drawn.draw_id, drawn.bounds) == drawn.values
    assert Already((shown,)) == reveal(book, 2, OTHER)


def test_the_plain_seed_is_in_no_fact_and_no_state() -> None:
    """Before the reveal neither the log nor the fold of it has the bytes, in any spelling that JSON would give them."""
    book = draws()
    seed = b"seed-of-this-one-coup-32-bytes!!"
    book.accept(CommitSeed(seed_id=seed_id()), entropy=seed, sealed=BOX)
    book.accept(ask(), seed=seed)
    kept = msgspec.json.encode((book.log, book.state)) + repr((book.log, book.state)).encode()
    assert seed not in kept
    assert seed.hex().encode() not in kept
