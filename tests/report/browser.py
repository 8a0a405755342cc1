"""A headless Chromium, driven over its DevTools pipe. Python's standard library alone: no driver, no port, no network.

    with Browser() as browser:
        page = browser.open("/some/report.html", width=390, height=844, dark=True)
        page.value("document.title")
"""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome", "chrome")


class BrowserError(Exception):
    pass


class Browser:
    def __init__(self):
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            raise BrowserError("no Chromium is installed (looked for %s): run scripts/test, or apt-get install "
                               "chromium-headless-shell" % ", ".join(PROGRAMS))
        self._profile = tempfile.mkdtemp(prefix="shardbench-browser-")
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()
        # Chromium reads commands from descriptor 3 and answers on 4.
        commands, answers = fcntl.fcntl(read_there, fcntl.F_DUPFD, 10), fcntl.fcntl(write_there, fcntl.F_DUPFD, 10)

        def place_pipes():
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self._process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking", "--user-data-dir=" + self._profile,
             "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=place_pipes)
        for descriptor in (read_there, write_there, commands, answers):
            os.close(descriptor)
        self._answers = os.fdopen(read_here, "rb")
        self._commands = os.fdopen(write_here, "wb")
        self._buffer = b""
        self._count = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._commands.close()
        self._process.kill()
        self._process.wait()
        self._answers.close()
        shutil.rmtree(self._profile, ignore_errors=True)

    def _message(self):
        while b"\0" not in self._buffer:
            more = os.read(self._answers.fileno(), 1 << 16)
            if not more:
                raise BrowserError("Chromium ended: status %s" % self._process.wait())
            self._buffer += more
        text, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(text)

    def call(self, method, session=None, **parameters):
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self._commands.write(json.dumps(message).encode() + b"\0")
        self._commands.flush()
        while True:
            answer = self._message()
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise BrowserError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def open(self, file, width=1280, height=900, dark=False, mobile=False):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(domain + ".enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        page.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        page.call("Page.navigate", url="file://" + os.path.abspath(file))
        deadline = time.monotonic() + 120
        while page.value("document.readyState") != "complete" or page.value("location.protocol") != "file:":
            if time.monotonic() > deadline:
                raise BrowserError("the page was not there after 120 s: " + file)
            time.sleep(0.02)
        return page


class Page:
    def __init__(self, browser, session):
        self._browser, self._session = browser, session

    def call(self, method, **parameters):
        return self._browser.call(method, self._session, **parameters)

    def value(self, expression):
        """What a JavaScript expression gives, as JSON can hold it."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise BrowserError("%s: %s" % (expression, result["exceptionDetails"]))
        return result["result"].get("value")

    def key(self, key, code):
        """Presses a key, as a person does ("Enter", 13)."""
        text = {"Enter": "\r", " ": " "}.get(key, "")
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def complaints(self):
        """Errors and warnings of the console, uncaught exceptions, and requests other than for the page itself."""
        found = []
        for event in self._browser.events:
            if event.get("sessionId") != self._session:
                continue
            method, p = event["method"], event["params"]
            if method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
                found.append("console: %s" % [a.get("value", a.get("description")) for a in p["args"]])
            elif method == "Runtime.exceptionThrown":
                details = p["exceptionDetails"]
                found.append("exception: %s" % details.get("exception", details).get("description", details["text"]))
            elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                found.append("log: %s" % p["entry"]["text"])
            elif method == "Network.requestWillBeSent" and p["type"] != "Document":
                found.append("request: %s" % p["request"]["url"])
        return found

    def screenshot(self, file, whole=True):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole,
                         **({"clip": clip} if whole else {}))
        with open(file, "wb") as out:
            out.write(base64.b64decode(shot["data"]))

    def pdf(self, file):
        pages = self.call("Page.printToPDF", printBackground=False)
        with open(file, "wb") as out:
            out.write(base64.b64decode(pages["data"]))
