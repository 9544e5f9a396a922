"""All tests, in two pytests side by side (`make test`): those that wait for processes leave a processor to the others.

Whoever names tests or options gets one pytest with them: `make test ARGS="tests/unit -x"`.
"""

import subprocess
import sys
import tempfile

PYTEST = (sys.executable, "-m", "pytest")
WAITING = ("tests/failure", "tests/integration", "tests/browser")
"""They start servers, services and browsers. All that is not here runs beside them."""


def main(words: list[str]) -> int:
    """Run the tests; return the exit code of whoever failed, else 0. The quick ones speak at the end."""
    if words:
        return subprocess.run([*PYTEST, *words], check=False).returncode
    with tempfile.TemporaryFile() as said:
        quick = [*PYTEST, *(f"--ignore={folder}" for folder in WAITING)]
        with subprocess.Popen(quick, stdout=said, stderr=subprocess.STDOUT) as beside:
            waiting = subprocess.run([*PYTEST, *WAITING], check=False).returncode
        said.seek(0)
        sys.stdout.write(said.read().decode(errors="replace"))
    return waiting or beside.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
