"""A service of toy shards, run as the real ones: `python -m tests.kit.toy_service toy-0 …`.

An added amount of 66 kills the process, as a crash in native code or the kernel's memory killer would.
"""

import os
import signal
import sys

from libs.runtime.owner import ShardPlan
from libs.runtime.service import Service, run
from tests.kit.shard_run import KNOWN
from tests.kit.toy import HOOKS, TOY

if __name__ == "__main__":
    HOOKS[66] = lambda: os.kill(os.getpid(), signal.SIGKILL)
    run(Service("toy", TOY, lambda _: [ShardPlan(name, KNOWN) for name in sys.argv[1:]]))
