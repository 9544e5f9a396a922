"""The file of keys and the sealed form of a seed: opened by whoever has the key, and by nobody else."""

import os
import stat
from pathlib import Path

import pytest

from libs.draws.decider import DECIDER
from libs.draws.state import DrawsState
from libs.kernel.contracts.rng import CommitSeed, RequestDraw, RevealSeed, SeedRevealed, SeedSealed
from libs.kernel.decider import NO_CHANCE
from libs.kernel.limits import SEAL_KEYS
from libs.kernel.messages import Tick
from libs.kernel.seeds import commitment_of
from libs.runtime.faults import CannotServe
from libs.runtime.keyfile import KeyFileError
from libs.runtime.seals import SealKeys, Seals, add_key, read_keys
from tests.kit.book import Book

SEED_ID, SEED = "seed:pit-1/T1/1/1", bytes(range(32))
OLD, NEW = bytes(31) + b"\x01", bytes(31) + b"\x02"


def sealed(keys: SealKeys, seed: bytes = SEED, seed_id: str = SEED_ID) -> SeedSealed:
    return SeedSealed(seed_id=seed_id, commitment=commitment_of(seed, seed_id), sealed=keys.seal(seed, seed_id))


def test_what_is_sealed_can_be_opened() -> None:
    """With the key the seed comes back, and no two sealed forms are alike."""
    keys = SealKeys({"k": OLD})
    assert SEED == keys.open(sealed(keys))
    assert sealed(keys) != sealed(keys)
    assert SEED.hex() not in sealed(keys).sealed


def test_a_changed_box_stays_shut() -> None:
    """Another byte, another coup, another commitment, another key of the same name, no key at all: nothing opens."""
    keys, box = SealKeys({"k": OLD}), sealed(SealKeys({"k": OLD}))
    last = "0" if box.sealed[-1] != "0" else "1"
    wrong = [
        SeedSealed(seed_id=box.seed_id, commitment=box.commitment, sealed=box.sealed[:-1] + last),
        SeedSealed(seed_id="seed:pit-1/T1/1/2", commitment=box.commitment, sealed=box.sealed),
        SeedSealed(seed_id=box.seed_id, commitment="0" * 64, sealed=box.sealed),
        SeedSealed(seed_id=box.seed_id, commitment=box.commitment, sealed="k.zz"),
        SeedSealed(seed_id=box.seed_id, commitment=box.commitment, sealed="k."),
        SeedSealed(seed_id=box.seed_id, commitment=box.commitment, sealed=""),
    ]
    assert [None] * len(wrong) == [keys.open(one) for one in wrong]
    assert SealKeys({"k": NEW}).open(box) is None
    assert SealKeys({"other": OLD}).open(box) is None


def test_rotation() -> None:
    """The newest key seals, all open: after a rotation old seeds are still opened, new ones by the new key alone."""
    before = SealKeys({"old": OLD})
    both = SealKeys({"old": OLD, "new": NEW})
    assert SEED == both.open(sealed(before))
    assert before.open(sealed(both)) is None
    assert SEED == SealKeys({"new": NEW}).open(sealed(both))


def test_nothing_shows_a_key() -> None:
    """Printed, keys and chance say nothing of what is inside."""
    keys = SealKeys({"k": OLD})
    chance = Seals(lambda: SEED, keys).provide(DECIDER.initial("draws"), CommitSeed(seed_id=SEED_ID))
    said = repr(keys) + repr(chance) + str(vars(keys))
    assert OLD.hex() not in said
    assert repr(SEED) not in repr(chance)


# -- the file -----------------------------------------------------------------------------------------------------
def test_a_file_is_made_and_grows(tmp_path: Path) -> None:
    """Only its owner may read it; each new key comes last and seals; notes and empty lines are allowed."""
    path = tmp_path / "keys" / "seal-keys"
    add_key(path, "2026-11")
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    path.write_text(path.read_text() + "# a note\n\n")
    add_key(path, "2026-12")
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    keys = read_keys(path)
    assert ("2026-11", "2026-12") == keys.names
    assert "# a note" in path.read_text()


@pytest.mark.parametrize("name", ["2026-11", "", "a b", "ä", "#", "a" * 33])
def test_a_name_must_be_new_and_plain(tmp_path: Path, name: str) -> None:
    """A key cannot be added under a name that is taken or not a word; the file stays as it was."""
    path = tmp_path / "seal-keys"
    add_key(path, "2026-11")
    before = path.read_bytes()
    with pytest.raises(KeyFileError, match="no name"):
        add_key(path, name)
    assert before == path.read_bytes()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "has 0 keys"),
        (b"# only a note\n", "has 0 keys"),
        (b"k 00\n", "line 1: expected a name and 64 hex digits"),
        (b"# k\nk " + b"g" * 64, "line 2: expected"),
        (b"k " + b"0" * 65, "line 1: expected"),
        (b"0" * 64, "line 1: expected"),
        (b"k " + b"0" * 64 + b"\nk " + b"1" * 64, "line 2: there is another key of the name k"),
        (b"\xff\xfe", "it is not text"),
        (b"".join(b"k%d %064d\n" % (i, i) for i in range(SEAL_KEYS + 1)), "has 65 keys"),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(tmp_path: Path, content: bytes, reason: str) -> None:
    """The message names the file and the line, and nothing of what stands there."""
    path = tmp_path / "seal-keys"
    path.write_bytes(content)
    with pytest.raises(KeyFileError, match=reason) as error:
        read_keys(path)
    assert str(path) in str(error.value)
    assert "0" * 20 not in str(error.value)
    assert "g" * 20 not in str(error.value)


def test_a_missing_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """It says which file, and what the system said."""
    with pytest.raises(KeyFileError, match="cannot be read: No such file"):
        read_keys(tmp_path / "nowhere")


# -- what a decision is given -------------------------------------------------------------------------------------
class Rng:
    """A book of draws whose decisions are given chance by seals."""

    def __init__(self, seals: Seals) -> None:
        self.book: Book[DrawsState] = Book(DECIDER, "draws")
        self.seals = seals

    def accept(self, command: CommitSeed | RequestDraw | RevealSeed) -> None:
        """Decide with what the seals hand in."""
        chance = self.seals.provide(self.book.state, command)
        self.book.accept(command, entropy=chance.entropy, sealed=chance.sealed, seed=chance.seed)


def test_each_command_gets_what_it_needs() -> None:
    """Fresh bytes for a commitment, the opened seed for draw and reveal, fresh bytes for a draw without a seed."""
    seals = Seals(lambda: os.urandom(32), SealKeys({"k": OLD}))
    rng = Rng(seals)
    rng.accept(CommitSeed(seed_id=SEED_ID))
    wish = RequestDraw(draw_id="draw:pit-1/T1/1/1/main", bounds=(6,))
    opened = seals.provide(rng.book.state, wish)
    assert (32, b"") == (len(opened.seed), opened.entropy)
    assert opened == seals.provide(rng.book.state, RevealSeed(seed_id=SEED_ID))
    other = seals.provide(rng.book.state, RequestDraw(draw_id="draw:pit-1/T1/1/2/main", bounds=(6,)))
    assert (b"", 32) == (other.seed, len(other.entropy))
    assert NO_CHANCE == seals.provide(rng.book.state, Tick())
    rng.accept(wish)
    rng.accept(RevealSeed(seed_id=SEED_ID))
    assert isinstance(rng.book.log[-1], SeedRevealed)
    assert NO_CHANCE == seals.provide(rng.book.state, RevealSeed(seed_id=SEED_ID))


def test_a_service_without_the_key_does_not_go_on() -> None:
    """It says how many seeds are shut, which key is missing and what to do; a revealed seed needs no key."""
    rng = Rng(Seals(lambda: os.urandom(32), SealKeys({"old": OLD})))
    rng.accept(CommitSeed(seed_id=SEED_ID))
    rng.accept(CommitSeed(seed_id="seed:pit-1/T1/1/2"))
    stranger = Seals(lambda: os.urandom(32), SealKeys({"new": NEW}))
    with pytest.raises(CannotServe, match=r"2 seeds .* keys new\. Put the key that sealed them \(old\) back .*GIVE_UP"):
        stranger.look_over(rng.book.state)
    Seals(lambda: b"", SealKeys({"new": NEW, "old": OLD})).look_over(rng.book.state)
    rng.accept(RevealSeed(seed_id=SEED_ID))
    rng.accept(RevealSeed(seed_id="seed:pit-1/T1/1/2"))
    stranger.look_over(rng.book.state)


def test_an_operator_may_give_them_up() -> None:
    """Told so, the service goes on without the seeds: their draws get none."""
    rng = Rng(Seals(lambda: os.urandom(32), SealKeys({"old": OLD})))
    rng.accept(CommitSeed(seed_id=SEED_ID))
    resigned = Seals(lambda: os.urandom(32), SealKeys({"new": NEW}), give_up=True)
    resigned.look_over(rng.book.state)
    chance = resigned.provide(rng.book.state, RequestDraw(draw_id="draw:pit-1/T1/1/1/main", bounds=(6,)))
    assert (b"", b"") == (chance.seed, chance.entropy)
