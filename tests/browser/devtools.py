# SPDX-License-Identifier: MIT
"""A headless Chromium, driven by the DevTools protocol through a pipe."""
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = "chromium", "chromium-browser", "google-chrome", "chrome"


def program():
    """The browser's path, or None."""
    return os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page in a browser of its own; what happens in it is in self.events."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="ctx-browser-")
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()
        # the browser reads from 3 and writes to 4, whatever they are here
        command = ["sh", "-c", 'exec "$@" 3<&%d 4>&%d' % (to_read, to_write), "sh",
                   program(), "--headless=new", "--remote-debugging-pipe",
                   "--user-data-dir=" + self.folder, "--no-first-run",
                   "--disable-gpu", "--hide-scrollbars", "--mute-audio",
                   "--disable-background-networking"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        self.process = subprocess.Popen(
            command, pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.last, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Network", "Log":
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self):
        while b"\0" not in self.buffer:
            some = os.read(self.back, 1 << 20)
            if not some:
                raise RuntimeError("the browser has ended")
            self.buffer += some
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            got = self.read()
            if got.get("id") == self.last:
                if "error" in got:
                    raise RuntimeError("%s: %s" % (method, got["error"]))
                return got["result"]
            self.take(got)

    def take(self, event):
        self.events.append(event)
        # a dialog would stop everything
        if event.get("method") == "Page.javascriptDialogOpening":
            self.call("Page.handleJavaScriptDialog", accept=False)

    def open(self, path):
        """Go to a file and wait until it is loaded; returns the seconds."""
        self.events = []
        start = time.monotonic()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not any(e["method"] == "Page.loadEventFired" for e in self.events):
            self.take(self.read())
        return time.monotonic() - start

    def ask(self, code):
        """The value of an expression in the page, of a promise when it is kept."""
        got = self.call("Runtime.evaluate", expression=code, awaitPromise=True,
                        returnByValue=True)
        if "exceptionDetails" in got:
            raise RuntimeError(got["exceptionDetails"])
        return got["result"].get("value")

    def key(self, key):
        more = {"text": key} if len(key) == 1 else {
            "Enter": {"text": "\r", "windowsVirtualKeyCode": 13},
            "Escape": {"windowsVirtualKeyCode": 27},
            "Tab": {"windowsVirtualKeyCode": 9}}.get(key, {})
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def click(self, x, y):
        for kind in "mousePressed", "mouseReleased":
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                      button="left", clickCount=1)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])

    def happened(self, *methods):
        return [e["params"] for e in self.events if e["method"] in methods]
