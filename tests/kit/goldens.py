"""The digests of the golden logs, in a file of which no line is ever changed or removed.

    tests/golden/SHA256SUMS    the digest and path of every golden log, as `sha256sum` writes them

An edited log no longer fits its line, with or without git. A line edited with it no longer is a line that was
committed: in a clone with its history that is seen as well.
"""

import hashlib
import re
import subprocess
from pathlib import Path

DIGESTS = "SHA256SUMS"
_ADDED = re.compile(r"^\+([0-9a-f]{64}  \S+\.jsonl)$", flags=re.MULTILINE)


class NoHistoryError(Exception):
    """There is no git history to look at, or not the whole of it; the message says why."""


def line_of(log: Path, golden: Path) -> str:
    """Return the line of a golden log."""
    return f"{hashlib.sha256(log.read_bytes()).hexdigest()}  {log.relative_to(golden).as_posix()}"


def lines(golden: Path) -> list[str]:
    """Return the lines that are kept in this folder."""
    file = golden / DIGESTS
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def add_digest(log: Path, golden: Path) -> None:
    """Add the line of a new golden log; lines are in the order of their paths."""
    by_path = sorted([*lines(golden), line_of(log, golden)], key=lambda line: line.partition("  ")[2])
    (golden / DIGESTS).write_text("".join(f"{line}\n" for line in by_path), encoding="utf-8")


def misfits(golden: Path) -> list[str]:
    """Return the logs and lines that do not fit: a log edited, removed or never listed, a line twice."""
    kept = lines(golden)
    found = [line_of(log, golden) for log in sorted(golden.glob("**/*.jsonl"))]
    unfitting = {*kept} ^ {*found}
    return sorted({line.partition("  ")[2] for line in (*unfitting, *(line for line in kept if kept.count(line) > 1))})


def forgotten(root: Path, golden: Path) -> list[str]:
    """Return the lines that some commit before this moment had and that are not kept any more.

    Raises `NoHistoryError` outside of a git repository and in a shallow clone.
    """
    top = Path(_git(root, "rev-parse", "--show-toplevel").strip())
    if not top.samefile(root):
        raise NoHistoryError(f"{root} is not the top of a git repository")
    if _git(root, "rev-parse", "--is-shallow-repository").strip() != "false":
        raise NoHistoryError("the clone is shallow: without its history nobody can see whether a line was edited")
    history = (
        "log",
        "--full-history",
        "-m",
        "--patch",
        "--unified=0",
        "--no-renames",
        "--no-color",
        "--no-ext-diff",
        "--format=",
    )
    told = _git(root, *history, "--", str((golden / DIGESTS).relative_to(root)))
    return sorted({*_ADDED.findall(told)} - {*lines(golden)})


def _git(root: Path, *words: str) -> str:
    """Ask git, whoever the files belong to."""
    command = ["git", "-c", "safe.directory=*", "-c", "core.quotePath=off", "-C", str(root), *words]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except FileNotFoundError:
        raise NoHistoryError("git is not installed") from None
    if asked.returncode:
        raise NoHistoryError(asked.stderr.strip() or "git does not answer")
    return asked.stdout
