"""Continuous health tests (NIST SP 800-90B, 4.4): they notice a source of chance that is stuck or leans heavily.

The samples are bytes and the claim is full entropy (8 bits a byte), as the operating system's generator makes. A sound
source fails a test by accident with a chance of 2^-40 a sample, which is less than once in a thousand years here.
"""

from math import comb

CLAIM_BITS = 8
"""Claimed min-entropy of a sample (a byte): H."""

FALSE_ALARM_BITS = 40
"""A false alarm has a chance of 2^-40 (the standard asks for 2^-20 to 2^-40)."""

WINDOW_SAMPLES = 512
"""Samples of a window of the adaptive proportion test, for samples that are not bits."""

STARTUP_SAMPLES = 1024
"""Samples that are tested before any is used (4.3)."""


def repetition_cutoff(claim_bits: int) -> int:
    """Return the number of equal samples in a row that is an alarm (4.4.1).

    >>> repetition_cutoff(8), repetition_cutoff(1)
    (6, 41)
    """
    return 1 - (-FALSE_ALARM_BITS // claim_bits)


def proportion_cutoff(claim_bits: int) -> int:
    """Return how often the first sample of a window may not come within it (4.4.2), counted exactly, without floats.

    1 + the least count which a source with this claim exceeds with a chance of at most 2^-40.

    >>> proportion_cutoff(8)
    19
    """
    others = 2**claim_bits - 1
    bound = 2 ** (claim_bits * WINDOW_SAMPLES - FALSE_ALARM_BITS)
    beyond, count = 0, WINDOW_SAMPLES
    while True:
        beyond += comb(WINDOW_SAMPLES, count) * others ** (WINDOW_SAMPLES - count)
        if beyond > bound:
            return count + 1
        count -= 1


REPETITION_CUTOFF = repetition_cutoff(CLAIM_BITS)
PROPORTION_CUTOFF = proportion_cutoff(CLAIM_BITS)


class Watch:
    """Both tests at work on the samples of one source, from block to block."""

    def __init__(self) -> None:
        self._last, self._row = -1, 0
        self._first, self._seen, self._same = -1, 0, 0

    def look(self, samples: bytes) -> str:
        """Test these samples after all those before; return the name of the test that failed, or an empty text."""
        failed = ""
        for sample in samples:
            if self._repeats(sample):
                failed = failed or "repetition_count"
            if self._leans(sample):
                failed = failed or "adaptive_proportion"
        return failed

    def _repeats(self, sample: int) -> bool:
        self._row = self._row + 1 if sample == self._last else 1
        self._last = sample
        return self._row >= REPETITION_CUTOFF

    def _leans(self, sample: int) -> bool:
        if self._seen in (0, WINDOW_SAMPLES):
            self._first, self._seen, self._same = sample, 1, 1
            return False
        self._seen += 1
        self._same += sample == self._first
        return self._same >= PROPORTION_CUTOFF
