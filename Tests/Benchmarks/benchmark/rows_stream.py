"""Rows about a stream of NATS: what a host publishes to it and relays deliver from it, beside a C client of libnats."""

import contextlib
import json
import os
import socket
import statistics
import subprocess
import time
import urllib.request
from pathlib import Path

from .requests import FLUSH_TO, saves
from .table import Amount, Row
from .tools import HERE, ROOT, SWIFT, WORK, Failure, Track, check, empty_folder, need

STREAM = "PUSHHOST"
# The number of partitions that the destination and the C client create.
PARTITIONS = 16


def stream(bench):
    """Publishing the records of a suite, and delivering them with 1, 2 and 4 relays, beside C clients."""
    count = bench.size(bench.records or 2_000_000)
    client = compiled()
    plugins = built()
    published, published_by_c, delivered_by_c = [], [], []
    delivered, starts = {1: [], 2: [], 4: []}, {1: [], 2: [], 4: []}
    for run in range(bench.runs):
        sides = [
            lambda: c_client(bench, client, count, published_by_c, delivered_by_c),
            *(
                lambda relays=relays: host(bench, plugins, count, published, starts[relays], delivered[relays], relays)
                for relays in delivered
            ),
        ]
        for side in sides if run % 2 == 0 else reversed(sides):
            side()
    # Each run publishes once for each number of relays.
    averages = [sum(published[at : at + 3]) / 3 for at in range(0, len(published), 3)]
    yield Row("records published to a stream", averages, "C, as many at once", published_by_c, "records/s", "≥ 0.8")
    for relays, rates in delivered.items():
        name = f"records delivered from a stream to `/users/track` by {relays} relay{'s' if relays > 1 else ''}"
        yield Row(name, rates, "C, posted in the same bodies", delivered_by_c, "records/s", "≥ 0.8")
        name = f"until {relays} relay{'s' if relays > 1 else ''} had their shares and delivered"
        yield Amount(name, statistics.median(starts[relays]), "s", "")
    name = "records delivered by 4 relays on the same cores"
    yield Row(name, delivered[4], "by 1 relay", delivered[1], "records/s", "≥ 0.9")


def cores(bench):
    """Delivering with 1 and 4 relays, each of which has a fixed part of a core, as if it had a machine of its own."""
    count, plugins, rates = bench.size(bench.records or 200_000), built(), {1: [], 4: []}
    for run in range(bench.runs):
        for relays in list(rates)[:: 1 if run % 2 == 0 else -1]:
            # One relay needs as long as four do.
            own = count * relays // 4
            with contextlib.ExitStack() as groups:
                limits = [groups.enter_context(ProcessorLimit(number)) for number in range(relays)]
                host(bench, plugins, own, [], [], rates[relays], relays, limits)
    part = f"{ProcessorLimit.PART:g} of a core each"
    yield Row("records delivered by 4 relays", rates[4], "by 1 relay", rates[1], "records/s", "≥ 3", part)


def join(bench):
    """How long it takes while 2 relays deliver until 2 more have their shares and deliver, and until these have left."""
    count, plugins, joined, left = bench.size(bench.records or 800_000), built(), [], []
    for _ in range(bench.runs):
        with Server() as server, Track(bench.track) as track:
            fill(bench, plugins, server, count)
            with relaying(bench, plugins, server, 2, track.environment) as started:
                until_shared(started)
                with relaying(bench, plugins, server, 2, track.environment) as new:
                    joined.append(until_shared(started + new))
                    for relay in new:
                        relay.process.terminate()
                    left.append(until_shared(started))
                if not server.left(STREAM, count):
                    raise Failure("everything was delivered before the relay had left; use more --records")
    yield Amount("until 2 more relays had their shares and delivered, from their start", statistics.median(joined), "s", "≤ 2")
    yield Amount("until the first 2 relays had these shares, from SIGTERM", statistics.median(left), "s", "≤ 2")


class ProcessorLimit:
    """A control group whose processes together get a part of a core."""

    PART = 0.2
    # Short, so that a relay pauses often and not for long.
    PERIOD = 20_000

    def __init__(self, number):
        quota = int(self.PART * self.PERIOD)
        # With the greatest weight, so that the part is there even if the machine is busy.
        base, files = Path("/sys/fs/cgroup"), {"cpu.max": f"{quota} {self.PERIOD}", "cpu.weight": 10_000}
        if (base / "cpu" / "cpu.cfs_quota_us").exists():
            base = base / "cpu"
            files = {"cpu.cfs_period_us": self.PERIOD, "cpu.cfs_quota_us": quota, "cpu.shares": 262_144}
        self.path = base / f"pushhost-benchmark-{os.getpid()}-{number}"
        try:
            self.path.mkdir()
            for name, value in files.items():
                (self.path / name).write_text(str(value))
        except OSError as error:
            raise Failure(f"processor time cannot be limited here: {error}") from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.path.rmdir()

    def starting(self, line):
        """The command that starts another one in the group."""
        return ["sh", "-c", 'echo $$ > "$0" && exec "$@"', str(self.path / "cgroup.procs"), *line]


def compiled():
    """The C client."""
    need("cc", "gcc")
    flags = check([need("pkg-config", "pkg-config"), "--cflags", "--libs", "libnats"]).split()
    check(["cc", "-O2", "-std=gnu2x", HERE / "stream.c", "-o", WORK / "stream", *flags, "-lpthread"])
    return WORK / "stream"


def built():
    """The bundles, built as they are installed."""
    package = ROOT / "plugins" / "nats"
    check([need("swift", SWIFT), "build", "-c", "release", "--package-path", package])
    return package


class Server:
    """A server with a new stream; it listens on free ports."""

    def __init__(self):
        self.port, self.monitor = free_port(), free_port()
        options = ["-a", "127.0.0.1", "-p", self.port, "-m", self.monitor, "-js", "-sd", empty_folder("nats")]
        line = list(map(str, [need("nats-server", "nats-server"), *options]))
        self.process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.url = f"nats://127.0.0.1:{self.port}"
        for _ in range(200):
            with contextlib.suppress(OSError):
                self.left(STREAM, 0)
                return
            time.sleep(0.05)
        raise Failure("nats-server did not start within 10 s")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def left(self, name, count):
        """How many of the stream's messages are not acknowledged; they stay in the stream even after that.

        A message of pushhost has about as many records as any other, so a part of the messages is that part of `count`.
        """
        address = f"http://127.0.0.1:{self.monitor}/jsz?consumers=1&config=1"
        accounts = json.load(urllib.request.urlopen(address, timeout=10)).get("account_details", [])
        streams = [stream for account in accounts for stream in account.get("stream_detail", [])]
        consumers = [one for stream in streams if stream["name"] == name for one in stream.get("consumer_detail") or []]
        partitions = {}
        for consumer in consumers:
            partition = consumer["config"]["filter_subject"]
            # An earlier holder's consumer stays behind that of the holder.
            left = consumer["num_pending"] + consumer["num_ack_pending"]
            partitions[partition] = min(left, partitions.get(partition, left))
        if len(partitions) < PARTITIONS:
            return count
        total = sum(one["state"]["messages"] for one in streams if one["name"] == name)
        return count * sum(partitions.values()) / total

    def rate_of_taking(self, name, count, process):
        """How fast the messages are acknowledged, from a tenth to nine tenths of them: without a start and an end."""
        marks = {}
        while len(marks) < 2:
            left, now = self.left(name, count), time.monotonic()
            if left <= 0.9 * count:
                marks.setdefault("first", (left, now))
            if left <= 0.1 * count:
                marks["last"] = (left, now)
            if any(one.poll() for one in process):
                raise Failure("a program that takes messages ended")
            time.sleep(0.01)
        (more, began), (fewer, ended) = marks["first"], marks["last"]
        return (more - fewer) / (ended - began)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def c_client(bench, client, count, published, delivered):
    with Server() as server, Track(bench.track) as track:
        published.append(float(check([client, "publish", server.url, count])))
        line = [client, "deliver", server.url, str(count), str(track.port)]
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL)
        delivered.append(server.rate_of_taking("BENCH", count, [process]))
        process.wait()


def host(bench, plugins, count, published, starts, delivered, relays, limits=()):
    with Server() as server, Track(bench.track) as track:
        published.append(count / fill(bench, plugins, server, count))
        with relaying(bench, plugins, server, relays, track.environment, limits) as started:
            starts.append(until_shared(started))
            delivered.append(server.rate_of_taking(STREAM, count, [relay.process for relay in started]))


class Relay:
    """A relay, and what it says of itself."""

    def __init__(self, line, environment):
        self.port = free_port()
        self.process = subprocess.Popen([*line, "--metrics-port", str(self.port)], env=environment)

    def metric(self, name):
        with contextlib.suppress(OSError):
            text = urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=10).read().decode()
            for line in text.splitlines():
                if line.split("{")[0].split()[:1] == [f"pushhost_relay_{name}"]:
                    return float(line.split()[-1])
        return 0


def until_shared(relays):
    """How many seconds after their start all relays had an equal share, and had delivered something."""
    began = time.monotonic()
    while not all(one.metric("rate_share") == 1 / len(relays) and one.metric("delivered_total") for one in relays):
        if any(one.process.poll() is not None for one in relays) or time.monotonic() - began > 120:
            raise Failure("the relays did not share the partitions, or there are too few records")
        time.sleep(0.05)
    return time.monotonic() - began


def fill(bench, plugins, server, count):
    """Publishes records of a suite to the stream, and returns how many seconds that took."""
    data = empty_folder("published")
    bench.drive("pipelined", [*bench.host, "--data", data], count, input=saves(count, mix=True))
    command = [*bench.host, "--plugins", plugins, "--data", data]
    request = FLUSH_TO.replace('"braze"', '"nats"')
    result = bench.drive("roundtrip", command, 1, request, environment={"NATS_URL": server.url})
    if result["reply"]["result"]["delivered"] != count:
        raise Failure(f"not all records were published: {json.dumps(result)[:300]}")
    return result["p50_us"] / 1e6


@contextlib.contextmanager
def relaying(bench, plugins, server, count, environment, limits=()):
    """Some relays that deliver from the stream."""
    line = [*bench.host[:1], "relay", "--from", "nats", "--to", "braze"]
    line = list(map(str, [*line, "--plugins", plugins, "--plugins", bench.plugins]))
    all_variables = {**bench.environment, **environment, "NATS_URL": server.url}
    lines = [limit.starting(line) for limit in limits] or [line] * count
    started = [Relay(line, all_variables) for line in lines]
    try:
        yield started
    finally:
        for relay in started:
            relay.process.terminate()
        for relay in started:
            relay.process.wait()


def limit(bench):
    """The share of a rate limit that four relays use together, and how many of their requests are refused."""
    requests, window, windows, plugins = 120, 3, bench.size(20), built()
    rates, refused, all_requests = [], 0, 0
    for _ in range(bench.runs):
        with Server() as server, UsersTrack(requests, window) as track:
            fill(bench, plugins, server, 75 * requests * windows)
            with relaying(bench, plugins, server, 4, track.environment):
                # Not the start, when shares are taken, and not the end, when some partitions are empty.
                first, last = requests * (windows // 4) + 1, requests * (windows // 4 * 3) + 1
                track.wait(first)
                began = time.monotonic()
                track.wait(last)
                ended, statuses = time.monotonic(), track.requests()
        rates.append(sum(status != 429 for status in statuses[first - 1 : last - 1]) / (ended - began))
        refused += statuses.count(429)
        all_requests += len(statuses)
    note = f"{requests} in {window} s"
    allowed = [requests / window] * len(rates)
    yield Row("requests of 4 relays that share a rate limit", rates, "the limit", allowed, "requests/s", "≥ 0.9", note)
    yield Amount("of these requests refused with 429", 100 * refused / all_requests, "%", "≤ 1", note)


class UsersTrack:
    """The tests' `/users/track`, which enforces a rate limit."""

    def __init__(self, limit, window):
        script = ROOT / "Tests" / "Fixtures" / "users-track" / "users_track_server.py"
        line = ["python3", script, "--rate-limit", str(limit), "--rate-window", str(window)]
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}"
        self.environment = {
            "BRAZE_REST_ENDPOINT": self.url,
            "BRAZE_API_KEY": "test-key",
            "BRAZE_RATE_REQUESTS": str(limit),
            "BRAZE_RATE_MILLISECONDS": str(1_000 * window),
        }

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def wait(self, requests):
        """Waits until that many requests began."""
        body = json.dumps({"requests": requests}).encode()
        urllib.request.urlopen(f"{self.url}/control/wait", body, timeout=300).read()

    def requests(self):
        """The status of each request with records, in order."""
        answer = json.load(urllib.request.urlopen(f"{self.url}/control/requests", timeout=60))
        return [request["status"] for request in answer["requests"] if request["objects"] > 0 and request["status"]]
