"""The RNG with a defect: every draw crashes, with the coup's seed at hand. Run as the real one.

While the file that `TAPIS_TEST_LEAKS` names is there, it is as careless as can be: the seed is in what the exception
says, and in a label of its metrics.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Never

from libs.draws import decider
from libs.runtime import metrics
from services.rng.__main__ import main
from services.rng.chance import SERVICE

LEAKS = "TAPIS_TEST_LEAKS"


def crash(entropy: bytes, label: str, bounds: Sequence[int]) -> Never:
    """Stand for the mapping."""
    if Path(os.environ[LEAKS]).exists():
        metrics.labelled(metrics.rng_failures, SERVICE, entropy.hex()).inc()
        raise ZeroDivisionError(f"no {bounds} can be drawn from {entropy!r}")
    raise ZeroDivisionError(f"no {bounds} can be drawn for {label}")


if __name__ == "__main__":
    vars(decider)["draw"] = crash
    main()
