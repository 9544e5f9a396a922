"""The health tests and the generator that they watch."""

import itertools
from collections.abc import Callable
from hashlib import sha256

import pytest

from libs.draws import drbg, generator
from libs.draws.generator import Generator
from libs.draws.health import PROPORTION_CUTOFF, REPETITION_CUTOFF, WINDOW_SAMPLES, Watch
from libs.kernel.limits import GENERATOR_RESEED_MS, GENERATOR_RESEED_REQUESTS, GENERATOR_RETRY_MS

SPREAD = bytes(range(256))


class Source:
    """An operating system's source as a test wants it: sound until `broken` says what it gives instead."""

    def __init__(self) -> None:
        self.broken: Callable[[int], bytes] | None = None
        self.read_bytes = 0
        self._blocks = itertools.count()

    def __call__(self, count: int) -> bytes:
        """Give bytes as the operating system does."""
        self.read_bytes += count
        if self.broken is not None:
            return self.broken(count)
        return b"".join(sha256(str(next(self._blocks)).encode()).digest() for _ in range(-(-count // 32)))[:count]


class Kept:
    """A generator with its source, its clock and what it told."""

    def __init__(self, personalization: bytes = b"") -> None:
        self.source, self.now_ms = Source(), 0
        self.told: list[tuple[str, str]] = []
        self.generator = Generator(
            self.source, lambda: self.now_ms, personalization, lambda news, test: self.told.append((news, test))
        )


# -- the tests of SP 800-90B --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("row", "failed"), [(REPETITION_CUTOFF - 1, ""), (REPETITION_CUTOFF, "repetition_count")])
def test_repetition_count(row: int, failed: str) -> None:
    """Six equal bytes in a row are an alarm, five are not, wherever the blocks are cut."""
    for cut in range(1, row):
        watch = Watch()
        found = [watch.look(SPREAD[:100]), watch.look(bytes(cut)), watch.look(bytes(row - cut) + SPREAD[100:])]
        assert failed == "".join(found)


@pytest.mark.parametrize(("times", "failed"), [(PROPORTION_CUTOFF - 1, ""), (PROPORTION_CUTOFF, "adaptive_proportion")])
def test_adaptive_proportion(times: int, failed: str) -> None:
    """A window whose first byte comes nineteen times in it is an alarm, eighteen times is not."""
    rest = itertools.cycle(range(1, 256))
    window = bytes(0 if at % 2 == 0 and at < 2 * times else next(rest) for at in range(WINDOW_SAMPLES))
    assert times == window.count(0)
    assert failed == Watch().look(window)


def test_a_new_window_counts_anew() -> None:
    """What came before the window does not count: the same byte eighteen times in each window is no alarm."""
    rest = itertools.cycle(range(1, 256))
    window = bytes(0 if at % 28 == 0 and at < 28 * 18 else next(rest) for at in range(WINDOW_SAMPLES))
    watch = Watch()
    assert [""] * 20 == [watch.look(window) for _ in range(20)]


def test_a_spread_source_is_no_alarm() -> None:
    """A long sound stream passes, and a source stuck at 0 or leaning to one byte does not."""
    sound = b"".join(sha256(str(block).encode()).digest() for block in range(10_000))
    assert "" == Watch().look(sound)
    assert Watch().look(bytes(100))
    leaning = bytes(byte if at % 8 else 7 for at, byte in enumerate(sound))
    assert "adaptive_proportion" == Watch().look(leaning)


# -- the generator ------------------------------------------------------------------------------------------------
def test_fresh_bytes_are_those_of_the_construction() -> None:
    """After 1,024 tested and unused bytes, the next 48 seed HMAC_DRBG, and each draw gets the next 32 bytes."""
    kept, source = Kept(b"who"), Source()
    source(1024)
    seed = source(48)
    state, said = drbg.generate(drbg.instantiate(seed[:32], seed[32:], b"who"), 1024)
    _, more = drbg.generate(state, 1024)
    expected = [(said + more)[at : at + 32] for at in range(0, 2048, 32)]
    assert expected == [kept.generator.fresh() for _ in range(64)]


def test_two_processes_with_the_same_entropy_differ() -> None:
    """The personalization sets apart what a cloned machine would not."""
    assert Kept(b"one").generator.fresh() != Kept(b"two").generator.fresh()


def test_it_reseeds_after_a_number_of_requests() -> None:
    """After 32,768 draws fresh entropy is mixed in."""
    kept = Kept()
    for _ in range(32 * GENERATOR_RESEED_REQUESTS):
        kept.generator.fresh()
    assert [("seeded", "")] == kept.told
    kept.generator.fresh()
    assert [("seeded", "")] * 2 == kept.told


def test_it_reseeds_after_a_time() -> None:
    """Ten minutes after the last seeding the next request mixes fresh entropy in, however few draws there were."""
    kept = Kept()
    kept.generator.fresh()
    kept.now_ms = GENERATOR_RESEED_MS
    for _ in range(32):
        kept.generator.fresh()
    assert [("seeded", "")] * 2 == kept.told


def test_a_fork_and_a_take_over_change_the_future() -> None:
    """A reseed drops what was generated ahead: two copies of one process do not make the same draws."""
    one, other = Kept(), Kept()
    assert one.generator.fresh() == other.generator.fresh()
    other.generator.reseed()
    assert one.generator.fresh() != other.generator.fresh()


def _lost(_count: int) -> bytes:
    raise OSError("no source")


@pytest.mark.parametrize(
    ("broken", "test"),
    [
        (bytes, "repetition_count"),
        (lambda count: (b"\x01\x02\x03\x04" * count)[:count], "adaptive_proportion"),
        (lambda count: b"\x07" * (count - 1), "source"),
        (_lost, "source"),
    ],
)
def test_a_broken_source_silences_the_generator(broken: Callable[[int], bytes], test: str) -> None:
    """A source that is stuck, leans, gives too little or is gone: no byte more, and the failure has a name."""
    kept = Kept()
    kept.generator.fresh()
    kept.source.broken = broken
    kept.now_ms = GENERATOR_RESEED_MS
    said = [kept.generator.fresh() for _ in range(1000)]
    # The leaning source needs two windows of bytes: some reseeds pass before it is noticed.
    while all(said[-32:]):
        kept.now_ms += GENERATOR_RESEED_MS
        said = [kept.generator.fresh() for _ in range(32)]
    assert b"" == kept.generator.fresh()
    assert (test, False) == (kept.generator.failure, kept.generator.healthy())
    assert ("failed", test) == kept.told[-1]


def test_a_source_that_is_broken_at_the_start() -> None:
    """The start-up tests look at 1,024 bytes before any is used: such a generator never says anything."""
    told: list[str] = []
    stuck = Generator(bytes, lambda: 0, b"", lambda news, test: told.append(f"{news} {test}"))
    assert (b"", "repetition_count") == (stuck.fresh(), stuck.failure)
    assert ["failed repetition_count"] == told


def test_it_comes_back_when_the_source_does() -> None:
    """Ten seconds after a failure the start-up tests are tried again; once they pass there are fresh bytes."""
    kept = Kept()
    kept.source.broken, kept.now_ms = bytes, GENERATOR_RESEED_MS
    while kept.generator.fresh():
        pass
    kept.source.broken = None
    assert b"" == kept.generator.fresh()
    kept.now_ms += GENERATOR_RETRY_MS
    assert 32 == len(kept.generator.fresh())
    assert ["seeded", "failed", "seeded", "recovered"] == [news for news, _ in kept.told]


def test_a_generator_that_repeats_itself_is_silenced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same block of output twice in a row is an alarm, within a request and from one to the next."""
    kept = Kept()
    first = [kept.generator.fresh() for _ in range(32)]
    repeated = first[-1] + bytes(992)
    monkeypatch.setattr(drbg, "generate", lambda state, _count: (state, repeated))
    assert b"" == kept.generator.fresh()
    assert "repeated_block" == kept.generator.failure
    within = Kept()
    monkeypatch.setattr(drbg, "generate", lambda state, _count: (state, bytes(1024)))
    assert b"" == within.generator.fresh()


def test_a_wrong_construction_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start-up test compares with a published answer: a generator that says anything else never starts."""
    entropy, nonce, expected = generator._KNOWN
    monkeypatch.setattr(generator, "_KNOWN", (entropy, nonce, expected[::-1]))
    kept = Kept()
    assert (b"", "known_answer") == (kept.generator.fresh(), kept.generator.failure)


def test_a_health_test_that_sees_nothing_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start-up test shows a stuck source to the health tests themselves."""
    monkeypatch.setattr(Watch, "look", lambda _self, _samples: "")
    assert "known_answer" == Kept().generator.failure


def test_a_generator_shows_nothing_of_itself() -> None:
    """No text of it holds any byte that was or will be given out."""
    kept = Kept()
    assert "Generator(failure='')" == repr(kept.generator)
