"""Run a module as a process that ends when its parent does: `python -m libs.runtime.local.tether services.wallet`.

The parent holds the other end of this process's standard input. When the parent ends, even by `kill -9`, that closes,
and the process stops as it would on SIGTERM: no casino is left running behind a supervisor that is gone.
"""

import os
import runpy
import signal
import sys
import threading


def _watch() -> None:
    """Wait until the parent is gone."""
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Run the module named by the first argument as `__main__`; further arguments are its own."""
    threading.Thread(target=_watch, name="tether", daemon=True).start()
    module = sys.argv[1]
    sys.argv = sys.argv[1:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
