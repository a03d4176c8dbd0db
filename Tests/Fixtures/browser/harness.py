"""Runs the cases of a file in a headless Chromium and prints one line for each; the exit code says whether all passed."""

import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    MoveTargetOutOfBoundsException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).resolve().parents[3]
# The timeout for an expected event in seconds; shorter than the reader of the output waits for a line.
PATIENCE = 90
# What may be wrong with an element while a page moves or replaces it.
MOVING = (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    MoveTargetOutOfBoundsException,
    StaleElementReferenceException,
)
# A name that leads to this machine.
REBOUND = "rebound.example"


class Browser:
    """A Chromium with a new profile, without a network, and with a log of every request and console message."""

    def __init__(self, folder):
        options = Options()
        options.binary_location = os.environ["PUSHHOST_CHROMIUM"]
        arguments = [
            "--headless=new",
            f"--user-data-dir={folder}/profile",
            # No name resolves, except one that leads to this machine as a hostile DNS could make it; and no request of the
            # browser itself disturbs the log.
            f"--host-resolver-rules=MAP {REBOUND} 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--no-proxy-server",
            # Machines for CI have neither a sound card nor a graphics card, and often a small /dev/shm.
            "--mute-audio",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1280,900",
            "--lang=en-US",
        ]
        # Chromium's sandbox does not work for root.
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        for argument in arguments:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        service = Service(executable_path=os.environ["PUSHHOST_CHROMEDRIVER"])
        self.driver = webdriver.Chrome(service=service, options=options)
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)

    # Pages

    def open(self, url):
        self.driver.get(str(url) if "://" in str(url) else Path(url).as_uri())
        self.done(f"opened {url}")

    @staticmethod
    def done(step):
        """Prints a step, so that the reader of the output sees that the case goes on."""
        print(f"  {step}", flush=True)

    def new_window(self):
        """Opens a window, makes it the current one, and returns its handle."""
        self.driver.switch_to.new_window("window")
        return self.driver.current_window_handle

    def close_others(self):
        """Closes all windows except one, which shows nothing."""
        for handle in self.driver.window_handles[1:]:
            self.driver.switch_to.window(handle)
            self.driver.close()
        self.driver.switch_to.window(self.driver.window_handles[0])
        self.driver.get("about:blank")

    def scheme(self, name):
        """Makes the browser prefer the light or the dark scheme."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        """The only element of a selector, which may appear later."""
        found = self.wait(f"an element {selector}", lambda: self.all(selector))
        assert len(found) == 1, f"{len(found)} elements are {selector}"
        return found[0]

    def click(self, selector):
        """Clicks the first element of a selector, which may appear later or be replaced meanwhile."""

        def clicked():
            found = self.all(selector)
            if found:
                found[0].click()
            return bool(found)

        self.wait(f"a click on {selector}", clicked)

    def enter(self, selector, text):
        """Replaces the text of a field, which may be replaced meanwhile, and confirms it with the Enter key."""

        def entered():
            field = self.one(selector)
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(text or Keys.DELETE, Keys.ENTER)
            return True

        self.wait(f"a text in {selector}", entered)

    def expand(self):
        """Expands the notification in the page of a preview, unless that is done."""
        self.click("#part [value=expanded]")
        self.wait("the expanded notification", lambda: self.all("#phone[data-state=expanded]"))
        self.rest()

    def rest(self):
        """Waits until nothing moves that comes to rest."""
        self.wait("rest", lambda: self.script("""
            return !document.getAnimations().some((animation) => animation.playState === 'running'
                && animation.effect.getComputedTiming().iterations !== Infinity);
        """))

    def text(self, selector="body"):
        while True:
            try:
                return self.one(selector).text
            except StaleElementReferenceException:
                # It was replaced after it was found.
                continue

    def wait(self, what, condition):
        """Waits until a condition is true, and returns its value. What needs an element that the page is moving or
        replacing is tried again."""
        try:
            wait = WebDriverWait(self.driver, PATIENCE, 0.05, ignored_exceptions=MOVING)
            value = wait.until(lambda _: condition())
            self.done(what)
            return value
        except TimeoutException:
            shown = self.script("return document.documentElement.textContent")
            raise AssertionError(f"waited in vain: {what}\n{self.driver.current_url}\n{shown}") from None

    def shows(self, text, selector="body"):
        self.wait(f"{text!r} in {selector}", lambda: text in self.text(selector))

    def picture(self, path):
        self.driver.save_screenshot(str(path))

    # Logs

    def console(self):
        """The errors and warnings in the console since the last call."""
        entries = self.driver.get_log("browser")
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The URLs of all requests and WebSockets since the last call, except those that need no connection."""
        found = []
        for entry in self.driver.get_log("performance"):
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Network.requestWillBeSent":
                found.append(event["params"]["request"]["url"])
            elif event["method"] == "Network.webSocketCreated":
                found.append(event["params"]["url"])
        return [url for url in found if urlsplit(url).scheme not in ("about", "blob", "data", "chrome")]

    def quit(self):
        self.driver.quit()


def origin(url):
    """Where a request goes: a scheme with its host and port; a WebSocket goes where its page came from."""
    parts = urlsplit(url)
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    return f"{scheme}://{parts.netloc}"


class Site:
    """A web server on this machine that keeps the paths of the requests that reach it; a text is the body of each reply."""

    def __init__(self, body=""):
        self.paths = paths = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # pylint: disable=invalid-name
                paths.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self._server.server_port}"
        self.origin = f"http://{self.address}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def pushhost(*arguments, **options):
    """Runs the command and returns its output; it must succeed."""
    run = subprocess.run(
        [os.environ["PUSHHOST_PROGRAM"], *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        **options,
    )
    assert run.returncode == 0, f"pushhost {arguments}: {run.returncode}\n{run.stdout}\n{run.stderr}"
    return run.stdout


def equal(found, wanted, what="a value"):
    assert found == wanted, f"{what}: found {found!r}, wanted {wanted!r}"


class Preview:
    """A running `pushhost preview`, whose suites are in a folder of its own."""

    #: The browser that shows its page, if any does.
    browser = None

    def __init__(self, folder, payload, plugins=ROOT / "plugins", *options):
        self.data = folder / "data"
        self.payload = folder / "payload.apns"
        self.payload.write_text(payload if isinstance(payload, str) else json.dumps(payload), encoding="utf-8")
        command = [os.environ["PUSHHOST_PROGRAM"], "preview", self.payload, "--plugins", plugins, "--data", self.data]
        self._errors = (folder / "preview.log").open("w+")
        self.process = subprocess.Popen(
            [str(word) for word in [*command, *options]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            # The page lists the payloads of the current folder.
            cwd=ROOT,
        )

    def __enter__(self):
        words = self.process.stdout.readline().split()
        self._errors.seek(0)
        assert words[:1] == ["Preview:"], f"pushhost preview printed {words}\n{self._errors.read()}"
        self.url = words[1]
        return self

    def __exit__(self, *_):
        if self.browser:
            # A page whose preview has ended looks for it each second, which the console reports.
            self.browser.close_others()
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self._errors.close()

    @property
    def origin(self):
        return origin(self.url)

    def pending(self):
        """The pending records, as another process reads them."""
        lines = pushhost("pending", "--json", "--data", self.data).splitlines()
        return [json.loads(line) for line in lines]


class Cases:
    """The cases of a file, in order."""

    def __init__(self):
        self._cases = []
        self._browser = None
        # The origins that the case may use, besides files.
        self.origins = set()

    def case(self, name):
        def add(body):
            self._cases.append((name, body))
            return body

        return add

    def opened(self, browser, preview, expands=True):
        """Opens the page of a preview and waits for its first picture; the notification begins as a banner."""
        self.origins.add(preview.origin)
        preview.browser = browser
        browser.open(preview.url)
        browser.shows("Connected", "#status")
        browser.wait("a picture", lambda: browser.all("#picture *"))
        if expands:
            browser.expand()

    def run(self):
        """Runs all cases, each in a folder of its own. After each one the console must be without errors, and every
        request must have gone to an origin of the case."""
        passed = True
        with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as folder:
            browser = Browser(folder)
            try:
                for index, (name, body) in enumerate(self._cases):
                    own = Path(folder) / str(index)
                    own.mkdir()
                    passed = self._run(browser, name, body, own) and passed
            finally:
                browser.quit()
        print(f"ran {len(self._cases)}", flush=True)
        sys.exit(0 if passed else 1)

    def _run(self, browser, name, body, folder):
        start = time.monotonic()
        self.origins = set()
        try:
            body(browser, folder)
            equal(browser.console(), [], "console")
            strange = [url for url in browser.requests() if origin(url) not in self.origins | {"file://"}]
            equal(strange, [], "requests to other origins")
            result = True
        except Exception:  # pylint: disable=broad-except
            result = False
            traceback.print_exc()
            browser.console()
            browser.requests()
        browser.close_others()
        browser.console()
        browser.requests()
        print(f"{'ok' if result else 'failed'} {name} ({time.monotonic() - start:.1f} s)", flush=True)
        return result
