"""What the rows share: the built programs, the load driver, and the data folders."""

import json
import os
import shlex
import shutil
from pathlib import Path

from . import callgrind
from .operations import Operations
from .requests import saves
from .tools import ROOT, SWIFT, Failure, Missing, check, compile_c, empty_folder, need, private_environment, say


class Bench:
    def __init__(self, options):
        self.runs, self.quick, self.records = options.runs, options.quick, options.records
        self.environment = private_environment()
        empty_folder("xdg")
        self.driver, self.reference, self.track = compile_c("driver", "reference", "track")
        if options.host:
            self.host = shlex.split(options.host)
        else:
            # The build that the README makes and that is installed.
            build = [need("swift", SWIFT), "build", "-c", "release", "--static-swift-stdlib"]
            say("swift build -c release --static-swift-stdlib")
            check(build, cwd=ROOT)
            self.host = [str(ROOT / ".build" / "release" / "pushhost")]
        self.base = Path(options.base).resolve() if options.base else None
        self.operations = Operations(shutil.which(self.host[0]) or self.host[0], self.reference, self.track)
        self.plugins = self.operations.plugins
        self.suites = {}
        self.missing = []

    def size(self, count):
        return max(count // 10, 1) if self.quick else count

    def drive(self, mode, command, count, request=None, before=(), environment=None, **options):
        line = [self.driver, mode, "-n", count]
        if request:
            line += ["--request", request]
        for message in before:
            line += ["--before", message]
        for name, value in options.items():
            line += [f"--{name}"] if value is True else [f"--{name}", value]
        os.sync()  # so that pending writes of an earlier run do not count for this one
        output = check([*line, "--", *command], env={**self.environment, **(environment or {})})
        try:
            result = json.loads(output)
        except ValueError:
            raise Failure(f"a reply that is not JSON: {output[:300]}") from None
        if result.get("errors"):
            raise Failure(f"{result['errors']} errors, the first: {json.dumps(result['reply'])[:300]}")
        return result

    def interleave(self, *sides):
        """Returns the samples of each side; each run measures every side once, every other run in reverse order."""
        samples = [[] for _ in sides]
        for run in range(self.runs):
            for side, values in list(zip(sides, samples))[:: 1 if run % 2 == 0 else -1]:
                values.append(side())
        return samples

    def filled(self, count, mix=False, host=None):
        """Returns a data folder with so many pending records, and the peak memory of the host that saved them."""
        host = host or self.host
        key = (count, mix, host[0])
        if key not in self.suites:
            say(f"saving {count:,} records")
            data = empty_folder(f"pending-{len(self.suites)}")
            result = self.drive("pipelined", [*host, "--data", data], count, input=saves(count, mix))
            self.suites[key] = data, result["peak_kib"]
        return self.suites[key]

    # MARK: instructions

    def instructions(self, ours, theirs, *sizes):
        """The cell of a row: the instructions of one operation, of `ours` and of `theirs`."""
        return self.counts(lambda: [callgrind.each(run, *sizes) for run in (ours, theirs)])

    def counts(self, count):
        """The cell of a row for the one or two counts that `count` returns; without valgrind, how to get it."""
        counts = self.listed(count)
        if not counts:
            return "apt-get install valgrind binutils"
        return callgrind.beside(*counts) if len(counts) > 1 else f"{counts[0]:,.0f}"

    def listed(self, count):
        """What `count` returns; nothing without valgrind, which fails the benchmark at its end."""
        try:
            return count()
        except Missing as missing:
            self.missing.append(str(missing))
            return []

    def driven(self, command, request, before, take=None):
        """The count of a process that serves one request at a time; what it starts is not counted."""

        def run(count):
            output = empty_folder(f"driven-{count}") / "counts"
            program = [callgrind.readable(command[0]), *command[1:]]
            options = {"take": take} if take else {}
            line = callgrind.under_callgrind(program, output)
            self.drive("roundtrip", line, count, request, before, callgrind.FIXED, **options)
            return output

        return run
