"""The RNG on a machine whose source of random bytes is stuck while the file that `TAPIS_TEST_STUCK` names is there.

It reads the source for every seed, so that it notices at once, and when it has failed it tries again all the time.
"""

import os
from pathlib import Path

from libs.draws import generator
from services.rng.__main__ import main

STUCK = "TAPIS_TEST_STUCK"
RETRY_MS = 50

_sound = os.getrandom


def source(size: int, flags: int = 0) -> bytes:
    """Stand for the operating system's source."""
    return bytes(size) if Path(os.environ[STUCK]).exists() else _sound(size, flags)


if __name__ == "__main__":
    vars(os)["getrandom"] = source
    vars(generator).update(GENERATOR_REQUEST_BYTES=32, GENERATOR_RESEED_REQUESTS=1, GENERATOR_RETRY_MS=RETRY_MS)
    main()
