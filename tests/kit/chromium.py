"""A headless chromium driven through its debugging pipe: no further package, no open port."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


class Browser:
    """One chromium with one page."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._write, self._read = to_browser, from_browser
        self._buffer = b""
        self._count = 0
        self.complaints: list[str] = []
        """What the page wrote to the console as an error, refused by the content policy included."""
        target = self._call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Log.enable")

    def call(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command of the DevTools protocol to the page and return its result."""
        return self._call(method, params or {}, self._session)

    def open(self, url: str, width: int = 1920, height: int = 1080) -> None:
        """Load a page at a size."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )
        # Away from the page before first: it may still complain that its server has gone.
        self.call("Page.navigate", {"url": "about:blank"})
        self.complaints.clear()
        self.call("Page.navigate", {"url": url})

    def value(self, expression: str) -> Any:
        """Return what a JavaScript expression is worth in the page."""
        result = self.call("Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True})
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait_for(self, expression: str, within_s: float = 20.0) -> Any:
        """Return the expression's value as soon as it is true; it may well fail before the page is there."""
        end = time.monotonic() + within_s
        while True:
            found = self.value(f"(() => {{ try {{ return {expression} }} catch {{ return null }} }})()")
            if found:
                return found
            assert time.monotonic() < end, f"never became true: {expression}\n{self.value('document.body.innerText')}"
            time.sleep(0.05)

    def screenshot(self, path: Path, whole: bool = False) -> None:
        """Write what the page looks like as PNG; `whole` goes beyond the window."""
        shot = self.call("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole})
        path.write_bytes(base64.b64decode(shot["data"]))

    def _call(self, method: str, params: dict[str, Any], session: str = "") -> dict[str, Any]:
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                assert "error" not in answer, (method, answer["error"])
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            self.complaints.append(event["params"]["entry"]["text"])
        if event.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(event["params"]["exceptionDetails"]))

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            read = os.read(self._read, 1 << 20)
            assert read, "chromium has gone away"
            self._buffer += read
        raw, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(raw)
        return message


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start chromium with a profile of its own and end it afterwards."""
    assert CHROMIUM, "chromium is not installed"
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # The protocol wants its pipes as file descriptors 3 and 4; the shell puts them there.
        command = f'exec "$@" 3<&{to_read} 4>&{from_write}'
        process = subprocess.Popen(
            ["bash", "-c", command, "chromium", CHROMIUM, f"--user-data-dir={profile}", *FLAGS],
            pass_fds=(to_read, from_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(from_write)
        try:
            yield Browser(to_write, from_read)
        finally:
            process.terminate()
            process.wait(10)
            os.close(to_write)
            os.close(from_read)
