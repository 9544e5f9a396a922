"""Every service, built into its image and run as the manifests of `deploy/k8s/base` run it.

The images are made from this machine's Debian packages, so that no registry is needed; a machine without a Docker
engine or not of that kind skips these tests, unless `TAPIS_REQUIRE_DOCKER` is set.
"""

import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

pytestmark = pytest.mark.docker

ROOT = Path(__file__).parents[2]
SITE = "falaise"
SERVICES = ("rng", "table_orchestrator", "wallet", "display", "gateway")
OWN_FILES = {
    "rng": [("TAPIS_RNG_SEAL_KEYS_FILE", "/etc/tapis/rng", "seal-keys")],
    "gateway": [("TAPIS_PERSON_KEYS_FILE", "/etc/tapis/persons", "person-keys")],
}
"""Secrets of one service alone: variable, folder and file."""

CONFINED = ("--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--tmpfs", "/tmp")
READY_SECONDS = 90.0
TAG = f"test-{uuid4().hex[:8]}"
"""Of this run alone: another one on the same engine builds other code."""


@dataclass(frozen=True)
class Cell:
    """A network with a Redis set up as at a site, and the files that a service is given there."""

    network: str
    files: Path


def _docker(*arguments: str, check: bool = True) -> str:
    """Run the Docker client; return what it printed. A failure carries the client's own words."""
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False, timeout=120)
    if check and done.returncode != 0:
        raise RuntimeError(f"docker {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


def _tapis(*arguments: str | Path) -> None:
    """Run the command-line tool as an operator does."""
    subprocess.run([sys.executable, "-m", "libs.cli.main", *map(str, arguments)], cwd=ROOT, check=True, timeout=60)


def _missing() -> str | None:
    """Return why images cannot be built here, None when they can."""
    if (
        shutil.which("docker") is None
        or subprocess.run(["docker", "info"], capture_output=True, check=False).returncode
    ):
        return "no Docker engine answers"
    os_release = Path("/etc/os-release")
    if not os_release.is_file() or "VERSION_CODENAME=bookworm" not in os_release.read_text():
        return "the bases are made from Debian 12 packages, this is another system"
    if shutil.which("redis-server") is None:
        return "redis-server is not installed (Debian: redis-server)"
    return None


@pytest.fixture(scope="module")
def images() -> Iterator[None]:
    """Build all images with the script that operators use; remove them in the end."""
    reason = _missing()
    if reason and os.environ.get("TAPIS_REQUIRE_DOCKER"):
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)
    environment = os.environ | {"PYTHON": sys.executable, "TAPIS_IMAGE_TAG": TAG}
    for script in ("redis.sh", "build.sh"):
        done = subprocess.run(
            [ROOT / "deploy" / "images" / script],
            env=environment, capture_output=True, text=True, check=False, timeout=900,
        )  # fmt: skip
        assert 0 == done.returncode, done.stdout + done.stderr
    yield
    # The layers of packages stay for the next run, as any build leaves its layers to the next.
    _docker("rmi", "--no-prune", *map(_image, SERVICES), check=False)


def _image(service: str) -> str:
    return f"tapis-{service.replace('_', '-')}:{TAG}"


@pytest.fixture(scope="module")
def cell(images: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cell]:
    """Run Redis with the configuration of the base, and with the access list and keys that operators make."""
    network = f"tapis-test-{uuid4().hex[:8]}"
    files = tmp_path_factory.mktemp("cell")
    public = Ed25519PrivateKey.generate().public_key()
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    contents = {
        "public.pem": pem.decode(),
        "redis.conf": (ROOT / "deploy/k8s/base/redis.conf").read_text(encoding="utf-8"),
        "floor.toml": (ROOT / f"deploy/k8s/sites/{SITE}/floor.toml").read_text(encoding="utf-8"),
    }
    for name, text in contents.items():
        (files / name).write_text(text, encoding="utf-8")
    _tapis("redis-users", files / "floor.toml", files)
    _tapis("seal-key", files / "seal-keys", "--name", "first")
    _tapis("person-key", files / "person-keys", "--name", "first")
    for file in files.iterdir():
        # The containers' users are others than ours.
        file.chmod(0o644)
    _docker("network", "create", network)
    try:
        with _redis(network, files):
            yield Cell(network, files)
    finally:
        _docker("network", "rm", network, check=False)


@contextmanager
def _redis(network: str, files: Path) -> Iterator[None]:
    mounts = [*_mount(files / "redis.conf", "/etc/redis/conf"), *_mount(files / "users.acl", "/etc/redis/acl")]
    run = ["run", "--detach", "--network", network, "--network-alias", "redis", "--user", "999:999", *CONFINED]
    name = _docker(*run, "--tmpfs", "/data:uid=999", *mounts, "tapis-redis:local", "/etc/redis/conf/redis.conf")
    try:
        _wait_until(name, lambda: "PONG" == _docker("exec", name, "redis-cli", "-e", "ping", check=False))
        yield
    finally:
        _docker("rm", "--force", name)


@contextmanager
def _running(cell: Cell, service: str) -> Iterator[str]:
    """Run a service as its pod does; yield the container's name."""
    settings = ["--env-file", str(ROOT / "deploy/k8s/base/settings.env"), "--env", f"TAPIS_SITE={SITE}"]
    for variable, folder, file in (
        ("TAPIS_FLOOR", "/etc/tapis/floor", "floor.toml"),
        ("REDIS_URL_FILE", "/etc/tapis/redis", f"{service}.url"),
        ("TAPIS_TOKEN_PUBLIC_KEY_FILE", "/etc/tapis/token", "public.pem"),
        *OWN_FILES.get(service, ()),
    ):
        settings += ["--env", f"{variable}={folder}/{file}", *_mount(cell.files / file, folder)]
    run = ["run", "--detach", "--network", cell.network, "--publish", "127.0.0.1::8080", *CONFINED, *settings]
    name = _docker(*run, "--env", f"TAPIS_INSTANCE={service}-1", _image(service))
    try:
        yield name
    finally:
        _docker("rm", "--force", name)


def _mount(file: Path, folder: str) -> tuple[str, str]:
    return "--volume", f"{file}:{folder}/{file.name}:ro"


def _wait_until(name: str, holds: Callable[[], bool]) -> None:
    """Wait until the condition holds; fail at once, with the container's log, when the container has ended."""
    end = time.monotonic() + READY_SECONDS
    while not holds():
        running = _docker("inspect", "--format", "{{.State.Running}}", name)
        if running != "true" or time.monotonic() > end:
            log = subprocess.run(["docker", "logs", name], capture_output=True, text=True, check=False)
            pytest.fail(f"not ready (running: {running})\n{log.stdout}{log.stderr}")
        time.sleep(0.1)


def _answers(name: str, path: str) -> tuple[int, str]:
    """Return status and body of a GET on the container's published port; status 0 while nobody listens."""
    address = _docker("port", name, "8080/tcp", check=False).partition("\n")[0]
    if not address:
        return 0, ""
    try:
        with urllib.request.urlopen(f"http://{address}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


def _inside(name: str, program: str) -> str:
    """Return what a line of Python prints inside the container (there is no shell)."""
    return _docker("exec", name, "python3", "-c", program)


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_runs_in_its_image_and_stops_cleanly(cell: Cell, service: str) -> None:
    """Built, confined and set up as at a site, the service becomes ready, and ends by itself on SIGTERM."""
    with _running(cell, service) as name:
        _wait_until(name, lambda: 200 == _answers(name, "/readyz")[0])
        assert 200 == _answers(name, "/livez")[0]
        status, metrics = _answers(name, "/metrics")
        version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
        assert 200 == status
        assert f'tapis_build_info{{service="{service}",version="{version}"}} 1.0' in metrics

        assert "10001 10001" == _inside(name, "import os; print(os.getuid(), os.getgid())")
        with pytest.raises(RuntimeError, match="Read-only file system"):
            _inside(name, "open('/app/left-behind', 'w')")
        listed = json.loads(_inside(name, "import json, os; print(json.dumps(os.listdir('/app/services')))"))
        assert {"__init__.py", "__pycache__", service} == set(listed)

        _docker("stop", "--time", "30", name)
        # 137 would mean that it had to be killed after the 30 seconds.
        assert "0" == _docker("inspect", "--format", "{{.State.ExitCode}}", name), _docker("logs", name)


def test_a_service_that_is_set_up_wrongly_says_so_and_ends(cell: Cell) -> None:
    """A setting that makes no sense ends the container with a sentence that names it."""
    done = subprocess.run(
        ["docker", "run", "--rm", "--env", "TAPIS_DURABILITY=eternal", _image("wallet")],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert 2 == done.returncode
    assert "TAPIS_DURABILITY" in done.stderr
