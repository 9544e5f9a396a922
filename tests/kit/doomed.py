"""A service that a test stops at a point of its own choice: `python -m tests.kit.doomed`, set up as the service is.

`TAPIS_TEST_MODULE` is the service, `TAPIS_TEST_TRAP` a folder. While it holds a `Trap`, the first process that comes
to the point which it names is caught: it says so by `caught` and dies at once by SIGKILL, or stands still until the
trap is taken away. Nothing of the service itself is changed: the point is before or after one of its calls to the log.
"""

import os
import runpy
import signal
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from libs.eventlog.api import Appended, AppendResult, Batch
from libs.eventlog.redis_log import RedisLog

Moment = Literal["before append", "after append", "before send"]
LOOK_EVERY_S = 0.002


class Trap(msgspec.Struct, frozen=True, kw_only=True):
    """Where a process is caught, and whether it dies there."""

    moment: Moment
    words: tuple[str, ...]
    """All of them stand in one event that is appended, or in one command that is sent."""
    deadly: bool


class Snare:
    """The folder of the trap, as both sides see it."""

    def __init__(self, folder: Path) -> None:
        self._trap, self._caught = folder / "trap", folder / "caught"

    def set(self, trap: Trap) -> None:
        """Set the trap."""
        written = self._trap.with_suffix(".new")
        written.write_bytes(msgspec.json.encode(trap))
        written.replace(self._trap)

    def caught(self) -> int:
        """Return the id of the process that is caught, 0 while there is none."""
        with suppress(FileNotFoundError):
            return int(self._caught.read_text() or "0")
        return 0

    def take_away(self) -> None:
        """Take the trap away: whoever stands in it goes on."""
        self._trap.unlink()
        self._caught.unlink()

    def come_by(self, moment: Moment, messages: Iterable[bytes]) -> None:
        """Go over a point of the loop; here a process dies, or stands still with all that it is about to do."""
        with suppress(FileNotFoundError):
            trap = msgspec.json.decode(self._trap.read_bytes(), type=Trap)
            if trap.moment != moment or not any(all(w.encode() in raw for w in trap.words) for raw in messages):
                return
            with suppress(FileExistsError):
                # Only one is caught: whoever comes by later, with the same debt perhaps, goes on.
                with self._caught.open("x") as caught:
                    caught.write(str(os.getpid()))
                if trap.deadly:
                    os.kill(os.getpid(), signal.SIGKILL)
                while self._trap.exists():
                    time.sleep(LOOK_EVERY_S)


def lay(snare: Snare) -> None:
    """Have every call of this process to the log come by the trap."""
    append, send = RedisLog.append, RedisLog.send

    async def trapped_append(self: RedisLog, shard: str, batch: Batch) -> AppendResult:
        records = [raw for one in batch.appends for raw in one.records]
        snare.come_by("before append", records)
        result = await append(self, shard, batch)
        if isinstance(result, Appended):
            snare.come_by("after append", records)
        return result

    async def trapped_send(self: RedisLog, commands: Sequence[tuple[str, bytes]]) -> None:
        snare.come_by("before send", [raw for _, raw in commands])
        await send(self, commands)

    RedisLog.append, RedisLog.send = trapped_append, trapped_send  # type: ignore[method-assign]


if __name__ == "__main__":
    lay(Snare(Path(os.environ["TAPIS_TEST_TRAP"])))
    runpy.run_module(os.environ["TAPIS_TEST_MODULE"], run_name="__main__", alter_sys=True)
