"""Documents lead somewhere, and say what is there."""

import re
from pathlib import Path

import pytest

from libs.kernel import limits
from tests.kit.house import ROOT, anchors, documents, links

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z0-9-]+):.*##", MAKEFILE, flags=re.MULTILINE))


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    """Every relative link of a document names a file that exists, and a heading that is there."""
    found = []
    for target in links(document):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        if not path.exists() or (anchor and path.suffix == ".md" and anchor not in anchors(path)):
            found.append(target)
    assert [] == found


def test_every_decision_is_in_the_index() -> None:
    """The index of `docs/adr` names each page once, with the title that the page has."""
    folder = ROOT / "docs" / "adr"
    rows = re.findall(r"^\| \[(\d{4})\]\((\S+?)\) \| (.+?) \|$", (folder / "README.md").read_text(), flags=re.MULTILINE)
    pages = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert pages == [name for _, name, _ in rows]
    assert [name[:4] for name in pages] == [number for number, _, _ in rows]
    assert [f"{number:04}" for number in range(1, len(pages) + 1)] == [number for number, _, _ in rows]
    for number, name, _ in rows:
        first = (folder / name).read_text(encoding="utf-8").splitlines()[0]
        assert re.match(rf"# (ADR )?{number}\b|# {int(number)}\b", first), f"{name} begins with {first!r}"


def test_commands_of_the_documents_exist() -> None:
    """Whatever `make …` a document tells the reader to run is a target of the Makefile."""
    found = {}
    for document in documents():
        named = set(re.findall(r"(?:`|^    |\n)make ([a-z0-9-]+)", document.read_text(encoding="utf-8")))
        if named - TARGETS:
            found[str(document.relative_to(ROOT))] = sorted(named - TARGETS)
    assert {} == found


def test_the_readme_names_every_command() -> None:
    """The README mentions each target that people use."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = {target for target in TARGETS if not re.search(rf"(make |`){target}\b", text)}
    assert missing <= {"help", "format", "lock", "clean"}


def test_paths_of_the_documents_exist() -> None:
    """A path in backquotes that looks like one of ours is there."""
    found = {}
    for document in documents():
        named = re.findall(r"`((?:libs|services|tests|docs|deploy)/[\w./-]+)`", document.read_text(encoding="utf-8"))
        gone = sorted({name for name in named if not (ROOT / name).exists()})
        if gone:
            found[str(document.relative_to(ROOT))] = gone
    assert {} == found


def test_words_of_the_glossary_are_told_once() -> None:
    """One word, one meaning: no word stands twice in the glossary."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = [row.split("|")[1].strip().strip("*") for row in text.splitlines() if row.startswith("| ")]
    words = [word.strip() for row in rows for word in row.split(",") if row not in {"word", "English"}]
    assert [] == sorted({word for word in words if words.count(word) > 1})
    assert {"command", "event", "refusal", "book", "volume", "shard", "session", "coup", "spot"} <= set(words)


def test_every_limit_has_its_sentence() -> None:
    """Each limit is a whole number above zero, followed by what it limits and in which unit."""
    text = Path(limits.__file__ or "").read_text(encoding="utf-8")
    names = [name for name in vars(limits) if name.isupper()]
    assert len(names) > 20
    assert [] == [name for name in names if not re.search(rf'^{name} = .+\n"""', text, flags=re.MULTILINE)]
    assert [] == [name for name in names if not isinstance(vars(limits)[name], int) or vars(limits)[name] <= 0]
