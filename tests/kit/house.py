"""What the house tests look at: the files of this repository, parsed once."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = ("libs", "services", "tests", "deploy")
PURE = ("libs/kernel", "libs/games", "libs/table", "libs/ledger", "libs/draws", "libs/persons")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def python_files(*folders: str) -> list[Path]:
    """Return the Python files below these folders of the repository."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(of: ast.AST) -> list[Function]:
    """Return all functions and methods in a tree."""
    return [node for node in ast.walk(of) if isinstance(node, Function)]


def place(path: Path, node: ast.AST | None = None) -> str:
    """Return where something is, as an editor understands it."""
    line = f":{node.lineno}" if node is not None and hasattr(node, "lineno") else ""
    return f"{path.relative_to(ROOT)}{line}"


def documents() -> list[Path]:
    """Return the documents of the repository: those at its top, and all below docs and libs."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "libs").rglob("*.md")])


def links(document: Path) -> list[str]:
    """Return the targets of a document's links, outside of code."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", text)


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
