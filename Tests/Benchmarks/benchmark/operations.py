"""The operations whose instructions are counted, of the host and of the C programs.

Each function takes the number of operations and returns the file of the counts. Their
requests come from a regular file, so that each iteration reads the same bytes.
"""

import json
import plistlib
from pathlib import Path

from .callgrind import WITH_EXTENSIONS, bundle, counted, readable
from .requests import FLUSH_TO, pings, saves
from .tools import ROOT, WORK, Failure, Track, check, empty_folder, private_environment


class Operations:
    def __init__(self, host, reference, track):
        """`host` is the path of a release build, whose bundles are beside it."""
        self.built = Path(host).resolve()
        self.reference, self.track = reference, track

    @property
    def plugins(self):
        """The bundles of an installed host; those of this checkout, if the host was built here."""
        installed = self.built.parent.parent / "libexec" / "pushhost" / "plugins"
        return installed if installed.exists() else ROOT / "plugins"

    def bundle(self, name, folder):
        """A folder with one bundle that has its executable in it."""
        for executable in (self.built.parent / name, self.plugins / name / name):
            if executable.exists():
                return bundle(name, executable, folder)
        raise Failure(f"{self.built} has no bundle {name} beside it: swift build -c release --static-swift-stdlib")

    def host(self, name, *options):
        return [readable(self.built), *options, "--data", empty_folder(f"counted-{name}")]

    def ping(self, count):
        return counted(self.host(f"ping-{count}"), pings(count), f"ping-{count}")

    def save(self, count):
        return counted(self.host(f"save-{count}"), saves(count), f"save-{count}")

    def saved_with(self, keys):
        def run(count):
            return counted(self.host(f"{keys}-{count}"), saves(count, keys=keys), f"{keys}-{count}")

        return run

    def recorded(self, name, requests):
        def run(count):
            session = empty_folder(f"session-{name}-{count}") / "a.session.jsonl"
            host = self.host(f"recorded-{name}-{count}", "--record", session)
            return counted(host, requests(count), f"recorded-{name}-{count}")

        return run

    def c_ping(self, count):
        return counted([self.reference, "ping"], pings(count), f"c-ping-{count}")

    def c_save(self, count):
        database = empty_folder(f"c-save-{count}") / "bench.sqlite"
        return counted([self.reference, "save", database], saves(count), f"c-save-{count}")

    def flush_host(self, count):
        """The host's part of a flush of so many events."""
        return self.flush(f"flush-host-{count}", count, self.counted_flush)

    def counted_flush(self, name, host, request, environment):
        return counted([readable(self.built), *WITH_EXTENSIONS, *host], request, name, environment)

    def flush_braze(self, count):
        """The part of `braze`: its own process, which reads the lines that the host wrote in an earlier flush."""
        return self.flush(f"flush-braze-{count}", count, self.counted_braze)

    def counted_braze(self, name, host, request, environment):
        session = empty_folder(f"session-{name}") / "a.session.jsonl"
        with request.open() as stdin:
            command = [self.built, *host, "--record", session]
            check(command, stdin=stdin, env={**private_environment(), **environment})
        lines = WORK / f"{name}.jsonl"
        lines.write_text("".join(line + "\n" for line in written_to_braze(session, environment)))
        return counted([readable(self.braze(name) / "braze" / "braze")], lines, name)

    def braze(self, name):
        """The bundle `braze`, with one batch at a time.

        Whether two replies arrive together depends on the machine, and so would the number of commits.
        """
        folder = self.bundle("braze", f"bundles-{name}")
        path = folder / "braze" / "Info.plist"
        info = plistlib.loads(path.read_bytes())
        info["NSExtension"]["NSExtensionAttributes"]["PushhostDestinationConcurrentBatches"] = 1
        path.write_bytes(plistlib.dumps(info))
        return folder

    def flush(self, name, count, run):
        data, request = empty_folder(f"data-{name}"), WORK / f"{name}-request.jsonl"
        request.write_text(FLUSH_TO.replace("%d", "1") + "\n")
        with saves(count).open() as stdin:
            check([self.built, "--data", data], stdin=stdin, env=private_environment())
        with Track(self.track) as server:
            host = ["--data", data, "--plugins", self.braze(name)]
            output = run(name, host, request, server.environment)
        if server.total["events"] % count or not server.total["events"]:
            raise Failure(f"{count:,} events were flushed, but the server received {server.total}")
        return output


def written_to_braze(session, environment):
    """The lines of a recording that the host wrote to `braze`, with the values that it did not record."""
    for line in session.read_text().splitlines():
        message = json.loads(line)
        if message.get("from") == "host" and "braze" in message.get("to", "") and "raw" in message:
            text = message["raw"]
            for name, value in environment.items():
                text = text.replace(f"[{name}]", value)
            yield text
