"""House rules about code that no linter knows. A failure names the place."""

import ast
import re

import pytest

from tests.kit.house import CODE, PURE, ROOT, functions, place, python_files, tree

FILE_LINES = 400
FUNCTION_LINES = 60
"""Beyond these a test fails. What is aimed at is in docs/style.md: 300 and 40."""

DIVIDES_LIMITS = {"libs/table/buy_ins.py"}
"""Divides a limit by another, not money."""

CATCH_ALL = {
    "libs/runtime/shard.py": "a crash ends the run of one shard, not the process",
    "libs/runtime/deciding.py": "a crash of the rules is named with the command that led to it",
    "libs/runtime/audit/decisions.py": "what a rewritten log does to the rules is a fault of the log",
    "libs/runtime/local/engines.py": "whatever is wrong with somebody's package, another server may be there",
}
"""The only places that may catch everything, each with its reason."""

NAMES_AND_RAISES = {"libs/runtime/deciding.py"}
"""Of these, the one that raises in any case."""


def test_the_pure_zone_knows_no_float() -> None:
    """No float and no true division where rules and money are: amounts are whole cents (law 8)."""
    found = []
    for path in python_files(*PURE):
        for node in ast.walk(tree(path)):
            named = isinstance(node, ast.Name) and node.id in {"float", "complex"}
            written = isinstance(node, ast.Constant) and isinstance(node.value, float | complex)
            divided = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)
            if named or written or divided:
                found.append(place(path, node))
    assert [] == found


def test_money_is_divided_in_one_place() -> None:
    """Where money is, division is a function of `libs/kernel/money.py` that names what becomes of the remainder."""
    found = []
    for path in python_files("libs/table", "libs/ledger"):
        divisions = [node for node in ast.walk(tree(path)) if isinstance(getattr(node, "op", None), ast.FloorDiv)]
        found += [place(path, node) for node in divisions if place(path) not in DIVIDES_LIMITS]
    assert [] == found


def test_only_the_loop_catches_everything() -> None:
    """`except Exception` hides defects; it stands where a defect is turned into something, and nowhere else."""
    found = set()
    for path in python_files("libs", "services", "deploy"):
        for node in ast.walk(tree(path)):
            # Whoever tidies up and raises again hides nothing.
            if (
                isinstance(node, ast.ExceptHandler)
                and _catches_all(node.type)
                and not isinstance(node.body[-1], ast.Raise)
            ):
                found.add(place(path))
    assert set(CATCH_ALL) == found | NAMES_AND_RAISES


def _catches_all(kind: ast.expr | None) -> bool:
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(one is None or (isinstance(one, ast.Name) and one.id in {"Exception", "BaseException"}) for one in kinds)


def test_files_are_short() -> None:
    """A file that no longer fits a head is split by meaning."""
    sizes = {place(path): len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(*CODE)}
    assert {} == {name: lines for name, lines in sizes.items() if lines > FILE_LINES}


def test_functions_are_short() -> None:
    """A function that no longer fits a screen is split by meaning."""
    found = {}
    for path in python_files(*CODE):
        for node in functions(tree(path)):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                found[f"{place(path, node)} {node.name}"] = lines
    assert {} == found


def test_nothing_is_left_for_later() -> None:
    """What is not done is in an issue, not in a comment."""
    words = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
    suffixes = {".py", ".lua", ".toml", ".md", ".js", ".css", ".html", ".yaml", ".yml", ".sh"}
    found = []
    for folder in (*CODE, "docs"):
        texts = [path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
        found += [place(path) for path in texts if words.search(path.read_text(encoding="utf-8"))]
    assert [] == found


def test_a_test_says_what_it_proves() -> None:
    """The docstring of a test is the sentence that the test proves."""
    found = []
    for path in python_files("tests"):
        for node in functions(tree(path)):
            if node.name.startswith("test_"):
                said = ast.get_docstring(node) or ""
                if not said.rstrip().endswith((".", "!", "?")):
                    found.append(f"{place(path, node)} {node.name}")
    assert [] == found


def test_tests_lie_in_the_folder_of_their_kind() -> None:
    """The folder of a test says what it needs and what it does."""
    folders = {"unit", "property", "integration", "failure", "browser", "house", "golden", "bench"}
    found = [path.relative_to(ROOT / "tests") for path in python_files("tests") if path.name.startswith("test_")]
    assert [] == [str(path) for path in found if path.parts[0] not in folders]


@pytest.mark.parametrize("folder", ["integration", "failure"])
def test_what_needs_a_server_or_kills_is_marked(folder: str) -> None:
    """Whoever has no server, or no patience, can leave these tests out by their markers."""
    names = {"integration": {"redis", "docker"}, "failure": {"failure"}}[folder]
    found = []
    for path in python_files(f"tests/{folder}"):
        text = path.read_text(encoding="utf-8")
        needs = "redis_url" in text or "redis_log" in text or folder == "failure"
        if path.name.startswith("test_") and needs and not any(f"mark.{name}" in text for name in names):
            found.append(place(path))
    assert [] == found
