"""What happened in a casino under test, second by second: who was killed, who died, who was started again."""

import time


class Diary:
    """Sentences with the seconds since the diary was begun."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self.lines: list[str] = []

    def note(self, sentence: str) -> None:
        """Write a sentence down."""
        self.lines.append(f"{time.monotonic() - self._began:8.2f} s  {sentence}")
