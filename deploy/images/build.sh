#!/usr/bin/env bash
# Builds the images of the services (all five, or those named) without an image registry.
# Usage: deploy/images/build.sh [SERVICE...]   makes tapis-SERVICE:TAG, with - for _ in the name
# TAPIS_IMAGE_TAG is the tag (local), PYTHON the interpreter whose pip fetches the wheels (python3).
set -euo pipefail
cd "$(dirname "$0")/../.."

services=("$@")
[ ${#services[@]} -gt 0 ] || services=(rng table_orchestrator wallet display gateway)
wheels=.tapis/wheels
tag=${TAPIS_IMAGE_TAG:-local}
python=${PYTHON:-python3}

image_exists() { docker image inspect "$1" >/dev/null 2>&1; }

if ! image_exists tapis-base:local || ! image_exists tapis-build:local; then deploy/images/base.sh; fi

if ! cmp -s requirements.lock "$wheels/.lock"; then
    rm -rf "$wheels"
    "$python" deploy/images/packages.py download "$wheels" requirements.lock
    cp requirements.lock "$wheels/.lock"
fi

for service in "${services[@]}"; do
    image=tapis-${service//_/-}:$tag
    docker build -q -f deploy/Dockerfile -t "$image" --build-arg SERVICE="$service" \
        --build-arg BUILD_IMAGE=tapis-build:local --build-arg BASE_IMAGE=tapis-base:local \
        --build-arg PIP_NO_INDEX=1 --build-arg PIP_FIND_LINKS=/wheels . >/dev/null
    echo "made $image"
done
