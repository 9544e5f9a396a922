"""The first process of every service image: runs the one service that the image was built for.

`TAPIS_SERVICE` is written at build time. The interpreter is process 1, which the kernel gives no default signal
actions: until a service has installed its own handlers, a stop would be ignored and end in a kill. So this file
answers SIGTERM and SIGINT from the first moment; the service replaces both handlers when it is up.
"""

import os
import runpy
import signal
import sys
from types import FrameType


def main() -> None:
    """Run `services.<TAPIS_SERVICE>` as the main program; exit 78 (bad configuration) when it names none."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    service = os.environ.get("TAPIS_SERVICE", "")
    if not service.isidentifier():
        sys.exit(_complain(f"TAPIS_SERVICE must name a service, it is {service!r}"))
    runpy.run_module(f"services.{service}", run_name="__main__", alter_sys=True)


def _leave(number: int, _frame: FrameType | None) -> None:
    """Leave while the service is still being imported: nothing is owned yet, so there is nothing to hand over."""
    sys.exit(128 + number)


def _complain(sentence: str) -> int:
    """Say on standard error why nothing can run; EX_CONFIG of sysexits.h."""
    sys.stderr.write(sentence + "\n")
    return 78


if __name__ == "__main__":
    main()
