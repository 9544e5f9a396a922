"""A process that waits: until told to end; with `PATIENT=stubborn`, whatever it is told.

With `PATIENT=slow` it takes a moment to end, in which it hears no signals any more, as Python does when it tidies up.
"""

import os
import signal
import time
from types import FrameType


def main() -> None:
    """Wait."""
    match os.environ.get("PATIENT"):
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        case "slow":
            signal.signal(signal.SIGTERM, _end_slowly)
    print("waiting", flush=True)  # noqa: T201 - its log is what the test looks at
    time.sleep(600)


def _end_slowly(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    print("ending", flush=True)  # noqa: T201 - the same
    time.sleep(0.3)
    raise SystemExit(0)


if __name__ == "__main__":
    main()
