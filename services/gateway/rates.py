"""How fast one subject may speak: a bucket of tokens for each, refilled with time."""

import time
from collections import OrderedDict
from collections.abc import Callable

from libs.kernel.limits import DOOR_BURST, DOOR_RATE_PER_SECOND, DOOR_SUBJECTS


class Rates:
    """Token buckets by subject, in this process. The longest silent subject is forgotten first."""

    def __init__(
        self,
        per_second: float = DOOR_RATE_PER_SECOND,
        burst: int = DOOR_BURST,
        subjects: int = DOOR_SUBJECTS,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_second, self._burst, self._subjects, self._clock_s = per_second, burst, subjects, clock_s
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def wait_s(self, subject: str) -> float:
        """Take a token and return 0; or, when there is none, return after how many seconds there will be one."""
        now_s = self._clock_s()
        tokens, since_s = self._buckets.pop(subject, (float(self._burst), now_s))
        tokens = min(float(self._burst), tokens + (now_s - since_s) * self._per_second)
        allowed = tokens >= 1.0
        self._buckets[subject] = (tokens - 1.0 if allowed else tokens, now_s)
        if len(self._buckets) > self._subjects:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1.0 - tokens) / self._per_second
