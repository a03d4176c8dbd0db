"""A host in a new folder, with the stand-in that a document's examples need."""

import json
import plistlib
import shutil
import subprocess
import tempfile
from pathlib import Path

STAND_IN = Path(__file__).resolve().parent / "standin.py"


class Failure(Exception):
    """An example whose outcome differs from the document."""


class Host:
    """One host, from its start to its exit."""

    def __init__(self, program, plugins, setting, example, script):
        self._program, self._plugins, self._setting, self._example = program, plugins, setting, example
        self._script = script
        self._lines = 0
        #: The received notifications, oldest first.
        self.told = []

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="pushhost-example-"))
        options = self._setting["options"] + self._example.get("x-options", [])
        try:
            for name, text in self._example.get("x-files", {}).items():
                (self.folder / name).write_text(text, encoding="utf-8")
            for plugins in filter(None, [self._plugins, self._bundle()]):
                options = ["--plugins", str(plugins)] + options
            self._log = (self.folder / "log").open("w+b")
            self._process = subprocess.Popen(
                [self._program, *options],
                cwd=self.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
            )
        except BaseException:
            shutil.rmtree(self.folder)
            raise
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
        self._log.close()
        shutil.rmtree(self.folder)

    def _bundle(self):
        """The folder of the stand-in, if the examples have one."""
        bundle = self._setting.get("bundle")
        if bundle is None:
            return None
        folder = self.folder / "stand-in"
        folder.mkdir()
        attributes = {"UNNotificationExtensionUserInteractionEnabled": True}
        if "category" in bundle:
            attributes["UNNotificationExtensionCategory"] = bundle["category"]
        if "destination" in bundle:
            attributes = {"PushhostDestinationName": bundle["destination"]}
        point = self._example.get("x-point", bundle["point"])
        plist = {
            "CFBundleIdentifier": bundle["identifier"],
            "CFBundleExecutable": STAND_IN.name,
            "NSExtension": {"NSExtensionPointIdentifier": point, "NSExtensionAttributes": attributes},
            # It notes what it was told beside itself.
            "PushhostPermissions": {"Write": ["."]},
        }
        groups = {"com.apple.security.application-groups": bundle.get("suites", [])}
        (folder / "Info.plist").write_bytes(plistlib.dumps(plist))
        (folder / f"{STAND_IN.name}.entitlements").write_bytes(plistlib.dumps(groups))
        (folder / "script.json").write_text(json.dumps(self._script), encoding="utf-8")
        shutil.copy(STAND_IN, folder / STAND_IN.name).chmod(0o755)
        return folder

    def call(self, method, params):
        """The result of a request, which must succeed; notifications that arrive before it are kept."""
        self._lines += 1
        self._write({"jsonrpc": "2.0", "id": self._lines, "method": method, "params": params})
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise Failure(f"the host ended before it answered {method}: {self.log()}")
            reply = json.loads(line)
            if reply.get("id") == self._lines and "method" not in reply:
                break
            self.told.append(reply)
        if "result" not in reply:
            raise Failure(f"{method} {json.dumps(params)} failed: {json.dumps(reply['error'])}")
        return reply["result"]

    def prepare(self):
        """Makes the requests that the example requires first."""
        for request in self._example.get("x-given", []):
            self.call(request["method"], request.get("params", {}))

    def finish(self):
        """Closes the input, and waits until the host has exited cleanly."""
        self._process.stdin.close()
        self.told += [json.loads(line) for line in self._process.stdout]
        code = self._process.wait()
        if code != 0:
            raise Failure(f"the host ended with {code}: {self.log()}")

    def stand_in_told(self):
        """Every message that the host sent to the stand-in."""
        path = self.folder / "stand-in" / "told.jsonl"
        return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []

    def stand_in_reply(self):
        """The host's answer to the stand-in's own request; None if there was none."""
        path = self.folder / "stand-in" / "reply.json"
        return json.loads(path.read_bytes()) if path.exists() else None

    def log(self):
        """The end of the host's stderr."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")[-1000:]

    def _write(self, message):
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
