"""A process that waits: until told to end, or, with `PATIENT=stubborn`, whatever it is told."""

import os
import signal
import time


def main() -> None:
    """Wait."""
    if os.environ.get("PATIENT") == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("waiting", flush=True)  # noqa: T201 - its log is what the test looks at
    time.sleep(600)


if __name__ == "__main__":
    main()
