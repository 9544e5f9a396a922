"""A folder that one process uses at a time."""

import fcntl
import os
from pathlib import Path
from types import TracebackType


class FolderUnusable(RuntimeError):
    """The folder cannot be made or written to, or (`FolderBusy`) is in use."""


class FolderBusy(FolderUnusable):
    """Another process, still alive, works in the folder."""


class FolderLock:
    """Holds a folder for this process. The lock ends with the process, however it ends, so none is ever left behind."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "lock"
        self._file: int | None = None

    def acquire(self) -> None:
        """Take the folder; raises `FolderBusy`, with the id of the process that has it, or `FolderUnusable`."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise FolderUnusable(f"{self.path.parent} cannot be used as a folder: {error.strerror}") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(file, 32).decode("ascii", "replace").strip() or "unknown"
            os.close(file)
            raise FolderBusy(
                f"{self.path.parent} is in use by another run (process {holder}). "
                "Stop that one, or choose another folder (--folder)."
            ) from None
        os.ftruncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        self._file = file

    def release(self) -> None:
        """Give the folder back; harmless when it is not held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> "FolderLock":
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
