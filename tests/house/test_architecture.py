"""The arrows of the architecture are kept, and each contract about them fails when it is broken."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.house import ROOT

LAYERS = "Arrows point down: services, cli, runtime, eventlog | table | ledger | draws | persons, games, kernel"
SERVICES = "Services never import one another"
PURE = "The pure zone has no clock, no chance, no I/O"
FASTSTREAM = "Only the runtime knows FastStream"
GAMES = "Games never import one another"
CONTRACTS = {LAYERS, SERVICES, PURE, FASTSTREAM, GAMES}

BREACHES = [
    (LAYERS, "libs/kernel/money.py", "from libs.table import state"),
    (LAYERS, "libs/games/wheel/rules.py", "from libs.table import state"),
    (LAYERS, "libs/table/evolve.py", "from libs.eventlog import codec"),
    (LAYERS, "libs/ledger/evolve.py", "from libs.table import state"),
    (LAYERS, "libs/draws/decider.py", "from libs.ledger import state"),
    (LAYERS, "libs/persons/decider.py", "from libs.runtime import tokens"),
    (LAYERS, "libs/eventlog/keys.py", "from libs.runtime import settings"),
    (LAYERS, "libs/runtime/loading.py", "from libs.cli import main"),
    (LAYERS, "libs/runtime/owner.py", "from services.rng import __main__"),
    (SERVICES, "services/rng/__main__.py", "from services.wallet import __main__"),
    (SERVICES, "services/gateway/app.py", "from services.display import app"),
    (PURE, "libs/kernel/money.py", "import time"),
    (PURE, "libs/games/wheel/rules.py", "from random import randint"),
    (PURE, "libs/table/decide_coup.py", "from datetime import datetime"),
    (PURE, "libs/ledger/decide.py", "import logging"),
    (PURE, "libs/draws/mapping.py", "from secrets import token_bytes"),
    (PURE, "libs/persons/identity.py", "import os"),
    (PURE, "libs/table/evolve.py", "import redis.asyncio"),
    (FASTSTREAM, "services/rng/__main__.py", "from faststream.redis import RedisBroker"),
    (FASTSTREAM, "libs/eventlog/wire.py", "import faststream"),
    (GAMES, "libs/games/other/__init__.py", "from libs.games.wheel import rules"),
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the house's code."""
    there = tmp_path_factory.mktemp("house")
    for folder in ("libs", "services"):
        shutil.copytree(ROOT / folder, there / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", there)
    return there


def verdicts(there: Path) -> dict[str, str]:
    """Run import-linter; return KEPT or BROKEN by the name of the contract."""
    words = [sys.executable, "-c", "import sys; from importlinter.cli import lint_imports_command as c; sys.exit(c())"]
    said = subprocess.run(
        [*words, "--no-cache"],
        cwd=there,
        capture_output=True,
        text=True,
        check=False,
        env={"COLUMNS": "300", "PATH": ""},
    )
    # Long names are broken into lines.
    text = re.sub(r"\s+", " ", said.stdout)
    found = {name: re.search(re.escape(name) + r" (KEPT|BROKEN)", text) for name in CONTRACTS}
    assert all(found.values()), said.stdout + said.stderr
    return {name: match[1] for name, match in found.items() if match}


def test_all_contracts_are_kept(copy: Path) -> None:
    """The code as it is breaks no contract, and every contract of `pyproject.toml` is known to these tests."""
    assert dict.fromkeys(CONTRACTS, "KEPT") == verdicts(copy)
    named = re.findall(
        r'\[\[tool\.importlinter\.contracts\]\]\nname = "([^"]+)"', (ROOT / "pyproject.toml").read_text()
    )
    assert CONTRACTS == set(named)


@pytest.mark.parametrize(
    ("contract", "file", "line"), BREACHES, ids=[f"{file}-{line.split()[1]}" for _, file, line in BREACHES]
)
def test_a_contract_fails_when_it_is_broken(copy: Path, contract: str, file: str, line: str) -> None:
    """One import against the arrows, in a copy of the house, breaks the contract that forbids it."""
    path = copy / file
    before = path.read_text(encoding="utf-8") if path.exists() else None
    path.parent.mkdir(exist_ok=True)
    try:
        path.write_text(f"{before or ''}\n{line}\n", encoding="utf-8")
        assert "BROKEN" == verdicts(copy)[contract]
    finally:
        if before is None:
            shutil.rmtree(path.parent)
        else:
            path.write_text(before, encoding="utf-8")


def test_every_contract_has_a_breach() -> None:
    """No contract is left without a proof that it can fail."""
    assert CONTRACTS == {contract for contract, _, _ in BREACHES}


def test_every_service_can_be_started() -> None:
    """Each folder of `services` is one process: `python -m services.<name>`."""
    folders = [path for path in (ROOT / "services").iterdir() if (path / "__init__.py").exists()]
    assert {"rng", "table_orchestrator", "wallet", "display", "gateway"} <= {path.name for path in folders}
    assert [] == [path.name for path in folders if not (path / "__main__.py").is_file()]
