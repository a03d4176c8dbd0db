"""Rows that compare with other servers and stores."""

import json
import shlex
import subprocess
import sys
import time
from itertools import chain

from .requests import PING, SAVE, file_of, saves
from .rows_saves import Pending
from .table import Row
from .tools import BUILD, HERE, Failure, Missing, build_package, check, empty_folder, need, say

SERVERS = HERE / "peers"
MCP_START = (
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    '"capabilities":{},"clientInfo":{"name":"driver","version":"1"}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
)
MCP_CALL = '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"ping","arguments":{}}}'
FRAMED = {"header": True}
LSP_START = (
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}',
    '{"jsonrpc":"2.0","method":"initialized","params":{}}',
)
# The request that costs clangd least: it has no index, so nothing is found.
LSP_CALL = '{"jsonrpc":"2.0","id":%d,"method":"workspace/symbol","params":{"query":"ping"}}'


def python_peers():
    """The Python of a virtual environment that has the peers."""
    folder = BUILD / "venv"
    python = folder / "bin" / "python"
    if not (folder / "installed").exists():
        say("installing the Python peers")
        try:
            check([sys.executable, "-m", "venv", "--clear", folder])
        except Failure:
            raise Missing("module venv of Python", "python3-venv") from None
        check([python, "-m", "pip", "install", "--quiet", "mcp>=2,<3", "python-lsp-jsonrpc"])
        (folder / "installed").touch()
    return python


def servers():
    """Of each server its name, and a function that returns how it is started and asked."""
    return (
        ("Node, readline and JSON.parse", lambda: ([need("node", "nodejs"), SERVERS / "readline.js"], 100_000)),
        ("Python, json loop", lambda: ([sys.executable, SERVERS / "loop.py"], 50_000)),
        ("python-lsp-jsonrpc", lambda: ([python_peers(), SERVERS / "pylsp.py"], 50_000, PING, [PING], FRAMED)),
        ("mcp 2.x, tools/call", lambda: ([python_peers(), SERVERS / "mcp_server.py"], 1_000, MCP_CALL, MCP_START)),
        (
            "clangd, workspace/symbol",
            lambda: ([need("clangd", "clangd"), "--log=error"], 20_000, LSP_CALL, LSP_START, FRAMED),
        ),
    )


def present(bench, choices):
    """The choices whose programs are installed; the others fail the row, but only after it was measured."""
    found = {}
    for name, prepare in choices:
        try:
            found[name] = prepare()
        except Failure as failure:
            bench.missing.append(f"{name}: {failure}")
    return found


def peers(bench):
    """Pipelined pings, on other servers."""

    def rate(command, count, request=PING, before=(PING,), options=None):
        options = options or {}
        return lambda: bench.drive("pipelined", command, bench.size(count), request, before, **options)["per_second"]

    found = present(bench, servers())
    ours, *others = bench.interleave(rate(bench.host, 300_000), *(rate(*how) for how in found.values()))
    for name, samples in zip(found, others):
        yield Row("ping, pipelined", ours, name, samples, "requests/s")


class Redis:
    """A Redis server that syncs each write, with nothing but the saves of one client."""

    def __init__(self):
        self.program = need("redis-server", "redis-server")
        self.client = need("redis-cli", "redis-tools")

    def commands(self, count):
        """A file of commands that append the records to a list."""

        def command(_):
            record = json.dumps(json.loads(SAVE.replace("%d", "0"))["params"], separators=(",", ":"))
            parts = "".join(f"${len(part)}\r\n{part}\r\n" for part in ("RPUSH", "bench", record))
            return f"*3\r\n{parts}"[:-1]  # the line feed is that of the line

        return file_of("redis", count, command)

    def rate(self, count):
        folder = empty_folder("redis")
        socket, commands = folder / "socket", self.commands(count)
        options = f"--port 0 --appendonly yes --appendfsync always --save '' --daemonize no --dir {folder}"
        # A path of a socket has at most 107 bytes, so it is relative to the folder.
        line = [self.program, *shlex.split(options), "--unixsocket", socket.name, "--loglevel", "warning"]
        server = subprocess.Popen(line, stdout=subprocess.DEVNULL, cwd=folder)
        try:
            self.await_start(server, folder)
            with commands.open("rb") as stdin:
                began = time.monotonic()
                line = [self.client, "-s", socket.name, "--pipe", "--pipe-timeout", "0"]
                output = check(line, stdin=stdin, cwd=folder)
                seconds = time.monotonic() - began
            if f"errors: 0, replies: {count}" not in output:
                raise Failure(f"redis-cli: {output[-300:].strip()}")
            return count / seconds
        finally:
            server.terminate()
            server.wait()

    def await_start(self, server, folder):
        for _ in range(100):
            if server.poll() is not None:
                raise Failure(f"redis-server ended with {server.returncode}")
            if (folder / "socket").exists():
                return
            time.sleep(0.05)
        raise Failure("redis-server did not start within 5 s")


def durable(bench):
    """Pipelined durable saves, in other stores."""
    count, few = bench.size(300_000), bench.size(3_000)

    def rate(command, count):
        return lambda: bench.drive("pipelined", command(), count, input=saves(count))["per_second"]

    def python(*options):
        database = empty_folder("python-saves") / "bench.sqlite"
        return [sys.executable, SERVERS / "sqlite_saves.py", database, *options]

    def redis():
        redis = Redis()
        return lambda: redis.rate(count)

    found = present(
        bench,
        (
            ("Redis, RPUSH by redis-cli --pipe, `appendfsync always`", redis),
            ("SQLite by Python, a transaction for each 256 KiB", lambda: rate(python, count)),
            ("SQLite by Python, a transaction for each save", lambda: rate(lambda: python("each"), few)),
        ),
    )
    host = rate(lambda: [*bench.host, "--data", empty_folder("durable")], count)
    ours, *others = bench.interleave(host, *found.values())
    for name, samples in zip(found, others):
        yield Row("durable save, pipelined", ours, name, samples, "saves/s")


def guide(bench):
    """One durable save at a time, beside the code of Braze's guide, which writes all pending events at each save."""
    amounts, program = (0, 250, 2_000), build_package("guide")
    suites, saved = Pending(bench, amounts), max(bench.size(50), 20)

    def lone(amount):
        # Few enough that the number of pending records stays about the same.
        def run():
            command = [*bench.host, "--data", suites.private(amount)]
            return bench.drive("roundtrip", command, saved, SAVE, [SAVE])["p50_us"]

        return run

    def theirs(amount):
        home = empty_folder(f"guide-{amount}")
        environment = {**bench.environment, "HOME": str(home), "XDG_CONFIG_HOME": str(home)}
        return lambda: json.loads(check([program, amount, saved], env=environment))["p50_us"]

    samples = bench.interleave(*chain.from_iterable((lone(amount), theirs(amount)) for amount in amounts))
    for amount, ours, others in zip(amounts, samples[::2], samples[1::2]):
        yield Row(f"lone save, {amount:,} pending", ours, "the guide's UserDefaults code", others, "µs")
