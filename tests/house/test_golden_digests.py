"""Golden logs are never edited: each fits its digest, and no digest that was ever committed has been changed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.kit.goldens import DIGESTS, NoHistoryError, add_digest, forgotten, lines, misfits
from tests.kit.house import ROOT

GOLDEN = ROOT / "tests" / "golden"
LOG = "wheel/0001-house-table-rng.jsonl"


def test_every_golden_log_fits_its_digest() -> None:
    """A log that was edited, removed, or has no digest does not fit (no git needed)."""
    assert [] == misfits(GOLDEN)


def test_no_digest_was_ever_changed() -> None:
    """Every line that the history has is still there; a clone without its history can only say so."""
    try:
        assert [] == forgotten(ROOT, GOLDEN)
    except NoHistoryError as why:
        pytest.skip(str(why))


# -- what breaks them, in a copy ----------------------------------------------------------------------------------
@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A repository of its own with the golden logs of this one, committed."""
    golden = tmp_path / "house" / "tests" / "golden"
    shutil.copytree(GOLDEN, golden, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    git(tmp_path / "house", "init", "--quiet", "--initial-branch=main")
    commit(tmp_path / "house")
    return tmp_path / "house"


def git(repository: Path, *words: str) -> None:
    """Let git do something."""
    who = ("-c", "user.name=house", "-c", "user.email=house@example.org", "-c", "commit.gpgSign=false")
    subprocess.run(["git", *who, "-C", str(repository), *words], check=True, capture_output=True, timeout=60)


def commit(repository: Path) -> None:
    """Commit everything as it is."""
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "as it is")


def edit(golden: Path) -> None:
    """Change one digit of a golden log."""
    log = golden / LOG
    log.write_bytes(log.read_bytes().replace(b'"amount":1000', b'"amount":1001', 1))


def digest_anew(golden: Path) -> str:
    """Put today's digest of that log in the place of its old one; return the old line."""
    (old,) = [line for line in lines(golden) if line.endswith(LOG)]
    (golden / DIGESTS).write_text("".join(f"{line}\n" for line in lines(golden) if line != old), encoding="utf-8")
    add_digest(golden / LOG, golden)
    return old


def test_an_untouched_copy_is_whole(copy: Path) -> None:
    """Nothing is found where nothing was done, and a new log with a line of its own is welcome."""
    golden = copy / "tests" / "golden"
    assert ([], []) == (misfits(golden), forgotten(copy, golden))
    new = golden / "wheel" / "9999-new.jsonl"
    shutil.copy(golden / LOG, new)
    assert ["wheel/9999-new.jsonl"] == misfits(golden)
    add_digest(new, golden)
    assert ([], []) == (misfits(golden), forgotten(copy, golden))


def test_an_edited_log_is_found_without_git(copy: Path) -> None:
    """One digit changed, a log removed, a line removed, a line twice: each is named."""
    golden = copy / "tests" / "golden"
    edit(golden)
    assert [LOG] == misfits(golden)
    (golden / "rappel" / "0005-silence.jsonl").unlink()
    assert ["rappel/0005-silence.jsonl", LOG] == misfits(golden)
    digest_anew(golden)
    assert ["rappel/0005-silence.jsonl"] == misfits(golden)
    add_digest(golden / LOG, golden)
    assert ["rappel/0005-silence.jsonl", LOG] == misfits(golden)


@pytest.mark.parametrize("committed", [False, True], ids=["not committed", "committed"])
def test_a_log_edited_together_with_its_digest_is_found_in_the_history(copy: Path, committed: bool) -> None:
    """The digests fit, but the old line is missing, before the commit and ever after."""
    golden = copy / "tests" / "golden"
    edit(golden)
    old = digest_anew(golden)
    if committed:
        commit(copy)
    assert ([], [old]) == (misfits(golden), forgotten(copy, golden))


def test_a_digest_that_was_lost_in_a_merge_is_found(copy: Path) -> None:
    """A log that one branch brought and a merge dropped, file and line, is missed."""
    golden = copy / "tests" / "golden"
    git(copy, "checkout", "--quiet", "-b", "branch")
    new = golden / "wheel" / "9999-new.jsonl"
    shutil.copy(golden / LOG, new)
    add_digest(new, golden)
    (line,) = [line for line in lines(golden) if line.endswith("9999-new.jsonl")]
    commit(copy)
    git(copy, "checkout", "--quiet", "main")
    git(copy, "merge", "--quiet", "--no-ff", "--strategy=ours", "--message", "drop it", "branch")
    assert ([], [line]) == (misfits(golden), forgotten(copy, golden))


def test_a_clone_without_history_says_so(copy: Path, tmp_path: Path) -> None:
    """A shallow clone, and a folder that is no repository, cannot tell; the digests are checked all the same."""
    git(copy, "commit", "--quiet", "--allow-empty", "--message", "one more")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{copy}", str(tmp_path / "shallow"))
    with pytest.raises(NoHistoryError, match="shallow"):
        forgotten(tmp_path / "shallow", tmp_path / "shallow" / "tests" / "golden")
    shutil.rmtree(copy / ".git")
    with pytest.raises(NoHistoryError):
        forgotten(copy, copy / "tests" / "golden")
    edit(copy / "tests" / "golden")
    assert [LOG] == misfits(copy / "tests" / "golden")
