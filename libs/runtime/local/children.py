"""Child processes: started with a log file each, started again when they die, stopped in good order."""

import asyncio
import itertools
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from libs.kernel.limits import MAX_LOCAL_LOG_BYTES

FIRST_PAUSE_S = 0.5
"""Pause before a process that died is started again, in seconds; doubled at each further death."""

LONGEST_PAUSE_S = 10.0
STEADY_S = 30.0
"""A process that lived so long, in seconds, is steady: its next death begins with the first pause again."""

GRACE_S = 6.0
"""How long a process may take to end after SIGTERM, in seconds."""


_RESTARTS = itertools.count(1)
"""Numbers the restarts of all children of this process, in the order in which they happen."""


@dataclass(frozen=True, slots=True)
class ChildPlan:
    """What to run: `python -m <module>` with this environment added."""

    name: str
    """Such as `orchestrator-1`: name of the log file, and the instance name at the first start."""
    module: str
    environ: Mapping[str, str] = field(default_factory=dict)
    descriptors: tuple[int, ...] = ()
    """Files of this process that each start inherits, such as the socket to listen on."""


class Child:
    """One process that is kept running."""

    def __init__(
        self,
        plan: ChildPlan,
        log_folder: Path,
        say: Callable[[str], None],
        started: Callable[[], None] = lambda: None,
    ) -> None:
        self.plan = plan
        self.log_file = log_folder / f"{plan.name}.log"
        self.starts = 0
        self._instance = plan.name
        self._say = say
        self._started = started
        self._process: asyncio.subprocess.Process | None = None
        self._asked: asyncio.subprocess.Process | None = None
        """The start of it that has been asked to stop."""
        self._keeper: asyncio.Task[None] | None = None
        self._stopping = False

    @property
    def pid(self) -> int | None:
        """Process id, None while it does not run."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    @property
    def instance(self) -> str:
        """Name of this run of the process: a new one at each start, so that no run is taken for another.

        Whoever started later sorts behind, and shards go to members in order of name: after a kill it is the replica
        that stood by that goes on with the shard, not the killed one when it is back before its lease has ended.
        """
        return self._instance

    async def start(self) -> None:
        """Start the process and keep it running until `stop`."""
        self._stopping = False
        await self._launch()
        self._keeper = asyncio.create_task(self._keep(), name=f"keep {self.plan.name}")

    def ask_to_stop(self) -> None:
        """Send SIGTERM, once however often this is called, and do not start it again.

        A second one could meet a process that has obeyed and hears no signals any more: it would end as if killed.
        """
        self._stopping = True
        if self._asked is not self._process:
            self._asked = self._process
            self._signal(signal.SIGTERM)

    async def stop(self) -> int | None:
        """End the process: SIGTERM first, SIGKILL after the grace. Returns its exit code, None when it never ran."""
        self.ask_to_stop()
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
            # It may just have started the process again, which then has not been asked yet.
            self.ask_to_stop()
        if self._process is None:
            return None
        try:
            await asyncio.wait_for(self._process.wait(), GRACE_S)
        except TimeoutError:
            self._say(f"{self.plan.name} did not stop within {GRACE_S:.0f} s and was ended; see {self.log_file}")
            self._signal(signal.SIGKILL)
            await self._process.wait()
        _let_go(self._process)
        return self._process.returncode

    async def kill(self) -> None:
        """End the process as a crash would, and leave it down until `start` (for tests of failure)."""
        self._stopping = True
        self._signal(signal.SIGKILL)
        await self.stop()

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)

    async def _launch(self) -> None:
        self.starts += 1
        if self.starts > 1:
            self._instance = f"restart-{next(_RESTARTS):06}-of-{self.plan.name}"
        self._make_room()
        environ = {**os.environ, **self.plan.environ, "TAPIS_INSTANCE": self.instance}
        with self.log_file.open("ab") as log:
            # `tether` ends the process when this one is gone, however it ended: the pipe on its standard input closes.
            # A session of its own: Ctrl-C in the terminal must reach the supervisor alone, which stops all in order.
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "libs.runtime.local.tether",
                self.plan.module,
                env=environ,
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=self.plan.descriptors,
            )
        self._started()

    def _make_room(self) -> None:
        """Put a log file aside that has grown too large; the one put aside before is gone then."""
        if self.log_file.exists() and self.log_file.stat().st_size > MAX_LOCAL_LOG_BYTES:
            self.log_file.replace(self.log_file.with_suffix(".log.1"))

    async def _keep(self) -> None:
        """Start the process again whenever it ends."""
        pause = FIRST_PAUSE_S
        while not self._stopping and self._process is not None:
            began = time.monotonic()
            pid = self._process.pid
            code = await self._process.wait()
            if self._stopping:
                return
            _let_go(self._process)
            if time.monotonic() - began > STEADY_S:
                pause = FIRST_PAUSE_S
            self._say(f"{self.plan.name} (process {pid}) {ending(code)}; it starts again in {pause:g} s")
            if code >= 0:
                self._say("\n".join(f"    {line}" for line in last_lines(self.log_file)))
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_S)
            await self._launch()


def _let_go(process: asyncio.subprocess.Process) -> None:
    """Close our end of the tether of a process that has ended."""
    if process.stdin is not None:
        process.stdin.close()


def ending(code: int) -> str:
    """Say how a process ended.

    >>> ending(-9), ending(1)
    ('was ended by SIGKILL', 'ended with code 1')
    """
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"


def last_lines(file: Path, count: int = 3, width: int = 200) -> list[str]:
    """Return the last lines of a log file, cut to `width` characters."""
    try:
        with file.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - 8192))
            text = log.read().decode("utf-8", "replace")
    except OSError:
        return []
    return [line[:width] for line in text.splitlines()[-count:]]
