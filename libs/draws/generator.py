"""The generator behind all draws: HMAC_DRBG seeded from an operating system's source, watched all the time.

No I/O here: how the source is read and what time it is are handed in. A `Generator` that has found something wrong says
nothing more until it has passed its start-up tests again; `fresh` then gives no bytes, and no draw can be made.
"""

from collections.abc import Callable
from typing import Literal

from libs.draws import drbg
from libs.draws.health import STARTUP_SAMPLES, Watch
from libs.kernel.limits import (
    DRAW_ENTROPY_BYTES,
    GENERATOR_REQUEST_BYTES,
    GENERATOR_RESEED_MS,
    GENERATOR_RESEED_REQUESTS,
    GENERATOR_RETRY_MS,
)

SEED_BYTES = drbg.SEED_BYTES + drbg.NONCE_BYTES
"""Bytes of the source for one seeding, at the start and later: 384 bits."""

Failure = Literal["source", "repetition_count", "adaptive_proportion", "repeated_block", "known_answer"]
"""What went wrong: the source could not be read or gave too little; a health test; the generator said the same block
twice; the start-up test did not get the known answer."""

News = Literal["seeded", "failed", "recovered"]

Tell = Callable[[News, str], None]
"""Hears what happens, with the failure's name where there is one: for metrics and logs."""

_KNOWN = (
    bytes.fromhex("ca851911349384bffe89de1cbdc46e6831e44d34a4fb935ee285dd14b71a7488"),
    bytes.fromhex("659ba96c601dc69fc902940805ec0ca8"),
    bytes.fromhex("e528e9abf2dece54d47c7e75e5fe302149f817ea9fb4bee6f4199697d04d5b89"),
)
"""Entropy, nonce, and the first block of the second request of 1,024 bits (NIST CAVP, SHA-256, no reseed, count 0)."""


class Unhealthy(Exception):
    """A test has failed. Its text is the failure's name."""


class Generator:
    """Fresh bytes for draws, as long as everything is well."""

    def __init__(
        self, read: Callable[[int], bytes], clock_ms: Callable[[], int], personalization: bytes, tell: Tell
    ) -> None:
        """`read(n)` gives n bytes of the source or raises `OSError`; the clock only ever goes forward."""
        self._read, self._clock_ms, self._personalization, self._tell = read, clock_ms, personalization, tell
        self._watch = Watch()
        self._drbg: drbg.Drbg | None = None
        self._ready: list[bytes] = []
        """Blocks that were generated together and not given out, the next one last."""
        self._block = b""
        self._due_ms = 0
        """When to reseed; while something is wrong, when to try again."""
        self.failure = "not started"
        """What is wrong, or an empty text."""
        self._start()

    def __repr__(self) -> str:
        return f"Generator(failure={self.failure!r})"

    def fresh(self) -> bytes:
        """Return 32 bytes that were given to nobody, or none while something is wrong."""
        if not self._ready:
            self._refill()
        return self._ready.pop() if self._ready else b""

    def healthy(self) -> bool:
        """Tell whether draws can be made, after another try when it is time for one."""
        if self.failure and self._clock_ms() >= self._due_ms:
            self._start()
        return not self.failure

    def reseed(self) -> None:
        """Mix fresh entropy in, and forget what was generated before: after a fork and at a take-over."""
        self._ready.clear()
        if self.healthy():
            self._guarded(self._seed)

    def _start(self) -> None:
        """Pass the start-up tests, and begin with a seed of its own."""
        was = self.failure
        self.failure, self._drbg, self._watch = "", None, Watch()
        self._guarded(self._begin)
        if not self.failure and was not in ("", "not started"):
            self._tell("recovered", was)

    def _begin(self) -> None:
        _known_answer()
        self._sample(STARTUP_SAMPLES)
        self._seed()

    def _refill(self) -> None:
        if self.healthy():
            self._guarded(self._generate)

    def _generate(self) -> None:
        if self._clock_ms() >= self._due_ms or self._state.requests >= self._state.interval:
            self._seed()
        self._drbg, said = drbg.generate(self._state, GENERATOR_REQUEST_BYTES)
        blocks = [said[at : at + DRAW_ENTROPY_BYTES] for at in range(0, len(said), DRAW_ENTROPY_BYTES)]
        for block in blocks:
            if block == self._block:
                raise Unhealthy("repeated_block")
            self._block = block
        blocks.reverse()
        self._ready = blocks

    @property
    def _state(self) -> drbg.Drbg:
        assert self._drbg is not None, "only a healthy generator generates"
        return self._drbg

    def _seed(self) -> None:
        seed = self._sample(SEED_BYTES)
        if self._drbg is None:
            entropy, nonce = seed[: drbg.SEED_BYTES], seed[drbg.SEED_BYTES :]
            self._drbg = drbg.instantiate(entropy, nonce, self._personalization, GENERATOR_RESEED_REQUESTS)
        else:
            self._drbg = drbg.reseed(self._drbg, seed)
        self._due_ms = self._clock_ms() + GENERATOR_RESEED_MS
        self._tell("seeded", "")

    def _sample(self, count: int) -> bytes:
        """Return bytes of the source that passed the health tests."""
        try:
            samples = self._read(count)
        except OSError as error:
            raise Unhealthy("source") from error
        if len(samples) != count:
            raise Unhealthy("source")
        failed = self._watch.look(samples)
        if failed:
            raise Unhealthy(failed)
        return samples

    def _guarded(self, step: Callable[[], None]) -> None:
        """Take a step; when it finds something wrong, drop all that could be guessed and try again later."""
        try:
            step()
        except Unhealthy as unhealthy:
            self.failure, self._drbg = str(unhealthy), None
            self._ready.clear()
            self._due_ms = self._clock_ms() + GENERATOR_RETRY_MS
            self._tell("failed", self.failure)


def _known_answer() -> None:
    """Let the construction say what the standard's authors published, and the health tests find a stuck source."""
    entropy, nonce, expected = _KNOWN
    state, _ = drbg.generate(drbg.instantiate(entropy, nonce), 128)
    _, said = drbg.generate(state, 128)
    if said[: drbg.OUT_BYTES] != expected or not Watch().look(bytes(STARTUP_SAMPLES)):
        raise Unhealthy("known_answer")
