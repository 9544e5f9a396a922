# Tapis: `make run` plays, `make test` proves. `make help` lists the rest.
VENV ?= .venv
PY := $(VENV)/bin/python
PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help run test check format bench odds evidence parquet rng-report soak replay verify k8s-check lock clean

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(VENV)/.ready: pyproject.toml requirements-dev.lock
	@echo "Setting up $(VENV) (once; a minute or some)"
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

run: $(VENV)/.ready ## a whole little casino: server, services, bots, pages (Ctrl-C stops it)
	@$(PY) -m libs.runtime.local $(ARGS)

test: $(VENV)/.ready ## all tests (in containers when Docker is there, else on the embedded server)
	@$(PY) -m tests $(ARGS)

check: $(VENV)/.ready ## format, lint, types, arrows of the architecture, house rules
	@$(VENV)/bin/ruff format --check --quiet .
	@$(VENV)/bin/ruff check --quiet .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@$(PY) -m pytest tests/house -p no:randomly

format: $(VENV)/.ready ## write the code in the house's format
	@$(VENV)/bin/ruff format --quiet .
	@$(VENV)/bin/ruff check --quiet --fix .

bench: $(VENV)/.ready ## what this machine reaches, beside the limit of raw Redis in the same run
	@$(PY) -m tests.bench $(ARGS)

odds: $(VENV)/.ready ## the odds of every wager, exact and as the rules pay them (ARGS="--coups 10000000")
	@$(PY) -m tests.odds $(ARGS)

$(VENV)/.evidence: $(VENV)/.ready requirements-evidence.lock
	@echo "Adding numpy, scipy and NIST's tests to $(VENV) (once; needs a C compiler)"
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-evidence.lock
	@touch $@

evidence: $(VENV)/.evidence # what `rng-report` and the tests of it need

$(VENV)/.parquet: $(VENV)/.ready requirements-parquet.lock
	@echo "Adding pyarrow to $(VENV) (once; 170 MB)"
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-parquet.lock
	@touch $@

parquet: $(VENV)/.parquet ## add pyarrow, for `tapis report --parquet`

rng-report: $(VENV)/.evidence ## evidence that draws are fair, or records of devices (ARGS="--long", ARGS="--help")
	@$(PY) -m tests.evidence $(ARGS)

soak: $(VENV)/.ready ## long proofs with kills: play (ARGS="--kills 500"), money ("--money 1000000", "--arrows 20"), a lost primary ("--primaries 20")
	@$(PY) -m tests.failure.soak $(ARGS)

replay: $(VENV)/.ready ## rebuild a table from the log alone (ARGS="roue-1 --at 40")
	@$(VENV)/bin/tapis replay $(ARGS)

verify: $(VENV)/.ready ## check chains, versions, ledger and tables of the casino in .tapis
	@$(VENV)/bin/tapis verify $(ARGS)

k8s-check: $(VENV)/.ready ## render the manifests of all sites and validate them, offline
	@$(PY) deploy/k8s/check.py

lock: ## write the lock files anew from pyproject.toml
	uv pip compile pyproject.toml --universal --generate-hashes --no-emit-index-url --no-header -q -o requirements.lock
	uv pip compile pyproject.toml --extra dev --universal --generate-hashes --no-emit-index-url --no-header -q -o requirements-dev.lock
	uv pip compile pyproject.toml --extra evidence --universal --generate-hashes --no-emit-index-url --no-header -q -o requirements-evidence.lock
	uv pip compile pyproject.toml --extra parquet --universal --generate-hashes --no-emit-index-url --no-header -q -o requirements-parquet.lock

clean: ## remove the environment and caches (not the casino's data in .tapis)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
