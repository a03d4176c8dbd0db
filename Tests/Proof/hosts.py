"""Hosts that a proof starts and talks to, and the form of a proof's command line and report."""

import argparse
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

# Tests that a proof runs start what it has built, with its mistakes or sanitizers, and not other programs.
os.environ.pop("TESTED_PRODUCTS", None)

ROOT = Path(__file__).resolve().parents[2]
# How long a host may take for its replies, in seconds; one that takes longer hangs.
PATIENCE = 90


class Hang(Exception):
    """A host ended, or did not answer in time."""


class Host:
    """A host that serves on its stdin and stdout."""

    def __init__(self, program, data, *options, environment=None, log=None):
        self.process = subprocess.Popen(
            [program, "--data", str(data), "--no-control", *map(str, options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log or subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
            cwd="/",
        )
        # Room for all requests of a step, so that a write does not wait for a host that waits for its reader.
        fcntl.fcntl(self.process.stdin, fcntl.F_SETPIPE_SZ, 1 << 20)
        #: The ids of the requests that were not answered.
        self.open = set()

    def send(self, requests):
        lines = []
        for request in requests:
            self.open.add(request["id"])
            lines.append(json.dumps({"jsonrpc": "2.0", **request}) + "\n")
        try:
            self.process.stdin.write("".join(lines).encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Hang("the host ended before its input was written") from None

    def reply(self):
        """The next reply; nil at the end of the output."""
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            return None
        reply = json.loads(line)
        self.open.discard(reply.get("id"))
        return reply

    def replies(self, count=None):
        """The next replies, by default those to all requests."""
        found = []
        with Watch(self.process) as watch:
            while self.open if count is None else len(found) < count:
                reply = self.reply()
                if reply is None:
                    verdict = f"did not answer for {PATIENCE} s" if watch.is_expired else "ended"
                    raise Hang(f"the host {verdict}, without answers to {sorted(self.open)[:20]}")
                found.append(reply)
        return found

    def ask(self, requests):
        """The replies to requests, by their ids."""
        self.send(requests)
        return {reply["id"]: reply for reply in self.replies()}

    def finish(self):
        """Ends the input and waits; the code is returned."""
        with Watch(self.process) as watch:
            self.process.stdin.close()
            self.process.stdout.read()
            code = self.process.wait()
        if watch.is_expired:
            raise Hang(f"the host did not end for {PATIENCE} s after its input")
        return code

    def kill(self, number=signal.SIGKILL):
        with Watch(self.process) as watch:
            self.process.send_signal(number)
            self.finish_killed()
        if watch.is_expired:
            raise Hang(f"the host did not die of signal {number} for {PATIENCE} s")

    def finish_killed(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        rest = self.process.stdout.read()
        self.process.stdout.close()
        self.process.wait()
        return rest


class Watch:
    """Kills a process that hangs, so that its reader finds the end of the output."""

    def __init__(self, process):
        self.process, self.is_expired = process, False
        self.timer = threading.Timer(PATIENCE, self.expire)

    def expire(self):
        self.is_expired = True
        self.process.kill()

    def __enter__(self):
        self.timer.daemon = True
        self.timer.start()
        return self

    def __exit__(self, *_):
        self.timer.cancel()


def parser(description, unit, count, quick):
    """The options that all proofs have."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("--host", help="the program; by default the release build, else the debug build")
    options.add_argument("--seed", type=int, default=1, help="the same seed makes the same choices")
    options.add_argument(f"--{unit}", type=int, dest="count", default=count, help=f"how many {unit} (default: {count})")
    options.add_argument("--quick", action="store_const", const=quick, dest="count", help=f"only {quick}")
    options.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many processes work at once")
    return options


def program_of(options):
    """The path of the program; without one the proof cannot run."""
    found = [options.host] if options.host else [ROOT / f".build/{kind}/pushhost" for kind in ("release", "debug")]
    for path in found:
        if os.access(path, os.X_OK):
            return os.path.abspath(path)
    cannot_run(f"there is no program {' or '.join(map(str, found))}; build it, or name one with --host")
    return None


def cannot_run(reason):
    print(reason, file=sys.stderr)
    sys.exit(2)


def scratch(prefix):
    """A new folder in memory if the system has one, since a sync of it costs nothing."""
    memory = "/dev/shm"
    return tempfile.mkdtemp(prefix=prefix, dir=memory if os.access(memory, os.W_OK) else None)


def remove(folder):
    shutil.rmtree(folder, ignore_errors=True)


def note(text):
    print(text, file=sys.stderr, flush=True)


def report(promise, shown, count, failures, **more):
    """Prints the line about a proof, and returns its exit code."""
    show(json.dumps({"promise": promise, "shown": shown, "count": count, "failures": failures, **more}))
    return 1 if failures else 0


def show(text):
    """Prints a text; a full disk or a reader that is gone is an error with a code of its own."""
    try:
        print(text, flush=True)
    except OSError as error:
        # Python would write it again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"{os.path.basename(sys.argv[0])}: the output cannot be written: {error.strerror}", file=sys.stderr)
        sys.exit(74)
